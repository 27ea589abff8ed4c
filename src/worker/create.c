/* A worker in memory: made before the run, taken down after it. */
#include "worker/create.h"
#include "log/logkind.h"
#include "worker/state.h"
#include "worker/worker.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The struct in pages of its own: no line is shared with another worker, and its thread can bring
 * them to its node. */
struct worker *worker_create(struct worker_env *env, const struct plan_job *pj, struct err *err)
{
	struct worker *w =
		mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert(env && pj && pj->number < env->plan->jobs_n);
	if (w == MAP_FAILED) {
		err_set(err, ERR_SETUP, ENOMEM, "no memory for worker %u", pj->number);
		return NULL;
	}
	w->env = env;
	w->plan = env->plan;
	w->pj = pj;
	w->clock = &env->clock;
	arena_init(&w->arena, 0);
	sem_init(&w->thread.gate, 0, 0);
	unsigned kinds = logkind_fed(pj);
	unsigned rates = 1u << LOGK_BW | 1u << LOGK_IOPS;
	unsigned lats = 1u << LOGK_SLAT | 1u << LOGK_CLAT | 1u << LOGK_LAT;
	if (pj->o->log_avg_msec) {
		w->log_windows = kinds & (rates | lats);
		w->log_kinds = kinds & 1u << LOGK_IOLOG;
	} else {
		w->log_kinds = kinds & (rates | lats | 1u << LOGK_IOLOG);
	}
	w->windows.hist_period = kinds & 1u << LOGK_HIST ? pj->o->log_hist_msec : 0;
	if (log_port_open(&w->log, pj->number,
			  w->log_kinds | w->log_windows |
				  (w->windows.hist_period ? 1u << LOGK_HIST : 0),
			  w->log_windows, env->plan->jobs_n)) {
		worker_destroy(w);
		err_set(err, ERR_SETUP, ENOMEM, "no memory for the logs of %s", pj->name);
		return NULL;
	}
	worker_set_state(w, WORKER_NONE);
	return w;
}

void worker_destroy(struct worker *w)
{
	if (!w)
		return;
	/* A thread that never came back, or I/Os the kernel still owes: what they use must stay. */
	if (w->abandoned || w->thread.exists)
		return;
	log_port_close(&w->log);
	if (w->load)
		workload_release(w->load);
	snapshot_close(w);
	sem_destroy(&w->thread.gate);
	arena_release(&w->arena);
	munmap(w, sizeof(*w));
}
