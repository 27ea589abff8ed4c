/* Threads of cmd: they take no signals, which are for the run. */
#ifndef FATHOM_LIVE_THREADS_H
#define FATHOM_LIVE_THREADS_H

#include <pthread.h>
#include <signal.h>

/* pthread_create with all signals blocked in the new thread; 0 or -errno. SIGPIPE is among them, so
 * that a write to a reader that has gone fails and nothing else happens. */
static inline int thread_start(pthread_t *t, void *(*main)(void *), void *arg)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(t, NULL, main, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -rc;
}

#endif
