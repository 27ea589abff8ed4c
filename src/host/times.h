/* Facts about other tasks and the whole machine that the watcher needs each second. */
#ifndef FATHOM_HOST_TIMES_H
#define FATHOM_HOST_TIMES_H

#include "base/must_check.h"
#include "host/host.h"

/* One thread of this process: /proc/self/task/TID/{schedstat,status,stat}. */
struct thread_times {
	uint64_t run_ns, wait_ns, preempted;
	unsigned cpu; /* where it ran last */
};
MUST_CHECK int thread_times(const struct host *h, long tid, struct thread_times *out);

/* All CPUs together: /proc/stat (in ticks of 10 ms as a rule) and /proc/pressure. */
struct machine_times {
	uint64_t steal_ns, irq_ns, memory_ns, io_ns;
	unsigned cpus;
};
void machine_times(const struct host *h, struct machine_times *out);
struct machine_times machine_since(const struct machine_times *earlier,
				   const struct machine_times *later);

/* CPU time so far of kernel threads that do our io_uring work (iou-wrk-...), ns; threads that have
 * ended are forgotten. */
uint64_t kernel_worker_time(void);

#endif
