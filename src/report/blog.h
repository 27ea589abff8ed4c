/* The binary log of single I/Os (log_format=binary): a header of 64 bytes, then 40 bytes an I/O,
 * numbers in the byte order of the machine that wrote it. One file stands for all the logs a job
 * asked for: its latencies, its bandwidth and its IOPS follow from the same record.
 * docs/performance.md describes it for other readers; `fathom log` turns it into text or
 * percentiles.
 */
#ifndef FATHOM_REPORT_BLOG_H
#define FATHOM_REPORT_BLOG_H

#include "base/err.h"
#include "report/logline.h"
#include "result/logrec.h"

#define BLOG_MAGIC   "FATHOMIO"
#define BLOG_VERSION 1

enum {
	BLOG_OFFSET = 1,
	BLOG_PRIO = 2,
	BLOG_ISSUE = 4
}; /* columns of the text: log_offset, log_prio, log_issue_time */

struct blog_header {
	char magic[8];
	uint32_t version;
	uint32_t
		record_bytes; /* a later version may have longer records that begin with this one */
	uint32_t kinds;	      /* bits 1 << LOGK_*: logs it stands for */
	uint32_t flags;	      /* BLOG_* */
	uint64_t epoch_ns;    /* to be added to times */
	uint32_t job;	      /* counted from 0 */
	char name[28];	      /* of the job, cut off */
};

struct blog_rec {
	uint64_t time_ns; /* completion, since the start of the measurement */
	uint64_t offset;  /* bytes */
	uint64_t clat_ns, slat_ns;
	uint32_t len;
	uint16_t prio; /* kernel I/O priority */
	uint8_t dir;   /* 0 read, 1 write, 2 trim */
	uint8_t spare;
};

_Static_assert(sizeof(struct blog_header) == 64 && sizeof(struct blog_rec) == 40, "a file format");

void blog_header_fill(struct blog_header *h, const char *name, unsigned job, unsigned kinds,
		      const struct logline_style *s);
/* -EINVAL with words when this is no such log or of a version that is not known. */
int blog_header_check(const struct blog_header *h, struct err *err);
/* How its text looks. */
void blog_style(const struct blog_header *h, struct logline_style *s);

static inline void blog_pack(struct blog_rec *to, const struct log_rec *r)
{
	to->time_ns = r->time_ns;
	to->offset = r->offset;
	to->clat_ns = r->value;
	to->slat_ns = r->max;
	to->len = r->len;
	to->prio = r->prio;
	to->dir = r->dir;
	to->spare = 0;
}

/* As a record of kind LOGK_IO. */
static inline void blog_unpack(struct log_rec *to, const struct blog_rec *r)
{
	*to = (struct log_rec){.time_ns = r->time_ns,
			       .value = r->clat_ns,
			       .max = r->slat_ns,
			       .offset = r->offset,
			       .issue_ns = r->time_ns - r->clat_ns,
			       .len = r->len,
			       .prio = r->prio,
			       .kind = LOGK_IO,
			       .dir = r->dir};
}

#endif
