/* Where and with which rights a worker runs; called by its own thread. */
#ifndef FATHOM_WORKER_PLACE_H
#define FATHOM_WORKER_PLACE_H

#include "base/must_check.h"
#include "plan/plan.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct worker;

/* The thread of a worker, and how the supervisor lets it begin. */
struct worker_thread {
	pthread_t id;
	bool exists;
	sem_t gate;		/* posted with go and with stops */
	_Atomic bool go;	/* set by the supervisor */
	_Atomic uint64_t go_at; /* when to begin, on the run's clock */
	long tid;
	char cpus[96]; /* where it may run */
	bool isolated; /* it went to CPUs of its own (run/isolate) */
};

MUST_CHECK int place_thread(struct worker *w, struct err *err);
/* This thread on these CPUs from now on. -errno. */
MUST_CHECK int place_on(const struct cpuset *cpus);

#endif
