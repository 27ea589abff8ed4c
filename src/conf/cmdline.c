/* Words of the command line to program options and jobs (compatibility 3). */
#include "base/time.h"
#include "base/units.h"
#include "conf/argv.h"
#include "conf/jobfile.h"
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the value of a program option gets into struct cmdline. Rows of cli.def say it by the STORE_
 * macros below. */
struct cmdline_store {
	void (*take)(struct build *b, const struct argv_word *w, struct cmdline *c,
		     const struct cmdline_store *s);
	size_t member, topic; /* offsets in struct cmdline */
	uint64_t number;      /* STORE_TIME: the least value in ns */
	const char *text;     /* STORE_TEXT_OR: without a value; STORE_JOB: the job option */
	int (*endpoint)(const char *text, struct arena *arena, struct endpoint *out,
			struct err *err);
};

static void *cmdline_at(struct cmdline *c, size_t member)
{
	return (char *)c + member;
}

/* "allowed: a, b, c" */
static void cmdline_fault_words(struct build *b, const struct argv_word *w, const char *what,
				const char *end)
{
	const struct cli_row *row = &cli_rows[w->id];
	struct str allowed;

	str_init(&allowed, 4096);
	str_add(&allowed, "allowed: ");
	cli_words(row, &allowed);
	str_add(&allowed, end);
	build_fault(b, "option-value", &w->at, allowed.s, "option '--%s': %s", row->name, what);
	str_release(&allowed);
}

static void cmdline_take_formats(struct build *b, const struct argv_word *w, struct cmdline *c,
				 const struct cmdline_store *s)
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
			char what[100];
			(void)snprintf(what, sizeof(what), "'%.*s' is not a format",
				       n < 60 ? (int)n : 60, p);
			cmdline_fault_words(b, w, what, "; several are separated by ','");
			return;
		}
		bits |= table[i].bit;
		p += n;
		if (!*p)
			break;
	}
	*(unsigned *)cmdline_at(c, s->member) = bits;
}

/* Which of the row's words w is; -1 and a message when it is none of them. */
static int cmdline_word_index(struct build *b, const struct argv_word *w)
{
	const char *word, *next = cli_rows[w->id].words;
	char what[160];
	size_t n;

	for (int i = 0; (word = cli_word(&next, &n)); i++)
		if (strlen(w->value) == n && !strncmp(word, w->value, n))
			return i;
	(void)snprintf(what, sizeof(what), "invalid value '%.100s'", w->value);
	cmdline_fault_words(b, w, what, "");
	return -1;
}

static void cmdline_take_fail_on(struct build *b, const struct argv_word *w, struct cmdline *c,
				 const struct cmdline_store *s)
{
	static const enum conf_fail_on value[] = {CONF_FAIL_DISTURBED, CONF_FAIL_INVALID};
	int i = cmdline_word_index(b, w);

	if (i >= 0)
		*(enum conf_fail_on *)cmdline_at(c, s->member) = value[i];
}

static void cmdline_take_terse_version(struct build *b, const struct argv_word *w,
				       struct cmdline *c, const struct cmdline_store *s)
{
	int i = cmdline_word_index(b, w);

	if (i >= 0)
		*(unsigned *)cmdline_at(c, s->member) = (unsigned)i + 2;
}

/* Another word means auto, as fio takes it. */
static void cmdline_take_eta(struct build *b, const struct argv_word *w, struct cmdline *c,
			     const struct cmdline_store *s)
{
	enum conf_eta *out = cmdline_at(c, s->member);

	*out = CONF_ETA_AUTO;
	if (strcmp(w->value, "always") == 0)
		*out = CONF_ETA_ALWAYS;
	else if (strcmp(w->value, "never") == 0)
		*out = CONF_ETA_NEVER;
	else if (strcmp(w->value, "auto") != 0)
		diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "option-value", &w->at, -1,
			 "allowed: auto, always, never",
			 "option '--eta': unknown value '%.100s', using auto", w->value);
}

static void cmdline_take_time(struct build *b, const struct argv_word *w, struct cmdline *c,
			      const struct cmdline_store *s)
{
	uint64_t ns = 0;

	if (units_parse_time(w->value, NS_PER_SEC, &ns)) {
		build_fault(b, "option-value", &w->at, "use seconds or a time such as 500ms",
			    "option '--%s': '%.100s' is not a time", cli_rows[w->id].name,
			    w->value);
	} else if (ns < s->number) {
		char remedy[40];
		(void)snprintf(remedy, sizeof(remedy), "write at least %ums",
			       (unsigned)(s->number / 1000000));
		build_fault(b, "option-value", &w->at, remedy,
			    "option '--%s': '%.100s' is too short", cli_rows[w->id].name, w->value);
	} else {
		*(uint64_t *)cmdline_at(c, s->member) = ns;
	}
}

static void cmdline_take_endpoint(struct build *b, const struct argv_word *w, struct cmdline *c,
				  const struct cmdline_store *s)
{
	struct err err = {0};

	if (s->endpoint(w->value, b->arena, cmdline_at(c, s->member), &err) < 0)
		build_fault(b, "option-value", &w->at, err.remedy, "option '--%s': %s",
			    cli_rows[w->id].name, err.text);
}

static void cmdline_take_text(struct build *b, const struct argv_word *w, struct cmdline *c,
			      const struct cmdline_store *s)
{
	bool instead = s->text && (!w->value || !*w->value);

	(void)b;
	*(const char **)cmdline_at(c, s->member) = instead ? s->text : w->value;
}

static void cmdline_take_flag(struct build *b, const struct argv_word *w, struct cmdline *c,
			      const struct cmdline_store *s)
{
	(void)b;
	(void)w;
	*(bool *)cmdline_at(c, s->member) = true;
}

