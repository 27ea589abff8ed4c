/* isolate=1: which CPUs workers get, on machines of many shapes. */
#include "fixture.h"
#include "../host/tree.h"
#include "host/cpu.h"

static void put_number(struct tree *t, unsigned cpu, const char *file, const char *text)
{
	char path[160];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/%s", cpu, file);
	tree_put(t, path, text);
}

/* CPUs of `online` (a list), threads[i] being the siblings of those in it. */
static void machine(struct tree *t, const char *online, const char *isolated,
		    const char *const *cores)
{
	struct arena a;
	struct cpuset core;
	arena_init(&a, 0);
	tree_init(t);
	tree_put(t, "/sys/devices/system/cpu/online", online);
	tree_put(t, "/sys/devices/system/cpu/isolated", isolated);
	for (; cores && *cores; cores++) {
		assert_int_equal(cpuset_parse(*cores, &a, &core), 0);
		for (unsigned i = 0; i < core.n; i++)
			put_number(t, core.cpu[i], "topology/thread_siblings_list", *cores);
	}
	arena_release(&a);
}

static void node(struct tree *t, unsigned number, const char *cpus)
{
	char path[96];
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", number);
	tree_put(t, path, cpus);
}

static void disk_on_node(struct tree *t, const char *number)
{
	tree_disk(t, "pci0000:80/0000:81:00.0/nvme/nvme0", "nvme0n1", "259:0\n", 2048);
	tree_put(t, "/sys/devices/pci0000:80/0000:81:00.0/numa_node", number);
	tree_put(t, "/sys/devices/pci0000:80/0000:81:00.0/nvme/nvme0/numa_node", number);
	tree_link(t, "/sys/devices/pci0000:80/0000:81:00.0/nvme/nvme0/block/nvme0n1/device",
		  "../../../nvme0");
}

static void plan_on(struct fixture *f, const struct tree *t, const char *text)
{
	const struct plan_options po = {.sysroot = t->root, .os_seed = 1};
	plan_text(f, text, &po);
	if (f->rc)
		diag_print(&f->diag);
	assert_int_equal(f->rc, 0);
}

static void has(const struct cpuset *l, const char *want)
{
	char text[256];
	cpuset_print(l, text, sizeof(text));
	assert_string_equal(text, want);
}

/* All of what was chosen: "cpus/idle/rest", then the CPUs of each worker. */
static void chose(const struct fixture *f, const char *cpus, const char *idle, const char *rest,
		  const char *const *workers)
{
	assert_non_null(f->plan->isolation);
	has(&f->plan->isolation->cpus, cpus);
	has(&f->plan->isolation->idle, idle);
	has(&f->plan->isolation->rest, rest);
	for (unsigned i = 0; i < f->plan->jobs_n; i++)
		has(&f->plan->jobs[i].cpus, workers[i]);
}

#define NULL_JOB "ioengine=null\nsize=1m\nisolate=1\n"
#define DISK_JOB NULL_JOB "filename=/dev/nvme0n1\n"
#define W(...)	 ((const char *const[]){__VA_ARGS__, NULL})

static void done(struct fixture *f, struct tree *t)
{
	plan_release(f);
	tree_release(t);
}

static void without_the_option_nothing_is_planned(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	plan_on(&f, &t, "[a]\nioengine=null\nsize=1m\n");
	assert_null(f.plan->isolation);
	assert_int_equal(f.plan->jobs[0].cpus.n, 0);
	assert_false(f.plan->jobs[0].isolate);
	done(&f, &t);
}

static void of_two_cpus_one_is_left(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-1\n", "\n", NULL);
	plan_on(&f, &t, "[a]\n" NULL_JOB);
	chose(&f, "1", "", "0", W("1"));
	assert_true(f.plan->jobs[0].isolate && f.plan->jobs[0].own_cpus);
	done(&f, &t);
}

static void a_single_cpu_cannot_be_isolated(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0\n", "\n", NULL);
	plan_on(&f, &t, "[a]\n" NULL_JOB);
	assert_false(f.plan->jobs[0].isolate);
	assert_int_equal(f.plan->isolation->cpus.n, 0);
	must_warn(&f, "isolate-cpus");
	done(&f, &t);
}

