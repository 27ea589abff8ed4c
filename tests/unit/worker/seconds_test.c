/* Percentiles of the undisturbed seconds, against samples counted apart. */
#include "rig.h"
#include "base/rng.h"
#include "worker/collect.h"
#include "worker/seconds.h"
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define S UINT64_C(1000000000)

static struct rig *watched_rig(struct hist *h)
{
	struct rig *r = rig_new(1);
	struct worker *w = r->workers[0];

	r->plan.virtual_clock = false;
	r->env.host.root = "";
	w->thread.tid = gettid();
	arena_init(&w->arena, 0);
	w->acct = ACCT_CLAT | ACCT_CLAT_HIST;
	memset(h, 0, sizeof(*h));
	w->stats[DIR_READ].hist[LAT_COMPLETE] = h;
	runstat_init(&w->stats[DIR_READ].lat[LAT_COMPLETE]);
	assert_int_equal(seconds_open(w), 0);
	seconds_begin(w, 0);
	return r;
}

static void done(struct rig *r)
{
	seconds_close(r->workers[0]);
	arena_release(&r->workers[0]->arena);
	rig_free(r);
}

/* What is collected lies here until the next time. */
static void collect(const struct worker *w, struct watched *out)
{
	static _Alignas(64) char memory[DIRS * COLLECT_HIST];
	char *at = memory;

	seconds_collect(w, &at, out);
	assert_true(at <= memory + sizeof(memory));
}

static void complete(struct worker *w, uint64_t latency)
{
	struct dir_stats *t = &w->stats[DIR_READ];

	t->ios++;
	hist_add(t->hist[LAT_COMPLETE], latency);
	runstat_add(&t->lat[LAT_COMPLETE], latency);
}

/* The watcher's word about a second comes while the next one runs. */
static void flag(struct worker *w, uint64_t second, bool quiet)
{
	atomic_store(&w->seconds.flags[second % SECOND_RING],
		     SECOND_FLAG(second, quiet ? SECOND_QUIET : SECOND_DISTURBED));
}

/* Twelve seconds, of which some are disturbed: what is kept is exactly what completed in the quiet
 * ones, but for the last, which nobody has judged yet. */
static void quiet_seconds_hold_exactly_their_ios(void **state)
{
	static struct hist h, expect;
	struct rig *r = watched_rig(&h);
	struct worker *w = r->workers[0];
	struct watched out = {0};
	struct runstat m;
	struct rng rng;
	uint64_t seed = 11;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	rng_seed(&rng, seed);
	memset(&expect, 0, sizeof(expect));
	runstat_init(&m);
	for (uint64_t s = 0; s < 12; s++) {
		bool quiet = s % 4 != 1;
		for (unsigned i = 0; i < 5000; i++) {
			uint64_t latency = 50000 + rng_below(&rng, 100000) + (quiet ? 0 : 4000000);
			complete(w, latency);
			if (quiet && s < 11) {
				hist_add(&expect, latency);
				runstat_add(&m, latency);
			}
		}
		if (s)
			flag(w, s - 1, (s - 1) % 4 != 1);
		seconds_roll(w, (s + 1) * S);
	}
	collect(w, &out);
	assert_int_equal(out.quiet_lat[DIR_READ].n, m.n);
	assert_true(out.quiet_lat[DIR_READ].sum == m.sum);
	assert_memory_equal(out.quiet[DIR_READ]->bucket, expect.bucket, sizeof(expect.bucket));
	for (double p = 1; p < 100; p += 0.5)
		assert_int_equal(hist_percentile(out.quiet[DIR_READ], p, 0, UINT64_MAX),
				 hist_percentile(&expect, p, 0, UINT64_MAX));
	done(r);
}

/* Of a run of 3.7 seconds the last full second and what follows count as well, each when it was
 * quiet; less than half a second does not. */
static void the_end_counts_when_it_is_half_a_second(void **state)
{
	static const struct {
		uint64_t end;
		bool second, rest; /* quiet? */
		unsigned n;
	} rows[] = {
		{3700 * MS, true, true, 4},  {3700 * MS, true, false, 3},
		{3700 * MS, false, true, 3}, {3400 * MS, true, true, 3},
		{3000 * MS, true, true, 3},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		static struct hist h;
		struct rig *r = watched_rig(&h);
		struct worker *w = r->workers[0];
		struct watched out = {0};
		for (uint64_t s = 0; s < 3; s++) {
			complete(w, 1000 * (s + 1));
			if (s)
				flag(w, s - 1, true);
			seconds_roll(w, (s + 1) * S);
		}
		complete(w, 4000);
		/* Nothing of it is told while the run goes on. */
		flag(w, 2, rows[i].second);
		flag(w, 3, rows[i].rest);
		collect(w, &out);
		assert_int_equal(out.quiet_lat[DIR_READ].n, 2);
		seconds_end(w, rows[i].end);
		out = (struct watched){0};
		collect(w, &out);
		assert_int_equal(out.quiet_lat[DIR_READ].n, rows[i].n);
		assert_true(out.quiet_lat[DIR_READ].sum ==
			    3000 + 3000u * rows[i].second +
				    4000u * (rows[i].rest && rows[i].end >= 3500 * MS));
		done(r);
	}
}

/* A second that nobody judged is not taken for quiet, nor is an old word about another one. */
static void unknown_seconds_are_left_out(void **state)
{
	static struct hist h;
	struct rig *r = watched_rig(&h);
	struct worker *w = r->workers[0];
	struct watched out = {0};

	(void)state;
	for (uint64_t s = 0; s < SECOND_RING; s++)
		flag(w, s + SECOND_RING, true);
	for (uint64_t s = 0; s < 4; s++) {
		complete(w, 1000);
		seconds_roll(w, (s + 1) * S);
	}
	collect(w, &out);
	assert_null(out.quiet[DIR_READ]);
	done(r);
}

/* What the thread's own counters did not see is the device's; the slowest are kept by second. */
static void outliers_have_a_cause_and_a_second(void **state)
{
	static struct hist h;
	struct rig *r = watched_rig(&h);
	struct worker *w = r->workers[0];
	const struct watched_outliers *o = &w->seconds.outliers;

	(void)state;
	seconds_roll(w, S);
	/* An hour: nothing this thread waited for meanwhile comes near. */
	for (uint64_t i = 1; i <= 20; i++)
		seconds_outlier(w, i * 3600 * S);
	assert_int_equal(o->n, 20);
	assert_int_equal(o->device + o->preempted + o->cpu_wait, 20);
	assert_int_equal(o->device, 20);
	for (unsigned i = 0; i < WATCHED_SLOWEST; i++) {
		assert_int_equal(o->slowest[i].latency_ns, (20 - i) * 3600 * S);
		assert_int_equal(o->slowest[i].second, 1);
		assert_int_equal(o->slowest[i].cause, OUTLIER_DEVICE);
	}
	done(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_seconds_hold_exactly_their_ios),
		cmocka_unit_test(the_end_counts_when_it_is_half_a_second),
		cmocka_unit_test(unknown_seconds_are_left_out),
		cmocka_unit_test(outliers_have_a_cause_and_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
