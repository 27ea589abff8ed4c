/* A set of CPU numbers (or of NUMA nodes, which are written the same way): text to list and back,
 * and the operations on lists. Lists are ascending and unique; gaps in the numbering and numbers
 * above 63 (or 1023) are normal. Lists live in the arena given; a function that fails returns
 * -errno and leaves its output as it was. No state, any thread. */
#ifndef FATHOM_BASE_CPUSET_H
#define FATHOM_BASE_CPUSET_H

#include "base/arena.h"
#include "base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Highest number accepted in a list. */
#define CPUSET_MAX 65535u

struct cpuset {
	unsigned *cpu; /* ascending, unique */
	unsigned n;
};

/* The same as one bit for each CPU: what sched_getaffinity fills. */
struct cpuset_bits {
	uint64_t word[(CPUSET_MAX + 1) / 64];
};

/* The kernel's list form "0-3,8,10-11" (also "0-7:2" as stride, blanks allowed
 * between numbers and signs). "" gives an empty
 * list. -EINVAL on anything else, -ERANGE above CPUSET_MAX, -ENOMEM. */
MUST_CHECK int cpuset_parse(const char *text, struct arena *a, struct cpuset *out);
/* The shortest such text; cut at size - 1 bytes. */
void cpuset_print(const struct cpuset *l, char *buf, size_t size);
/* The CPUs whose bit is set. -ENOMEM. */
MUST_CHECK int cpuset_from_bits(const struct cpuset_bits *b, struct arena *a, struct cpuset *out);
bool cpuset_has(const struct cpuset *l, unsigned cpu);
bool cpuset_equal(const struct cpuset *x, const struct cpuset *y);
/* CPUs in both lists. -ENOMEM. */
MUST_CHECK int cpuset_both(const struct cpuset *x, const struct cpuset *y, struct arena *a,
			   struct cpuset *out);
/* CPUs of x that are not in y. -ENOMEM. */
MUST_CHECK int cpuset_without(const struct cpuset *x, const struct cpuset *y, struct arena *a,
			      struct cpuset *out);

#endif
