/* A run with nothing wrong with it, for tests of findings. */
#ifndef FATHOM_TESTS_JUDGE_RUN_H
#define FATHOM_TESTS_JUDGE_RUN_H

#include "judge/verdict.h"
#include "base/finding.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job of ten watched seconds of 100 us reads, nothing wrong with it. */
struct fixture {
	struct result r;
	struct result_job j;
	struct hist all, quiet;
	struct verdict v;
};

static inline void fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->j.started = true;
	f->j.members = 1;
	f->j.engine = "psync";
	f->j.depth_asked = f->j.depth_planned = 1;
	f->j.region_bytes = 1ull << 40;
	f->j.phase[PHASE_WORKLOAD].ns = 10000000000ull;
	f->j.runtime_ns[DIR_READ] = 10000000000ull;
	f->j.style.percentile[0] = 99;
	f->j.style.percentiles_n = 1;
	struct dir_stats *t = &f->j.dir[DIR_READ];
	runstat_init(&t->lat[LAT_COMPLETE]);
	runstat_init(&f->j.watched.quiet_lat[DIR_READ]);
	t->hist[LAT_COMPLETE] = &f->all;
	for (unsigned i = 0; i < 100000; i++) {
		runstat_add(&t->lat[LAT_COMPLETE], 100000);
		hist_add(&f->all, 100000);
	}
	t->ios = 100000;
	f->j.watched.on = true;
	f->j.watched.seconds = 10;
}

static __attribute__((noinline, unused)) const struct finding *judged(struct fixture *f,
								      const char *code)
{
	verdict_judge(&f->r, &f->j, &f->v);
	for (unsigned i = 0; i < f->v.n; i++)
		if (!strcmp(f->v.v[i].f.code, code))
			return &f->v.v[i].f;
	return NULL;
}

static inline void disturb(struct fixture *f, enum disturbance k, uint64_t second, uint64_t amount)
{
	watched_mark(&f->j.watched.kind[k], second, amount, true);
}

#endif
