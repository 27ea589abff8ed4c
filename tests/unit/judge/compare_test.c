#include "judge/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "noise.h"

#include <errno.h>
#include <string.h>

enum { STEPS = 60, RUNS = 8 };

/* Runs made by hand, without JSON. */
struct run {
	struct record record;
	struct record_job job;
	struct record_pair option[2];
	double iops[STEPS], lat[STEPS];
};

struct fixture {
	struct arena arena;
	struct rng rng;
	struct run run[2][RUNS];
	const struct record *list[2][RUNS];
	struct compare_side side[2];
	struct compare_options o;
	struct comparison c;
	struct err err;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){.o = {.seed = 1, .reps = 399}};
	arena_init(&f.arena, 0);
	noise_seed(&f.rng);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	return 0;
}

static void make_run(struct fixture *f, unsigned s, unsigned i, double iops, double cv,
		     unsigned steps)
{
	struct run *r = &f->run[s][i];
	struct record_flow *flow = &r->job.flow[RECORD_READ];

	noise_series(&f->rng, r->iops, steps, iops, cv, 0.3);
	for (unsigned k = 0; k < steps; k++)
		r->lat[k] = 1e9 / r->iops[k];
	r->option[0] = (struct record_pair){"bs", "4k"};
	r->option[1] = (struct record_pair){"iodepth", "1"};
	flow->series[RECORD_IOPS] = (struct stats_values){r->iops, steps};
	flow->series[RECORD_LAT] = (struct stats_values){r->lat, steps};
	flow->iops = stats_mean(&flow->series[RECORD_IOPS]);
	flow->bw = 4096 * flow->iops;
	flow->ios = flow->iops * steps;
	flow->runtime_s = steps;
	flow->lat = (struct record_lat){
		.mean = 1e9 / flow->iops, .stddev = 1e8 / flow->iops, .n = flow->ios};
	flow->clat = flow->lat;
	flow->clat.percentiles_n = 1;
	flow->clat.percentile[0] = 99;
	flow->clat.percentile_ns[0] = 2e9 / flow->iops;
	r->job.name = "j";
	r->job.options = (struct record_pairs){r->option, 2};
	r->record = (struct record){
		.file = s ? "b" : "a", .tool = "fio-3.33", .jobs = &r->job, .jobs_n = 1};
	f->list[s][i] = &r->record;
}

static void make_side(struct fixture *f, unsigned s, unsigned n, double iops, double cv,
		      unsigned steps)
{
	for (unsigned i = 0; i < n; i++)
		make_run(f, s, i, iops, cv, steps);
	f->side[s] = (struct compare_side){.label = s ? "b" : "a", .run = f->list[s], .n = n};
}

static int run_compare(struct fixture *f)
{
	return compare(&f->side[0], &f->side[1], &f->o, &f->arena, &f->c, &f->err);
}

static const struct compare_row *row(const struct fixture *f, const char *metric)
{
	for (unsigned i = 0; i < f->c.flow[0].n; i++)
		if (!strcmp(f->c.flow[0].row[i].metric, metric))
			return &f->c.flow[0].row[i];
	fail_msg("no row %s", metric);
	return NULL;
}

static void a_large_difference_is_called_in_its_direction(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 1, 1000, 0.01, STEPS);
	make_side(f, 1, 1, 1100, 0.01, STEPS);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "iops")->verdict, COMPARE_FASTER);
	assert_int_equal(row(f, "iops")->method, COMPARE_SERIES);
	assert_int_equal(row(f, "lat")->verdict, COMPARE_FASTER);
	assert_true(row(f, "lat")->change < -8 && row(f, "iops")->low > 8 &&
		    row(f, "iops")->high < 12);
	assert_false(compare_slower(&f->c, NULL));
	make_side(f, 1, 1, 900, 0.01, STEPS);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "lat")->verdict, COMPARE_SLOWER);
	assert_true(compare_slower(&f->c, NULL) && compare_slower(&f->c, "lat,p99"));
	assert_false(compare_slower(&f->c, "p99")); /* one run without bins: cannot tell */
}

static void equals_with_little_noise_are_called_equal_and_noise_asks_for_more(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 1, 1000, 0.004, STEPS);
	make_side(f, 1, 1, 1000, 0.004, STEPS);
	f->run[1][0] = f->run[0][0];
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "iops")->verdict, COMPARE_SAME);
	make_side(f, 0, 1, 1000, 0.2, STEPS);
	f->run[1][0] = f->run[0][0];
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "iops")->verdict, COMPARE_UNKNOWN);
	assert_true(row(f, "iops")->run_s > 5 * STEPS);
	assert_true(row(f, "iops")->detectable > 3);
}

static void repeats_judge_percentiles_too(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 5, 1000, 0.01, STEPS);
	make_side(f, 1, 5, 1100, 0.01, STEPS);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "p99")->verdict, COMPARE_FASTER);
	assert_int_equal(row(f, "p99")->method, COMPARE_REPEATS);
	assert_true(fabs(row(f, "p99")->change + 9.09) < 1);
	/* Repeats that agree to the bit are still only known to a bin. */
	for (unsigned i = 1; i < 5; i++)
		f->run[0][i] = f->run[1][i] = f->run[0][0];
	f->run[1][0] = f->run[0][0];
	for (unsigned i = 0; i < 5; i++)
		f->run[1][i].job.flow[RECORD_READ].clat.percentile_ns[0] *= 1.01;
	for (unsigned s = 0; s < 2; s++)
		for (unsigned i = 0; i < 5; i++)
			f->run[s][i].record.jobs = &f->run[s][i].job;
	assert_int_equal(run_compare(f), 0);
	assert_int_not_equal(row(f, "p99")->verdict, COMPARE_SLOWER);
}

