/* A small HTTP server that shows one page, /metrics, from a thread of its own: GET only, a handful
 * of connections at a time, each for one request. */
#ifndef FATHOM_LIVE_METRICS_H
#define FATHOM_LIVE_METRICS_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/endpoint.h"
#include <stddef.h>

struct metrics;

/* Listen and start the thread; the page is empty until the first is published. -errno with words.
 */
MUST_CHECK int metrics_open(const struct endpoint *at, struct metrics **out, struct err *err);
/* Where it is: "http://127.0.0.1:9100/metrics" or "unix:PATH". */
const char *metrics_url(const struct metrics *m);
/* A new page, malloc'ed; the server takes it. */
void metrics_publish(struct metrics *m, char *text, size_t n);
void metrics_close(struct metrics *m);

#endif
