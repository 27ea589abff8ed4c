/* Regions and amounts: the examples of compatibility 5 and 6, one row each. */
#include "fixture.h"

struct want {
	const char *text;
	unsigned worker;
	unsigned files;
	uint64_t begin, end; /* of the first file */
	uint64_t region, limit, ios;
};

#define NULLE "[a]\nioengine=null\nbs=4k\n"

/* e: 100000 bytes exist; m: 1 MiB exists. */
static const struct want table[] = {
	{NULLE "size=1m", 0, 1, 0, MIB, MIB, MIB, 256},
	/* Compatibility 5.4: shares are not rounded to blocks, tails are not issued */
	{NULLE "size=20k\nnrfiles=3", 0, 3, 0, 6826, 20478, 20478, 3},
	{NULLE "size=10k", 0, 1, 0, 10 * KIB, 10 * KIB, 10 * KIB, 2},
	{"[a]\nioengine=null\nbs=1\nsize=11\nnrfiles=4", 0, 4, 0, 3, 11, 11, 11},
	{NULLE "size=64k\nloops=3", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 48},
	{NULLE "size=64k\ntime_based\nruntime=1", 0, 1, 0, 64 * KIB, 64 * KIB, 0, UINT64_MAX},
	{"[a]\nbs=4k\nfilename=m", 0, 1, 0, MIB, MIB, MIB, 256},
	{"[a]\nbs=4k\nfilename=e", 0, 1, 0, 100000, 100000, 100000, 24},
	{"[a]\nbs=4k\nfilename=m\nsize=50%", 0, 1, 0, MIB / 2, MIB / 2, MIB / 2, 128},
	{"[a]\nbs=4k\nfilename=e\nsize=50%", 0, 1, 0, 49152, 49152, 49152, 12},
	{"[a]\nbs=4k\nfilename=m\nsize=64k", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 16},
	/* 5.5 */
	{NULLE "size=64k\nio_size=256k", 0, 1, 0, 64 * KIB, 64 * KIB, 256 * KIB, 64},
	{NULLE "size=64k\nio_size=16k", 0, 1, 0, 64 * KIB, 64 * KIB, 16 * KIB, 4},
	{NULLE "size=1m\nio_size=10k", 0, 1, 0, MIB, MIB, 10 * KIB, 3},
	{NULLE "size=10k\nio_size=20k", 0, 1, 0, 10 * KIB, 10 * KIB, 20 * KIB, 5},
	{NULLE "size=64k\nio_size=50%", 0, 1, 0, 64 * KIB, 64 * KIB, 32 * KIB, 8},
	/* 5.6 */
	{NULLE "filesize=8k\nnrfiles=2\nsize=8k", 0, 2, 0, 8 * KIB, 16 * KIB, 8 * KIB, 2},
	{NULLE "filesize=8k\nnrfiles=2", 0, 2, 0, 8 * KIB, 16 * KIB, 16 * KIB, 4},
	{NULLE "filesize=8k\nnrfiles=2\nsize=1m", 0, 2, 0, 8 * KIB, 16 * KIB, 16 * KIB, 4},
	{"[a]\nbs=4k\nfilename=e\nfilesize=64k-128k", 0, 1, 0, 100000, 100000, 100000, 24},
	/* 5.7 */
	{NULLE "size=64k\noffset=32k", 0, 1, 32 * KIB, 96 * KIB, 64 * KIB, 64 * KIB, 16},
	{"[a]\nbs=4k\nfilename=m\noffset=512k", 0, 1, MIB / 2, MIB, MIB / 2, MIB / 2, 128},
	{"[a]\nbs=16k\nfilename=e\noffset=20%", 0, 1, 32768, 100000, 67232, 67232, 4},
	{"[a]\nbs=4k\nfilename=m\noffset=50%\nsize=50%", 0, 1, MIB / 2, MIB, MIB / 2, MIB / 2, 128},
	{"[a]\nbs=4k\nfilename=m\noffset=10%\noffset_align=64k\nsize=64k", 0, 1, 128 * KIB,
	 192 * KIB, 64 * KIB, 64 * KIB, 16},
	{NULLE "size=64k\noffset_increment=64k\nnumjobs=3", 2, 1, 128 * KIB, 192 * KIB, 64 * KIB,
	 64 * KIB, 16},
	{"[a]\nbs=4k\nfilename=m\nsize=25%\noffset_increment=25%\nnumjobs=4", 3, 1, 3 * MIB / 4,
	 MIB, MIB / 4, MIB / 4, 64},
	{"[a]\nbs=4k\nfilename=m\nsize=64k\noffset_increment=50%\nnumjobs=4", 3, 1, 3 * MIB / 2,
	 3 * MIB / 2 + 64 * KIB, 64 * KIB, 64 * KIB, 16},
	{NULLE "size=1m\noffset=50%", 0, 1, MIB / 2, 3 * MIB / 2, MIB, MIB, 256},
	/* 5.8 */
	{NULLE "size=64k\nnumber_ios=5", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 5},
	{NULLE "size=64k\nnumber_ios=3\nloops=4", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 12},
	{NULLE "size=64k\nnumber_ios=500", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 16},
	/* 6.1, 6.3 */
	{NULLE "size=64k\nrw=rw", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 16},
	{NULLE "size=64k\nrw=trimwrite", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 32},
	{NULLE "size=64k\nrw=trimwrite\nnumber_ios=4", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 8},
	{NULLE "size=64k\nrw=read:4k", 0, 1, 0, 64 * KIB, 64 * KIB, 64 * KIB, 16},
	/* Compatibility 5.11: e ends at 100000 */
	{"[a]\nbs=4k\nfilename=e\nrw=write\nfile_append=1\nsize=64k", 0, 1, 100000, 165536,
	 64 * KIB, 64 * KIB, 16},
	/* case 31 */
	{"[j]\nioengine=null\nrw=randwrite\nbs=4k\nsize=16777728\npercentage_random=50", 0, 1, 0,
	 16777728, 16777728, 16777728, 4096},
};

