/* The program: a first word that names a command, otherwise job files and options as fio takes
 * them. */
#include "cmd/cmd.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *word;
	int (*run)(int argc, char **argv);
} commands[] = {
#define COMMAND(word, function) {#word, function},
#include "cmd/commands.def"
#undef COMMAND
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* The word of the command is taken out, so that the rest looks as without it. */
static int main_dispatch(int argc, char **argv, int (*run)(int argc, char **argv))
{
	argv[1] = argv[0];
	return run(argc - 1, argv + 1);
}

/* A full disk behind standard output must not look like success, whatever the command. */
static int main_finish(int status)
{
	if (status)
		return status;
	if (fflush(stdout))
		return cmd_output_failed(errno);
	return ferror(stdout) ? cmd_output_failed(EIO) : 0;
}

int main(int argc, char **argv)
{
	/* It asks for a report of the running state: without one there is nothing to say, and
	 * nothing to die of. A run blocks and reads it all the same. */
	signal(SIGUSR1, SIG_IGN);
	/* A file that reaches `ulimit -f` is an error of that write, with its report. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc > 1)
		for (unsigned i = 0; i < COMMANDS; i++)
			if (!strcmp(argv[1], commands[i].word))
				return main_finish(main_dispatch(argc, argv, commands[i].run));
	return main_finish(cmd_run(argc, argv));
}
