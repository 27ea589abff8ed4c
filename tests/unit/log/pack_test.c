#include "log/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/direction.h"

#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)
#define START  (5 * SECOND) /* of the measurement, on the run's clock */

/* What came out of a ring. */
struct found {
	struct log_rec rec[2000];
	unsigned n, blocks;
};

static int collect(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	const struct log_block *b = slots;
	struct found *f = ctx;

	(void)full;
	for (unsigned i = 0; i < n; i++, f->blocks++) {
		assert_int_equal(b[i].job, job);
		assert_int_equal(b[i].mark, LOGB_MARK);
		assert_in_range(b[i].slots, 1, LOGB_SLOTS);
		for (unsigned at = 0; at < b[i].slots;)
			logb_get(&b[i], &at, &f->rec[f->n++]);
	}
	return 0;
}

struct scene {
	struct pack *pack;
	struct found found;
	uint64_t stall_ns;
};

static struct scene *scene_new(uint64_t stamp_ns)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->pack = pack_new(3, 1, &s->stall_ns);
	assert_non_null(s->pack);
	pack_begin(s->pack, START, stamp_ns, 0x4004);
	return s;
}

static void drain(struct scene *s)
{
	pack_close(s->pack);
	ring_drain(s->pack->ring, collect, &s->found);
}

static void scene_delete(struct scene *s)
{
	pack_free(s->pack);
	free(s);
}

/* Started at `start` after the measurement began, submitted slat later, done clat after that. */
static void put(struct scene *s, uint64_t start, uint64_t slat, uint64_t clat, struct io io)
{
	io.start = START + start;
	io.issue = io.start + slat;
	io.len_asked = 4096;
	pack_io(s->pack, &io, io.issue + clat);
}

static void expect(const struct scene *s, unsigned i, uint64_t start, uint64_t slat, uint64_t clat)
{
	const struct log_rec *r = &s->found.rec[i];

	assert_true(i < s->found.n);
	assert_int_equal(r->kind, LOGK_IO);
	assert_int_equal(r->issue_ns, start + slat);
	assert_int_equal(r->time_ns, start + slat + clat);
	assert_int_equal(r->max, slat);
	assert_int_equal(r->value, clat);
	assert_int_equal(r->len, 4096);
}

static void every_io_comes_out_as_it_was(void **state)
{
	struct scene *s = scene_new(0);
	const unsigned n = 3 * LOGB_SLOTS + 5;

	(void)state;
	for (unsigned i = 0; i < n; i++)
		put(s, i * 1000, i, 7 * i,
		    (struct io){.op = (uint8_t)(i % 3), .offset = (uint64_t)i << 40});
	drain(s);
	assert_int_equal(s->found.n, n);
	assert_int_equal(s->found.blocks, 4);
	for (unsigned i = 0; i < n; i++) {
		expect(s, i, i * 1000, i, 7 * i);
		assert_int_equal(s->found.rec[i].dir, i % 3);
		assert_int_equal(s->found.rec[i].offset, (uint64_t)i << 40);
		assert_int_equal(s->found.rec[i].prio, 0x4004);
	}
	scene_delete(s);
}

static void what_does_not_fit_a_slot_takes_two(void **state)
{
	struct scene *s = scene_new(0);
	const uint64_t far = (UINT64_C(1) << 62) + 512;

	(void)state;
	put(s, 0, 1, 2, (struct io){.offset = 512});
	put(s, 10, 1, 5 * SECOND, (struct io){.op = IO_WRITE, .offset = 1024});
	put(s, 20, 6 * SECOND, 3, (struct io){.op = IO_TRIM, .offset = 2048});
	put(s, 7 * SECOND, 1, 2, (struct io){.op = IO_WRITE, .offset = far});
	put(s, 7 * SECOND + 10, 1, 2, (struct io){.offset = 512});
	drain(s);
	assert_int_equal(s->found.n, 5);
	expect(s, 0, 0, 1, 2);
	expect(s, 1, 10, 1, 5 * SECOND);
	expect(s, 2, 20, 6 * SECOND, 3);
	expect(s, 3, 7 * SECOND, 1, 2);
	expect(s, 4, 7 * SECOND + 10, 1, 2);
	assert_int_equal(s->found.rec[1].offset, 1024);
	assert_int_equal(s->found.rec[2].dir, DIR_TRIM);
	assert_int_equal(s->found.rec[3].offset, far);
	assert_int_equal(s->found.rec[3].dir, DIR_WRITE);
	scene_delete(s);
}

