#include "live/metrics.h"
#include "live/httpd.h"
#include "live/textfile.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define GRACE_MS 1000u /* for a slow file system to take the last page */

struct metrics {
	struct httpd *httpd;   /* one of both */
	struct textfile *file; /* owned */
	const char *path;      /* of the file; the endpoint's */
};

int metrics_open(const struct endpoint *at, struct metrics **out, struct err *err)
{
	struct metrics *m;
	int ret;

	assert(at && out);
	assert(at->kind == ENDPOINT_TCP || at->kind == ENDPOINT_UNIX || at->kind == ENDPOINT_PATH);
	m = calloc(1, sizeof(*m));
	if (!m)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for metrics");
	m->path = at->path;
	ret = at->kind == ENDPOINT_PATH ? textfile_open(at->path, &m->file, err)
					: httpd_open(at, &m->httpd, err);
	if (ret)
		free(m);
	else
		*out = m;
	return ret;
}

const char *metrics_url(const struct metrics *m)
{
	assert(m);
	return m->file ? m->path : httpd_url(m->httpd);
}

enum openmetrics_format metrics_format(const struct metrics *m)
{
	assert(m);
	return m->file ? OPENMETRICS_PROMETHEUS : OPENMETRICS_1_0;
}

void metrics_publish(struct metrics *m, char *text, size_t n)
{
	assert(m && text);
	if (m->file)
		textfile_publish(m->file, text, n);
	else
		httpd_publish(m->httpd, text, n);
}

int metrics_error(const struct metrics *m)
{
	assert(m);
	return m->file ? textfile_error(m->file) : 0;
}

void metrics_close(struct metrics *m)
{
	assert(m);
	if (m->file)
		textfile_close(m->file, GRACE_MS);
	else
		httpd_close(m->httpd);
	free(m);
}
