/* Words of the command line to program options and jobs (compatibility 3). */
#include "base/time.h"
#include "base/units.h"
#include "conf/argv.h"
#include "conf/jobfile.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool cmdline_take_formats(struct build *b, const struct argv_word *w, unsigned *out)
{
	static const struct {
		const char *word;
		unsigned bit;
	} table[] = {
#define FORMAT(ID, object, word) {word, CONF_OUT_##ID},
#define FORMAT_ALIAS(ID, word)	 {word, CONF_OUT_##ID},
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
	};
	const size_t formats = sizeof(table) / sizeof(table[0]);
	unsigned bits = 0;

	for (const char *p = w->value;; p++) {
		size_t n = strcspn(p, ","), i = 0;
		while (i < formats &&
		       (strlen(table[i].word) != n || strncmp(table[i].word, p, n) != 0))
			i++;
		if (i == formats) {
			build_fault(b, "option-value", &w->at,
				    "allowed: normal, terse, json, json+, jsonl, joined by ','",
				    "option '--output-format': '%.*s' is not a format",
				    n < 60 ? (int)n : 60, p);
			return false;
		}
		bits |= table[i].bit;
		p += n;
		if (!*p)
			break;
	}
	*out = bits;
	return true;
}

static void cmdline_take_fail_on(struct build *b, const struct argv_word *w, enum conf_fail_on *out)
{
	if (!strcmp(w->value, "disturbed"))
		*out = CONF_FAIL_DISTURBED;
	else if (!strcmp(w->value, "invalid"))
		*out = CONF_FAIL_INVALID;
	else
		build_fault(b, "option-value", &w->at, "allowed: disturbed, invalid",
			    "option '--fail-on': '%s' is no verdict", w->value);
}

static void cmdline_take_time(struct build *b, const struct argv_word *w, uint64_t least,
			      uint64_t *out)
{
	uint64_t ns = 0;

	if (units_parse_time(w->value, NS_PER_SEC, &ns)) {
		build_fault(b, "option-value", &w->at, "write seconds, or a time such as 500ms",
			    "option '--%s': '%.100s' is not a time", cli_rows[w->id].name,
			    w->value);
	} else if (ns < least) {
		char remedy[40];
		(void)snprintf(remedy, sizeof(remedy), "write at least %ums",
			       (unsigned)(least / 1000000));
		build_fault(b, "option-value", &w->at, remedy,
			    "option '--%s': '%.100s' is too short", cli_rows[w->id].name, w->value);
	} else {
		*out = ns;
	}
}

static void cmdline_take_endpoint(struct build *b, const struct argv_word *w,
				  int (*parse)(const char *, struct arena *, struct endpoint *,
					       struct err *),
				  struct endpoint *out)
{
	struct err err = {0};

	if (parse(w->value, b->arena, out, &err) < 0)
		build_fault(b, "option-value", &w->at, err.remedy, "option '--%s': %s",
			    cli_rows[w->id].name, err.text);
}

static void cmdline_take_terse_version(struct build *b, const struct argv_word *w, unsigned *out)
{
	if (strlen(w->value) == 1 && w->value[0] >= '2' && w->value[0] <= '5')
		*out = (unsigned)(w->value[0] - '0');
	else
		build_fault(b, "option-value", &w->at, "allowed: 2, 3, 4, 5",
			    "option '--terse-version': '%.100s' is not a version", w->value);
}

static void cmdline_take_eta(struct build *b, const struct argv_word *w, enum conf_eta *out)
{
	*out = CONF_ETA_AUTO;
	if (strcmp(w->value, "always") == 0)
		*out = CONF_ETA_ALWAYS;
	else if (strcmp(w->value, "never") == 0)
		*out = CONF_ETA_NEVER;
	else if (strcmp(w->value, "auto") != 0)
		diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "option-value", &w->at, -1,
			 "allowed: auto, always, never",
			 "option '--eta': '%.100s' is taken as auto", w->value);
}

static bool cmdline_is_metric(const char *s)
{
	double p;

	if (!strcmp(s, "iops") || !strcmp(s, "bw") || !strcmp(s, "lat"))
		return true;
	return *s == 'p' && s[1] && !units_parse_percent(s + 1, 100, &p) && !strchr(s, '%');
}

