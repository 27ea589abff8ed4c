/* Seeds: repeatable, different for each worker and purpose (compatibility 6.9). */
#include "fixture.h"

#define N "[a]\nioengine=null\nsize=64k\nnumjobs=3\n"

static void seeds_of(const char *text, uint64_t entropy, uint64_t out[3 * SEED_STREAMS])
{
	struct plan_options po = {.sysroot = "", .os_seed = entropy};
	struct fixture f;
	plan_text(&f, text, &po);
	assert_int_equal(f.rc, 0);
	for (unsigned i = 0; i < 3; i++)
		memcpy(out + i * SEED_STREAMS, f.plan->jobs[i].seed, sizeof(f.plan->jobs[i].seed));
	plan_release(&f);
}

static void two_runs_repeat(void **state)
{
	(void)state;
	uint64_t a[3 * SEED_STREAMS], b[3 * SEED_STREAMS];
	seeds_of(N, 1, a);
	seeds_of(N, 2, b);
	assert_memory_equal(a, b, sizeof(a));
	/* 137 is the default */
	seeds_of(N "randseed=137", 3, b);
	assert_memory_equal(a, b, sizeof(a));
}

static void a_seed_makes_another_run(void **state)
{
	(void)state;
	uint64_t a[3 * SEED_STREAMS], b[3 * SEED_STREAMS];
	seeds_of(N "randseed=5", 1, a);
	seeds_of(N "randseed=6", 1, b);
	for (unsigned i = 0; i < 3 * SEED_STREAMS; i++)
		assert_true(a[i] != b[i]);
	/* case 44: a given seed rules although randrepeat=0 */
	seeds_of(N "randseed=5\nrandrepeat=0", 2, b);
	assert_memory_equal(a, b, sizeof(a));
}

static void without_repeat_the_system_decides(void **state)
{
	(void)state;
	uint64_t a[3 * SEED_STREAMS], b[3 * SEED_STREAMS];
	seeds_of(N "randrepeat=0", 1, a);
	seeds_of(N "randrepeat=0", 2, b);
	assert_memory_not_equal(a, b, sizeof(a));
}

static void workers_and_purposes_differ(void **state)
{
	(void)state;
	uint64_t a[3 * SEED_STREAMS];
	seeds_of(N, 1, a);
	for (unsigned i = 0; i < 3 * SEED_STREAMS; i++)
		for (unsigned k = 0; k < i; k++)
			assert_true(a[i] != a[k]);
}

static void delays_lie_in_their_range(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nioengine=null\nsize=64k\nnumjobs=20\nstartdelay=2-5\n"
		      "[b]\nioengine=null\nsize=64k\nstartdelay=3\n");
	bool differ = false;
	for (unsigned i = 0; i < 20; i++) {
		assert_in_range(f.plan->jobs[i].delay_ns, 2 * SEC, 5 * SEC);
		differ |= f.plan->jobs[i].delay_ns != f.plan->jobs[0].delay_ns;
	}
	assert_true(differ);
	assert_int_equal(f.plan->jobs[20].delay_ns, 3 * SEC);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_repeat),
		cmocka_unit_test(a_seed_makes_another_run),
		cmocka_unit_test(without_repeat_the_system_decides),
		cmocka_unit_test(workers_and_purposes_differ),
		cmocka_unit_test(delays_lie_in_their_range),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
