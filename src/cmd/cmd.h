/* The commands of the program. Only this folder prints to the user or exits. */
#ifndef FATHOM_CMD_CMD_H
#define FATHOM_CMD_CMD_H

#include "base/diag.h"
#include "base/must_check.h"
#include "cmd/print.h"
#include "conf/conf.h"
#include "plan/plan.h"
#include "result/result.h"
#include <stdio.h>

/* Each returns the exit status. argv[0] is the program, argv[1..] the words of the command. */
#define COMMAND(word, function) int function(int argc, char **argv);
#include "cmd/commands.def"
#undef COMMAND
int cmd_run(int argc, char **argv); /* as `fathom run`, without its word */

/* "fio-3.42-fathom-0.1.0": what scripts that know fio look at. */
const char *cmd_version_string(void);
void cmd_print_version(const char *program);

/* --enghelp[=engine[,option]]; -EINVAL when unknown. */
MUST_CHECK int cmd_engine_help(const char *what, struct str *out);

/* The options of the engines of this build, as conf wants them; NULL without memory. */
const struct conf_schema *cmd_schema(struct arena *arena);

/* A parsed command line with what it needs; one per process. */
struct session {
	struct arena arena;
	struct diag diag;
	struct cmdline cl;
	struct job_list jobs;
	const struct conf_schema *schema;
	unsigned unsaid; /* messages that were kept from standard error, as there were so many */
};
/* Messages go to standard error as they come. -EINVAL when the command line or a job file is wrong.
 */
MUST_CHECK int session_open(struct session *s, int argc, char **argv);
/* The same when some words of the user's came before those in argv. */
MUST_CHECK int session_open_after(struct session *s, unsigned words, int argc, char **argv);
void session_close(struct session *s);
/* The exit status of the errors said so far, at least `least` when there are none. */
int session_status(const struct session *s, int least);

#endif