/* Node 1 holds the device; siblings are far apart in number, as on servers. */
static void workers_sit_near_the_device_and_siblings_stay_idle(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-15\n", "\n",
		W("0,8\n", "1,9\n", "2,10\n", "3,11\n", "4,12\n", "5,13\n", "6,14\n", "7,15\n"));
	node(&t, 0, "0-3,8-11\n");
	node(&t, 1, "4-7,12-15\n");
	disk_on_node(&t, "1\n");
	plan_on(&f, &t, "[a]\nnumjobs=2\n" DISK_JOB);
	chose(&f, "4-5,12-13", "12-13", "0-3,6-11,14-15", W("4", "5"));
	done(&f, &t);
}

/* More workers than the node has cores: siblings come next, then the other node. */
static void cores_come_before_siblings_and_the_node_before_others(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-7\n", "\n", W("0,4\n", "1,5\n", "2,6\n", "3,7\n"));
	node(&t, 0, "0-1,4-5\n");
	node(&t, 1, "2-3,6-7\n");
	disk_on_node(&t, "1\n");
	plan_on(&f, &t, "[a]\nnumjobs=4\n" DISK_JOB);
	chose(&f, "2-3,6-7", "", "0-1,4-5", W("2", "3", "6", "7"));
	must_not_say(&f, "isolate-cpus");
	done(&f, &t);
}

static void an_isolated_cpu_of_the_node_is_taken_first(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-7\n", "3,6-7\n", NULL);
	node(&t, 0, "0-3\n");
	node(&t, 1, "4-7\n");
	disk_on_node(&t, "1\n");
	plan_on(&f, &t, "[a]\nnumjobs=3\n" DISK_JOB);
	chose(&f, "4,6-7", "", "0-3,5", W("6", "7", "4"));
	done(&f, &t);
}

static void cpus_that_others_partitioned_off_are_not_there(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	tree_put(&t, "/sys/fs/cgroup/cpuset.cpus.effective", "0,2\n");
	plan_on(&f, &t, "[a]\n" NULL_JOB);
	chose(&f, "2", "", "0", W("2"));
	done(&f, &t);
}

static void slow_cores_come_last(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-5\n", "\n", W("0-1\n", "2-3\n", "4\n", "5\n"));
	tree_put(&t, "/sys/devices/cpu_core/cpus", "0-3\n");
	tree_put(&t, "/sys/devices/cpu_atom/cpus", "4-5\n");
	plan_on(&f, &t, "[a]\n" NULL_JOB);
	chose(&f, "2-3", "3", "0-1,4-5", W("2"));
	done(&f, &t);
}

static void numbers_may_have_gaps_and_cpus_be_offline(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	/* 65 is offline, its sibling 1 is not. */
	machine(&t, "1,64,130\n", "\n", W("1,65\n", "64,128\n"));
	plan_on(&f, &t, "[a]\nnumjobs=2\n" NULL_JOB);
	chose(&f, "64,130", "", "1", W("64", "130"));
	done(&f, &t);
}

static void what_the_user_names_is_isolated_as_it_is(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-7\n", "\n", NULL);
	plan_on(&f, &t, "[a]\ncpus_allowed=2-3\n" NULL_JOB "[b]\ncpumask=16\n" NULL_JOB);
	chose(&f, "2-4", "", "0-1,5-7", W("2-3", "4"));
	assert_true(f.plan->jobs[0].own_cpus && f.plan->jobs[1].own_cpus);
	done(&f, &t);
}

static void all_cpus_named_leaves_one_to_the_machine(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	plan_on(&f, &t, "[a]\nnumjobs=4\ncpus_allowed=0-3\ncpus_allowed_policy=split\n" NULL_JOB);
	chose(&f, "1-3", "", "0", W("0", "1", "2", "3"));
	assert_false(f.plan->jobs[0].isolate);
	assert_true(f.plan->jobs[3].isolate);
	must_warn(&f, "isolate-cpus");
	done(&f, &t);
}

static void a_node_named_is_chosen_from(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-7\n", "\n", NULL);
	node(&t, 0, "0-3\n");
	node(&t, 1, "4-7\n");
	plan_on(&f, &t, "[a]\nnuma_cpu_nodes=1\n" NULL_JOB);
	chose(&f, "4", "", "0-3,5-7", W("4"));
	done(&f, &t);
}

