/* The options of the program itself, as cli.def declares them. Const tables, for the parser of the
 * command line and for help. */
#ifndef FATHOM_CONF_CLI_H
#define FATHOM_CONF_CLI_H

#include "conf/option.h"

enum cli_argument { CLI_ARG_NONE, CLI_ARG_NEEDED, CLI_ARG_OPTIONAL };

enum cli_id {
#define CLI(id, name, letter, argument, status, value, help) CLI_##id,
#include "conf/cli.def"
#undef CLI
	CLI_COUNT
};

struct cli_row {
	const char *name;
	char letter; /* 0: none */
	enum cli_argument argument;
	enum opt_status status;
	const char *value; /* what help calls the argument */
	const char *help;
};

/* Row i describes cli_id i. */
extern const struct cli_row cli_rows[CLI_COUNT];

#endif
