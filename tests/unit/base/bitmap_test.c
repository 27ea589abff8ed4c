#include "base/bitmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The same, one bool a bit. */
struct model {
	uint64_t n;
	bool *set;
};

static uint64_t model_set_run(struct model *m, uint64_t i, uint64_t len)
{
	uint64_t done = 0;

	while (done < len && i + done < m->n && !m->set[i + done])
		m->set[i + done++] = true;
	return done;
}

static uint64_t model_next_free(const struct model *m, uint64_t i)
{
	for (uint64_t k = 0; k < m->n; k++)
		if (!m->set[(i + k) % m->n])
			return (i + k) % m->n;
	return m->n;
}

static void behaves_like_a_row_of_flags(void **state)
{
	static const uint64_t ns[] = {1,    2,	  63,	64,   65,   127,  128,
				      1000, 4095, 4096, 4097, 5000, 20000};
	struct rng r;

	print_message("seed 21\n");
	rng_seed(&r, 21);
	for (size_t k = 0; k < sizeof(ns) / sizeof(ns[0]); k++) {
		struct model m = {.n = ns[k], .set = calloc(ns[k], sizeof(bool))};
		struct bitmap b;
		uint64_t total = 0;
		assert_non_null(m.set);
		assert_int_equal(bitmap_init(&b, ns[k]), 0);
		for (int step = 0; total < ns[k]; step++) {
			uint64_t i = rng_below(&r, ns[k]);
			uint64_t len = 1 + rng_below(&r, rng_below(&r, 8) ? 8 : 300);
			uint64_t free_bit = bitmap_next_free(&b, i);
			if (step % 8 == 0)
				assert_true(free_bit == model_next_free(&m, i));
			assert_true(bitmap_test(&b, i) == m.set[i]);
			if (step & 1)
				i = free_bit;
			uint64_t done = bitmap_set_run(&b, i, len);
			assert_true(done == model_set_run(&m, i, len));
			total += done;
			assert_true(b.set_bits == total);
		}
		assert_true(bitmap_next_free(&b, 0) == ns[k]);
		assert_int_equal(bitmap_set_run(&b, 0, 5), 0);
		bitmap_clear(&b);
		assert_true(b.set_bits == 0 && bitmap_next_free(&b, ns[k] - 1) == ns[k] - 1);
		assert_true(bitmap_set_run(&b, 0, UINT64_MAX) == ns[k]);
		assert_true(bitmap_next_free(&b, 0) == ns[k]);
		bitmap_release(&b);
		free(m.set);
	}
}

/* One free bit in four levels, looked for from everywhere. */
static void the_last_free_bit_is_found(void **state)
{
	uint64_t n = 64 * 64 * 64 * 3 + 17,
		 gaps[] = {0, 5, 63, 64, 4095, 4096, 262143, 262144, n - 1};
	struct bitmap b;

	for (size_t k = 0; k < sizeof(gaps) / sizeof(gaps[0]); k++) {
		assert_int_equal(bitmap_init(&b, n), 0);
		assert_int_equal(b.levels, 4);
		assert_true(bitmap_set_run(&b, 0, gaps[k]) == gaps[k]);
		assert_true(bitmap_set_run(&b, gaps[k] + 1, n) == n - gaps[k] - 1);
		for (uint64_t i = 0; i < n; i += 997)
			assert_true(bitmap_next_free(&b, i) == gaps[k]);
		assert_true(bitmap_next_free(&b, gaps[k]) == gaps[k]);
		assert_true(bitmap_set_run(&b, gaps[k], 2) == 1);
		assert_true(bitmap_next_free(&b, gaps[k]) == n);
		bitmap_release(&b);
	}
}

static void runs_stop_at_the_first_set_bit(void **state)
{
	struct bitmap b;

	assert_int_equal(bitmap_init(&b, 300), 0);
	assert_int_equal(bitmap_set_run(&b, 128, 1), 1);
	assert_int_equal(bitmap_set_run(&b, 10, 200), 118);
	assert_int_equal(bitmap_set_run(&b, 128, 4), 0);
	assert_int_equal(bitmap_set_run(&b, 290, 100), 10);
	assert_int_equal(bitmap_set_run(&b, 300, 1), 0);
	assert_int_equal(bitmap_next_free(&b, 295), 0);
	bitmap_release(&b);
}

static void impossible_sizes_are_refused(void **state)
{
	struct bitmap b;

	assert_int_equal(bitmap_init(&b, 0), -EINVAL);
	assert_int_equal(bitmap_init(&b, UINT64_MAX), -ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(behaves_like_a_row_of_flags),
		cmocka_unit_test(the_last_free_bit_is_found),
		cmocka_unit_test(runs_stop_at_the_first_set_bit),
		cmocka_unit_test(impossible_sizes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
