#include "log/binlog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

static void a_header_says_what_the_text_shall_be(void **state)
{
	const struct logline_style styles[] = {
		{.offset = true}, {.prio = true, .epoch_ns = 77}, {.issue = true}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct binlog_header h;
		struct logline_style s;
		binlog_header_fill(&h, "a name that is longer than the room for it", 5, 6,
				   &styles[i]);
		assert_int_equal(binlog_header_check(&h, NULL), 0);
		assert_string_equal(h.name, "a name that is longer than ");
		binlog_style(&h, &s);
		assert_int_equal(s.offset, styles[i].offset);
		assert_int_equal(s.prio, styles[i].prio);
		assert_int_equal(s.issue, styles[i].issue);
		assert_int_equal(s.epoch_ns, styles[i].epoch_ns);
	}
}

static void other_files_and_versions_are_refused(void **state)
{
	struct binlog_header h;
	struct err err = {0};

	(void)state;
	binlog_header_fill(&h, "j", 0, 6, &(struct logline_style){0});
	h.version = 1;
	assert_int_equal(binlog_header_check(&h, &err), -EINVAL);
	assert_non_null(strstr(err.text, "version 1"));
	h.version = BLOG_VERSION;
	h.block_bytes = 8192;
	assert_int_equal(binlog_header_check(&h, &err), -EINVAL);
	h.magic[3] ^= 1;
	assert_int_equal(binlog_header_check(&h, &err), -EINVAL);
	assert_non_null(strstr(err.text, "no binary log"));
}

static void a_block_that_is_cut_off_has_the_slots_that_are_there(void **state)
{
	struct log_block b = {.mark = LOGB_MARK, .slots = 10};
	const size_t all = LOGB_HEAD + 10 * 24;

	(void)state;
	assert_int_equal(binlog_block(&b, LOGB_BYTES), all);
	assert_int_equal(b.slots, 10);
	assert_int_equal(binlog_block(&b, all - 1), all - 24);
	assert_int_equal(b.slots, 9);
	assert_int_equal(binlog_block(&b, LOGB_HEAD + 23), LOGB_HEAD);
	assert_int_equal(b.slots, 0);
	assert_int_equal(binlog_block(&b, LOGB_HEAD - 1), 0);
	b.slots = LOGB_SLOTS + 1;
	assert_int_equal(binlog_block(&b, LOGB_BYTES), 0);
	b.slots = 1;
	b.mark = 0;
	assert_int_equal(binlog_block(&b, LOGB_BYTES), 0);
}

/* The second slot of a long I/O is missing: damage, or a log that was cut off. */
static void a_second_slot_that_is_missing_is_zeros(void **state)
{
	struct log_block b = {.mark = LOGB_MARK, .slots = 1, .base_ns = 100};
	struct log_rec r;
	unsigned at = 0;

	(void)state;
	b.slot[0].io = (struct logb_io){.time_ns = 5, .clat_ns = 9, .len = 512};
	b.slot[0].io.where = (uint64_t)LOGB_LONG << LOGB_OFFSET_BITS;
	logb_get(&b, &at, &r);
	assert_int_equal(at, 1);
	assert_int_equal(r.time_ns, 105);
	assert_int_equal(r.value, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_says_what_the_text_shall_be),
		cmocka_unit_test(other_files_and_versions_are_refused),
		cmocka_unit_test(a_block_that_is_cut_off_has_the_slots_that_are_there),
		cmocka_unit_test(a_second_slot_that_is_missing_is_zeros),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
