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
	{"run", cmd_run_word},	  {"explain", cmd_explain}, {"options", cmd_options},
	{"engines", cmd_engines}, {"doctor", cmd_doctor},   {"tune", cmd_tune},
	{"compare", cmd_compare}, {"log", cmd_log},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

void cmd_words(struct str *out)
{
	for (unsigned i = 0; i < COMMANDS; i++)
		str_printf(out, "%s\n", commands[i].word);
}

/* The word of the command is taken out, so that the rest looks as without it. */
static int main_dispatch(int argc, char **argv, int (*run)(int argc, char **argv))
{
	argv[1] = argv[0];
	return run(argc - 1, argv + 1);
}

int cmd_output_failed(int error)
{
	fprintf(stderr, "fathom: error: cannot write to standard output: %s\n", strerror(error));
	return err_exit_code(ERR_IO);
}

int cmd_print(struct str *text, FILE *to, int status)
{
	bool bad = text->bad;

	fputs(text->s, to);
	str_release(text);
	if (!bad || status)
		return status;
	fputs("fathom: error: out of memory\n", stderr);
	return err_exit_code(ERR_SETUP);
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
