/* Offsets and lengths: rw=...:N, percentage_random, sizes that vary. */
#include "rig.h"

static struct rig r;

static void modifier(unsigned rw, uint64_t size, int64_t n)
{
	rig_init(&r, rw, size, 4 * KI);
	r.o->rw.has_modifier = true;
	r.o->rw.modifier = n;
	rig_start(&r);
}

/* Compatibility 6.4, its examples. */
static void holes_upward(void **state)
{
	modifier(RW_READ, 32 * KI, 4096);
	rig_expect(&r, 100, "r0 r8 r16 r24 r0 r8 r16 r24");
	rig_end(&r);
	modifier(RW_READ, 36 * KI, 4096);
	rig_expect(&r, 100, "r0 r8 r16 r24 r32 r0 r8 r16 r24");
	rig_end(&r);
}

static void holes_downward(void **state)
{
	modifier(RW_WRITE, 32 * KI, -8192);
	rig_expect(&r, 100, "w0 w24 w20 w16 w12 w8 w4 w0");
	rig_end(&r);
	modifier(RW_READ, 16 * KI, -4096);
	rig_expect(&r, 100, "r0 r0 r0 r0");
	rig_end(&r);
}

static void holes_begin_anew_with_each_pass(void **state)
{
	rig_init(&r, RW_WRITE, 32 * KI, 4 * KI);
	r.o->rw.has_modifier = true;
	r.o->rw.modifier = 8192;
	r.pj.limit_bytes = 40 * KI;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w12 w24 w0 w12 w24 w0 w12 w0 w12");
	rig_end(&r);
}

static void holes_larger_than_the_region_stay_inside(void **state)
{
	static const int64_t holes[] = {1 << 20, -(1 << 20), INT64_MAX, INT64_MIN};
	for (unsigned i = 0; i < 4; i++) {
		modifier(RW_READ, 16 * KI, holes[i]);
		rig_expect(&r, 100, "r0 r0 r0 r0");
		rig_end(&r);
	}
}

/* Compatibility 6.5. */
static void bursts_go_on_sequentially(void **state)
{
	unsigned jumps = 0;
	modifier(RW_READ | RW_RANDOM, 4 * MI, 8);
	assert_int_equal(rig_run(&r, 5000), 1024);
	for (unsigned i = 1; i < r.n; i++) {
		bool onward = r.log[i].offset == r.log[i - 1].offset + 4 * KI ||
			      (r.log[i].offset == 0 && r.log[i - 1].offset == 4 * MI - 4 * KI);
		if (i % 8)
			assert_true(onward);
		else
			jumps += !onward;
	}
	assert_true(jumps > 120);
	rig_end(&r);
}

static void bursts_may_repeat_the_offset(void **state)
{
	rig_init(&r, RW_WRITE | RW_RANDOM, 4 * MI, 4 * KI);
	r.o->rw.has_modifier = true;
	r.o->rw.modifier = 4;
	r.o->rw_sequencer = SEQUENCER_IDENTICAL;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 5000), 1024);
	for (unsigned i = 0; i < r.n; i += 4) {
		for (unsigned k = 1; k < 4; k++)
			assert_int_equal(r.log[i + k].offset, r.log[i].offset);
		if (i)
			assert_int_not_equal(r.log[i].offset, r.log[i - 1].offset);
	}
	rig_end(&r);
}

/* The short tail does not end the pass. */
static void partly_random_does_all_its_ios(void **state)
{
	unsigned onward = 0;
	rig_init(&r, RW_WRITE | RW_RANDOM, 16777728, 4 * KI);
	r.o->percentage_random[DIR_WRITE] = 50;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 10000), 4096);
	for (unsigned i = 1; i < r.n; i++) {
		assert_true(r.log[i].offset + r.log[i].len <= 16 * MI);
		onward += r.log[i].offset == r.log[i - 1].offset + 4 * KI;
	}
	assert_in_range(onward, 4096 / 2 - 130, 4096 / 2 + 130);
	rig_end(&r);
}

static void percentage_zero_is_sequential(void **state)
{
	rig_init(&r, RW_READ | RW_RANDOM, 16 * KI, 4 * KI);
	r.o->percentage_random[DIR_READ] = 0;
	rig_start(&r);
	rig_expect(&r, 100, "r0 r4 r8 r12");
	rig_end(&r);
}

