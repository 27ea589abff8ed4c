#include "base/time.h"
#include "log/logs_write.h"
#include "log/logs_ios.h"
#include "cmd/output.h"
#include "plan/explain.h"
#include "plan/jobline.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Is it of use before it is complete? */
static bool output_grows(const struct cmdline *cl)
{
	const unsigned documents = CONF_OUT_JSON | CONF_OUT_JSON_PLUS;

	return (cl->output_formats & CONF_OUT_JSONL) ||
	       (cl->status_interval_ns && !(cl->output_formats & documents));
}

static int output_open_file(struct output *o)
{
	const char *path = o->cl->output;
	int ret;

	if (output_grows(o->cl)) {
		o->to = fopen(path, "we");
		return o->to ? 0 : -errno;
	}
	ret = newfile_open(&o->file, path, 0666);
	if (ret < 0)
		return ret;
	/* EINVAL: a pipe or device, which has no length. */
	ret = o->file.part || !ftruncate(o->file.fd, 0) || errno == EINVAL ? 0 : -errno;
	o->to = ret ? NULL : fdopen(o->file.fd, "w");
	if (!ret && !o->to)
		ret = -errno;
	if (ret) {
		close(o->file.fd);
		newfile_drop(&o->file);
	}
	return ret;
}

int output_open(struct output *o, const struct cmdline *cl, struct err *err)
{
	*o = (struct output){.cl = cl, .to = stdout};
	o->fo.terse_version = cl->terse_version;
	o->normal = cl->output_formats & CONF_OUT_NORMAL;
	if (cl->output) {
		int ret = output_open_file(o);
		if (ret < 0)
			return err_set(err, ERR_SETUP, -ret, "cannot open output file '%s': %s",
				       cl->output, strerror(-ret));
	}
	o->tty = isatty(STDOUT_FILENO);
	/* Never into a document on standard output. */
	if (cl->eta != CONF_ETA_NEVER)
		o->live = (o->normal || cl->output) && (o->tty || cl->eta == CONF_ETA_ALWAYS);
	o->next_newline = cl->eta_newline_ns;
	if (cl->output_formats & (CONF_OUT_JSON | CONF_OUT_JSON_PLUS)) {
		/* Reports of the running state come inside the one document. */
		snapshots_init(&o->kept);
		o->fo.snapshots = &o->kept;
	}
	return 0;
}

static void output_erase_line(struct output *o)
{
	if (o->line_open && o->tty)
		fputs("\r\033[K", stdout);
	else if (o->line_open)
		fputc('\n', stdout);
	o->line_open = false;
	fflush(stdout);
}

void output_close(struct output *o, struct diag *diag)
{
	if (o->to && fflush(o->to) && !o->error)
		o->error = errno;
	if (o->to && ferror(o->to) && !o->error)
		o->error = EIO;
	if (o->to && o->to != stdout && fclose(o->to) && !o->error)
		o->error = errno;
	if (o->error)
		newfile_drop(&o->file);
	else
		o->error = -newfile_finish(&o->file, o->cl->output);
	if (o->error)
		diag_add(diag, DIAG_ERROR, ERR_IO, "output", NULL, -1, "",
			 "cannot write the report: %s", strerror(o->error));
	snapshots_release(&o->kept);
	o->to = NULL;
}

void output_job_lines(struct output *o, const struct plan *p)
{
	struct str line;

	o->status.bits = p->jobs_n && p->jobs[0].o->unit_base == 1;
	o->status.kb_base = p->jobs_n ? (unsigned)p->jobs[0].o->kb_base : 1024;
	if (!o->normal)
		return;
	str_init(&line, 4096);
	for (unsigned i = 0; i < p->jobs_n; i++) {
		if (p->jobs[i].clone > 0) {
			if (p->jobs[i].clone == 1)
				fputs("...\n", o->to);
			continue;
		}
		str_clear(&line);
		explain_job_line(&p->jobs[i], &line);
		fprintf(o->to, "%s\n", line.s);
	}
	str_release(&line);
	fprintf(o->to, "%s\n", cmd_version_string());
}

/* json+ says all that json says: of the two only it is printed, as output has to stay one document.
 */
