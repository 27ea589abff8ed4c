/* The run's clock: nanoseconds since its epoch (the start of the run), monotonic across CPUs.
 *
 * TSC: the processor's counter (x86: the TSC; arm64: CNTVCT_EL0), calibrated against
 * CLOCK_MONOTONIC when the kernel itself uses it as clock source; a read is one instruction, one
 * multiplication and a shift. MONOTONIC: clock_gettime through a function pointer (so that objects
 * of the loop do not reference it). VIRTUAL: a word that the simulator advances. Const while
 * workers run, except the virtual word.
 */
#ifndef FATHOM_BASE_CLOCK_H
#define FATHOM_BASE_CLOCK_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

enum clock_kind { CLOCK_KIND_TSC, CLOCK_KIND_MONOTONIC, CLOCK_KIND_VIRTUAL };

struct clock {
	enum clock_kind kind;
	uint64_t tsc_base;
	uint64_t mult;				 /* ns per tick, 32.32 fixed point */
	uint64_t (*read)(const struct clock *c); /* for kinds other than TSC */
	uint64_t mono_base;			 /* CLOCK_MONOTONIC ns at epoch */
	uint64_t wall_base;			 /* CLOCK_REALTIME ns at epoch */
	uint64_t virtual_now; /* VIRTUAL only; written by the simulator's single thread */
	double tsc_hz;
	bool backwards; /* the TSC was seen to run backwards between CPUs, and is not used */
};

/* Choose and calibrate (about 10 ms for the TSC). want: -1 choose, or a clock_kind; falls back to
 * MONOTONIC when the counter is not trusted (clock source; x86: constant_tsc and nonstop_tsc;
 * arm64: the rate stated in CNTFRQ_EL0; cross-CPU check). -EINVAL for VIRTUAL and nonsense. The
 * calling thread visits its allowed CPUs for a moment. */
MUST_CHECK int clock_init(struct clock *c, int want);
/* What the kernel's files below root ("" for this machine) say: the counter is the clock source and
 * never changes its rate. False on other processors than x86-64 and arm64. */
bool clock_tsc_trusted(const char *root);
/* Virtual clock starting at 0, wall epoch given by the caller (ns since 1970) so that output is
 * reproducible. */
void clock_init_virtual(struct clock *c, uint64_t wall_base);
/* Start a new epoch now; readings before and after do not compare. The virtual clock starts at 0
 * again with the wall clock going on. */
void clock_restart(struct clock *c);
/* Difference in parts per million between this clock and CLOCK_MONOTONIC since the epoch (0 for
 * others than TSC). */
double clock_drift_ppm(const struct clock *c);
/* The smallest step seen between neighbouring readings that differ, ns; no smaller than a reading
 * takes. Below 1 ms. 1 for the virtual clock, 0 when it was not seen to move. */
uint64_t clock_resolution(const struct clock *c);
/* Wall clock ns of a clock value. */
static inline uint64_t clock_wall(const struct clock *c, uint64_t now)
{
	return c->wall_base + now;
}

static inline uint64_t clock_tsc(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	return 0;
#endif
}

static inline uint64_t clock_now(const struct clock *c)
{
	if (__builtin_expect(c->kind == CLOCK_KIND_TSC, 1))
		return (uint64_t)(((unsigned __int128)(clock_tsc() - c->tsc_base) * c->mult) >> 32);
	return c->read(c);
}

#endif