/* "auto", "auto:1%", "auto:0.5%:p99" */
static bool cmdline_take_auto(struct build *b, const char *text, struct conf_repeat *out)
{
	char width[16];
	size_t n = strcspn(text, ":");

	*out = (struct conf_repeat){
		.n = CONF_REPEAT_AUTO, .automatic = true, .width = 1, .metric = "iops"};
	if (n) {
		if (n >= sizeof(width))
			return false;
		memcpy(width, text, n);
		width[n] = 0;
		if (units_parse_percent(width, 100, &out->width) || out->width <= 0)
			return false;
	}
	if (text[n])
		out->metric = arena_strdup(b->arena, text + n + 1);
	return out->metric && cmdline_is_metric(out->metric);
}

static void cmdline_take_repeat(struct build *b, const struct argv_word *w, struct conf_repeat *out)
{
	struct conf_repeat r = {0};
	uint64_t n = 0;
	bool good;

	if (!strcmp(w->value, "auto") || !strncmp(w->value, "auto:", 5)) {
		good = cmdline_take_auto(b, w->value + (w->value[4] ? 5 : 4), &r);
	} else {
		good = !units_parse_size(w->value, 1000, &n, NULL) && n >= 1 &&
		       n <= CONF_REPEAT_MOST;
		r.n = (unsigned)n;
		r.metric = "iops";
	}
	if (good)
		*out = r;
	else
		build_fault(b, "option-value", &w->at,
			    "write a number up to 1000, auto, auto:1% or auto:1%:METRIC with iops, "
			    "bw, lat or p99",
			    "option '--repeat': '%.100s' cannot be understood", w->value);
}

static void cmdline_take_set(struct build *b, const struct argv_word *w, struct cmdline *c)
{
	size_t n = strcspn(w->value, "=");
	const char *option = arena_strndup(b->arena, w->value, n);

	if (!option || !n) {
		build_fault(b, "option-value", &w->at, "write --set OPTION=VALUE",
			    "option '--set': no option is named");
		return;
	}
	c->sets[c->sets_n++] = (struct conf_set){
		.option = option,
		.value = w->value[n] ? w->value + n + 1 : NULL,
		.at = w->at,
	};
}

/* A job option that is switched on in every job. */
static void cmdline_take_job_option(const struct argv_word *w, struct cmdline *c)
{
	c->sets[c->sets_n++] = (struct conf_set){
		.option = w->id == CLI_isolate ? "isolate" : "allow_signature_write",
		.value = "1",
		.at = w->at,
	};
}

static void cmdline_take_section(struct build *b, const struct argv_word *w, struct cmdline *c)
{
	if (strncmp(w->value, "global", 6) == 0)
		build_fault(b, "option-value", &w->at, "name a job section",
			    "option '--section': '%.100s' holds defaults and always applies",
			    w->value);
	else
		c->sections[c->sections_n++] = w->value;
}

/* Options that are not in effect; true when w is one of them. */
static bool cmdline_refused(struct build *b, const struct argv_word *w)
{
	const struct cli_row *row = &cli_rows[w->id];

	switch (row->status) {
	case OPT_LIVE:
		return false;
	case OPT_MOOT:
		diag_add(b->diag, DIAG_NOTE, ERR_NONE, "option-moot", &w->at, -1,
			 build_advice(row->help), "option '--%s' has no effect", row->name);
		return true;
	case OPT_PENDING:
		build_fault(b, "option-pending", &w->at, "leave it out",
			    "option '--%s' is not supported yet", row->name);
		return true;
	case OPT_REMOVED:
		build_fault(b, "option-removed", &w->at, build_advice(row->help),
			    "option '--%s' does not exist any more", row->name);
		return true;
	}
	return true;
}