/* Compatibility 7.5. */
static void size_may_go_by_order_instead_of_direction(void **state)
{
	rig_init(&r, RW_WRITE, 64 * KI, 4 * KI);
	r.o->bs_is_seq_rand = true;
	r.o->bs[DIR_WRITE] = 16 * KI;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100), 16);
	rig_end(&r);
	rig_init(&r, RW_READ | RW_RANDOM, 64 * KI, 4 * KI);
	r.o->bs_is_seq_rand = true;
	r.o->bs[DIR_WRITE] = 16 * KI;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100), 4);
	rig_covers(&r, 0, 4, 16 * KI);
	rig_end(&r);
	rig_init(&r, RW_READ | RW_RANDOM, 16 * MI, 4 * KI);
	r.o->bs_is_seq_rand = true;
	r.o->bs[DIR_WRITE] = 16 * KI;
	r.o->percentage_random[DIR_READ] = 50;
	r.o->norandommap = true;
	rig_start(&r);
	rig_run(&r, 1000);
	for (unsigned i = 1; i < r.n; i++)
		if (r.log[i].offset && r.log[i].offset != r.log[i - 1].offset + r.log[i - 1].len)
			assert_int_equal(r.log[i].len, 16 * KI);
	rig_end(&r);
}

/* ba: offsets on its multiples, and no coverage. */
static void blockalign_separates_offsets_from_sizes(void **state)
{
	bool repeat = false;
	uint8_t seen[64] = {0};
	rig_init(&r, RW_READ | RW_RANDOM, 512 * KI, 4 * KI);
	for (unsigned d = 0; d < DIRS; d++)
		r.o->ba[d] = 8 * KI;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 1000), 128);
	for (unsigned i = 0; i < r.n; i++) {
		assert_int_equal(r.log[i].offset % (8 * KI), 0);
		repeat |= seen[r.log[i].offset / (8 * KI)]++;
	}
	assert_true(repeat);
	rig_end(&r);
}

static void splits(const uint64_t size[2], const double percent[2])
{
	static __typeof__(*((struct opt_split *)0)->v) v[2];
	for (unsigned i = 0; i < 2; i++) {
		v[i].size = size[i];
		v[i].percent = percent[i];
	}
	for (unsigned d = 0; d < DIRS; d++) {
		r.o->bssplit[d].v = v;
		r.o->bssplit[d].n = 2;
	}
}

/* Not a multiple of the smaller one, and yet in its share. */
static void sizes_that_are_no_multiples_keep_their_share(void **state)
{
	for (unsigned map = 0; map < 2; map++) {
		unsigned large = 0;
		rig_init(&r, RW_READ | RW_RANDOM, 16 * MI, 6 * KI);
		r.pj.max_len = 10 * KI;
		splits((uint64_t[]){6 * KI, 10 * KI}, (double[]){50, 50});
		r.o->norandommap = !map;
		rig_start(&r);
		rig_run(&r, map ? 1000 : 100000);
		assert_true(r.n >= 1000);
		for (unsigned i = 0; i < r.n; i++) {
			assert_true(r.log[i].offset + r.log[i].len <= 16 * MI);
			large += r.log[i].len == 10 * KI;
		}
		assert_in_range(large * 100 / r.n, 45, 55);
		rig_end(&r);
	}
}

static void sequential_sizes_meet_and_end_at_the_end(void **state)
{
	uint64_t at = 0;
	rig_init(&r, RW_WRITE, 1 * MI, 4 * KI);
	splits((uint64_t[]){4 * KI, 64 * KI}, (double[]){50, 50});
	rig_start(&r);
	rig_run(&r, 10000);
	for (unsigned i = 0; i < r.n; i++) {
		assert_int_equal(r.log[i].offset, at);
		at += r.log[i].len;
	}
	assert_int_equal(at, 1 * MI);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holes_upward),
		cmocka_unit_test(holes_downward),
		cmocka_unit_test(holes_begin_anew_with_each_pass),
		cmocka_unit_test(holes_larger_than_the_region_stay_inside),
		cmocka_unit_test(bursts_go_on_sequentially),
		cmocka_unit_test(bursts_may_repeat_the_offset),
		cmocka_unit_test(partly_random_does_all_its_ios),
		cmocka_unit_test(percentage_zero_is_sequential),
		cmocka_unit_test(size_may_go_by_order_instead_of_direction),
		cmocka_unit_test(blockalign_separates_offsets_from_sizes),
		cmocka_unit_test(sizes_that_are_no_multiples_keep_their_share),
		cmocka_unit_test(sequential_sizes_meet_and_end_at_the_end),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