/* Uniform latencies in 1000 bins; q is the true quantile. */
static void make_bins(struct fixture *f, unsigned s, double scale, double count)
{
	struct record_lat *l = &f->run[s][0].job.flow[RECORD_READ].clat;

	l->bin = arena_new(&f->arena, struct record_bin, 1000);
	assert_non_null(l->bin);
	l->bins_n = 1000;
	for (unsigned i = 0; i < 1000; i++)
		l->bin[i] = (struct record_bin){.ns = scale * (1000 + i), .count = count};
	f->run[s][0].job.flow[RECORD_READ].lat.n = 1000 * count;
	f->run[s][0].job.flow[RECORD_READ].lat.stddev = f->run[s][0].job.flow[RECORD_READ].lat.mean;
}

static void histograms_judge_percentiles_of_single_runs(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 1, 1000, 0.01, STEPS);
	make_side(f, 1, 1, 1000, 0.01, STEPS);
	make_bins(f, 0, 1, 100);
	make_bins(f, 1, 1.05, 100);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "p99")->method, COMPARE_BINS);
	assert_int_equal(row(f, "p99")->verdict, COMPARE_SLOWER);
	assert_true(row(f, "p99")->low > 3 && row(f, "p99")->high < 7);
	assert_true(fabs(row(f, "p99")->a - 1990) < 2);
	make_bins(f, 0, 1, 0.5);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "p99")->verdict, COMPARE_UNKNOWN);
	assert_non_null(row(f, "p99")->why);
}

static void options_that_differ_are_listed_unless_allowed(void **state)
{
	struct fixture *f = *state;
	const char *allow[] = {"iodepth"};

	make_side(f, 0, 2, 1000, 0.01, STEPS);
	make_side(f, 1, 2, 1000, 0.01, STEPS);
	f->run[1][1].option[1].value = "2";
	f->run[0][1].record.tool = "fio-3.42";
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(f->c.options_n, 1);
	assert_string_equal(f->c.option[0].key, "iodepth");
	assert_string_equal(f->c.option[0].b, "2");
	assert_int_equal(f->c.hosts_n, 1);
	f->o.allow = allow;
	f->o.allow_n = 1;
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(f->c.options_n, 0);
}

static void jobs_without_partner_and_failed_jobs_are_remarked(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 1, 1000, 0.01, STEPS);
	make_side(f, 1, 1, 1000, 0.01, STEPS);
	f->run[1][0].job.error = 5;
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(f->c.remarks_n, 1);
	f->run[1][0].job.name = "other";
	assert_int_equal(run_compare(f), -ENOENT);
	f->o.by_place = true;
	assert_int_equal(run_compare(f), 0);
}

static void short_runs_cannot_tell(void **state)
{
	struct fixture *f = *state;

	make_side(f, 0, 1, 1000, 0.01, 5);
	make_side(f, 1, 1, 2000, 0.01, 5);
	assert_int_equal(run_compare(f), 0);
	assert_int_equal(row(f, "iops")->verdict, COMPARE_UNKNOWN);
	assert_non_null(row(f, "iops")->why);
}

/* Few of many equal pairs are called different, by percentiles from bins as well. */
static void equal_histograms_are_seldom_called_different(void **state)
{
	struct fixture *f = *state;
	unsigned called = 0, trials = 300;

	make_side(f, 0, 1, 1000, 0.001, STEPS);
	make_side(f, 1, 1, 1000, 0.001, STEPS);
	make_bins(f, 0, 1, 1);
	make_bins(f, 1, 1, 1);
	for (unsigned t = 0; t < trials; t++) {
		for (unsigned s = 0; s < 2; s++) {
			struct record_bin *bin = f->run[s][0].job.flow[RECORD_READ].clat.bin;
			for (unsigned i = 0; i < 1000; i++)
				bin[i].count = 0;
			for (unsigned i = 0; i < 5000; i++)
				bin[rng_below(&f->rng, 1000)].count++;
			f->run[s][0].job.flow[RECORD_READ].lat.n = 5000;
		}
		f->o.seed = t;
		assert_int_equal(run_compare(f), 0);
		called += row(f, "p99")->low > 0 || row(f, "p99")->high < 0;
	}
	print_message("%u of %u\n", called, trials);
	assert_true(called <= trials * 8 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_large_difference_is_called_in_its_direction,
						setup, teardown),
		cmocka_unit_test_setup_teardown(
			equals_with_little_noise_are_called_equal_and_noise_asks_for_more, setup,
			teardown),
		cmocka_unit_test_setup_teardown(repeats_judge_percentiles_too, setup, teardown),
		cmocka_unit_test_setup_teardown(histograms_judge_percentiles_of_single_runs, setup,
						teardown),
		cmocka_unit_test_setup_teardown(options_that_differ_are_listed_unless_allowed,
						setup, teardown),
		cmocka_unit_test_setup_teardown(jobs_without_partner_and_failed_jobs_are_remarked,
						setup, teardown),
		cmocka_unit_test_setup_teardown(short_runs_cannot_tell, setup, teardown),
		cmocka_unit_test_setup_teardown(equal_histograms_are_seldom_called_different, setup,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
