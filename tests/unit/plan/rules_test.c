/* The rules between options: what is refused, what is warned about, and what becomes of the options
 * (compatibility 4.1). */
#include "fixture.h"

#define N "[a]\nioengine=null\nsize=64k\n"
#define R N "rw=randread\n"

static const struct {
	const char *text, *code;
	unsigned line; /* where the message points, 0 anywhere */
} refused[] = {
	{N "rate=1m\nrate_iops=10", "rate-pair", 5},
	{N "rate_min=1m\nrate_iops_min=10", "rate-pair", 5},
	{N "rate=1m\nrate_min=2m", "rate-min", 5},
	{N "rate_iops=10\nrate_iops_min=20", "rate-min", 5},
	{N "bssplit=4k/100\nbsrange=4k-8k", "bs-pair", 4},
	{N "ramp_time=1\nramp_size=4k", "ramp-pair", 5},
	{N "log_issue_time=1", "issue-time", 4},
	{N "write_iolog=x\nnumjobs=2", "iolog-shared", 4},
	{N "loops=2\nunlink_each_loop=1", "unlink-loops", 5},
	{N "rw=write\nfile_append=1\noffset=4k", "append-offset", 5},
	{N "rw=read\nfile_append=1", "append-offset", 0},
	{N "cpumask=1\ncpus_allowed=0", "cpus-pair", 0},
	{N "cpus_allowed=8000", "cpus-missing", 4},
	{N "numa_mem_policy=often", "numa-policy", 4},
	{"[a]\nioengine=psync\nsize=64k\nrw=trim\nfilename=f", "trim-file", 4},
	{"[a]\nioengine=mmap\nsize=64k\nrw=trim\nfilename=f", "trim-file", 4},
	{"[a]\nioengine=mmap\nsize=64k\nrw=write\ncreate_on_open=1", "create-on-open", 5},
	{"[a]\nioengine=mmap\nsize=64k\nrw=write\nloops=2\nunlink_each_loop=1", "unlink-loops", 6},
	{"[a]\nioengine=psink\nsize=64k", "engine-unknown", 2},
	{"[a]\nioengine=rbd\nsize=64k", "engine-pending", 2},
	{"[a]\nioengine=external:/x.so\nsize=64k", "engine-pending", 2},
	{"[a]\nioengine=psync\natomic=1\ndirect=1\nrw=write\nsize=64k", "atomic-engine", 3},
	{"[a]\nioengine=pvsync2\nhipri\nsize=64k", "hipri-buffered", 0},
	{N "rw=write\n[b]\nioengine=null\nrw=write\nfill_device=1", "fill-device", 8},
	{"[a]\nioengine=pvsync2\natomic=1\nrw=write\nsize=64k", "atomic-engine", 0},
	{"[a]\nioengine=null\nsize=64k\n[b]\nioengine=sim\nsize=64k", "sim-mix", 0},
	{N "log_format=binary", "log-format", 4},
	{N "write_lat_log=x\nlog_format=binary\nlog_avg_msec=9", "log-format", 5},
	{N "write_lat_log=x\nlog_format=binary\nper_job_logs=0", "log-format", 5},
};

static void mistakes_are_refused_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct fixture f;
		plan_text(&f, refused[i].text, NULL);
		const struct diag_item *it = must_refuse(&f, refused[i].code);
		if (refused[i].line && it->at.line != refused[i].line)
			fail_msg("%s: line %u", refused[i].text, it->at.line);
		assert_string_equal(it->at.file, "the.fio");
		plan_release(&f);
	}
}

static const struct {
	const char *text, *code;
} warned[] = {
	{N "time_based", "time-based"},
	{N "time_based\nruntime=1\nnumber_ios=4", "time-based"},
	{R "ba=8k", "align-map"},
	{R "random_generator=lfsr\nbsrange=4k-8k", "lfsr-sizes"},
	{N "norandommap", "unused"},
	{N "thinktime_spin=1", "unused"},
	{N "fsync=1", "unused"},
	{N "exit_what=all", "unused"},
	{N "iodepth_batch=4", "unused"},
	{N "file_service_type=random", "unused"},
	{N "write_hist_log=x", "hist-period"},
	{N "gtod_reduce=1\nwrite_lat_log=x", "log-off"},
	{N "rw=write\ndedupe_percentage=50\nscramble_buffers=1", "scramble-dedupe"},
	{"[j]\nioengine=psync\niodepth=32\nfilename=f\nsize=1m\nbs=4k\nrw=write\n",
	 "depth-unreached"},
	{"[j]\nioengine=libaio\niodepth=32\nfilename=f\nsize=1m\nbs=4k\nrw=write\n",
	 "depth-unreached"},
	{N "cpus_allowed=0,8000", "cpus-missing"},
};

