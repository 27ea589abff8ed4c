/* Engine options, depth and batch limits (compatibility 9, 4.1), and the simulator in place of an
 * engine. */
#include "fixture.h"

static const struct {
	const char *text;
	unsigned depth, batch, low, min, max;
	bool async;
} limits[] = {
	{"[a]\nioengine=null\nsize=1m", 1, 1, 1, 1, 1, false},
	{"[a]\nioengine=null\nsize=1m\niodepth=8", 8, 8, 8, 1, 8, true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch=0", 8, 8, 8, 1, 8, true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch=99\niodepth_low=99", 8, 8, 8, 1, 8,
	 true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch=4\niodepth_low=2", 8, 4, 2, 1, 8,
	 true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch_complete=0", 8, 8, 8, 0, 8, true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch_complete_min=4\n"
	 "iodepth_batch_complete_max=2",
	 8, 8, 8, 4, 4, true},
	{"[a]\nioengine=null\nsize=1m\niodepth=8\niodepth_batch_complete_max=2", 8, 8, 8, 1, 2,
	 true},
	{"[a]\nioengine=psync\nsize=1m\niodepth=8\niodepth_batch=4", 1, 1, 1, 1, 1, false},
	{"[a]\nioengine=vsync\nsize=1m\niodepth=8\niodepth_batch=4", 8, 4, 8, 1, 8, false},
};

static void depth_and_batches(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct fixture f;
		plan_good(&f, limits[i].text);
		const struct plan_job *p = &f.plan->jobs[0];
		if (p->depth != limits[i].depth || p->batch != limits[i].batch ||
		    p->depth_low != limits[i].low || p->reap_min != limits[i].min ||
		    p->reap_max != limits[i].max || p->is_async != limits[i].async)
			fail_msg("%s: depth %u batch %u low %u min %u max %u async %d",
				 limits[i].text, p->depth, p->batch, p->depth_low, p->reap_min,
				 p->reap_max, p->is_async);
		plan_release(&f);
	}
}

static void a_capped_depth_names_the_remedy(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[j]\nioengine=psync\niodepth=32\nfilename=f\nsize=1m\nbs=4k\nrw=write\n");
	const struct diag_item *it = must_warn(&f, "depth-unreached");
	assert_int_equal(it->at.line, 3);
	assert_non_null(strstr(it->remedy, "io_uring"));
	assert_int_equal(f.plan->jobs[0].reasons[0].option, OPT_iodepth);
	plan_release(&f);
}

static void engine_options_are_typed(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[global]\nioengine=pvsync2\nhipri\n[a]\ndirect=1\nsize=64k\nrw=write\n"
		      "[b]\nioengine=null\nsize=64k\n");
	const struct plan_job *p = &f.plan->jobs[0];
	assert_true(p->engine_given != 0);
	for (unsigned i = 0; i < p->engine->rows_n; i++)
		if (!strcmp(p->engine->rows[i].name, "hipri")) {
			assert_true(*(const bool *)((const char *)p->engine_options +
						    p->engine->rows[i].at));
			assert_true(p->engine_given >> i & 1);
		}
	assert_int_equal(f.plan->jobs[1].engine_given, 0);
	plan_release(&f);
}

static void simulation_replaces_engines(void **state)
{
	(void)state;
	struct plan_options po = {.sysroot = "", .simulate = true, .no_device_access = true};
	struct fixture f;
	file_make("there", MIB, true);
	plan_text(&f,
		  "[a]\nioengine=psync\niodepth=4\nfilename=missing\nsize=64k\nbs=4k\n"
		  "[b]\nioengine=libaio\ndirect=1\niodepth=4\nfilename=there\nbs=4k\nrw=write\n",
		  &po);
	assert_int_equal(f.rc, 0);
	assert_true(f.plan->virtual_clock);
	assert_string_equal(f.plan->jobs[0].engine->name, "sim");
	/* the depth stays that of the engine asked for */
	assert_int_equal(f.plan->jobs[0].depth, 1);
	assert_int_equal(f.plan->jobs[1].depth, 4);
	assert_int_equal(f.plan->jobs[0].region, 64 * KIB);
	assert_int_equal(f.plan->jobs[1].region, MIB);
	for (unsigned i = 0; i < f.plan->targets_n; i++) {
		assert_int_equal(f.plan->targets[i].kind, PLAN_NONE);
		assert_false(f.plan->targets[i].lay_out);
	}
	plan_release(&f);
}

static void a_simulated_device_has_a_size(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nioengine=sim\nsim_capacity=1m\nbs=4k\nsize=50%\noffset=50%\n");
	assert_int_equal(f.plan->jobs[0].files[0].begin, MIB / 2);
	assert_int_equal(f.plan->jobs[0].files[0].end, MIB);
	assert_true(f.plan->virtual_clock);
	plan_release(&f);
	plan_good(&f, "[a]\nioengine=sim\nsim_capacity=1m\nbs=4k\nsize=4m\n");
	must_warn(&f, "size-reduced");
	assert_int_equal(f.plan->jobs[0].region, MIB);
	plan_release(&f);
}

static void cpus_are_shared_or_split(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nioengine=null\nsize=64k\ncpus_allowed=0\nnumjobs=2\n"
		      "cpus_allowed_policy=split\n[b]\nioengine=null\nsize=64k\ncpumask=1\n"
		      "[c]\nioengine=null\nsize=64k\n");
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(f.plan->jobs[i].cpus.n, 1);
		assert_int_equal(f.plan->jobs[i].cpus.cpu[0], 0);
	}
	assert_int_equal(f.plan->jobs[3].cpus.n, 0);
	plan_release(&f);
}

static void memory_grows_with_depth_and_blocks(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nioengine=null\nsize=64m\nbs=1m\niodepth=16\n");
	assert_int_equal(f.plan->jobs[0].buffer_bytes, 16 * MIB);
	assert_in_range(f.plan->memory_bytes, 16 * MIB, 18 * MIB);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_and_batches),
		cmocka_unit_test(a_capped_depth_names_the_remedy),
		cmocka_unit_test(engine_options_are_typed),
		cmocka_unit_test(simulation_replaces_engines),
		cmocka_unit_test(a_simulated_device_has_a_size),
		cmocka_unit_test(cpus_are_shared_or_split),
		cmocka_unit_test(memory_grows_with_depth_and_blocks),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
