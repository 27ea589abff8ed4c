/* Syncs, pairs of trim and write, overlap. */
#include "rig.h"

static struct rig r;

static void syncs_after_groups_but_not_at_the_end(void **state)
{
	rig_init(&r, RW_WRITE, 24 * KI, 4 * KI);
	r.o->fsync = 2;
	r.batch = r.slots = 4;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w4 S w8 w12 S w16 w20");
	rig_end(&r);
	/* Also where the tail ends the job and not the limit. */
	rig_init(&r, RW_WRITE, 10 * KI, 4 * KI);
	r.o->fsync = 2;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w4");
	rig_end(&r);
}

static void one_sync_is_enough_and_fsync_goes_first(void **state)
{
	rig_init(&r, RW_WRITE, 48 * KI, 4 * KI);
	r.o->fsync = 2;
	r.o->fdatasync = 3;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w4 S w8 D w12 S w16 w20 S w24 w28 S w32 D w36 S w40 w44");
	rig_end(&r);
}

static void a_group_at_the_end_of_a_loop_is_synced_in_the_next(void **state)
{
	rig_init(&r, RW_WRITE, 8 * KI, 4 * KI);
	r.o->fdatasync = 2;
	r.pj.loops = 2;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w4 D w0 w4");
	rig_end(&r);
}

static void reads_do_not_count_for_syncs(void **state)
{
	unsigned writes = 0;
	rig_init(&r, RW_READ | RW_WRITE, 4 * MI, 4 * KI);
	r.o->fsync = 3;
	rig_start(&r);
	rig_run(&r, 10000);
	for (unsigned i = 0; i < r.n; i++) {
		if (r.log[i].op == IO_WRITE)
			writes++;
		/* right behind the third */
		bool due = i && r.log[i - 1].op == IO_WRITE && writes % 3 == 0 &&
			   r.log[i].op != IO_WRITE;
		assert_int_equal(r.log[i].op == IO_FSYNC, due);
	}
	assert_true(rig_count(&r, IO_FSYNC) > 100);
	struct workload_counts c;
	workload_counts(r.load, &c);
	assert_int_equal(c.issued_ios[DIR_READ] + c.issued_ios[DIR_WRITE], 1024);
	rig_end(&r);
}

static void range_syncs_carry_the_span(void **state)
{
	rig_init(&r, RW_WRITE, 32 * KI, 4 * KI);
	r.files[0].begin = 1 * MI;
	r.files[0].end += 1 * MI;
	r.o->sync_file_range.value = SFR_WRITE;
	r.o->sync_file_range.arg = "3";
	rig_start(&r);
	rig_run(&r, 100);
	assert_int_equal(r.n, 10);
	assert_int_equal(r.log[3].op, IO_SYNC_RANGE);
	assert_int_equal(r.log[3].offset, 1 * MI);
	assert_int_equal(r.log[3].len, 12 * KI);
	assert_int_equal(r.log[7].op, IO_SYNC_RANGE);
	assert_int_equal(r.log[7].offset, 1 * MI + 12 * KI);
	assert_int_equal(r.log[7].len, 12 * KI);
	rig_end(&r);
}

static void a_sync_is_for_the_file_of_its_write(void **state)
{
	rig_init(&r, RW_WRITE, 8 * KI, 4 * KI);
	rig_files(&r, 3, 8 * KI);
	r.o->fsync = 1;
	rig_start(&r);
	rig_run(&r, 100);
	assert_int_equal(r.n, 11);
	for (unsigned i = 1; i < r.n; i += 2) {
		assert_int_equal(r.log[i].op, IO_FSYNC);
		assert_int_equal(r.log[i].file, r.log[i - 1].file);
		assert_int_equal(r.log[i].offset, r.log[i - 1].offset);
	}
	rig_end(&r);
}

