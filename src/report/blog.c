#include "report/blog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void blog_header_fill(struct blog_header *h, const char *name, unsigned job, unsigned kinds,
		      const struct logline_style *s)
{
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, BLOG_MAGIC, sizeof(h->magic));
	h->version = BLOG_VERSION;
	h->record_bytes = sizeof(struct blog_rec);
	h->kinds = kinds;
	h->flags = (s->offset ? BLOG_OFFSET : 0) | (s->prio ? BLOG_PRIO : 0) |
		   (s->issue ? BLOG_ISSUE : 0);
	h->epoch_ns = s->epoch_ns;
	h->job = job;
	(void)snprintf(h->name, sizeof(h->name), "%s", name);
}

int blog_header_check(const struct blog_header *h, struct err *err)
{
	if (memcmp(h->magic, BLOG_MAGIC, sizeof(h->magic)) != 0)
		return err_set(err, ERR_USAGE, EINVAL,
			       "this is no binary log of this program, or of a machine with the "
			       "other byte order");
	if (h->version != BLOG_VERSION || h->record_bytes < sizeof(struct blog_rec) ||
	    h->record_bytes > 4096 || h->record_bytes % 8)
		return err_set(err, ERR_USAGE, EINVAL, "a binary log of version %u is not known",
			       h->version);
	return 0;
}

void blog_style(const struct blog_header *h, struct logline_style *s)
{
	*s = (struct logline_style){.offset = h->flags & BLOG_OFFSET,
				    .prio = h->flags & BLOG_PRIO,
				    .issue = h->flags & BLOG_ISSUE,
				    .epoch_ns = h->epoch_ns};
}
