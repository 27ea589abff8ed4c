#include "rig.h"
#include "workload/size.h"

static struct arena arena;
static struct rng rng;

static struct sizes split(unsigned n, const uint64_t *size, const double *percent)
{
	struct job_opts o = {0};
	struct sizes s = {0};
	o.bssplit[DIR_WRITE].n = n;
	o.bssplit[DIR_WRITE].v = calloc(n, sizeof(*o.bssplit[0].v));
	for (unsigned i = 0; i < n; i++) {
		o.bssplit[DIR_WRITE].v[i].size = size[i];
		o.bssplit[DIR_WRITE].v[i].percent = percent[i];
	}
	assert_int_equal(sizes_init(&s, &o, DIR_WRITE, &arena), 0);
	free(o.bssplit[DIR_WRITE].v);
	return s;
}

static struct sizes range(uint64_t lo, uint64_t hi, bool unaligned)
{
	struct job_opts o = {.bsrange = {{lo, hi}}, .bs_unaligned = unaligned};
	struct sizes s = {0};
	assert_int_equal(sizes_init(&s, &o, DIR_READ, &arena), 0);
	return s;
}

static double share(const struct sizes *s, uint32_t size, unsigned draws)
{
	unsigned n = 0;
	for (unsigned i = 0; i < draws; i++)
		n += sizes_draw(s, &rng) == size;
	return (double)n / draws;
}

static void split_keeps_its_shares(void **state)
{
	struct sizes s = split(3, (uint64_t[]){64 * KI, 512, 6 * KI}, (double[]){20, 70, 10});
	assert_int_equal(s.lo, 512);
	assert_int_equal(s.hi, 64 * KI);
	assert_near(share(&s, 512, 100000), 0.70, 0.006);
	assert_near(share(&s, 6144, 100000), 0.10, 0.004);
	assert_near(share(&s, 65536, 100000), 0.20, 0.006);
}

static void range_is_uniform_over_multiples_and_the_high_end(void **state)
{
	struct sizes s = range(4 * KI, 16 * KI, false);
	for (uint32_t size = 4096; size <= 16384; size += 4096)
		assert_near(share(&s, size, 50000), 0.25, 0.01);
	s = range(6 * KI, 10 * KI, false);
	assert_near(share(&s, 10240, 50000), 0.5, 0.012);
	assert_int_equal(sizes_unit(&s), 2 * KI);
}

static void unaligned_takes_any_byte_count(void **state)
{
	struct sizes s = range(1000, 1009, true);
	for (uint32_t size = 1000; size < 1010; size++)
		assert_near(share(&s, size, 50000), 0.1, 0.008);
}

static void fit_is_the_largest_that_fits(void **state)
{
	struct sizes s = split(3, (uint64_t[]){4 * KI, 8 * KI, 64 * KI}, (double[]){50, 0, 50});
	assert_int_equal(sizes_fit(&s, 4095), 0);
	assert_int_equal(sizes_fit(&s, 10 * KI), 4 * KI); /* 8k has no share */
	assert_int_equal(sizes_fit(&s, 64 * KI), 64 * KI);
	s = range(4 * KI, 16 * KI, false);
	assert_int_equal(sizes_fit(&s, 13 * KI), 12 * KI);
	s = range(4 * KI, 16 * KI, true);
	assert_int_equal(sizes_fit(&s, 13 * KI + 1), 13 * KI + 1);
}

/* fio spins for ever on 4k/0:8k/100 where only 4k fits. */
static void a_size_without_share_is_used_when_nothing_else_fits(void **state)
{
	struct sizes s = split(2, (uint64_t[]){4 * KI, 8 * KI}, (double[]){0, 100});
	assert_int_equal(sizes_draw_fit(&s, &rng, 4 * KI), 4 * KI);
	assert_int_equal(sizes_draw_fit(&s, &rng, 4 * KI - 1), 0);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(sizes_draw_fit(&s, &rng, 8 * KI), 8 * KI);
}

static void unusable_sizes_are_refused(void **state)
{
	struct job_opts o = {.bsrange = {{8, 4}}};
	struct sizes s = {0};
	assert_int_equal(sizes_init(&s, &o, DIR_READ, &arena), -EINVAL);
	assert_int_equal(sizes_init(&s, &o, DIR_WRITE, &arena), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_keeps_its_shares),
		cmocka_unit_test(range_is_uniform_over_multiples_and_the_high_end),
		cmocka_unit_test(unaligned_takes_any_byte_count),
		cmocka_unit_test(fit_is_the_largest_that_fits),
		cmocka_unit_test(a_size_without_share_is_used_when_nothing_else_fits),
		cmocka_unit_test(unusable_sizes_are_refused),
	};
	arena_init(&arena, 0);
	rng_seed(&rng, RIG_SEED);
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return rc;
}