static void cmdline_take_number(struct build *b, const struct argv_word *w, struct cmdline *c,
				const struct cmdline_store *s)
{
	(void)b;
	(void)w;
	*(unsigned *)cmdline_at(c, s->member) = (unsigned)s->number;
}

/* Help about something, or about everything. */
static void cmdline_take_topic(struct build *b, const struct argv_word *w, struct cmdline *c,
			       const struct cmdline_store *s)
{
	(void)b;
	*(bool *)cmdline_at(c, s->member) = true;
	*(const char **)cmdline_at(c, s->topic) = w->value;
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

static void cmdline_take_repeat(struct build *b, const struct argv_word *w, struct cmdline *c,
				const struct cmdline_store *s)
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
		*(struct conf_repeat *)cmdline_at(c, s->member) = r;
	else
		build_fault(b, "option-value", &w->at,
			    "write a number up to 1000, auto, auto:1% or auto:1%:METRIC with iops, "
			    "bw, lat or p99",
			    "option '--repeat': invalid value '%.100s'", w->value);
}

static void cmdline_take_set(struct build *b, const struct argv_word *w, struct cmdline *c,
			     const struct cmdline_store *s)
{
	size_t n = strcspn(w->value, "=");
	const char *option = arena_strndup(b->arena, w->value, n);

	(void)s;
	if (!option || !n) {
		build_fault(b, "option-value", &w->at, "write --set OPTION=VALUE",
			    "option '--set': missing option name");
		return;
	}
	c->sets[c->sets_n++] = (struct conf_set){
		.option = option,
		.value = w->value[n] ? w->value + n + 1 : NULL,
		.at = w->at,
	};
}

/* A job option that is switched on in every job. */
static void cmdline_take_job_option(struct build *b, const struct argv_word *w, struct cmdline *c,
				    const struct cmdline_store *s)
{
	(void)b;
	c->sets[c->sets_n++] = (struct conf_set){
		.option = s->text,
		.value = "1",
		.at = w->at,
	};
}

static void cmdline_take_section(struct build *b, const struct argv_word *w, struct cmdline *c,
				 const struct cmdline_store *s)
{
	(void)s;
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
		build_fault(b, "option-pending", &w->at, "remove it",
			    "option '--%s' is not supported yet", row->name);
		return true;
	case OPT_REMOVED:
		build_fault(b, "option-removed", &w->at, build_advice(row->help),
			    "option '--%s' has been removed", row->name);
		return true;
	}
	return true;
}

/* The offset of a member, which has to be of this type. */
#define MEMBER(type, member_)                                                                      \
	(offsetof(struct cmdline, member_) +                                                       \
	 0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((struct cmdline *)0)->member_),  \
						      type)                                        \
				 ? 1                                                               \
				 : -1]))
#define STORE_NOTHING                                                                              \
	{                                                                                          \
		0                                                                                  \
	} /* not in effect */
#define STORE(parser)                                                                              \
	{                                                                                          \
		.take = cmdline_take_##parser                                                      \
	}
#define STORE_AT(parser, type, member_)                                                            \
	{                                                                                          \
		.take = cmdline_take_##parser, .member = MEMBER(type, member_)                     \
	}
#define STORE_FLAG(member_)                                                                        \
	{                                                                                          \
		.take = cmdline_take_flag, .member = MEMBER(bool, member_)                         \
	}
#define STORE_NUMBER(member_, n)                                                                   \
	{                                                                                          \
		.take = cmdline_take_number, .member = MEMBER(unsigned, member_), .number = n      \
	}
#define STORE_TEXT(member_)                                                                        \
	{                                                                                          \
		.take = cmdline_take_text, .member = MEMBER(const char *, member_)                 \
	}
#define STORE_TEXT_OR(member_, without)                                                            \
	{                                                                                          \
		.take = cmdline_take_text, .member = MEMBER(const char *, member_),                \
		.text = without                                                                    \
	}
#define STORE_TIME(member_, least)                                                                 \
	{                                                                                          \
		.take = cmdline_take_time, .member = MEMBER(uint64_t, member_), .number = least    \
	}
#define STORE_ENDPOINT(member_, parse)                                                             \
	{                                                                                          \
		.take = cmdline_take_endpoint, .member = MEMBER(struct endpoint, member_),         \
		.endpoint = parse                                                                  \
	}
#define STORE_TOPIC(flag, member_)                                                                 \
	{                                                                                          \
		.take = cmdline_take_topic, .member = MEMBER(bool, flag),                          \
		.topic = MEMBER(const char *, member_)                                             \
	}
#define STORE_JOB(option)                                                                          \
	{                                                                                          \
		.take = cmdline_take_job_option, .text = option                                    \
	}

static const struct cmdline_store cmdline_stores[CLI_COUNT] = {
#define CLI(id, name, letter, argument, status, group, store, value, words, help)                  \
	[CLI_##id] = store,
#include "conf/cli.def"
#undef CLI
};

static void cmdline_take_program(struct build *b, const struct argv_word *w, struct cmdline *c)
{
	const struct cmdline_store *s = &cmdline_stores[w->id];

	if (cmdline_refused(b, w))
		return;
	assert(s->take);
	s->take(b, w, c, s);
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
			    "option '--live-interval' requires --live or --metrics");
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
		if (w[i].kind == ARGV_FILE)
			c->files[c->files_n++] = w[i].value;
	}
	for (int i = 0; i < n; i++)
		cmdline_check_live(b, &w[i], c);
	cmdline_take_help_word(c);
	if (c->append_terse)
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
					    "missing job name");
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
