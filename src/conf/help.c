#include "conf/help.h"
#include "conf/opt_describe.h"
#include "conf/cli.h"
#include <stdio.h>
#include <string.h>

/* The order in which categories are shown, with their titles. */
static const struct {
	const char *word, *title;
} categories[] = {
	{"general", "General"},
	{"jobs", "Jobs and their order"},
	{"target", "Files and devices"},
	{"workload", "Directions, order and chance"},
	{"blocks", "Block sizes"},
	{"size", "Sizes and offsets"},
	{"engine", "Engine and depth"},
	{"sync", "Direct I/O and syncing"},
	{"buffers", "Buffers and data"},
	{"time", "Time and pauses"},
	{"rate", "Rates and latency limits"},
	{"placement", "CPUs, memory and priority"},
	{"verify", "Verification"},
	{"replay", "Recording and replay"},
	{"zones", "Zones"},
	{"logs", "Logs"},
	{"statistics", "Statistics"},
	{"errors", "Errors"},
};
#define CATEGORIES (sizeof(categories) / sizeof(categories[0]))

/* "here", "not yet", "no effect", "gone". */
static const char *help_status(enum opt_status status)
{
	switch (status) {
	case OPT_LIVE:
		return "here";
	case OPT_PENDING:
		return "not yet";
	case OPT_MOOT:
		return "no effect";
	case OPT_REMOVED:
		return "gone";
	}
	return "";
}

static const char *const help_groups[CLI_GROUPS] = {
	[CLI_GROUP_RUN] = "Run",
	[CLI_GROUP_OUTPUT] = "Output",
	[CLI_GROUP_TRUST] = "Measurement and trust",
	[CLI_GROUP_MACHINE] = "Machine",
	[CLI_GROUP_INFO] = "Information",
	[CLI_GROUP_COMPAT] = "Compatibility with fio",
};

/* Text in lines of at most WIDTH columns, all beginning at column INDENT; the first has room for a
 * name of `used` columns before it. */
static void help_wrapped(const char *text, int used, struct str *out)
{
	enum { INDENT = 33, WIDTH = 100 };
	int column = used;

	if (used >= INDENT) {
		str_addc(out, '\n');
		column = 0;
	}
	str_printf(out, "%*s", INDENT - column, "");
	column = INDENT;
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (column > INDENT && column + 1 + n > WIDTH) {
			str_printf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (column > INDENT) {
			str_addc(out, ' ');
			column++;
		}
		str_addn(out, text, (size_t)n);
		column += n;
		text += n + (text[n] == ' ');
	}
	str_addc(out, '\n');
}

/* The help of a program option, with its words. */
static void help_cli_text(const struct cli_row *r, struct str *out)
{
	str_add(out, r->help);
	if (!r->words)
		return;
	str_addc(out, ' ');
	cli_words(r, out);
	str_addc(out, '.');
}

static void help_cli_row(const struct cli_row *r, struct str *out)
{
	bool brackets = r->argument == CLI_ARG_OPTIONAL && *r->value;
	char name[100], letter[8] = "    ";
	struct str text;

	str_init(&text, 4096);
	help_cli_text(r, &text);
	if (r->letter)
		(void)snprintf(letter, sizeof(letter), "-%c, ", r->letter);
	int used =
		snprintf(name, sizeof(name), "  %s--%s%s%s%s%s ", letter, r->name,
			 brackets ? "[" : "", *r->value ? "=" : "", r->value, brackets ? "]" : "");
	str_add(out, name);
	help_wrapped(text.s, used, out);
	str_release(&text);
}

void help_usage(const char *program, struct str *out)
{
	int group = -1;

	str_printf(out,
		   "Usage: %s [OPTION...] JOBFILE...\n"
		   "       %s [OPTION...] --name=JOB --OPTION=VALUE... [--name=JOB ...]\n\n"
		   "Runs jobs from job files (- is standard input) and from the command line.\n",
		   program, program);
	for (int i = 0; i < CLI_COUNT; i++) {
		const struct cli_row *r = &cli_rows[i];
		if (r->status != OPT_LIVE)
			continue;
		if ((int)r->group != group)
			str_printf(out, "\n%s:\n", help_groups[r->group]);
		group = (int)r->group;
		help_cli_row(r, out);
	}
	str_add(out, "\n--cmdhelp lists the job options, --enghelp the engines.\n");
}

