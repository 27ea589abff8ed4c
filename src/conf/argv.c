#include "conf/argv.h"
#include "base/names.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Each behind a ','. */
static const char argv_formats[] =
#define FORMAT(ID, object, word) "," word
#define FORMAT_ALIAS(ID, word)	 "," word
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
	;
#define CLI_FORMAT_WORDS (argv_formats + 1)

const struct cli_row cli_rows[CLI_COUNT] = {
#define CLI(id, name_, letter_, argument_, status_, group_, store_, value_, words_, help_)         \
	[CLI_##id] = {                                                                             \
		.name = name_,                                                                     \
		.letter = letter_,                                                                 \
		.argument = CLI_ARG_##argument_,                                                   \
		.status = OPT_##status_,                                                           \
		.group = CLI_GROUP_##group_,                                                       \
		.words = words_,                                                                   \
		.value = value_,                                                                   \
		.help = help_,                                                                     \
	},
#include "conf/cli.def"
#undef CLI
};

const char *cli_word(const char **next, size_t *n)
{
	const char *word = *next;

	if (!word || !*word)
		return NULL;
	*n = strcspn(word, ",");
	*next = word + *n + (word[*n] != 0);
	return word;
}

void cli_words(const struct cli_row *row, struct str *out)
{
	const char *word, *next = row->words;
	size_t n;

	for (unsigned i = 0; (word = cli_word(&next, &n)); i++)
		str_printf(out, "%s%.*s", i ? ", " : "", (int)n, word);
}

/* What a long name turned out to be. "--isolate" is of the program, "--isolate=1" of a job. */
struct meaning {
	int cli;		   /* cli_id, or -1 */
	const struct opt_row *row; /* job or engine option, or NULL */
	const char *foreign; /* the name of an option of an engine that is not here, or NULL */
};

struct cutter {
	struct build *b;
	char **argv;
	int argc, at;
	struct argv_word *words;
	int n;
};

static struct place argv_arg_place(const struct cutter *c)
{
	return (struct place){.file = "command line",
			      .line = 0,
			      .col = (unsigned)c->at + c->b->schema->words_before};
}

static bool argv_exact(struct cutter *c, const char *name, struct meaning *m)
{
	const struct conf_engine *e;
	int opt;

	*m = (struct meaning){.cli = -1};
	for (int i = 0; i < CLI_COUNT; i++) {
		if (strcmp(cli_rows[i].name, name) == 0) {
			m->cli = i;
			return true;
		}
	}
	opt = schema_job_option(name);
	e = opt < 0 ? schema_engine_with(c->b->schema, name) : NULL;
	if (opt >= 0)
		m->row = &job_rows[opt];
	else if (e)
		m->row = schema_engine_row(e, name);
	else if (schema_foreign(name, NULL))
		m->foreign = name;
	return m->row || m->foreign;
}

/* One candidate of a prefix; several candidates that mean the same are no ambiguity. */
static void argv_candidate(struct meaning *m, unsigned *count, int cli, const struct opt_row *row)
{
	if (*count && m->cli == cli && m->row == row)
		return;
	/* the same option of two engines has two rows of one name */
	if (*count && m->row && row && strcmp(m->row->name, row->name) == 0)
		return;
	if (*count == 0)
		*m = (struct meaning){.cli = cli, .row = row};
	(*count)++;
}

static bool argv_starts(const char *name, const char *prefix, size_t n)
{
	return strncmp(name, prefix, n) == 0;
}

