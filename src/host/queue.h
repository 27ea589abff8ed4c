/* The settings of a disk's request queue (Documentation/ABI/stable/sysfs-block of the kernel), and
 * what a stacked device is made of. -1 is unknown throughout. */
#ifndef FATHOM_HOST_QUEUE_H
#define FATHOM_HOST_QUEUE_H

#include "host/blockdev.h"

struct queue {
	int nomerges;	      /* 0 merge, 1 only simple ones, 2 never */
	int rq_affinity;      /* 0 anywhere, 1 the group of the submitter, 2 its very CPU */
	int64_t wbt_us;	      /* target of write-back throttling, 0 off */
	int64_t read_ahead;   /* bytes */
	int fua;	      /* 1: writes through the cache are possible */
	int device_depth;     /* commands the device takes at once (SCSI, SATA) */
	unsigned hw_queues;   /* 0 unknown (single-queue block layer) */
	int64_t misalignment; /* alignment_offset of this very device, bytes */
	char schedulers[128]; /* those to choose from, "none mq-deadline"; "" unknown */
	char link_power[32];  /* SATA: link power management policy, "" unknown */
};
/* dev: settings of its whole disk, misalignment of itself. */
void queue_read(const struct host *h, const struct blockdev *dev, struct queue *out);

enum stack_kind {
	STACK_DISK,
	STACK_PARTITION,
	STACK_CRYPT,
	STACK_LVM,
	STACK_MULTIPATH,
	STACK_DM, /* other device mapper targets */
	STACK_MD,
	STACK_LOOP,
	STACK_RAM /* zram, brd */
};
struct stack_layer {
	enum stack_kind kind;
	char name[BLOCKDEV_NAME];
	char detail[64]; /* md: "raid5"; dm: name of the device; loop: file */
	char action[16]; /* md: "idle", "resync", ...; "" unknown */
	int degraded;	 /* md: disks missing, -1 unknown */
};
/* What one device is. */
void queue_layer(const struct host *h, const struct blockdev *dev, struct stack_layer *out);

#endif
