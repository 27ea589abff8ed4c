/* Threads of the service of live numbers: they take no signals, which are for the run. */
#ifndef FATHOM_LIVE_THREADS_H
#define FATHOM_LIVE_THREADS_H

#include "base/must_check.h"
#include "base/time.h"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

/* Threads started from here to threads_restore_signals() inherit a mask that blocks all signals.
 * SIGPIPE is among them, so that a write to a reader that disconnected fails and nothing else
 * happens. */
static inline void threads_block_signals(sigset_t *old)
{
	sigset_t all;

	assert(old);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
}

static inline void threads_restore_signals(const sigset_t *old)
{
	assert(old);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* pthread_create with all signals blocked in the new thread; 0 or -errno. */
MUST_CHECK static inline int thread_start(pthread_t *t, void *(*main)(void *), void *arg)
{
	sigset_t old;
	int ret;

	assert(t && main);
	threads_block_signals(&old);
	ret = pthread_create(t, NULL, main, arg);
	threads_restore_signals(&old);
	return -ret;
}

/* A condition variable that waits by CLOCK_MONOTONIC, which nobody sets. */
static inline void threads_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;

	assert(c);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
}

/* The time in ms milliseconds, by the clock of these condition variables. */
static inline struct timespec threads_in_ms(unsigned ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_sec += ms / 1000;
	ts.tv_nsec += (long)(ms % 1000) * 1000000;
	if (ts.tv_nsec >= (long)NS_PER_SEC) {
		ts.tv_sec++;
		ts.tv_nsec -= (long)NS_PER_SEC;
	}
	return ts;
}

#endif