static void help_row_line(const struct opt_row *row, struct str *out)
{
	str_printf(out, "  %-30s %s", row->name, row->help);
	if (row->status != OPT_LIVE)
		str_printf(out, " (%s)", help_status(row->status));
	str_addc(out, '\n');
}

void help_rows(const struct opt_row *rows, unsigned n, struct str *out)
{
	for (unsigned i = 0; i < n; i++)
		help_row_line(&rows[i], out);
}

void help_options(struct str *out)
{
	for (size_t c = 0; c < CATEGORIES; c++) {
		str_printf(out, "%s%s:\n", c ? "\n" : "", categories[c].title);
		for (int i = 0; i < OPT_COUNT; i++)
			if (strcmp(job_rows[i].category, categories[c].word) == 0)
				help_row_line(&job_rows[i], out);
	}
}

void help_row(const struct opt_row *row, struct str *out)
{
	char type[512];

	opt_describe(row, type, sizeof(type));
	str_printf(out, "%s: %s\n", row->name, row->help);
	if (row->aliases && *row->aliases)
		str_printf(out, "  also called: %s\n", row->aliases);
	str_printf(out, "  value: %s\n", type);
	if (row->choices) {
		for (const struct opt_choice *c = row->choices; c->word; c++)
			if (c->help)
				str_printf(out, "    %-16s %s\n", c->word, c->help);
	}
	str_printf(out, "  state: %s\n", help_status(row->status));
}

bool help_option(const struct conf_schema *schema, const char *name, struct str *out)
{
	int opt = schema_job_option(name);
	const char *near;
	bool found = opt >= 0;

	if (found)
		help_row(&job_rows[opt], out);
	for (unsigned i = 0; i < schema->n; i++) {
		const struct opt_row *row = schema_engine_row(&schema->engines[i], name);
		if (!row)
			continue;
		found = true;
		str_printf(out, "Engine %s: ", schema->engines[i].name);
		help_row(row, out);
	}
	if (found)
		return true;
	const struct conf_foreign *f = schema_foreign(name, NULL);
	if (f) {
		str_printf(out, "%s: %s\n  belongs to: %s\n  state: not yet\n", f->name, f->help,
			   f->owners);
		return true;
	}
	near = schema_nearest(schema, name);
	str_printf(out, "no option is named '%s'", name);
	if (near)
		str_printf(out, "; did you mean '%s'?", near);
	str_addc(out, '\n');
	return false;
}

/* Text in which the markup's own characters lose their meaning. */
static void help_marked(const char *text, enum help_markup markup, struct str *out)
{
	const char *special = markup == HELP_SCDOC ? "_*\\#" : "_*\\|<>`";

	for (const char *p = text; *p; p++) {
		if (strchr(special, *p))
			str_addc(out, '\\');
		str_addc(out, *p);
	}
}

static void help_title(const char *text, int level, enum help_markup markup, struct str *out)
{
	/* scdoc knows two levels and reserves the first for the page */
	str_printf(out, "\n%.*s %s\n\n", markup == HELP_SCDOC ? (level > 2 ? 2 : 1) : level, "####",
		   text);
}

static void help_status_words(enum opt_status status, struct str *out)
{
	if (status == OPT_PENDING)
		str_add(out, " Not supported yet.");
	else if (status == OPT_MOOT)
		str_add(out, " Accepted without effect.");
	else if (status == OPT_REMOVED)
		str_add(out, " Not accepted any more.");
}

