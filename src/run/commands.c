/* exec_prerun and exec_postrun. */
#include "run/commands.h"
#include "run/pool.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* Each reminder of a stop interrupts the wait: a request first, then an order. 0 or an errno. */
static int commands_wait_for(const struct worker *w, pid_t pid, bool ends, int *status, bool *ended)
{
	bool asked = false;

	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return errno;
		if (!ends || !worker_told_to_stop(w))
			continue;
		kill(-pid, asked ? SIGKILL : SIGTERM);
		asked = true;
	}
	*ended = asked;
	return 0;
}

int run_command(const struct worker *w, const char *command, const char *when, bool ends,
		struct err *err)
{
	const char *name = w->pj->name;
	char path[300];
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	sigset_t none, ignored;
	bool ended = false;
	pid_t pid;
	int status;

	assert(command && when && err);
	snprintf(path, sizeof(path), "%s.%s.txt", name, when);
	for (char *p = path; *p; p++)
		if (*p == '/')
			*p = '.';
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	posix_spawn_file_actions_adddup2(&fa, 1, 2);
	/* Workers block the signals that end a run, and the program ignores some; the command must
	 * do neither. A group of its own: what it starts can be ended with it. */
	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGUSR1);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &ignored);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						(ends ? POSIX_SPAWN_SETPGROUP : 0));
	int ret = posix_spawn(&pid, "/bin/sh", &fa, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fa);
	if (ret)
		return err_set(err, ERR_SETUP, ret, "%s: exec_%s cannot be run: %s", name, when,
			       strerror(ret));
	ret = commands_wait_for(w, pid, ends, &status, &ended);
	if (ret)
		return err_set(err, ERR_SETUP, ret, "%s: exec_%s was lost: %s", name, when,
			       strerror(ret));
	if (ended)
		return -EINTR;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	err_set(err, ERR_SETUP, ECANCELED, "%s: exec_%s failed with %s %d", name, when,
		WIFEXITED(status) ? "status" : "signal",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	err_remedy(err, "its output is in %s", path);
	return -ECANCELED;
}