static void regions_and_amounts(void **state)
{
	(void)state;
	file_make("e", 100000, true);
	file_make("m", MIB, true);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct want *w = &table[i];
		struct fixture f;
		plan_good(&f, w->text);
		const struct plan_job *pj = &f.plan->jobs[w->worker];
		if (pj->files[0].begin != w->begin || pj->files[0].end != w->end ||
		    pj->region != w->region || pj->limit_bytes != w->limit ||
		    pj->expect_ios != w->ios || pj->files_n != w->files)
			fail_msg("%s: files %u begin %lu end %lu region %lu limit %lu ios %lu",
				 w->text, pj->files_n, pj->files[0].begin, pj->files[0].end,
				 pj->region, pj->limit_bytes, pj->expect_ios);
		plan_release(&f);
	}
}

static const struct {
	const char *text, *code;
} refused[] = {
	{NULLE, "need-size"},
	{"[a]\nbs=4k", "need-size"},
	{"[a]\nbs=4k\nfilename=missing\nsize=50%", "percent-missing"},
	{"[a]\nbs=4k\nfilename=missing\noffset=50%\nsize=1m", "percent-missing"},
	{NULLE "size=3k", "size-block"},
	{NULLE "size=20k\nnrfiles=6", "size-block"},
	{"[a]\nioengine=null\nbssplit=4k/50:64k/50\nsize=32k", "size-block"},
	{"[a]\nbs=4k\nfilename=m\noffset=1m", "offset"},
	{"[a]\nbs=4k\nfilename=m\noffset=2m", "offset"},
	{"[a]\nbs=4k\nfilename=m\nsize=2z", "zones"},
	{NULLE "size=9223372036854775807\noffset=1m", "offset"},
	{NULLE "size=1m\noffset=18446744073709551615", "offset"},
	{NULLE "size=1m\noffset_increment=9223372036854775807\nnumjobs=3", "offset"},
	{"[a]\nbs=4k\nfilename=/dev/zero", "need-size"},
	{NULLE "size=1m\nrw=randread\nrandom_distribution=zoned_abs:50/1m:50/1m", "zone-beyond"},
	{NULLE "size=16k\nrw=randread\nrandom_distribution=sequence:0,3,4", "zone-beyond"},
	{"[a]\nbs=4k\nrw=read\nfill_device=1\nsize=1m", "fill-device"},
	{"[a]\nbs=4k\nrw=randwrite\nfill_device=1", "fill-device"},
};

