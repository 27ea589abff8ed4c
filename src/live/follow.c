#include "live/follow.h"
#include "live/feed.h"
#include "live/metrics.h"
#include "live/jsonlive.h"
#include "live/openmetrics.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GRACE_MS 1000u /* for the reader to take the last lines */

struct follow {
	struct diag *diag;
	uint64_t period_ns;
	struct json_live *lines;
	struct feed *feed; /* NULL: no --live, or ended */
	struct metrics *metrics;
	bool told_slow, told_gone, told_file;
};

static void follow_publish(struct follow *f, const struct result *r, const struct progress *p)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = f->metrics ? open_memstream(&text, &n) : NULL;

	if (!to)
		return; /* the old page stays */
	int ret = openmetrics_print(r, p, metrics_format(f->metrics), to);
	if (!fclose(to) && !ret)
		metrics_publish(f->metrics, text, n);
	else
		free(text);
}

static void follow_warn_file(struct follow *f)
{
	int error = f->metrics ? metrics_error(f->metrics) : 0;

	if (!error || f->told_file)
		return;
	f->told_file = true;
	diag_add(f->diag, DIAG_WARNING, ERR_NONE, "metrics-write", NULL, -1, "",
		 "metrics could not be written to %s: %s; the file may be out of date",
		 metrics_url(f->metrics), strerror(error));
}

static void follow_put_line(struct follow *f, const struct result *r, const struct progress *p)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = feed_room(f->feed) ? open_memstream(&text, &n) : NULL;

	if (!to)
		return;
	int ret = json_live_line(f->lines, r, p, feed_dropped(f->feed), to);
	if (!fclose(to) && !ret)
		feed_put(f->feed, text, n);
	else
		free(text);
}

static void follow_tell(struct follow *f)
{
	int error = feed_error(f->feed);

	if (error && !f->told_gone) {
		f->told_gone = true;
		diag_add(f->diag, DIAG_WARNING, ERR_NONE, "live-gone", NULL, -1, "",
			 "%s; the run goes on without live numbers",
			 error == EPIPE || error == ECONNRESET
				 ? "the reader of live numbers went away"
				 : strerror(error));
	}
	if (!error && feed_dropped(f->feed) && !f->told_slow) {
		f->told_slow = true;
		diag_add(f->diag, DIAG_WARNING, ERR_NONE, "live-slow", NULL, -1,
			 "make --live-interval longer or the reader faster",
			 "the reader of live numbers does not keep up: lines are left out, the "
			 "next one covers their time");
	}
}

static void follow_end_lines(struct follow *f)
{
	uint64_t dropped = feed_dropped(f->feed);
	unsigned left = feed_close(f->feed, GRACE_MS);

	f->feed = NULL;
	if (left && !f->told_gone)
		diag_add(f->diag, DIAG_WARNING, ERR_NONE, "live-left", NULL, -1, "",
			 "the reader of live numbers had not taken the last %u lines when the run "
			 "ended, %llu were left out before",
			 left, (unsigned long long)dropped);
}

/* The directory of a path, without its last part; -errno. */
static int follow_stat_directory(const char *path, struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int ret = !folder ? -ENOMEM : stat(folder, st) ? -errno : 0;

	free(folder);
	return ret;
}