static void cmdline_take_switch(const struct argv_word *w, struct cmdline *c)
{
	bool *flag = w->id == CLI_version	   ? &c->version
		     : w->id == CLI_help	   ? &c->help
		     : w->id == CLI_showcmd	   ? &c->showcmd
		     : w->id == CLI_parse_only	   ? &c->parse_only
		     : w->id == CLI_readonly	   ? &c->readonly
		     : w->id == CLI_tune	   ? &c->tune
		     : w->id == CLI_warnings_fatal ? &c->warnings_fatal
						   : NULL;
	if (flag)
		*flag = true;
}

static void cmdline_take_program(struct build *b, const struct argv_word *w, struct cmdline *c)
{
	if (cmdline_refused(b, w))
		return;
	switch (w->id) {
	case CLI_output:
		c->output = w->value;
		break;
	case CLI_output_format:
		cmdline_take_formats(b, w, &c->output_formats);
		break;
	case CLI_minimal:
		c->output_formats = CONF_OUT_TERSE;
		break;
	case CLI_terse_version:
		cmdline_take_terse_version(b, w, &c->terse_version);
		break;
	case CLI_bandwidth_log:
		c->bandwidth_log = w->value && *w->value ? w->value : "agg";
		break;
	case CLI_cmdhelp:
		c->cmdhelp = true;
		c->cmdhelp_option = w->value;
		break;
	case CLI_enghelp:
		c->enghelp = true;
		c->enghelp_engine = w->value;
		break;
	case CLI_section:
		cmdline_take_section(b, w, c);
		break;
	case CLI_set:
		cmdline_take_set(b, w, c);
		break;
	case CLI_isolate:
	case CLI_force:
		cmdline_take_job_option(w, c);
		break;
	case CLI_eta:
		cmdline_take_eta(b, w, &c->eta);
		break;
	case CLI_eta_interval:
		cmdline_take_time(b, w, 250000000, &c->eta_interval_ns);
		break;
	case CLI_eta_newline:
		cmdline_take_time(b, w, 1000000, &c->eta_newline_ns);
		break;
	case CLI_status_interval:
		cmdline_take_time(b, w, 1000000, &c->status_interval_ns);
		break;
	case CLI_live:
		cmdline_take_endpoint(b, w, endpoint_live, &c->live);
		break;
	case CLI_live_interval:
		cmdline_take_time(b, w, 10000000, &c->live_interval_ns);
		break;
	case CLI_metrics:
		cmdline_take_endpoint(b, w, endpoint_metrics, &c->metrics);
		break;
	case CLI_aux_path:
		c->aux_path = w->value;
		break;
	case CLI_fail_on:
		cmdline_take_fail_on(b, w, &c->fail_on);
		break;
	case CLI_repeat:
		cmdline_take_repeat(b, w, &c->repeat);
		break;
	case CLI_max_time:
		cmdline_take_time(b, w, 1000000, &c->max_time_ns);
		break;
	case CLI_baseline:
		c->baseline = w->value;
		break;
	case CLI_inflate_log:
		c->inflate_log = w->value;
		break;
	default:
		cmdline_take_switch(w, c);
	}
}

/* What only shows once all program options are known. */
static void cmdline_check_live(struct build *b, const struct argv_word *w, const struct cmdline *c)
{
	if (w->kind != ARGV_PROGRAM)
		return;
	if (w->id == CLI_live && c->live.kind == ENDPOINT_FD && c->live.fd == 1 && !c->output)
		build_fault(b, "option-value", &w->at, "add --output=FILE, or use another place",
			    "option '--live': the report goes to fd:1, the standard output");
	if (w->id == CLI_live_interval && !c->live.kind && !c->metrics.kind)
		build_fault(b, "option-value", &w->at, "add --live=WHERE or --metrics=PORT",
			    "option '--live-interval' says how often, but not what");
}

/* "--cmdhelp bs" as "--cmdhelp=bs": no job is read where only help is asked for. */
static void cmdline_take_help_word(struct cmdline *c)
{
	if (c->cmdhelp && !c->cmdhelp_option && c->files_n)
		c->cmdhelp_option = c->files[0];
	if (c->cmdhelp_option && strcmp(c->cmdhelp_option, "all") == 0)
		c->cmdhelp_option = NULL;
	if (c->enghelp && !c->enghelp_engine && c->files_n)
		c->enghelp_engine = c->files[0];
}

