#include "result/result.h"
#include "result/merge.h"
#include "result/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void job(struct result_job *j, unsigned group, uint64_t bytes, uint64_t ns)
{
	result_job_init(j);
	j->group = group;
	j->dir[DIR_WRITE].bytes = bytes;
	j->dir[DIR_WRITE].ios = 1;
	j->runtime_ns[DIR_WRITE] = ns;
}

static void total_over_the_longest_and_range_of_entries(void **state)
{
	struct result_job jobs[4];
	struct result r = {.jobs = jobs, .jobs_n = 4};

	job(&jobs[0], 0, 1000, 1000000000);
	job(&jobs[1], 3, 77, 1000000000);
	job(&jobs[2], 0, 4000, 2000000000);
	job(&jobs[3], 0, 1 << 30, 1000000000);
	jobs[3].style.hide = true;
	assert_int_equal(result_groups(&r), 0);
	assert_int_equal(r.groups_n, 2);
	assert_int_equal(r.groups[0].id, 0);
	assert_int_equal(r.groups[1].id, 3);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].bytes, 5000);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].agg_bw, 2500);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].min_bw, 1000);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].max_bw, 2000);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].min_run_ns, 1000000000);
	assert_int_equal(r.groups[0].dir[DIR_WRITE].max_run_ns, 2000000000);
	assert_true(r.groups[0].dir[DIRS].used);
	assert_false(r.groups[0].dir[DIR_READ].used);
	assert_int_equal(r.groups[0].dir[DIR_READ].min_bw, 0);
	/* Again: replaces, leaks nothing. */
	assert_int_equal(result_groups(&r), 0);
	assert_int_equal(r.groups_n, 2);
	r.jobs = NULL;
	r.jobs_n = 0;
	result_release(&r);
}

static void no_jobs_no_groups(void **state)
{
	struct result r = {0};

	assert_int_equal(result_groups(&r), 0);
	assert_int_equal(r.groups_n, 0);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(total_over_the_longest_and_range_of_entries),
		cmocka_unit_test(no_jobs_no_groups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
