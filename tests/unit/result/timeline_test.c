#include "result/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

static void start(struct timeline *t)
{
	*t = (struct timeline){.period_ns = TIMELINE_PERIOD_NS};
	t->point = calloc(TIMELINE_POINTS, sizeof(*t->point));
	assert_non_null(t->point);
}

static void fill(struct timeline *t, unsigned n, uint64_t ios)
{
	start(t);
	for (unsigned i = 0; i < n; i++) {
		struct timeline_point p = {.ios = {ios}, .bytes = {ios * 512}, .lat_n = {ios}};
		timeline_add(t, &p);
	}
}

static uint64_t total(const struct timeline *t)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < t->n; i++)
		sum += t->point[i].ios[0];
	return sum;
}

static void a_full_timeline_doubles_its_steps(void **state)
{
	struct timeline t;

	fill(&t, TIMELINE_POINTS - 1, 5);
	assert_int_equal(t.n, TIMELINE_POINTS - 1);
	assert_int_equal(t.period_ns, TIMELINE_PERIOD_NS);
	timeline_add(&t, &(struct timeline_point){.ios = {5}});
	assert_int_equal(t.n, TIMELINE_POINTS / 2);
	assert_int_equal(t.period_ns, 2 * TIMELINE_PERIOD_NS);
	assert_int_equal(t.point[0].ios[0], 10);
	assert_int_equal(total(&t), 5 * TIMELINE_POINTS);
	timeline_release(&t);
}

static void jobs_side_by_side_add_up(void **state)
{
	struct timeline a, b, empty = {0};

	fill(&a, 20, 3);
	fill(&b, 25, 4);
	assert_int_equal(timeline_merge(&a, &b, 0), 0);
	assert_int_equal(a.n, 25);
	assert_int_equal(a.point[19].ios[0], 7);
	assert_int_equal(a.point[20].ios[0], 4);
	assert_int_equal(timeline_merge(&a, &empty, 0), 0);
	assert_int_equal(timeline_merge(&empty, &a, 0), 0);
	assert_int_equal(total(&empty), 20 * 3 + 25 * 4);
	timeline_release(&a);
	timeline_release(&b);
	timeline_release(&empty);
}

static void a_later_start_is_moved_to_its_place(void **state)
{
	struct timeline a, b;

	fill(&a, 10, 1);
	fill(&b, 10, 1);
	assert_int_equal(timeline_merge(&a, &b, 15 * (int64_t)TIMELINE_PERIOD_NS), 0);
	assert_int_equal(a.n, 25);
	assert_int_equal(a.point[9].ios[0], 1);
	assert_int_equal(a.point[12].ios[0], 0);
	assert_int_equal(a.point[15].ios[0], 1);
	assert_int_equal(timeline_merge(&a, &b, INT64_MAX), 0);
	assert_true(a.n <= TIMELINE_POINTS);
	timeline_release(&a);
	timeline_release(&b);
}

static void steps_of_different_length_meet_at_the_longer(void **state)
{
	struct timeline a, b;

	fill(&a, 96, 2);
	fill(&b, 3 * TIMELINE_POINTS, 1);
	assert_int_equal(timeline_merge(&a, &b, -1), 0);
	assert_int_equal(a.period_ns, b.period_ns);
	assert_int_equal(total(&a), 192 + 3 * TIMELINE_POINTS);
	timeline_release(&a);
	timeline_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_timeline_doubles_its_steps),
		cmocka_unit_test(jobs_side_by_side_add_up),
		cmocka_unit_test(a_later_start_is_moved_to_its_place),
		cmocka_unit_test(steps_of_different_length_meet_at_the_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