/* The pair of slots is never torn apart by the end of a block. */
static void two_slots_are_in_one_block(void **state)
{
	struct scene *s = scene_new(0);

	(void)state;
	for (unsigned i = 0; i < LOGB_SLOTS - 1; i++)
		put(s, i, 0, 1, (struct io){0});
	put(s, 500, 0, 5 * SECOND, (struct io){.offset = 4096});
	drain(s);
	assert_int_equal(s->found.n, LOGB_SLOTS);
	assert_int_equal(s->found.blocks, 2);
	expect(s, LOGB_SLOTS - 1, 500, 0, 5 * SECOND);
	scene_delete(s);
}

static void a_block_ends_before_its_times_overflow(void **state)
{
	struct scene *s = scene_new(0);

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		put(s, i * 3 * SECOND, 0, 1, (struct io){0});
	drain(s);
	assert_int_equal(s->found.n, 10);
	assert_int_equal(s->found.blocks, 5);
	for (unsigned i = 0; i < 10; i++)
		expect(s, i, i * 3 * SECOND, 0, 1);
	scene_delete(s);
}

static void priorities_are_kept(void **state)
{
	struct scene *s = scene_new(0);

	(void)state;
	/* More of them than a block has room for, and I/Os without between them. */
	for (unsigned i = 0; i < 300; i++) {
		put(s, 2 * i, 0, 1,
		    (struct io){.flags = IO_PRIO, .prio = (uint16_t)(0x2000 + i % 20)});
		put(s, 2 * i + 1, 0, 1, (struct io){0});
	}
	drain(s);
	assert_int_equal(s->found.n, 600);
	for (unsigned i = 0; i < 300; i++) {
		assert_int_equal(s->found.rec[2 * i].prio, 0x2000 + i % 20);
		assert_int_equal(s->found.rec[2 * i + 1].prio, 0x4004);
		expect(s, 2 * i + 1, 2 * i + 1, 0, 1);
	}
	scene_delete(s);
}

static void stamps_may_count_from_elsewhere(void **state)
{
	struct scene *s = scene_new(1796023431 * SECOND);

	(void)state;
	put(s, 100, 10, 1, (struct io){0});
	drain(s);
	assert_int_equal(s->found.rec[0].time_ns, 1796023431 * SECOND + 111);
	assert_int_equal(s->found.rec[0].issue_ns, 110);
	scene_delete(s);
}

static void nothing_is_handed_over_twice(void **state)
{
	struct scene *s = scene_new(0);

	(void)state;
	drain(s);
	assert_int_equal(s->found.blocks, 0);
	put(s, 0, 0, 1, (struct io){0});
	drain(s);
	drain(s);
	assert_int_equal(s->found.blocks, 1);
	put(s, 5, 0, 1, (struct io){0});
	drain(s);
	assert_int_equal(s->found.n, 2);
	expect(s, 1, 5, 0, 1);
	scene_delete(s);
}

static void rings_of_many_workers_are_small(void **state)
{
	static const struct {
		unsigned workers, blocks;
	} c[] = {{0, 256}, {1, 256}, {16, 256}, {17, 128}, {64, 64}, {256, 16}, {100000, 16}};
	uint64_t stall = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct pack *p = pack_new(0, c[i].workers, &stall);
		assert_non_null(p);
		assert_int_equal(p->ring->slots, c[i].blocks);
		pack_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_io_comes_out_as_it_was),
		cmocka_unit_test(what_does_not_fit_a_slot_takes_two),
		cmocka_unit_test(two_slots_are_in_one_block),
		cmocka_unit_test(a_block_ends_before_its_times_overflow),
		cmocka_unit_test(priorities_are_kept),
		cmocka_unit_test(stamps_may_count_from_elsewhere),
		cmocka_unit_test(nothing_is_handed_over_twice),
		cmocka_unit_test(rings_of_many_workers_are_small),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
