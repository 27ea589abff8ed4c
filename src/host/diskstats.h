/* Counters of a block device: /sys/block/<disk>/stat, for partitions /sys/class/block/<name>/stat
 * (Documentation/block/stat.rst of the kernel). Index 0: reads, 1: writes. */
#ifndef FATHOM_HOST_DISKSTATS_H
#define FATHOM_HOST_DISKSTATS_H

#include "base/must_check.h"
#include "host/host.h"

struct disk_counters {
	uint64_t ios[2];
	uint64_t merges[2];
	uint64_t sectors[2];  /* of 512 bytes whatever the block size */
	uint64_t ticks_ms[2]; /* summed time of the requests */
	uint64_t in_flight;   /* now; a difference keeps the later value */
	uint64_t io_ticks_ms; /* time with anything in flight */
	uint64_t in_queue_ms; /* summed time of all requests */
	uint64_t discards, discard_sectors;
	uint64_t flushes;
};

/* -ENOENT: no such device or no counters; -EINVAL: not understood. */
MUST_CHECK int diskstats_read(const struct host *h, const char *name, struct disk_counters *out);
/* later - earlier. The times are 32 bit in the kernel and may wrap once; other counters that fell
 * have been restarted (device came back) and count from 0. */
struct disk_counters diskstats_since(const struct disk_counters *earlier,
				     const struct disk_counters *later);
/* Field by field sum, for the "aggr" line of the disk statistics. */
void diskstats_add(struct disk_counters *to, const struct disk_counters *from);
/* Share of a span with I/O in flight, percent, clamped to 0..100; 0 for an empty span. */
double diskstats_util(const struct disk_counters *diff, uint64_t span_ns);

#endif
