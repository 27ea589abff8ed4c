#include "judge/verdict.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* A job of ten watched seconds of 100 us reads, nothing wrong with it. */
struct fixture {
	struct result r;
	struct result_job j;
	struct hist all, quiet;
	struct verdict v;
};

static void fixture(struct fixture *f)
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
	struct tally *t = &f->j.dir[DIR_READ];
	moment_init(&t->lat[LAT_COMPLETE]);
	moment_init(&f->j.watched.quiet_lat[DIR_READ]);
	t->hist[LAT_COMPLETE] = &f->all;
	for (unsigned i = 0; i < 100000; i++) {
		moment_add(&t->lat[LAT_COMPLETE], 100000);
		hist_add(&f->all, 100000);
	}
	t->ios = 100000;
	f->j.watched.on = true;
	f->j.watched.seconds = 10;
}

static const struct finding *judged(struct fixture *f, const char *code)
{
	verdict_judge(&f->r, &f->j, &f->v);
	for (unsigned i = 0; i < f->v.n; i++)
		if (!strcmp(f->v.v[i].code, code))
			return &f->v.v[i];
	return NULL;
}

static void disturb(struct fixture *f, enum disturbance k, uint64_t second, uint64_t amount)
{
	watched_mark(&f->j.watched.kind[k], second, amount, true);
}

static void a_good_run_is_quiet(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	verdict_judge(&f.r, &f.j, &f.v);
	assert_string_equal(f.v.word, "quiet");
	assert_int_equal(f.v.n, 0);
}

static void what_did_not_run_has_no_verdict(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.started = false;
	verdict_judge(&f.r, &f.j, &f.v);
	assert_string_equal(f.v.word, "none");
}

