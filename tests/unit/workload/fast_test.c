/* The specialised path: one file, one block size, nothing else. */
#include "rig.h"

static struct rig r, other;

static void random_covers_every_block_once_a_pass(void **state)
{
	static const unsigned counts[] = {1,  2,   3,	5,   16,   17,	 31,   48,
					  49, 100, 255, 257, 1000, 4097, 10007};
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned n = counts[i];
		rig_init(&r, RW_READ | RW_RANDOM, n * 4 * KI, 4 * KI);
		r.pj.limit_bytes = 3 * n * 4 * KI;
		r.batch = r.slots = 32;
		rig_start(&r);
		assert_int_equal(rig_run(&r, 4 * n), 3 * n);
		for (unsigned pass = 0; pass < 3; pass++)
			rig_covers(&r, pass * n, n, 4 * KI);
		rig_end(&r);
	}
}

/* Also over loops. */
static void passes_differ_and_runs_repeat(void **state)
{
	for (unsigned loops = 1; loops <= 2; loops++) {
		unsigned same_pass = 0;
		for (unsigned k = 0; k < 2; k++) {
			struct rig *x = k ? &other : &r;
			rig_init(x, RW_READ | RW_RANDOM, 1 * MI, 4 * KI);
			x->pj.loops = loops;
			x->pj.limit_bytes = 2 * MI / loops;
			x->batch = x->slots = k ? 16 : 1;
			rig_start(x);
			assert_int_equal(rig_run(x, 1000), 512);
		}
		for (unsigned i = 0; i < 512; i++)
			assert_int_equal(r.log[i].offset, other.log[i].offset);
		for (unsigned i = 0; i < 256; i++)
			same_pass += r.log[i].offset == r.log[256 + i].offset;
		assert_true(same_pass < 26);
		rig_end(&r);
		rig_end(&other);
	}
}

static void seeds_take_effect(void **state)
{
	for (unsigned map = 0; map < 2; map++) {
		unsigned same = 0;
		for (unsigned k = 0; k < 2; k++) {
			struct rig *x = k ? &other : &r;
			rig_init(x, RW_READ | RW_RANDOM, 1 * MI, 4 * KI);
			x->o->norandommap = !map;
			rig_seed(x, RIG_SEED + k);
			rig_start(x);
			assert_int_equal(rig_run(x, 1000), 256);
		}
		for (unsigned i = 0; i < 256; i++)
			same += r.log[i].offset == other.log[i].offset;
		assert_true(same < 26);
		rig_end(&r);
		rig_end(&other);
	}
}

static void mixed_random_touches_each_block_once(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 40 * MI, 4 * KI);
	r.o->rwmixread = 70;
	r.batch = r.slots = 8;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100000), 10240);
	rig_covers(&r, 0, 10240, 4 * KI);
	assert_in_range(rig_count(&r, IO_READ), 7168 - 9, 7168 + 9);
	struct workload_counts c;
	workload_counts(r.load, &c);
	assert_int_equal(c.issued_ios[DIR_READ], rig_count(&r, IO_READ));
	assert_int_equal(c.issued_bytes[DIR_WRITE], 4 * KI * rig_count(&r, IO_WRITE));
	rig_end(&r);
}

static void mixed_sequential_has_a_cursor_per_direction(void **state)
{
	uint64_t next[2] = {0, 0};
	rig_init(&r, RW_READ | RW_WRITE, 4 * MI, 4 * KI);
	r.batch = r.slots = 8;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100000), 1024);
	for (unsigned i = 0; i < r.n; i++) {
		assert_int_equal(r.log[i].offset, next[r.log[i].op]);
		next[r.log[i].op] += 4 * KI;
	}
	assert_int_equal(next[0] + next[1], 4 * MI);
	rig_end(&r);
}

static void free_draws_are_uniform(void **state)
{
	enum { BLOCKS = 200, PER = 100 };
	unsigned count[BLOCKS] = {0};
	double chi = 0;
	rig_init(&r, RW_WRITE | RW_RANDOM, BLOCKS * 4 * KI, 4 * KI);
	r.o->norandommap = true;
	r.pj.limit_bytes = PER * BLOCKS * 4 * KI;
	r.batch = r.slots = 16;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100000), PER * BLOCKS);
	for (unsigned i = 0; i < r.n; i++)
		count[r.log[i].offset / (4 * KI)]++;
	for (unsigned i = 0; i < BLOCKS; i++)
		chi += ((double)count[i] - PER) * ((double)count[i] - PER) / PER;
	assert_true(chi > 120 && chi < 280); /* 199 degrees of freedom, four sigma */
	rig_end(&r);
}

/* Positions of the permutation: the first quarter of a pass is spread evenly over the region. */
static void a_part_of_a_pass_is_spread_evenly(void **state)
{
	unsigned count[16] = {0};
	double chi = 0;
	rig_init(&r, RW_READ | RW_RANDOM, 16000 * 4 * KI, 4 * KI);
	r.batch = r.slots = 16;
	rig_start(&r);
	rig_run(&r, 4000);
	for (unsigned i = 0; i < 4000; i++)
		count[r.log[i].offset / (4 * KI) / 1000]++;
	for (unsigned i = 0; i < 16; i++)
		chi += ((double)count[i] - 250) * ((double)count[i] - 250) / 250;
	assert_true(chi < 40);
	rig_end(&r);
}

/* What the general path does for the same job (serialize_overlap sends it there) has the same
 * order. */
static void both_paths_agree(void **state)
{
	static const unsigned kinds[] = {RW_READ, RW_WRITE | RW_RANDOM, RW_READ | RW_WRITE,
					 RW_READ | RW_WRITE | RW_RANDOM, RW_TRIM | RW_RANDOM};
	for (unsigned norandommap = 0; norandommap < 2; norandommap++)
		for (unsigned i = 0; i < 5; i++) {
			for (unsigned k = 0; k < 2; k++) {
				struct rig *x = k ? &other : &r;
				rig_init(x, kinds[i], 1 * MI + 77, 4 * KI);
				x->o->serialize_overlap = k;
				x->o->norandommap = norandommap;
				x->pj.limit_bytes = 5 * MI / 2;
				x->pj.loops = 2;
				x->batch = x->slots = k ? 1 : 5;
				rig_start(x);
				rig_run(x, 5000);
			}
			assert_int_equal(r.n, 1280);
			assert_int_equal(other.n, 1280);
			for (unsigned n = 0; n < r.n; n++) {
				assert_int_equal(r.log[n].offset, other.log[n].offset);
				assert_int_equal(r.log[n].op, other.log[n].op);
			}
			rig_end(&r);
			rig_end(&other);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_covers_every_block_once_a_pass),
		cmocka_unit_test(passes_differ_and_runs_repeat),
		cmocka_unit_test(seeds_take_effect),
		cmocka_unit_test(mixed_random_touches_each_block_once),
		cmocka_unit_test(mixed_sequential_has_a_cursor_per_direction),
		cmocka_unit_test(free_draws_are_uniform),
		cmocka_unit_test(a_part_of_a_pass_is_spread_evenly),
		cmocka_unit_test(both_paths_agree),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
