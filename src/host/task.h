/* One process or thread: what /proc/PID/stat says of it. */
#ifndef FATHOM_HOST_TASK_H
#define FATHOM_HOST_TASK_H

#include "base/must_check.h"
#include "host/host.h"

struct task {
	char name[64];
	char state; /* 'R', 'S', ...; 'Z' and 'X': it has ended and is kept for its parent only */
	uint64_t ticks; /* CPU time of all its threads, user and system (task_tick_ns) */
	unsigned threads;
	uint64_t start; /* ticks after boot: tells a new task with an old number */
	unsigned cpu;	/* it was last seen on; of a process, its first thread */
};

/* which: "123", or "self/task/124" for one thread. -ENOENT, -ESRCH: it is gone; -EINVAL: the file
 * is not understood. */
MUST_CHECK int task_read(const struct host *h, const char *which, struct task *out);
uint64_t task_tick_ns(void);

#endif