static void each_disturbance_has_its_code(void **state)
{
	static const struct {
		enum disturbance kind;
		const char *code;
	} rows[] = {
		{DISTURB_CPU_WAIT, "cpu-contention"}, {DISTURB_PREEMPT, "preempted"},
		{DISTURB_STEAL, "cpu-steal"},	      {DISTURB_IRQ, "interrupts"},
		{DISTURB_OTHER_IO, "other-io"},	      {DISTURB_IOWQ, "iowq-punt"},
		{DISTURB_FREQUENCY, "frequency"},     {DISTURB_MEMORY, "memory-pressure"},
		{DISTURB_STOPPED, "stopped"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		fixture(&f);
		disturb(&f, rows[i].kind, 3, 1000000);
		const struct finding *found = judged(&f, rows[i].code);
		assert_non_null(found);
		assert_int_equal(f.v.n, 1);
		assert_string_equal(f.v.word, "disturbed");
		assert_string_equal(found->seconds, "3");
		assert_true(found->evidence[0] && found->remedy[0]);
	}
}

static void heat_names_what_was_hot(void **state)
{
	struct fixture f;
	struct watched_heat *h = &f.j.watched.heat;

	(void)state;
	fixture(&f);
	memcpy(h->disk, "nvme0n1", 8);
	h->limit_milli_c = 80000;
	watched_sample(&h->milli_c, 70000);
	assert_null(judged(&f, "thermal"));
	watched_sample(&h->milli_c, 83000);
	disturb(&f, DISTURB_HEAT, 4, 0);
	const struct finding *found = judged(&f, "thermal");
	assert_string_equal(found->evidence,
			    "nvme0n1 reached 83 degrees Celsius, it slows down near 80");
	assert_string_equal(found->seconds, "4");
	assert_string_equal(f.v.word, "disturbed");
	h->limit_milli_c = 0;
	disturb(&f, DISTURB_HEAT, 5, 3);
	found = judged(&f, "thermal");
	assert_string_equal(found->evidence, "the workers' CPUs slowed themselves down 3 times");
	assert_string_equal(found->seconds, "4-5");
}

static void a_worker_far_from_its_device_is_told_where_to_go(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	disturb(&f, DISTURB_REMOTE, 2, 1);
	assert_null(judged(&f, "remote-numa")); /* nodes unknown: nothing is said */
	f.j.watched.nodes = (struct watched_nodes){.known = true,
						   .device = 1,
						   .cpu = 0,
						   .memory = -1,
						   .disk = "nvme0n1",
						   .near = "18-35"};
	const struct finding *found = judged(&f, "remote-numa");
	assert_string_equal(found->evidence,
			    "nvme0n1 is on node 1, a worker ran on node 0, in 1 of 10 seconds");
	assert_non_null(strstr(found->remedy, "cpus_allowed=18-35"));
	assert_non_null(strstr(found->effect, "0.5 to 2 us"));
	f.j.watched.nodes.cpu = 1;
	f.j.watched.nodes.memory = 0;
	assert_non_null(strstr(judged(&f, "remote-numa")->evidence, "its buffers were on node 0"));
}

static void seconds_are_told_as_ranges(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	for (unsigned s = 2; s <= 4; s++)
		disturb(&f, DISTURB_CPU_WAIT, s, 1);
	disturb(&f, DISTURB_CPU_WAIT, 9, 1);
	assert_string_equal(judged(&f, "cpu-contention")->seconds, "2-4, 9");
}

/* One bad second in a hundred is told, and does not spoil the run. */
static void few_bad_seconds_are_a_note(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.watched.seconds = 100;
	disturb(&f, DISTURB_OTHER_IO, 50, 10);
	assert_int_equal(judged(&f, "other-io")->severity, SEVERITY_NOTE);
	assert_string_equal(f.v.word, "quiet");
}

static void the_effect_is_against_the_quiet_seconds(void **state)
{
	struct fixture f;
	struct moment *q;

	(void)state;
	fixture(&f);
	q = &f.j.watched.quiet_lat[DIR_READ];
	f.j.watched.quiet[DIR_READ] = &f.quiet;
	for (unsigned i = 0; i < 1000; i++) {
		moment_add(q, 80000);
		hist_add(&f.quiet, 80000);
	}
	disturb(&f, DISTURB_CPU_WAIT, 1, 1);
	const struct finding *found = judged(&f, "cpu-contention");
	assert_non_null(strstr(found->effect, "+20.00us"));
	assert_non_null(strstr(found->effect, "+25.0 %"));
}

static void what_makes_a_number_void_is_invalid(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.reads_missed = 0.5;
	assert_int_equal(judged(&f, "page-cache")->severity, SEVERITY_INVALID);
	assert_string_equal(f.v.word, "invalid");
	fixture(&f);
	f.j.unwritten_bytes = f.j.region_bytes / 2;
	assert_non_null(judged(&f, "unwritten"));
	assert_string_equal(f.v.word, "invalid");
	fixture(&f);
	f.j.poll_asked = f.j.poll_failed = true;
	assert_non_null(judged(&f, "poll-inactive"));
	assert_string_equal(f.v.word, "invalid");
}

static void work_that_was_not_what_was_asked_for(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.depth_asked = 32;
	f.j.depth_time = 10000000000ull;
	f.j.depth_ns = 10000000000ull;
	assert_non_null(judged(&f, "depth-unreached"));
	f.j.paced = true;
	assert_null(judged(&f, "depth-unreached"));
	fixture(&f);
	f.j.rate_iops_asked[DIR_READ] = 20000; /* 10,000 a second were done */
	assert_non_null(judged(&f, "rate-missed"));
	f.j.rate_iops_asked[DIR_READ] = 10000;
	assert_null(judged(&f, "rate-missed"));
	fixture(&f);
	f.j.style.percentile[0] = 99.999;
	assert_non_null(judged(&f, "few-samples"));
	f.j.style.percentile[0] = 99.999999;
	assert_string_equal(judged(&f, "few-samples")->remedy,
			    "for p99.999999 run until there are 1000000000 samples");
	fixture(&f);
	f.j.phase[PHASE_WORKLOAD].ns = 1000000;
	assert_non_null(judged(&f, "too-short"));
	fixture(&f);
	f.j.region_bytes = 1 << 20;
	assert_non_null(judged(&f, "small-span"));
	f.j.engine = "null";
	assert_null(judged(&f, "small-span"));
	fixture(&f);
	f.r.clock_drift_ppm = -500;
	assert_non_null(judged(&f, "clock"));
	fixture(&f);
	f.j.overhead_ns = 50000;
	assert_non_null(judged(&f, "tool-limited"));
}

static void a_change_of_level_is_not_steady(void **state)
{
	struct fixture f;
	struct timeline_point p[100];
	struct rng rng;

	static const struct {
		unsigned drop, seconds;
		const char *word; /* NULL: steady */
	} rows[] = {{0, 10, NULL}, {300, 10, "disturbed"}, {70, 10, "note"}, {300, 9, "note"}};

	(void)state;
	for (unsigned k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		fixture(&f);
		f.j.phase[PHASE_WORKLOAD].ns = rows[k].seconds * 1000000000ull;
		memset(p, 0, sizeof(p));
		rng_seed(&rng, 7);
		for (unsigned i = 0; i < 100; i++)
			p[i].ios[DIR_READ] =
				1000 + rng_below(&rng, 40) - (i >= 60 ? rows[k].drop : 0);
		f.j.timeline =
			(struct timeline){.period_ns = TIMELINE_PERIOD_NS, .n = 100, .point = p};
		const struct finding *found = judged(&f, "not-steady");
		assert_true((found != NULL) == (rows[k].word != NULL));
		if (found)
			assert_string_equal(severity_word(found->severity), rows[k].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_run_is_quiet),
		cmocka_unit_test(what_did_not_run_has_no_verdict),
		cmocka_unit_test(each_disturbance_has_its_code),
		cmocka_unit_test(heat_names_what_was_hot),
		cmocka_unit_test(a_worker_far_from_its_device_is_told_where_to_go),
		cmocka_unit_test(seconds_are_told_as_ranges),
		cmocka_unit_test(few_bad_seconds_are_a_note),
		cmocka_unit_test(the_effect_is_against_the_quiet_seconds),
		cmocka_unit_test(what_makes_a_number_void_is_invalid),
		cmocka_unit_test(work_that_was_not_what_was_asked_for),
		cmocka_unit_test(a_change_of_level_is_not_steady),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
