/* Inside of workload: the state of one worker's workload. Not for other folders. One thread owns a
 * struct workload; everything is allocated at init. */
#ifndef FATHOM_WORKLOAD_INNER_H
#define FATHOM_WORKLOAD_INNER_H

#include "base/bitmap.h"
#include "base/dist.h"
#include "base/must_check.h"
#include "base/permute.h"
#include "base/rng.h"
#include "workload/data.h"
#include "workload/workload.h"
#include "workload/mix.h"
#include "workload/pace.h"
#include "workload/size.h"
#include "workload/think.h"

/* One I/O before it gets a slot. */
struct pick {
	uint64_t offset; /* bytes in the file */
	uint64_t due;	 /* when the schedule wanted it, ns; 0 without a rate */
	uint32_t len;
	uint16_t file;
	uint8_t dir;
};

/* How a random offset is found. */
enum draw_kind {
	DRAW_PERMUTE,  /* every block once a pass, one block size */
	DRAW_MAP,      /* every block once a pass, sizes vary */
	DRAW_FREE,     /* uniform with repetition */
	DRAW_DIST,     /* zipf, pareto, normal */
	DRAW_ZONED,    /* zoned, zoned_abs */
	DRAW_SEQUENCE, /* a list of block indexes */
};

/* How the fast path finds an offset. */
enum fast_order { FAST_PERMUTED, FAST_FREE, FAST_SEQUENTIAL };

/* The region of one file and how far the pass is. Positions count from the region's begin. */
struct workload_file {
	uint64_t begin, bytes;
	uint64_t blocks;      /* whole units of workload.unit */
	uint64_t used;	      /* bytes issued in this pass */
	uint64_t index;	      /* next of the permutation */
	uint64_t start[DIRS]; /* of the previous I/O of the direction, when touched */
	uint64_t next[DIRS];  /* its end */
	uint64_t burst[DIRS]; /* rw=rand..:N: I/Os left before the next random offset */
	uint64_t dirty_lo,
		dirty_hi; /* written since the last sync, file offsets; lo > hi: nothing */
	uint8_t touched;  /* bit per direction */
	bool open, done;
};

/* Which file comes next. */
struct service {
	int type;	/* enum opt_service */
	bool restarts;	/* files chosen by distribution are never done (compatibility 5.12) */
	uint64_t every; /* I/Os before another file is chosen */
	uint64_t left;
	uint16_t current; /* while left > 0 */
	uint16_t *active; /* open and not done */
	unsigned active_n, at;
	unsigned scan;	/* files below are open or done */
	unsigned evict; /* which open one gives way to a chosen closed one */
	bool swapping;	/* the worker has to change files first */
	uint16_t close_file, open_file;
	struct dist dist;
	struct rng rng;
};

/* A zone of random_distribution=zoned: where, and up to which random number. */
struct zone {
	uint64_t below;		       /* of 2^64 */
	double from, to;	       /* share of the region, 0..1 */
	uint64_t from_bytes, to_bytes; /* zoned_abs */
};

struct zones {
	struct zone *v;
	unsigned n;
};

struct syncs {
	uint64_t every[3]; /* writes between fsync, fdatasync, sync_file_range; 0: never */
	uint64_t writes;
	uint8_t op; /* the one that is due */
	bool due, on;
	uint16_t file;
	uint64_t offset; /* of the write it follows */
};

/* I/Os in flight, by slot, for serialize_overlap. */
struct flight {
	uint64_t offset;
	uint32_t len; /* 0: free */
	uint16_t file;
};

struct workload {
	void (*fill)(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios,
		     unsigned want, struct workload_fill *out);
	struct workload_file *files;
	uint64_t stretch; /* fast path: I/Os until something has to be decided */
	uint64_t granted; /* fast path: the stretch when amounts were last brought up to date */
	uint32_t block;	  /* fixed */
	uint8_t dir;	  /* the only direction (pair: trim) */
	bool mixed;	  /* reads and writes */
	bool single;	  /* fast path: one direction, no data to make */
	enum fast_order order; /* fast path */
	const uint64_t *ahead_next, *ahead_end;
	uint64_t ahead[PERMUTE_AHEAD]; /* fast path: block indexes drawn but not yet issued */

	/* What to do. */
	bool random, pair, fixed, seq_rand, identical;
	enum draw_kind draw;
	uint64_t smallest;	     /* of all sizes in use, bytes */
	uint64_t unit;		     /* of permutation and map, bytes */
	int64_t hole;		     /* rw=SEQ:N, bytes */
	uint64_t burst;		     /* rw=rand..:N, I/Os */
	bool partly[DIRS];	     /* percentage_random below 100 */
	uint64_t random_below[DIRS]; /* its share of 2^64 */
	uint64_t align[DIRS];	     /* of free draws, by size table */
	struct sizes sizes[DIRS];
	struct zones zones[DIRS];
	bool zones_absolute;
	const uint64_t *sequence;
	unsigned sequence_n, sequence_at;

	/* How far it is. */
	unsigned files_n, usable;
	struct permute *perms; /* per file, as draw says */
	struct dist *dists;
	struct bitmap *maps;
	unsigned maps_n;
	struct service service;
	struct rng offset_rng, part_rng, size_rng[DIRS];
	struct mix mix;
	struct pace pace;
	struct think think;
	struct syncs syncs;
	struct data data;
	struct flight *flights; /* [slots], NULL without serialize_overlap */
	unsigned slots;
	struct pick held; /* prepared but not yet issued */
	bool holding;
	struct pick pair_write; /* of the trim just issued */
	bool pair_due;
	int drawn;	    /* direction drawn and not yet used, -1: none */
	unsigned fruitless; /* attempts since the last I/O that found no place */
	bool shift;	    /* rate_ignore_thinktime */

	/* Amounts. */
	bool counting;	   /* false in the ramp */
	bool wraps_always; /* no limit in bytes, or one above the region */
	bool loop_over, ended, stop_at_wrap;
	uint64_t limit_bytes, limit_ios, loop_bytes, total_ios;
	uint64_t loops, loop;
	uint64_t tail_bytes; /* at the region ends */
	struct workload_counts counts;
	const struct plan_job *plan;
};

#endif