static void help_reference_row(const struct opt_row *row, enum help_markup markup, struct str *out)
{
	char type[512];

	opt_describe(row, type, sizeof(type));
	str_add(out, markup == HELP_SCDOC ? "*" : "- **");
	help_marked(row->name, markup, out);
	str_add(out, markup == HELP_SCDOC ? "*" : "**");
	if (row->aliases && *row->aliases) {
		str_add(out, " (also ");
		help_marked(row->aliases, markup, out);
		str_addc(out, ')');
	}
	str_add(out, markup == HELP_SCDOC ? "\n\t" : ": ");
	help_marked(row->help, markup, out);
	str_add(out, markup == HELP_SCDOC ? " Value: " : " *Value:* ");
	help_marked(type, markup, out);
	str_addc(out, '.');
	help_status_words(row->status, out);
	str_add(out, markup == HELP_SCDOC ? "\n\n" : "\n");
}

void help_reference(const struct conf_schema *schema, enum help_markup markup, struct str *out)
{
	for (size_t c = 0; c < CATEGORIES; c++) {
		help_title(categories[c].title, 2, markup, out);
		for (int i = 0; i < OPT_COUNT; i++)
			if (strcmp(job_rows[i].category, categories[c].word) == 0)
				help_reference_row(&job_rows[i], markup, out);
	}
	for (unsigned e = 0; e < schema->n; e++) {
		char text[128];
		if (schema->engines[e].n == 0)
			continue;
		snprintf(text, sizeof(text), "Engine %s", schema->engines[e].name);
		help_title(text, 2, markup, out);
		for (unsigned i = 0; i < schema->engines[e].n; i++)
			help_reference_row(&schema->engines[e].rows[i], markup, out);
	}
}

void help_cli_reference(enum help_markup markup, struct str *out)
{
	for (int i = 0; i < CLI_COUNT; i++) {
		const struct cli_row *r = &cli_rows[i];
		struct str text;
		if (r->status == OPT_REMOVED)
			continue;
		str_add(out, markup == HELP_SCDOC ? "*" : "- **");
		if (r->letter)
			str_printf(out, "-%c*%s, %s*", r->letter, markup == HELP_SCDOC ? "" : "*",
				   markup == HELP_SCDOC ? "" : "*");
		str_printf(out, "--%s%s", r->name, *r->value ? "=" : "");
		help_marked(r->value, markup, out);
		str_add(out, markup == HELP_SCDOC ? "*\n\t" : "**: ");
		str_init(&text, 4096);
		help_cli_text(r, &text);
		help_marked(text.s, markup, out);
		str_release(&text);
		help_status_words(r->status, out);
		str_add(out, markup == HELP_SCDOC ? "\n\n" : "\n");
	}
}

static void help_complete_row(const struct opt_row *row, struct str *out)
{
	if (row->status != OPT_LIVE)
		return;
	str_printf(out, "--%s%s\n", row->name, row->type == OPT_T_FLAG ? "" : "=");
	for (const struct opt_choice *c = row->choices; c && c->word; c++)
		str_printf(out, "--%s=%s\n", row->name, c->word);
}

static void help_complete_cli(const struct cli_row *row, struct str *out)
{
	const char *word, *next = row->words;
	size_t n;

	if (row->status != OPT_LIVE)
		return;
	str_printf(out, "--%s%s\n", row->name, row->argument == CLI_ARG_NEEDED ? "=" : "");
	while ((word = cli_word(&next, &n)))
		str_printf(out, "--%s=%.*s\n", row->name, (int)n, word);
}

void help_completion(const struct conf_schema *schema, struct str *out)
{
	for (int i = 0; i < CLI_COUNT; i++)
		help_complete_cli(&cli_rows[i], out);
	for (int i = 0; i < OPT_COUNT; i++)
		help_complete_row(&job_rows[i], out);
	for (unsigned e = 0; e < schema->n; e++)
		for (unsigned i = 0; i < schema->engines[e].n; i++)
			help_complete_row(&schema->engines[e].rows[i], out);
	for (unsigned e = 0; e < schema->n; e++)
		str_printf(out, "--ioengine=%s\n", schema->engines[e].name);
}