static unsigned output_formats(const struct cmdline *cl)
{
	unsigned bits = cl->output_formats;

	return bits & CONF_OUT_JSON_PLUS ? bits & ~(unsigned)CONF_OUT_JSON : bits;
}

static void output_each_format(struct output *o, const struct result *r)
{
	unsigned n;
	const struct format *const *list = format_list(&n);

	for (unsigned i = 0; i < n; i++) {
		if (!(output_formats(o->cl) & (1u << i)))
			continue;
		int ret = list[i]->result(r, &o->fo, o->snapshots_n, o->to);
		if (ret < 0 && !o->error)
			o->error = -ret;
	}
}

void output_result(struct output *o, const struct result *r)
{
	assert(r);
	output_erase_line(o);
	output_each_format(o, r);
}

void output_next_repeat(struct output *o, unsigned n)
{
	if (o->fo.snapshots) {
		snapshots_release(o->fo.snapshots);
		snapshots_init(o->fo.snapshots);
	}
	o->next_newline = o->cl->eta_newline_ns;
	if (o->normal) {
		fprintf(o->to, "\nRepeat %u\n", n);
		fflush(o->to);
	}
}

static void output_on_info(void *ctx, const char *line)
{
	struct output *o = ctx;

	if (o->normal) {
		fprintf(o->to, "%s\n", line);
		fflush(o->to);
	}
}

static void output_on_starting(void *ctx, unsigned workers)
{
	struct output *o = ctx;

	if (o->normal) {
		fprintf(o->to, "Starting %u thread%s\n", workers, workers == 1 ? "" : "s");
		fflush(o->to);
	}
}

static void output_on_progress(void *ctx, const struct progress *p)
{
	struct output *o = ctx;
	struct str line;

	if (!o->live)
		return;
	str_init(&line, 1024);
	status_line(&o->status, p, &line);
	if (o->cl->eta_newline_ns && p->now_ns >= o->next_newline) {
		fprintf(stdout, "%s\n", line.s);
		o->line_open = false;
		while (o->next_newline <= p->now_ns)
			o->next_newline += o->cl->eta_newline_ns;
	} else {
		fprintf(stdout, "%s\r", line.s);
		o->line_open = true;
	}
	fflush(stdout);
	str_release(&line);
}

static void output_on_snapshot(void *ctx, const struct result *r)
{
	struct output *o = ctx;

	output_erase_line(o);
	output_each_format(o, r);
	o->snapshots_n++;
}

static void output_on_live(void *ctx, const struct result *r, const struct progress *p)
{
	struct output *o = ctx;

	follow_show(o->follow, r, p);
}

static int output_on_log(void *ctx, unsigned job, const struct log_rec *recs, unsigned n)
{
	struct output *o = ctx;

	return o->logs ? logs_write(o->logs, job, recs, n) : 0;
}

static int output_on_log_ios(void *ctx, unsigned job, const struct log_block *blocks, unsigned n,
			     bool hurry)
{
	struct output *o = ctx;

	return o->logs ? logs_ios(o->logs, job, blocks, n, hurry) : 0;
}

static bool output_on_log_idle(void *ctx)
{
	struct output *o = ctx;

	return o->logs && logs_idle(o->logs);
}

static int output_on_log_hists(void *ctx, unsigned job, const struct log_hist *hists, unsigned n)
{
	struct output *o = ctx;

	return o->logs ? logs_hists(o->logs, job, hists, n) : 0;
}

void output_hooks(struct output *o, struct run_hooks *hooks)
{
	assert(o && hooks);
	*hooks = (struct run_hooks){
		.ctx = o,
		.info = output_on_info,
		.starting = output_on_starting,
		.progress = output_on_progress,
		.snapshot = output_on_snapshot,
		.live = output_on_live,
		.log = {.ctx = o,
			.lines = output_on_log,
			.ios = output_on_log_ios,
			.hists = output_on_log_hists,
			.idle = output_on_log_idle},
	};
}

uint64_t output_progress_period(const struct output *o)
{
	if (!o->live)
		return 0;
	return o->cl->eta_interval_ns ? o->cl->eta_interval_ns : NS_PER_SEC;
}
