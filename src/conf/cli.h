/* The options of the program itself, as cli.def declares them. Const tables, for the parser of the
 * command line and for help. */
#ifndef FATHOM_CONF_CLI_H
#define FATHOM_CONF_CLI_H

#include "base/str.h"
#include "conf/option.h"

enum cli_argument { CLI_ARG_NONE, CLI_ARG_NEEDED, CLI_ARG_OPTIONAL };

/* Headings of --help, in its order. */
enum cli_group {
	CLI_GROUP_RUN,
	CLI_GROUP_OUTPUT,
	CLI_GROUP_TRUST,
	CLI_GROUP_MACHINE,
	CLI_GROUP_INFO,
	CLI_GROUP_COMPAT,
	CLI_GROUPS
};

enum cli_id {
#define CLI(id, name, letter, argument, status, group, store, value, words, help) CLI_##id,
#include "conf/cli.def"
#undef CLI
	CLI_COUNT
};

struct cli_row {
	const char *name;
	char letter; /* 0: none */
	enum cli_argument argument;
	enum opt_status status;
	enum cli_group group;
	const char *value; /* what help calls the argument */
	const char *words; /* the values there are, joined by ','; NULL: any */
	const char *help;  /* ends with ':' where words follow */
};

/* Row i describes cli_id i. */
extern const struct cli_row cli_rows[CLI_COUNT];

/* Appends "a, b, c". */
void cli_words(const struct cli_row *row, struct str *out);
/* The next of a row's words, of *n bytes, NULL behind the last. *next begins with row->words. */
const char *cli_word(const char **next, size_t *n);

#endif