static void surprises_are_warned_about(void **state)
{
	if (getenv("FATHOM_EMULATED")) {
		print_message("QEMU does not emulate AIO, io_uring and ioctls of block devices\n");
		skip();
	}
	(void)state;
	for (size_t i = 0; i < sizeof(warned) / sizeof(warned[0]); i++) {
		struct fixture f;
		plan_good(&f, warned[i].text);
		must_warn(&f, warned[i].code);
		plan_release(&f);
	}
}

static void nothing_is_said_about_plain_jobs(void **state)
{
	(void)state;
	static const char *const plain[] = {
		N,
		R,
		R "norandommap",
		N "rw=write\nfsync=1",
		N "time_based\nruntime=1",
		("[global]\nnorandommap\nfsync=4\nthinktime_spin=1\nrwmixread=70\n" N),
		"[a]\nioengine=null\nsize=64k\niodepth=32\ndirect=1"};
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		struct fixture f;
		plan_good(&f, plain[i]);
		diag_print(&f.diag);
		assert_int_equal(f.diag.n, 0);
		plan_release(&f);
	}
}

/* The effective options, read through small functions. */
static bool e_map_off(const struct plan_job *p)
{
	return p->o->norandommap;
}
static bool e_covers(const struct plan_job *p)
{
	return p->cover;
}
static bool e_scramble(const struct plan_job *p)
{
	return p->o->scramble_buffers;
}
static bool e_refill(const struct plan_job *p)
{
	return p->o->refill_buffers;
}
static bool e_zero(const struct plan_job *p)
{
	return p->o->zero_buffers;
}
static bool e_invalidate(const struct plan_job *p)
{
	return p->o->invalidate;
}
static bool e_overwrite(const struct plan_job *p)
{
	return p->o->overwrite;
}
static bool e_repeat(const struct plan_job *p)
{
	return p->o->randrepeat;
}
static bool e_no_clat(const struct plan_job *p)
{
	return p->o->disable_clat && p->o->disable_lat && p->o->disable_slat &&
	       p->o->disable_bw_measurement;
}
static bool e_overlap(const struct plan_job *p)
{
	return p->o->serialize_overlap;
}
static bool e_timed(const struct plan_job *p)
{
	return p->time_based;
}
static bool e_goes_on(const struct plan_job *p)
{
	return p->o->continue_on_error == CONTINUE_WRITE;
}
static bool e_fixed(const struct plan_job *p)
{
	return p->fixed_size;
}

static const struct {
	const char *text;
	bool (*get)(const struct plan_job *p);
	bool want;
} effects[] = {
	{R, e_covers, true},
	{R "norandommap", e_covers, false},
	{R "norandommap\nrandom_generator=lfsr", e_covers, true},
	{R "random_distribution=zipf:1.2", e_covers, false},
	{R "random_distribution=zipf:1.2", e_map_off, true},
	{R "ba=8k", e_map_off, true},
	{R "ba=4k", e_map_off, false},
	{R "bsrange=4k-8k", e_covers, true},
	{R "bsrange=4k-8k", e_fixed, false},
	{R "bsrange=8k-8k", e_fixed, true},
	{R "bssplit=8k/100", e_fixed, true},
	{N "bs=4k,8k", e_fixed, true},
	{N "bs=4k,8k\nrw=rw", e_fixed, false},
	{N "rw=read:8k", e_fixed, true},
	{N "rw=read:1k", e_fixed, false},
	{N, e_scramble, true},
	{N "rw=write\nzero_buffers", e_scramble, false},
	{N "rw=write\nzero_buffers\nscramble_buffers=1", e_scramble, true},
	{N "rw=write\nbuffer_pattern=0xff", e_scramble, false},
	{N "rw=write\nbuffer_pattern=0xff\nzero_buffers", e_zero, false},
	{N "rw=rw\nbuffer_pattern=0xff", e_refill, true},
	{N "rw=write\nbuffer_pattern=0xff", e_refill, false},
	{N "rw=write\nbuffer_compress_percentage=50", e_refill, true},
	{N "rw=write\nbuffer_compress_percentage=50\nrefill_buffers=0", e_refill, false},
	{N "rw=write\nbuffer_compress_percentage=100", e_zero, true},
	{N "rw=write\nbuffer_compress_percentage=0", e_scramble, false},
	{N "rw=write\ndedupe_percentage=30", e_refill, true},
	{N "pre_read=1", e_invalidate, false},
	{N, e_overwrite, true},
	{N "rw=write", e_overwrite, false},
	{N "randseed=5", e_repeat, false},
	{N, e_repeat, true},
	{N "gtod_reduce=1", e_no_clat, true},
	{N "iodepth=4\nrw=randwrite\nserialize_overlap=1", e_overlap, true},
	{N "iodepth=1\nrw=randwrite\nserialize_overlap=1", e_overlap, false},
	{N "iodepth=4\nserialize_overlap=1", e_overlap, false},
	{N "time_based", e_timed, false},
	{N "time_based\nruntime=1", e_timed, true},
	{N "rw=write\nignore_error=,ENOSPC", e_goes_on, true},
};