static void impossible_sizes_are_refused(void **state)
{
	(void)state;
	file_make("m", MIB, true);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct fixture f;
		plan_text(&f, refused[i].text, NULL);
		must_refuse(&f, refused[i].code);
		plan_release(&f);
	}
}

static void filesize_is_drawn_in_whole_blocks_within_the_range(void **state)
{
	(void)state;
	struct fixture f;
	bool differ = false;
	plan_good(&f, NULLE "nrfiles=50\nfilesize=16k-64k");
	for (unsigned i = 0; i < 50; i++) {
		uint64_t end = f.plan->jobs[0].files[i].end;
		assert_in_range(end, 16 * KIB, 64 * KIB);
		assert_int_equal(end % (4 * KIB), 0);
		differ |= end != f.plan->jobs[0].files[0].end;
	}
	assert_true(differ);
	plan_release(&f);
}

static void a_short_tail_is_said_once(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, NULLE "size=10k\nnumjobs=4");
	const struct diag_item *it = must_warn(&f, "short-tail");
	assert_non_null(strstr(it->text, "2048"));
	assert_int_equal(f.diag.warnings, 1);
	plan_release(&f);
	plan_good(&f, NULLE "size=12k");
	must_not_say(&f, "short-tail");
	plan_release(&f);
}

static void fill_device_has_no_end_but_the_device(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nrw=write\nbs=4k\nfill_device=1\n");
	assert_int_equal(f.plan->jobs[0].ends_by, PLAN_END_FULL);
	assert_int_equal(f.plan->jobs[0].limit_bytes, 0);
	assert_true(f.plan->targets[0].create_on_open);
	assert_false(f.plan->targets[0].lay_out);
	plan_release(&f);
}

static void what_ends_a_job(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum plan_end end;
	} v[] = {
		{NULLE "size=1m", PLAN_END_SIZE},
		{NULLE "size=1m\nruntime=10", PLAN_END_SIZE},
		{NULLE "size=1m\nruntime=10\ntime_based", PLAN_END_TIME},
		{NULLE "size=1m\nnumber_ios=7", PLAN_END_COUNT},
		{NULLE "size=1m\nnumber_ios=256", PLAN_END_COUNT},
		{NULLE "size=1m\nnumber_ios=257", PLAN_END_SIZE},
		{NULLE "size=1m\nruntime=10\nrate_iops=20", PLAN_END_TIME},
		{NULLE "size=1m\nruntime=10\nrate_iops=200", PLAN_END_SIZE},
		{NULLE "size=1m\nruntime=10\nrate=50k", PLAN_END_TIME},
		{NULLE "size=1m\nruntime=10\nthinktime=100ms", PLAN_END_TIME},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct fixture f;
		plan_good(&f, v[i].text);
		if (f.plan->jobs[0].ends_by != v[i].end)
			fail_msg("%s: ends by %d", v[i].text, f.plan->jobs[0].ends_by);
		plan_release(&f);
	}
}

static void variable_sizes_are_estimated(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nioengine=null\nbssplit=4k/50:12k/50\nsize=800k");
	assert_int_equal(f.plan->jobs[0].expect_ios, 100);
	assert_int_equal(f.plan->jobs[0].max_len, 12 * KIB);
	assert_int_equal(f.plan->jobs[0].min_len[DIR_READ], 4 * KIB);
	assert_false(f.plan->jobs[0].fixed_size);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions_and_amounts),
		cmocka_unit_test(impossible_sizes_are_refused),
		cmocka_unit_test(filesize_is_drawn_in_whole_blocks_within_the_range),
		cmocka_unit_test(a_short_tail_is_said_once),
		cmocka_unit_test(fill_device_has_no_end_but_the_device),
		cmocka_unit_test(what_ends_a_job),
		cmocka_unit_test(variable_sizes_are_estimated),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
