#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void memory_is_zero_aligned_and_distinct(void **state)
{
	struct arena a;
	unsigned char *last = NULL;

	arena_init(&a, 0);
	for (size_t i = 1; i < 3000; i++) {
		size_t align = (size_t)1 << (i % 13), size = i % 700;
		unsigned char *p = arena_alloc(&a, size, align);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p & (align - 1), 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xaa, size);
		assert_ptr_not_equal(p, last);
		last = size ? p : last;
	}
	assert_int_equal((uintptr_t)arena_alloc(&a, 1, 0) & 15, 0);
	arena_release(&a);
	assert_null(a.head);
}

static void limit_holds(void **state)
{
	struct arena a;

	arena_init(&a, 1000);
	assert_null(arena_alloc(&a, 1001, 1));
	assert_non_null(arena_alloc(&a, 600, 1));
	assert_null(arena_alloc(&a, 401, 1));
	assert_non_null(arena_alloc(&a, 400, 1));
	assert_null(arena_alloc(&a, 1, 1));
	arena_release(&a);
	arena_init(&a, SIZE_MAX);
	assert_null(arena_alloc(&a, SIZE_MAX, 1));
	assert_null(arena_new(&a, uint64_t, SIZE_MAX / 4));
	arena_release(&a);
}

static void big_pieces_do_not_waste_the_small_block(void **state)
{
	struct arena a;

	arena_init(&a, 0);
	char *p = arena_alloc(&a, 8, 8);
	assert_non_null(arena_alloc(&a, 1 << 20, 4096));
	char *q = arena_alloc(&a, 8, 8);
	assert_ptr_equal(q, p + 8);
	arena_release(&a);
}

static void text_is_copied(void **state)
{
	struct arena a;

	arena_init(&a, 0);
	assert_string_equal(arena_strdup(&a, "one"), "one");
	assert_string_equal(arena_strndup(&a, "twofold", 3), "two");
	assert_string_equal(arena_strndup(&a, "two", 30), "two");
	assert_string_equal(arena_printf(&a, "%d-%s", 3, "x"), "3-x");
	assert_non_null(arena_new(&a, uint64_t, 10));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zero_aligned_and_distinct),
		cmocka_unit_test(limit_holds),
		cmocka_unit_test(big_pieces_do_not_waste_the_small_block),
		cmocka_unit_test(text_is_copied),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
