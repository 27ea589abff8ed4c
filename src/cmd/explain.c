/* `fathom explain JOB...`: what a job would do, without touching the device; --simulate also runs
 * it on the virtual clock. */
#include "cmd/failure.h"
#include "result/merge.h"
#include "cmd/output.h"
#include "plan/explain.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Take --simulate out of the words; the rest is an ordinary command line. */
static bool explain_take_simulate(int *argc, char **argv)
{
	bool found = false;
	int n = 0;

	for (int i = 0; i < *argc; i++) {
		if (!strcmp(argv[i], "--simulate"))
			found = true;
		else
			argv[n++] = argv[i];
	}
	*argc = n;
	argv[n] = NULL;
	return found;
}

static int explain_simulate(struct session *s, const struct plan *plan)
{
	struct output o;
	struct run_hooks hooks;
	struct run_options ro = {.version = cmd_version_string(), .sysroot = ""};
	struct result r = {0};
	struct err err = {0};

	if (output_open(&o, &s->cl, &err) < 0) {
		diag_add_err(&s->diag, "output", -1, &err);
		return session_status(s, 2);
	}
	output_hooks(&o, &hooks);
	hooks.log = (struct log_hooks){0}; /* a simulated run writes no logs */
	int ret = run_plan(plan, &ro, &hooks, &r, &s->diag);
	if (!ret) {
		output_result(&o, &r);
		ret = r.exit_code;
		result_release(&r);
	} else {
		ret = cmd_fail(s, &o, 2);
	}
	output_close(&o, &s->diag);
	return ret ? ret : session_status(s, 0);
}

/* The words, to --output unless that is where a report will go. A document on standard output is
 * alone there. */
static int explain_print(struct session *s, const struct plan *plan, bool rehearse)
{
	bool beside = rehearse && !s->cl.output && cmd_wants_document(s);
	struct cmdline where = s->cl;
	struct output o;
	struct err err = {0};
	struct str text;

	if (rehearse)
		where.output = NULL;
	if (output_open(&o, &where, &err) < 0) {
		diag_add_err(&s->diag, "output", -1, &err);
		return -1;
	}
	str_init(&text, 16 << 20);
	explain_plan(plan, &text);
	int status = cmd_print(&text, beside ? stderr : o.to, 0);
	if (status)
		o.error = ENOMEM;
	output_close(&o, &s->diag);
	return status ? -1 : 0;
}

static int explain(struct session *s, bool rehearse)
{
	struct plan_options po = {.simulate = rehearse,
				  .readonly = s->cl.readonly,
				  .no_device_access = true,
				  .sysroot = "",
				  .os_seed = 1};
	struct plan *plan = NULL;

	if (cmd_wants_document(s) && !rehearse) {
		diag_add(&s->diag, DIAG_ERROR, ERR_USAGE, "explain-format", NULL, -1,
			 "add --simulate to see the report of the simulated run in that format",
			 "explain has text output only");
		return cmd_fail(s, NULL, 1);
	}
	if (plan_make(&s->jobs, &po, &s->arena, &plan, &s->diag) < 0)
		return cmd_fail(s, NULL, 1);
	if (explain_print(s, plan, rehearse) < 0)
		return session_status(s, 2);
	return rehearse ? explain_simulate(s, plan) : session_status(s, 0);
}

int cmd_explain(int argc, char **argv)
{
	int given = argc;
	bool first = argc > 1 && !strcmp(argv[1], "--simulate");
	bool rehearse = explain_take_simulate(&argc, argv);
	struct session s;
	int status;

	/* Messages count the words as they were written, "explain" among them. */
	unsigned before = first ? 1 + (unsigned)(given - argc) : 1;
	if (session_open_after(&s, before, argc, argv) < 0) {
		status = cmd_fail(&s, NULL, 1);
	} else if (s.jobs.n == 0) {
		diag_add(&s.diag, DIAG_ERROR, ERR_USAGE, "no-jobs", NULL, -1,
			 "name a job file, or write --name=JOB", "no job is defined");
		status = cmd_fail(&s, NULL, 1);
	} else {
		status = explain(&s, rehearse);
	}
	session_close(&s);
	return status;
}
