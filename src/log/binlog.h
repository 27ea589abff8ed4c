/* The binary log of single I/Os (log_format=binary): a header of 64 bytes, then blocks
 * (result/logblock.h), each as long as its slots in use, numbers in the byte order of the machine
 * that wrote it. One file stands for all the logs a job asked for: its latencies, its bandwidth and
 * its IOPS follow from the same record.
 * docs/logs.md describes it for other readers; `fathom log` turns it into text or
 * percentiles.
 */
#ifndef FATHOM_LOG_BINLOG_H
#define FATHOM_LOG_BINLOG_H

#include "base/err.h"
#include "base/must_check.h"
#include "log/logline.h"
#include "result/logblock.h"

#define BLOG_MAGIC   "FATHOMIO"
#define BLOG_VERSION 2

enum {
	BLOG_OFFSET = 1,
	BLOG_PRIO = 2,
	BLOG_ISSUE = 4
}; /* columns of the text: log_offset, log_prio, log_issue_time */

struct binlog_header {
	char magic[8];
	uint32_t version;
	uint32_t block_bytes; /* the most a block has */
	uint32_t kinds;	      /* bits 1 << LOGK_*: logs it stands for */
	uint32_t flags;	      /* BLOG_* */
	uint64_t epoch_ns;    /* to be added to times */
	uint32_t job;	      /* counted from 0 */
	char name[28];	      /* of the job, cut off */
};

_Static_assert(sizeof(struct binlog_header) == 64, "a file format");

void binlog_header_fill(struct binlog_header *h, const char *name, unsigned job, unsigned kinds,
			const struct logline_style *s);
/* -EINVAL with words when this is no such log or of a version that is not known. */
MUST_CHECK int binlog_header_check(const struct binlog_header *h, struct err *err);
/* How its text looks. */
void binlog_style(const struct binlog_header *h, struct logline_style *s);

/* How many of the n bytes at b are the next block: as many as it has slots, or, where the file ends
 * within it, the slots there (b->slots is set to them). 0: not even its head, or no block. */
size_t binlog_block(struct log_block *b, size_t n);

#endif
