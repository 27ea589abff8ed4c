/* Lines for a reader who may be slow, stuck or gone: a thread of its own writes them out of a short
 * queue, so that whoever has a line never waits. */
#ifndef FATHOM_LIVE_FEED_H
#define FATHOM_LIVE_FEED_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/endpoint.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feed;

/* Open or connect and start the thread. A file is truncated; a fifo needs no reader yet. patient
 * (simulated time, where nobody is disturbed): wait for room in the queue, five seconds at most.
 * -errno with words. */
MUST_CHECK int feed_open(const struct endpoint *to, bool patient, struct feed **out,
			 struct err *err);
/* Is there room for a line? When there is not, a line counts as dropped. */
bool feed_room(struct feed *f);
/* Hand over a line, malloc'ed; after feed_room() said so, from the same thread. */
void feed_put(struct feed *f, char *line, size_t n);
uint64_t feed_dropped(struct feed *f);
/* 0, or the positive errno that ended the writing: EPIPE when the reader went away. */
int feed_error(struct feed *f);
/* Wait up to grace_ms for the reader to take what is queued, close. Returns how many lines it never
 * took. */
unsigned feed_close(struct feed *f, unsigned grace_ms);

#endif