/* Program options first: they hold wherever they stand. */
static int cmdline_take_programs(struct build *b, const struct argv_word *w, int n,
				 struct cmdline *c)
{
	bool append = false;

	c->sets = arena_new(b->arena, struct conf_set, n + 1);
	c->sections = arena_new(b->arena, const char *, n + 1);
	c->files = arena_new(b->arena, const char *, n + 1);
	if (!c->sets || !c->sections || !c->files)
		return -ENOMEM;
	for (int i = 0; i < n; i++)
		if (w[i].kind == ARGV_PROGRAM && w[i].id == CLI_warnings_fatal)
			b->diag->warnings_fatal = true;
	for (int i = 0; i < n; i++) {
		if (w[i].kind == ARGV_PROGRAM)
			cmdline_take_program(b, &w[i], c);
		append |= w[i].kind == ARGV_PROGRAM && w[i].id == CLI_append_terse;
		if (w[i].kind == ARGV_FILE)
			c->files[c->files_n++] = w[i].value;
	}
	for (int i = 0; i < n; i++)
		cmdline_check_live(b, &w[i], c);
	cmdline_take_help_word(c);
	if (append)
		c->output_formats |= CONF_OUT_TERSE;
	return 0;
}

/* Job options: those before the first --name, and those behind --name=global..., are defaults. */
static void cmdline_take_jobs(struct build *b, const struct argv_word *w, int n)
{
	struct build_section s = {.name = "global", .global = true};
	bool open = false;

	for (int i = 0; i < n; i++) {
		struct build_item item = {
			.key = w[i].name, .text = w[i].value, .at = w[i].at, .value_at = w[i].at};
		if (w[i].kind != ARGV_JOB)
			continue;
		bool names = strcmp(w[i].name, "name") == 0;
		if (names && open)
			build_section_end(b, &s);
		if (names) {
			const char *name = w[i].value ? w[i].value : "";

			s = (struct build_section){.name = name,
						   .global = strncmp(name, "global", 6) == 0,
						   .at = w[i].at};
			if (!*name)
				build_fault(b, "option-value", &w[i].at, "write --name=NAME",
					    "the job has no name");
		}
		open = true;
		if (!names || !s.global)
			build_item_add(b, &s, &item);
	}
	if (open)
		build_section_end(b, &s);
}

static void cmdline_take_files(struct build *b, const struct argv_word *w, int n)
{
	unsigned file = 0;

	for (int i = 0; i < n; i++)
		if (w[i].kind == ARGV_FILE)
			jobfile_load(b, w[i].value, file++, &w[i].at);
}

int conf_parse(int argc, char **argv, const struct conf_schema *schema, struct cmdline *cmdline,
	       struct job_list *jobs, struct arena *arena, struct diag *diag)
{
	size_t before = diag->errors;
	struct argv_word *words = NULL;
	struct build b = {.schema = schema, .arena = arena, .diag = diag};
	int n;

	memset(cmdline, 0, sizeof(*cmdline));
	memset(jobs, 0, sizeof(*jobs));
	jobs->arena = arena;
	cmdline->program = argc > 0 && argv[0] && *argv[0] ? argv[0] : "fathom";
	cmdline->output_formats = CONF_OUT_NORMAL;
	cmdline->terse_version = 3;
	cmdline->eta_interval_ns = NS_PER_SEC;
	cmdline->live_interval_ns = NS_PER_SEC;
	n = argv_cut(&b, argc, argv, &words);
	if (n < 0 || cmdline_take_programs(&b, words, n, cmdline) ||
	    build_init(&b, schema, cmdline, jobs, arena, diag)) {
		diag_add(diag, DIAG_ERROR, ERR_SETUP, "memory", NULL, -1, "", "out of memory");
		return -ENOMEM;
	}
	cmdline_take_jobs(&b, words, n);
	if (!cmdline->help && !cmdline->version && !cmdline->cmdhelp && !cmdline->enghelp)
		cmdline_take_files(&b, words, n);
	build_finish(&b);
	return diag->errors > before ? -EINVAL : 0;
}
