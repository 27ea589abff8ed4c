/* What the machine is doing right now: two looks at /proc, some time apart, and what lies between.
 * The caller does the waiting. */
#ifndef FATHOM_HOST_BUSY_H
#define FATHOM_HOST_BUSY_H

#include "base/must_check.h"
#include "host/cpu.h"

struct busy_task {
	unsigned pid;
	char name[32];
	unsigned cpu;	   /* it was last seen on */
	uint64_t cpu_ns;   /* CPU time it took */
	uint64_t io_bytes; /* read from and written to storage; 0 also when we may not look */
};
struct busy_cpu {
	unsigned cpu;
	double busy, irq, steal; /* percent of its time; busy is all but idle, waiting and steal */
};
struct busy {
	struct busy_task
		*task; /* those that did anything, most CPU time first; ourselves left out */
	unsigned tasks;
	struct busy_cpu *cpu;
	unsigned cpus;
	double steal;	/* percent of the time of all CPUs */
	bool io_hidden; /* some tasks would not let us see their I/O */
	uint64_t span_ns;
};

struct busy_look;
/* First look. The arena owns everything. -errno. */
MUST_CHECK int busy_start(const struct host *h, struct arena *a, struct busy_look **out);
/* Second look, span_ns later. */
MUST_CHECK int busy_end(const struct host *h, struct arena *a, const struct busy_look *first,
			uint64_t span_ns, struct busy *out);

#endif