static bool argv_row_starts(const struct opt_row *row, const char *prefix, size_t n)
{
	if (argv_starts(row->name, prefix, n))
		return true;
	for (const char *p = row->aliases; p && *p;) {
		size_t len = strcspn(p, ",");
		if (len >= n && argv_starts(p, prefix, n))
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

/* How many options begin with prefix; the first of them in m. */
static unsigned argv_by_prefix(struct cutter *c, const char *prefix, struct meaning *m)
{
	const struct conf_schema *s = c->b->schema;
	size_t n = strlen(prefix);
	unsigned count = 0;

	*m = (struct meaning){.cli = -1};
	if (n == 0)
		return 0;
	for (int i = 0; i < CLI_COUNT; i++)
		if (argv_starts(cli_rows[i].name, prefix, n))
			argv_candidate(m, &count, i, NULL);
	for (int i = 0; i < OPT_COUNT; i++)
		if (argv_row_starts(&job_rows[i], prefix, n))
			argv_candidate(m, &count, -1, &job_rows[i]);
	for (unsigned e = 0; e < s->n; e++)
		for (unsigned i = 0; i < s->engines[e].n; i++)
			if (argv_row_starts(&s->engines[e].rows[i], prefix, n))
				argv_candidate(m, &count, -1, &s->engines[e].rows[i]);
	return count;
}

/* The nearest of all long names, program options before job options; NULL. */
static const char *argv_nearest(struct cutter *c, const char *name)
{
	const char *names[CLI_COUNT], *other = schema_nearest(c->b->schema, name);
	int best;

	for (int i = 0; i < CLI_COUNT; i++)
		names[i] = cli_rows[i].name;
	best = names_nearest(name, names, CLI_COUNT);
	if (best < 0)
		return other;
	if (!other || names_distance(name, names[best], 99) <= names_distance(name, other, 99))
		return names[best];
	return other;
}

static void argv_unknown(struct cutter *c, const char *word, const char *name, unsigned matches)
{
	struct place at = argv_arg_place(c);
	char remedy[160] = "see --help and --cmdhelp";
	const char *near = argv_nearest(c, name);

	if (matches > 1) {
		build_fault(c->b, "option-ambiguous", &at, "write the full name",
			    "option '%.100s' is ambiguous: it matches %u options", word, matches);
		return;
	}
	if (near)
		snprintf(remedy, sizeof(remedy), "did you mean '--%s'?", near);
	build_fault(c->b, "option-unknown", &at, remedy, "unknown option '%.100s'", word);
}

static struct argv_word *argv_add(struct cutter *c, enum argv_kind kind, const char *value)
{
	struct argv_word *w = &c->words[c->n++];

	*w = (struct argv_word){.kind = kind, .value = value, .at = argv_arg_place(c)};
	return w;
}

/* The next argument as the value of this option; NULL and an error when there is none. */
static const char *argv_next_value(struct cutter *c, const char *name)
{
	struct place at = argv_arg_place(c);

	if (c->at + 1 < c->argc)
		return c->argv[++c->at];
	build_fault(c->b, "option-value", &at, "write --NAME=VALUE",
		    "option '--%.100s' needs a value", name);
	return NULL;
}

static void argv_program_word(struct cutter *c, enum cli_id id, const char *value)
{
	const struct cli_row *row = &cli_rows[id];
	struct place at = argv_arg_place(c);
	struct argv_word *w;

	if (row->argument == CLI_ARG_NONE && value) {
		build_fault(c->b, "option-value", &at, "remove the value",
			    "option '--%s' takes no value", row->name);
		return;
	}
	if (row->argument == CLI_ARG_NEEDED && !value) {
		value = argv_next_value(c, row->name);
		if (!value)
			return;
	}
	w = argv_add(c, ARGV_PROGRAM, value);
	w->id = id;
	w->at = at;
}

static void argv_job_word(struct cutter *c, const struct opt_row *row, const char *value)
{
	struct place at = argv_arg_place(c);
	struct argv_word *w;

	if (!value && row->type != OPT_T_FLAG) {
		/* fio takes "--write_bw_log --next" as a prefix named "--next"; nobody means that
		 */
		bool bare = opt_value_optional(row) &&
			    (c->at + 1 == c->argc || c->argv[c->at + 1][0] == '-');
		value = bare ? "" : argv_next_value(c, row->name);
		if (!value)
			return;
	}
	w = argv_add(c, ARGV_JOB, value);
	w->name = row->name;
	w->at = at;
}

static bool argv_long_word(struct cutter *c, const char *word, bool only_if_known)
{
	const char *eq = strchr(word, '=');
	const char *value = eq ? eq + 1 : NULL;
	size_t n = eq ? (size_t)(eq - word) : strlen(word);
	char *name = arena_strndup(c->b->arena, word, n);
	struct meaning m;
	unsigned matches = 1;

	if (!name)
		return true;
	if (!argv_exact(c, name, &m)) {
		matches = argv_by_prefix(c, name, &m);
		if (matches != 1 && only_if_known)
			return false;
	}
	if (matches != 1) {
		argv_unknown(c, c->argv[c->at], name, matches);
	} else if (m.foreign) {
		argv_add(c, ARGV_JOB, value)->name = m.foreign;
	} else if (m.cli >= 0 && cli_rows[m.cli].argument == CLI_ARG_NONE && value &&
		   schema_job_option(cli_rows[m.cli].name) >= 0) {
		argv_job_word(c, &job_rows[schema_job_option(cli_rows[m.cli].name)], value);
	} else if (m.cli >= 0) {
		argv_program_word(c, (enum cli_id)m.cli, value);
	} else {
		argv_job_word(c, m.row, value);
	}
	return true;
}

static const struct cli_row *argv_by_letter(char letter)
{
	for (int i = 0; i < CLI_COUNT; i++)
		if (cli_rows[i].letter && cli_rows[i].letter == letter)
			return &cli_rows[i];
	return NULL;
}

/* "-o FILE", "-oFILE", "-rs". */
static void argv_letters(struct cutter *c, const char *word)
{
	for (const char *p = word + 1; *p; p++) {
		const struct cli_row *row = argv_by_letter(*p);
		if (!row) {
			argv_unknown(c, word, word + 1, 0);
			return;
		}
		if (row->argument == CLI_ARG_NONE) {
			argv_program_word(c, (enum cli_id)(row - cli_rows), NULL);
			continue;
		}
		argv_program_word(c, (enum cli_id)(row - cli_rows), p[1] ? p + 1 : NULL);
		return;
	}
}

static void argv_one(struct cutter *c)
{
	const char *word = c->argv[c->at];

	if (word[0] != '-' || !word[1]) {
		argv_add(c, ARGV_FILE, word);
		return;
	}
	if (word[1] == '-') {
		argv_long_word(c, word + 2, false);
		return;
	}
	/* a single dash: a long option as well, unless it is one known letter */
	if (!word[2] && argv_by_letter(word[1])) {
		argv_letters(c, word);
		return;
	}
	if (!argv_long_word(c, word + 1, argv_by_letter(word[1]) != NULL))
		argv_letters(c, word);
}

int argv_cut(struct build *b, int argc, char **argv, struct argv_word **out)
{
	struct cutter c = {.b = b, .argc = argc, .argv = argv};
	size_t letters_n = 0;

	/* a cluster of letters gives a word for each, everything else one */
	for (int i = 1; i < argc; i++)
		letters_n += argv[i][0] == '-' && argv[i][1] != '-' ? strlen(argv[i]) : 1;
	c.words = arena_new(b->arena, struct argv_word, letters_n + 1);
	if (!c.words)
		return -ENOMEM;
	for (c.at = 1; c.at < argc; c.at++) {
		if (strcmp(argv[c.at], "--") == 0) {
			while (++c.at < argc)
				argv_add(&c, ARGV_FILE, argv[c.at]);
			break;
		}
		argv_one(&c);
	}
	*out = c.words;
	return c.n;
}
