/* exec_prerun and exec_postrun. */
#include "run/crew.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

int run_command(const char *command, const char *name, const char *when, struct err *err)
{
	char path[300];
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	sigset_t none, usr1;
	pid_t pid;
	int status;

	snprintf(path, sizeof(path), "%s.%s.txt", name, when);
	for (char *p = path; *p; p++)
		if (*p == '/')
			*p = '.';
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	posix_spawn_file_actions_adddup2(&fa, 1, 2);
	/* Workers block the signals that end a run, and the program ignores SIGUSR1 outside of a
	 * run; the command must do neither. */
	sigemptyset(&none);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &usr1);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int rc = posix_spawn(&pid, "/bin/sh", &fa, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fa);
	if (rc)
		return err_set(err, ERR_SETUP, rc, "%s: exec_%s cannot be run: %s", name, when,
			       strerror(rc));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, ERR_SETUP, errno, "%s: exec_%s was lost: %s", name,
				       when, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	err_set(err, ERR_SETUP, ECANCELED, "%s: exec_%s failed with %s %d", name, when,
		WIFEXITED(status) ? "status" : "signal",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	err_remedy(err, "its output is in %s", path);
	return -ECANCELED;
}
