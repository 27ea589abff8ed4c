#include "judge/repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { RUNS = 4 };

struct fixture {
	struct arena arena;
	struct record_job job[RUNS];
	struct record record[RUNS];
	const struct record *run[RUNS];
};

static int setup(void **state)
{
	static const double iops[RUNS] = {100, 102, 98, 100};
	static struct fixture f;

	f = (struct fixture){0};
	arena_init(&f.arena, 0);
	for (unsigned i = 0; i < RUNS; i++) {
		struct record_flow *flow = &f.job[i].flow[RECORD_WRITE];

		f.job[i].name = "j";
		flow->ios = 1000;
		flow->iops = iops[i];
		flow->bw = 512 * iops[i];
		flow->clat = (struct record_lat){.mean = 5, .n = 1000, .percentiles_n = 1};
		flow->clat.percentile[0] = 99;
		flow->clat.percentile_ns[0] = 10 + i;
		f.record[i] = (struct record){.jobs = &f.job[i], .jobs_n = 1};
		f.run[i] = &f.record[i];
	}
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	arena_release(&((struct fixture *)*state)->arena);
	return 0;
}

static const struct repeat_row *row(const struct repeat_summary *s, const char *metric)
{
	for (unsigned i = 0; i < s->rows_n; i++)
		if (!strcmp(s->row[i].metric, metric))
			return &s->row[i];
	fail_msg("no row %s", metric);
	return NULL;
}

/* Mean 100, variance 8 / 3, t of 3 degrees of freedom 3.18245. */
static void a_row_has_the_interval_of_student(void **state)
{
	struct fixture *f = *state;
	struct repeat_summary s = {.metric = "iops"};

	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_int_equal(s.rows_n, 4);
	const struct repeat_row *r = row(&s, "iops");
	assert_string_equal(r->direction, "write");
	assert_int_equal(r->n, RUNS);
	assert_true(r->mean == 100 && r->min == 98 && r->max == 102);
	assert_true(fabs(r->width - 3.18245 * sqrt(8.0 / 3 / 4)) < 1e-3);
	assert_true(row(&s, "lat")->width == 0);
	assert_true(fabs(row(&s, "p99")->mean - 11.5) < 1e-9);
	assert_true(s.reached);
}

static void automatic_goes_on_until_the_interval_is_narrow(void **state)
{
	struct fixture *f = *state;
	struct repeat_summary s = {.metric = "iops", .automatic = true, .width_asked = 3};

	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_true(s.reached);
	s.width_asked = 2;
	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_false(s.reached);
	s.metric = "lat";
	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_true(s.reached);
	/* Two that agree by chance are not enough. */
	assert_int_equal(repeat_summarise(f->run, 2, &f->arena, &s), 0);
	assert_false(s.reached);
	s.metric = "p99.0";
	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_true(isfinite(s.width));
	s.metric = "p50";
	assert_int_equal(repeat_summarise(f->run, RUNS, &f->arena, &s), 0);
	assert_false(s.reached);
	assert_false(isfinite(s.width));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_row_has_the_interval_of_student, setup, teardown),
		cmocka_unit_test_setup_teardown(automatic_goes_on_until_the_interval_is_narrow,
						setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