/* Do two paths name the same file, which need not be there yet? */
static bool follow_same_name(const char *one, const char *two)
{
	const char *one_slash = strrchr(one, '/'), *two_slash = strrchr(two, '/');
	struct stat a, b;

	return !strcmp(one_slash ? one_slash + 1 : one, two_slash ? two_slash + 1 : two) &&
	       !follow_stat_directory(one, &a) && !follow_stat_directory(two, &b) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Both in one file or pipe would be neither. A report that does not have its name yet is known by
 * it. */
static bool follow_same_place(const struct endpoint *live, const char *report, int report_fd)
{
	struct stat a, b;

	if (live->kind == ENDPOINT_PATH && report && follow_same_name(live->path, report))
		return true;
	if (live->kind == ENDPOINT_PATH && report && !stat(live->path, &a) && !stat(report, &b) &&
	    !S_ISCHR(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return true;
	int ret = live->kind == ENDPOINT_FD	? fstat(live->fd, &a)
		  : live->kind == ENDPOINT_PATH ? stat(live->path, &a)
						: -1;

	return !ret && !fstat(report_fd, &b) && !S_ISCHR(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Before anything is created or truncated. */
static int follow_check_metrics(struct follow *f, const struct cmdline *cl, int report_fd)
{
	struct err err = {0};

	if (cl->metrics.kind != ENDPOINT_PATH ||
	    (!follow_same_place(&cl->metrics, cl->output, report_fd) &&
	     (cl->live.kind != ENDPOINT_PATH ||
	      !follow_same_name(cl->live.path, cl->metrics.path))))
		return 0;
	err_set(&err, ERR_USAGE, EINVAL,
		"--metrics: the report or the live numbers go to the same file");
	err_remedy(&err, "name another file");
	diag_add_err(f->diag, "metrics-open", -1, &err);
	return -EINVAL;
}

static int follow_open_feed(struct follow *f, const struct cmdline *cl, const struct plan *p,
			    int report_fd)
{
	struct err err = {0};
	int ret = 0;

	if (!cl->live.kind)
		return 0;
	f->lines = json_live_new();
	if (follow_same_place(&cl->live, cl->output, report_fd)) {
		ret = err_set(&err, ERR_USAGE, EINVAL, "--live: the report goes to the same place");
		err_remedy(&err, "name another place, or another file with --output");
	} else if (!f->lines) {
		ret = err_set(&err, ERR_SETUP, ENOMEM, "no memory for live numbers");
	}
	if (!ret)
		ret = feed_open(&cl->live, p->virtual_clock, &f->feed, &err);
	if (ret)
		diag_add_err(f->diag, "live-open", -1, &err);
	return ret;
}

static int follow_open_metrics(struct follow *f, const struct cmdline *cl, const char *version)
{
	const struct result nothing = {.version = version};
	struct err err = {0};

	if (!cl->metrics.kind)
		return 0;
	int ret = metrics_open(&cl->metrics, &f->metrics, &err);
	if (ret) {
		diag_add_err(f->diag, "metrics-open", -1, &err);
		return ret;
	}
	follow_publish(f, &nothing, NULL);
	if (cl->metrics.kind == ENDPOINT_TCP && !cl->metrics.port)
		diag_add(f->diag, DIAG_NOTE, ERR_NONE, "metrics", NULL, -1, "",
			 "metrics are served at %s", metrics_url(f->metrics));
	return 0;
}

int follow_open(const struct cmdline *cl, const struct plan *p, const char *version, int report_fd,
		struct diag *diag, struct follow **out)
{
	struct follow *f;
	int ret;

	assert(cl && p && diag && out);
	*out = NULL;
	if (!cl->live.kind && !cl->metrics.kind)
		return 0;
	f = calloc(1, sizeof(*f));
	if (!f) {
		diag_add(diag, DIAG_ERROR, ERR_SETUP, "memory", NULL, -1, "", "no memory");
		return -ENOMEM;
	}
	f->diag = diag;
	f->period_ns = cl->live_interval_ns;
	ret = follow_check_metrics(f, cl, report_fd);
	if (!ret)
		ret = follow_open_feed(f, cl, p, report_fd);
	if (!ret)
		ret = follow_open_metrics(f, cl, version);
	if (ret)
		follow_close(f);
	else
		*out = f;
	return ret;
}

uint64_t follow_period(const struct follow *f)
{
	return f ? f->period_ns : 0;
}

void follow_show(struct follow *f, const struct result *r, const struct progress *p)
{
	assert(!f || r);
	if (!f)
		return;
	assert(r);
	follow_publish(f, r, p);
	follow_warn_file(f);
	if (!f->feed)
		return;
	follow_put_line(f, r, p);
	follow_tell(f);
	if (r->final)
		follow_end_lines(f);
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	if (f->feed)
		feed_close(f->feed, 0);
	if (f->metrics)
		metrics_close(f->metrics);
	json_live_free(f->lines);
	free(f);
}