/* Compatibility 6.3: the size limits trims and writes each. */
static void each_block_is_trimmed_then_written(void **state)
{
	rig_init(&r, RW_TRIM | RW_WRITE | RW_TRIMWRITE, 16 * KI, 4 * KI);
	rig_start(&r);
	rig_expect(&r, 100, "t0 w0 t4 w4 t8 w8 t12 w12");
	rig_end(&r);
	rig_init(&r, RW_TRIM | RW_WRITE | RW_TRIMWRITE | RW_RANDOM, 1 * MI, 4 * KI);
	r.batch = r.slots = 3;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 1000), 512);
	for (unsigned i = 0; i < r.n; i += 2) {
		assert_int_equal(r.log[i].op, IO_TRIM);
		assert_int_equal(r.log[i + 1].op, IO_WRITE);
		assert_int_equal(r.log[i].offset, r.log[i + 1].offset);
		r.log[i / 2] = r.log[i];
	}
	rig_covers(&r, 0, 256, 4 * KI);
	rig_end(&r);
}

static void pairs_stay_together_over_files(void **state)
{
	rig_init(&r, RW_TRIM | RW_WRITE | RW_TRIMWRITE, 4 * KI, 4 * KI);
	rig_files(&r, 3, 4 * KI);
	r.pj.open_files = 1;
	rig_start(&r);
	rig_expect(&r, 100, "t0 w0 t0 w0 t0 w0");
	assert_int_equal(r.swaps, 2);
	rig_end(&r);
}

static void overlapping_ios_wait_for_each_other(void **state)
{
	struct io *all[8], *first[1];
	struct workload_fill f;
	rig_init(&r, RW_WRITE | RW_RANDOM, 16 * KI, 4 * KI);
	r.o->norandommap = true;
	r.o->serialize_overlap = true;
	r.pj.limit_bytes = 0;
	r.slots = 8;
	rig_start(&r);
	assert_true(workload_wants_completions(r.load));
	for (unsigned turn = 0; turn < 200; turn++) {
		for (unsigned i = 0; i < 8; i++)
			all[i] = &r.ios[i];
		workload_fill(r.load, 0, 0, all, 8, &f);
		/* Four blocks only: eight at once must overlap. */
		assert_true(f.n >= 1 && f.n <= 4);
		assert_int_equal(f.state, WORKLOAD_DRAIN);
		for (unsigned i = 0; i < f.n; i++)
			for (unsigned k = 0; k < i; k++)
				assert_int_not_equal(all[i]->offset, all[k]->offset);
		/* Nothing more while it is in flight, and it comes first when it is not. */
		struct workload_fill g;
		struct io *more[1] = {&r.ios[7]};
		workload_fill(r.load, 0, f.n, more, 1, &g);
		assert_int_equal(g.n, 0);
		assert_int_equal(g.state, WORKLOAD_DRAIN);
		for (unsigned i = 0; i < f.n; i++) {
			first[0] = all[i];
			workload_completed(r.load, first, 1, 0);
		}
	}
	rig_end(&r);
}

static void without_completions_there_is_no_need_for_them(void **state)
{
	rig_init(&r, RW_WRITE, 16 * KI, 4 * KI);
	rig_start(&r);
	assert_false(workload_wants_completions(r.load));
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syncs_after_groups_but_not_at_the_end),
		cmocka_unit_test(one_sync_is_enough_and_fsync_goes_first),
		cmocka_unit_test(a_group_at_the_end_of_a_loop_is_synced_in_the_next),
		cmocka_unit_test(reads_do_not_count_for_syncs),
		cmocka_unit_test(range_syncs_carry_the_span),
		cmocka_unit_test(a_sync_is_for_the_file_of_its_write),
		cmocka_unit_test(each_block_is_trimmed_then_written),
		cmocka_unit_test(pairs_stay_together_over_files),
		cmocka_unit_test(overlapping_ios_wait_for_each_other),
		cmocka_unit_test(without_completions_there_is_no_need_for_them),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
