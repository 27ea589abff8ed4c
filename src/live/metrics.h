/* The newest page of metrics for whoever scrapes it: served by HTTP (httpd) or kept in a file
 * (textfile). All functions are for one thread, which never waits for a reader. */
#ifndef FATHOM_LIVE_METRICS_H
#define FATHOM_LIVE_METRICS_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/endpoint.h"
#include "live/openmetrics.h"
#include <stddef.h>

struct metrics;

/* TCP or UNIX: listen and serve. PATH: a file. Everything that can be wrong with the place is found
 * here, before the run. -errno with text. */
MUST_CHECK int metrics_open(const struct endpoint *at, struct metrics **out, struct err *err);
/* Where it is: "http://127.0.0.1:9100/metrics", "unix:PATH" or the file's path. */
const char *metrics_url(const struct metrics *m);
/* The format that its readers expect. */
enum openmetrics_format metrics_format(const struct metrics *m);
/* A new page, malloc'ed; owned by the service from here on. */
void metrics_publish(struct metrics *m, char *text, size_t n);
/* 0, or the positive errno of a page that could not be written to the file. */
int metrics_error(const struct metrics *m);
/* End the service. A file keeps the last page, a Unix socket is removed. */
void metrics_close(struct metrics *m);

#endif
