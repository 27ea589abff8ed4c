#include "log/binlog.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

void binlog_header_fill(struct binlog_header *h, const char *name, unsigned job, unsigned kinds,
			const struct logline_style *s)
{
	assert(name && s && kinds < 1u << LOGK_KINDS);
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, BLOG_MAGIC, sizeof(h->magic));
	h->version = BLOG_VERSION;
	h->block_bytes = LOGB_BYTES;
	h->kinds = kinds;
	h->flags = (s->offset ? BLOG_OFFSET : 0) | (s->prio ? BLOG_PRIO : 0) |
		   (s->issue ? BLOG_ISSUE : 0);
	h->epoch_ns = s->epoch_ns;
	h->job = job;
	(void)snprintf(h->name, sizeof(h->name), "%s", name);
}

int binlog_header_check(const struct binlog_header *h, struct err *err)
{
	if (memcmp(h->magic, BLOG_MAGIC, sizeof(h->magic)) != 0)
		return err_set(err, ERR_USAGE, EINVAL,
			       "this is no binary log of this program, or of a machine with the "
			       "other byte order");
	if (h->version != BLOG_VERSION || h->block_bytes != LOGB_BYTES)
		return err_set(err, ERR_USAGE, EINVAL, "a binary log of version %u is not known",
			       h->version);
	return 0;
}

void binlog_style(const struct binlog_header *h, struct logline_style *s)
{
	*s = (struct logline_style){.offset = h->flags & BLOG_OFFSET,
				    .prio = h->flags & BLOG_PRIO,
				    .issue = h->flags & BLOG_ISSUE,
				    .epoch_ns = h->epoch_ns};
}

size_t binlog_block(struct log_block *b, size_t n)
{
	if (n < LOGB_HEAD || b->mark != LOGB_MARK || b->slots > LOGB_SLOTS)
		return 0;
	size_t there = (n - LOGB_HEAD) / sizeof(b->slot[0]);
	if (there < b->slots)
		b->slots = (uint16_t)there;
	return logb_bytes(b);
}