static void workers_beyond_the_cpus_share_and_it_is_said(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-2\n", "\n", NULL);
	plan_on(&f, &t, "[a]\nnumjobs=3\n" NULL_JOB);
	chose(&f, "1-2", "", "0", W("1", "2", "1"));
	assert_false(f.plan->jobs[0].own_cpus);
	assert_true(f.plan->jobs[1].own_cpus);
	must_warn(&f, "isolate-cpus");
	done(&f, &t);
}

static void waves_use_the_same_cpus(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	plan_on(&f, &t, "[a]\n" NULL_JOB "[b]\nstonewall\n" NULL_JOB);
	chose(&f, "1", "", "0,2-3", W("1", "1"));
	assert_true(f.plan->jobs[0].own_cpus && f.plan->jobs[1].own_cpus);
	done(&f, &t);
}

static void jobs_that_did_not_ask_keep_off(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	plan_on(&f, &t,
		"[a]\ncpus_allowed=2\n" NULL_JOB "[b]\nioengine=null\nsize=1m\ncpus_allowed=1-2\n"
		"[c]\nioengine=null\nsize=1m\ncpus_allowed=2\n");
	chose(&f, "2", "", "0-1,3", W("2", "1", "2"));
	assert_false(f.plan->jobs[1].isolate);
	/* c has no other place: it is in it, nobody has the CPU alone, and that is said. */
	assert_true(f.plan->jobs[2].isolate);
	assert_false(f.plan->jobs[0].own_cpus);
	must_warn(&f, "isolate-cpus");
	done(&f, &t);
}

static void a_polling_thread_of_the_kernel_gets_a_cpu_too(void **state)
{
	if (getenv("FATHOM_EMULATED")) {
		print_message("QEMU does not emulate AIO, io_uring and ioctls of block devices\n");
		skip();
	}
	struct tree t;
	struct fixture f;
	const struct engine_ops *ops = engine_find("io_uring");
	(void)state;
	if (!ops)
		skip();
	machine(&t, "0-5\n", "\n", NULL);
	file_make("f", MIB, true);
	plan_on(&f, &t,
		"[a]\nioengine=io_uring\nfilename=f\nrw=read\nsqthread_poll=1\nisolate=1\n");
	chose(&f, "1-2", "", "0,3-5", W("1-2"));
	done(&f, &t);
}

static void simulated_jobs_are_not_isolated(void **state)
{
	struct tree t;
	struct fixture f;
	(void)state;
	machine(&t, "0-3\n", "\n", NULL);
	plan_on(&f, &t, "[a]\nioengine=sim\nsize=1m\nisolate=1\n");
	assert_null(f.plan->isolation);
	must_warn(&f, "unused");
	done(&f, &t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_the_option_nothing_is_planned),
		cmocka_unit_test(of_two_cpus_one_is_left),
		cmocka_unit_test(a_single_cpu_cannot_be_isolated),
		cmocka_unit_test(workers_sit_near_the_device_and_siblings_stay_idle),
		cmocka_unit_test(cores_come_before_siblings_and_the_node_before_others),
		cmocka_unit_test(an_isolated_cpu_of_the_node_is_taken_first),
		cmocka_unit_test(cpus_that_others_partitioned_off_are_not_there),
		cmocka_unit_test(slow_cores_come_last),
		cmocka_unit_test(numbers_may_have_gaps_and_cpus_be_offline),
		cmocka_unit_test(what_the_user_names_is_isolated_as_it_is),
		cmocka_unit_test(all_cpus_named_leaves_one_to_the_machine),
		cmocka_unit_test(a_node_named_is_chosen_from),
		cmocka_unit_test(workers_beyond_the_cpus_share_and_it_is_said),
		cmocka_unit_test(waves_use_the_same_cpus),
		cmocka_unit_test(jobs_that_did_not_ask_keep_off),
		cmocka_unit_test(a_polling_thread_of_the_kernel_gets_a_cpu_too),
		cmocka_unit_test(simulated_jobs_are_not_isolated),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
