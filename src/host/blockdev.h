/* Block devices as /sys shows them. A name is the kernel's ("sda1", "nvme0n1", "dm-0",
 * "cciss!c0d0"), never a path. */
#ifndef FATHOM_HOST_BLOCKDEV_H
#define FATHOM_HOST_BLOCKDEV_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/host.h"
#include "host/list.h"
#include <sys/types.h>

#define BLOCKDEV_NAME 64

enum blockdev_zoned { BLOCKDEV_NOT_ZONED, BLOCKDEV_HOST_AWARE, BLOCKDEV_HOST_MANAGED };

struct blockdev {
	char name[BLOCKDEV_NAME]; /* of the device itself */
	char disk[BLOCKDEV_NAME]; /* of the whole disk; the same unless it is a partition */
	unsigned major, minor;
	bool partition;
	unsigned partno;   /* from 1; 0 for a whole disk */
	uint64_t start;	   /* bytes from the start of the disk (partitions) */
	uint64_t size;	   /* bytes */
	unsigned logical;  /* logical block size in bytes, 512 when unknown */
	unsigned physical; /* physical block size in bytes, = logical when unknown */
	int rotational;	   /* 1, 0, -1 unknown */
	bool read_only;
	char model[64];	    /* "" when unknown */
	char scheduler[32]; /* the active one ("none", "mq-deadline"); "" when unknown */
	int io_poll;	    /* queue/io_poll: 1 polling is possible, 0 not, -1 unknown */
	int poll_queues;    /* poll queues of the driver (nvme, virtio_blk, null_blk parameter), -1
			       unknown */
	int write_back;	    /* volatile write cache: 1, 0, -1 unknown */
	unsigned nr_requests; /* of the queue, 0 unknown */
	int node;	      /* NUMA node, -1 unknown */
	enum blockdev_zoned zoned;
	uint64_t zone_bytes; /* zone size, 0 unless zoned */
	bool hidden;	     /* a path of a multipath NVMe device: no node in /dev */
};

/* Facts of a device by kernel name or by number. -ENOENT when the kernel (or the tree) does not
 * know it. */
MUST_CHECK int blockdev_of_name(const struct host *h, const char *name, struct blockdev *out);
MUST_CHECK int blockdev_of_number(const struct host *h, unsigned major, unsigned minor,
				  struct blockdev *out);
/* By a path that is a block device (symbolic links followed) on this machine. -ENOTBLK for other
 * files, -errno. */
MUST_CHECK int blockdev_of_path(const struct host *h, const char *path, struct blockdev *out);
/* The device a file (regular, directory; a block device gives itself) lives on: by st_dev, and
 * where that is anonymous (btrfs, overlay over a device) by the source of its mount. -ENOENT when
 * there is none (tmpfs, nfs, zfs, ...). */
MUST_CHECK int blockdev_of_file(const struct host *h, const char *path, struct blockdev *out);
/* The part of it that needs no real file: from a st_dev, a mount id (0: unknown) and a path (""
 * unknown). */
MUST_CHECK int blockdev_of_dev(const struct host *h, dev_t dev, uint64_t mount_id, const char *path,
			       struct blockdev *out);

/* By the name of a node in /dev ("/dev/sda1", "/dev/mapper/vg-root"), as the mount table has it.
 * Below a root that is not this machine the names /sys knows decide. -ENOENT. */
MUST_CHECK int blockdev_of_source(const struct host *h, const char *source, struct blockdev *out);

#endif
