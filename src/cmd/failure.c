#include "base/time.h"
#include "cmd/failure.h"
#include <assert.h>
#include <time.h>

static uint64_t failure_wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return time_joined(ts);
}

bool cmd_wants_document(const struct session *s)
{
	return s->cl.output_formats & (CONF_OUT_JSON | CONF_OUT_JSON_PLUS | CONF_OUT_JSONL);
}

static void failure_document(const struct session *s, struct output *o, int status)
{
	struct result r = {
		.version = cmd_version_string(),
		.wall_ns = failure_wall_ns(),
		.final = true,
		.exit_code = status,
		.diag = &s->diag,
		.globals = s->jobs.globals,
		.globals_n = s->jobs.globals_n,
		.clock_name = "none",
	};

	follow_show(o->follow, &r, NULL);
	if (cmd_wants_document(s)) {
		o->normal = false;
		output_result(o, &r);
	}
}

int cmd_fail(struct session *s, struct output *opened, int least)
{
	struct output o;
	struct err err = {0};
	int status = session_status(s, least);

	assert(s);
	if (opened) {
		failure_document(s, opened, status);
		return status;
	}
	if (!cmd_wants_document(s))
		return status;
	if (output_open(&o, &s->cl, &err) < 0) {
		diag_add_err(&s->diag, "output", -1, &err);
		return status;
	}
	failure_document(s, &o, status);
	output_close(&o, &s->diag);
	return status;
}
