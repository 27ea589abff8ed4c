/* One line of a log on its way from a worker to the writer. Streamed through a bounded ring, never
 * hoarded. */
#ifndef FATHOM_RESULT_LOGREC_H
#define FATHOM_RESULT_LOGREC_H

#include "base/time.h"
#include "base/hist.h"
#include <stdint.h>

enum log_kind {
	LOGK_BW,
	LOGK_IOPS,
	LOGK_SLAT,
	LOGK_CLAT,
	LOGK_LAT,
	LOGK_HIST,
	LOGK_IOLOG,
	LOGK_KINDS,
	/* An I/O, once for all its logs: value is the completion latency, max the submission
	 * latency. No log has this kind. */
	LOGK_IO = LOGK_KINDS
};

/* In dir of a LOGK_IOLOG record, beside operations: what happens to a file. */
enum { IOLOG_ADD = 253, IOLOG_OPEN = 254, IOLOG_CLOSE = 255 };

struct log_rec {
	/* Completion or end of the window: since the start of the job's measurement, or realtime
	 * with log_alternate_epoch; LOGK_IOLOG: since the start of the job */
	uint64_t time_ns;
	uint64_t value; /* latency ns, bw bytes/s x 1 (window) , iops milli-I/Os per s (window) or 1
			 */
	uint64_t max;	/* log_window_value=both */
	uint64_t offset;
	uint64_t issue_ns; /* log_issue_time */
	uint32_t len;
	uint16_t prio;	   /* kernel I/O priority */
	uint16_t file;	   /* LOGK_IOLOG */
	uint8_t kind, dir; /* dir: DIR_*; LOGK_IOLOG: enum io_op or IOLOG_* */
	uint8_t pad[6];
};

/* A line of a histogram log: what a direction completed since the line before. */
struct log_hist {
	uint64_t time_ns; /* as log_rec.time_ns */
	uint32_t bs;	  /* bytes, the smallest block size of the direction */
	unsigned dir;
	uint64_t bucket[HIST_BUCKETS];
};

/* What the log of a kind says about a LOGK_IO record: latencies in ns, bandwidth of this I/O in
 * bytes per second, I/Os. */
static inline uint64_t logrec_value(const struct log_rec *r, unsigned kind)
{
	switch (kind) {
	case LOGK_BW:
		return r->value ? (uint64_t)((unsigned __int128)r->len * NS_PER_SEC / r->value) : 0;
	case LOGK_IOPS:
		return 1;
	case LOGK_SLAT:
		return r->max;
	case LOGK_LAT:
		return r->max + r->value;
	default:
		return r->value;
	}
}

#endif