static void options_take_effect_on_each_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++) {
		struct fixture f;
		plan_good(&f, effects[i].text);
		if (effects[i].get(&f.plan->jobs[0]) != effects[i].want)
			fail_msg("row %zu: %s", i, effects[i].text);
		plan_release(&f);
	}
}

static void all_mistakes_come_at_once(void **state)
{
	(void)state;
	struct fixture f;
	plan_text(&f,
		  N "rate=1m\nrate_iops=10\nramp_time=1\nramp_size=4k\n[b]\nioengine=psink\n"
		    "size=1m\n[c]\nioengine=null\n",
		  NULL);
	must_refuse(&f, "rate-pair");
	must_refuse(&f, "ramp-pair");
	must_refuse(&f, "engine-unknown");
	must_refuse(&f, "need-size");
	assert_int_equal(f.diag.errors, 4);
	plan_release(&f);
}

static void a_misspelt_engine_gets_its_neighbour(void **state)
{
	(void)state;
	struct fixture f;
	plan_text(&f, "[a]\nioengine=psink\nsize=64k", NULL);
	assert_non_null(strstr(must_refuse(&f, "engine-unknown")->remedy, "psync"));
	plan_release(&f);
}

static void readonly_refuses_writers(void **state)
{
	(void)state;
	struct plan_options po = {.sysroot = "", .readonly = true};
	struct fixture f;
	plan_text(&f, N "rw=randrw", &po);
	must_refuse(&f, "readonly");
	plan_release(&f);
	plan_text(&f, N "rw=trim", &po);
	must_refuse(&f, "readonly");
	plan_release(&f);
	plan_text(&f, N, &po);
	assert_int_equal(f.rc, 0);
	plan_release(&f);
}

static void declared_options_stay_as_they_were(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, N "time_based\nzero_buffers\niodepth_batch=99");
	assert_true(f.plan->jobs[0].job->o.time_based);
	assert_true(f.plan->jobs[0].job->o.scramble_buffers);
	assert_int_equal(f.plan->jobs[0].job->o.iodepth_batch, 99);
	assert_false(f.plan->jobs[0].o->time_based);
	assert_true(f.plan->jobs[0].reasons_n > 0);
	plan_release(&f);
}

static void log_windows_rule_the_samples(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, N "write_bw_log=x\nlog_avg_msec=1000");
	assert_int_equal(f.plan->jobs[0].o->bwavgtime, SEC);
	assert_int_equal(f.plan->jobs[0].o->iopsavgtime, SEC / 2);
	plan_release(&f);
	plan_good(&f, N "write_bw_log=x\nlog_avg_msec=1000\nbwavgtime=250");
	assert_int_equal(f.plan->jobs[0].o->bwavgtime, SEC / 4);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_refused_with_their_place),
		cmocka_unit_test(surprises_are_warned_about),
		cmocka_unit_test(nothing_is_said_about_plain_jobs),
		cmocka_unit_test(options_take_effect_on_each_other),
		cmocka_unit_test(all_mistakes_come_at_once),
		cmocka_unit_test(a_misspelt_engine_gets_its_neighbour),
		cmocka_unit_test(readonly_refuses_writers),
		cmocka_unit_test(declared_options_stay_as_they_were),
		cmocka_unit_test(log_windows_rule_the_samples),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
