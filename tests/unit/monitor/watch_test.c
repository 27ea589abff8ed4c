/* The watcher on a machine that is a folder: each cause is seen, and nothing else with it. */
#include "../host/tree.h"
#include "../worker/rig.h"
#include "monitor/disks.h"
#include "monitor/watch.h"

#define S UINT64_C(1000000000)

static const struct engine_ops engine = {.name = "io_uring"};

struct scene {
	struct tree t;
	struct rig *r;
	struct disks disks;
	unsigned of_target[1];
	struct plan_file file;
	struct watch *w;
};

/* The one worker, thread 7: ns run and waited, times preempted, the CPU it was on. */
static void thread(struct scene *s, uint64_t run, uint64_t wait, unsigned preempted, unsigned cpu)
{
	char text[300];

	snprintf(text, sizeof(text), "%llu %llu 5\n", (unsigned long long)run,
		 (unsigned long long)wait);
	tree_put(&s->t, "/proc/self/task/7/schedstat", text);
	snprintf(text, sizeof(text), "Name:\tj\nnonvoluntary_ctxt_switches:\t%u\n", preempted);
	tree_put(&s->t, "/proc/self/task/7/status", text);
	snprintf(text, sizeof(text),
		 "7 (a job) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 17 %u 0 0\n",
		 cpu);
	tree_put(&s->t, "/proc/self/task/7/stat", text);
}

static void disk(struct scene *s, unsigned long reads, unsigned long sectors)
{
	char text[200];

	snprintf(text, sizeof(text), "%lu 0 %lu 0 0 0 0 0 0 0 0\n", reads, sectors);
	tree_put(&s->t, "/sys/devices/pci0/nvme/nvme0/block/nvme0n1/stat", text);
}

static void scene_of(struct scene *s, unsigned workers)
{
	memset(s, 0, sizeof(*s));
	tree_init(&s->t);
	tree_put(&s->t, "/sys/devices/system/node/online", "0-1\n");
	tree_put(&s->t, "/sys/devices/system/node/node0/cpulist", "0-3\n");
	tree_put(&s->t, "/sys/devices/system/node/node1/cpulist", "4-7\n");
	tree_put(&s->t, "/sys/devices/system/node/node0/cpu2/online", "1\n");
	tree_put(&s->t, "/sys/devices/system/node/node1/cpu5/online", "1\n");
	tree_disk(&s->t, "pci0/nvme/nvme0", "nvme0n1", "259:0\n", 4096);
	tree_link(&s->t, "/sys/devices/pci0/nvme/nvme0/block/nvme0n1/device", "../../../nvme0");
	tree_put(&s->t, "/sys/devices/pci0/nvme/nvme0/numa_node", "0\n");
	tree_put(&s->t, "/proc/stat", "cpu  1 0 0 0 0 0 0 0 0 0\ncpu2 1 0 0 0 0 0 0 0 0 0\n");
	disk(s, 0, 0);
	thread(s, 0, 0, 0, 2);
	s->r = rig_new(workers);
	for (unsigned i = 0; i < workers; i++) {
		s->r->jobs[i].engine = &engine;
		s->r->jobs[i].caps = ENGINE_IO_URING;
		s->r->jobs[i].files = &s->file;
		s->r->jobs[i].files_n = 1;
		s->r->opts[i].direct = true;
		s->r->workers[i]->thread.tid = 7;
	}
	s->r->env.host = s->t.host;
	s->disks = (struct disks){.env = &s->r->env, .n = 1, .of_target = s->of_target};
	memcpy(s->disks.v[0].dev.name, "nvme0n1", 8);
	memcpy(s->disks.v[0].dev.disk, "nvme0n1", 8);
	s->w = watch_new(&s->r->env, &s->disks);
	assert_non_null(s->w);
	for (unsigned i = 0; i < workers; i++)
		rig_go(s->r->workers[i], 0);
}

static void scene(struct scene *s)
{
	scene_of(s, 1);
}

static void scene_end(struct scene *s)
{
	watch_free(s->w);
	rig_free(s->r);
	tree_release(&s->t);
}

/* Which kinds went above their threshold in exactly second 2 (bit k), after two quiet ones. */
static unsigned seen(struct scene *s)
{
	unsigned kinds = 0;

	for (unsigned k = 0; k < DISTURBS; k++)
		kinds |= watch_of(s->w, 0)->kind[k].bits[0] == 1u << 2 ? 1u << k : 0;
	return kinds;
}

#define CPU "/sys/devices/system/cpu/cpu2/"
static void wait_for_cpu(struct scene *s)
{
	thread(s, 0, 50 * MS, 0, 2);
}
static void preempt(struct scene *s)
{
	thread(s, 0, 0, 500, 2);
}
static void steal(struct scene *s)
{
	tree_put(&s->t, "/proc/stat", "cpu  1 0 0 0 0 0 0 9 0 0\ncpu2 1 0 0 0 0 0 0 9 0 0\n");
}
static void interrupts(struct scene *s)
{
	tree_put(&s->t, "/proc/stat", "cpu  1 0 0 0 0 40 9 0 0 0\ncpu2 1 0 0 0 0 40 9 0 0 0\n");
}
static void other_io(struct scene *s)
{
	disk(s, 100, 100 * 2048);
}
static void slow_clock(struct scene *s)
{
	tree_put(&s->t, CPU "cpufreq/scaling_cur_freq", "1200000\n");
}
static void little_memory(struct scene *s)
{
	tree_put(&s->t, "/proc/pressure/memory", "some avg10=0 avg60=0 avg300=0 total=100000\n");
}
static void hot_drive(struct scene *s)
{
	tree_put(&s->t, "/sys/devices/pci0/nvme/nvme0/hwmon/hwmon1/temp1_input", "81000\n");
	tree_put(&s->t, "/sys/devices/pci0/nvme/nvme0/hwmon/hwmon1/temp1_max", "80000\n");
}
static void hot_cpu(struct scene *s)
{
	tree_put(&s->t, CPU "thermal_throttle/core_throttle_count", "4\n");
}
static void elsewhere(struct scene *s)
{
	thread(s, 0, 0, 0, 5);
}

static void each_cause_is_seen_alone(void **state)
{
	static const struct {
		void (*cause)(struct scene *s);
		enum disturbance kind;
	} rows[] = {
		{wait_for_cpu, DISTURB_CPU_WAIT}, {preempt, DISTURB_PREEMPT},
		{steal, DISTURB_STEAL},		  {interrupts, DISTURB_IRQ},
		{other_io, DISTURB_OTHER_IO},	  {slow_clock, DISTURB_FREQUENCY},
		{little_memory, DISTURB_MEMORY},  {hot_drive, DISTURB_TEMPERATURE},
		{hot_cpu, DISTURB_TEMPERATURE},	  {elsewhere, DISTURB_REMOTE},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene(&s);
		tree_put(&s.t, CPU "cpufreq/scaling_cur_freq", "3000000\n");
		tree_put(&s.t, CPU "thermal_throttle/core_throttle_count", "3\n");
		watch_tick(s.w, 1 * S);
		watch_tick(s.w, 2 * S);
		for (unsigned k = 0; k < DISTURBS; k++)
			assert_int_equal(watch_of(s.w, 0)->kind[k].seconds, 0);
		rows[i].cause(&s);
		/* Temperatures are asked for every ten seconds; the run's clock jumps there. */
		watch_tick(s.w, rows[i].cause == hot_drive ? 11 * S : 3 * S);
		if (rows[i].cause == hot_drive)
			assert_int_equal(watch_of(s.w, 0)->kind[DISTURB_TEMPERATURE].first, 10);
		else
			assert_int_equal(seen(&s), 1u << rows[i].kind);
		assert_int_equal(watch_of(s.w, 0)->disturbed, rows[i].kind != DISTURB_REMOTE);
		scene_end(&s);
	}
}

static void a_far_worker_leaves_its_nodes_behind(void **state)
{
	struct scene s;

	(void)state;
	scene(&s);
	watch_tick(s.w, 1 * S);
	assert_false(watch_of(s.w, 0)->nodes.known);
	elsewhere(&s);
	watch_tick(s.w, 2 * S);
	const struct watched_nodes *n = &watch_of(s.w, 0)->nodes;
	assert_true(n->known);
	assert_int_equal(n->device, 0);
	assert_int_equal(n->cpu, 1);
	assert_int_equal(n->memory, -1);
	assert_string_equal(n->disk, "nvme0n1");
	scene_end(&s);
}

/* A device that does not tell its node: nothing is said of it. */
static void without_a_node_nothing_is_remote(void **state)
{
	struct scene s;

	(void)state;
	scene(&s);
	watch_free(s.w);
	tree_put(&s.t, "/sys/devices/pci0/nvme/nvme0/numa_node", "-1\n");
	s.w = watch_new(&s.r->env, &s.disks);
	elsewhere(&s);
	watch_tick(s.w, 1 * S);
	assert_int_equal(watch_of(s.w, 0)->kind[DISTURB_REMOTE].seconds, 0);
	assert_false(watch_of(s.w, 0)->nodes.known);
	scene_end(&s);
}

static void frequencies_and_temperatures_are_kept(void **state)
{
	struct scene s;

	(void)state;
	scene(&s);
	tree_put(&s.t, CPU "cpufreq/scaling_cur_freq", "3000000\n");
	hot_drive(&s);
	watch_tick(s.w, 1 * S);
	slow_clock(&s);
	watch_tick(s.w, 2 * S);
	const struct watched *o = watch_of(s.w, 0);
	assert_int_equal(o->khz.n, 2);
	assert_int_equal(o->khz.min, 1200000);
	assert_int_equal(o->khz.max, 3000000);
	assert_int_equal(o->heat.milli_c.max, 81000);
	assert_int_equal(o->heat.limit_milli_c, 80000);
	assert_string_equal(o->heat.disk, "nvme0n1");
	scene_end(&s);
}

/* A task of one thread: ticks of 10 ms used, where, born when. */
static void task(struct scene *s, unsigned pid, const char *name, unsigned ticks, unsigned cpu,
		 unsigned born)
{
	char path[40], text[300];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	snprintf(text, sizeof(text),
		 "%u (%s) S 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 1 0 %u 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 17 %u 0 0\n",
		 pid, name, ticks, born, cpu);
	tree_put(&s->t, path, text);
}

/* Two workers on one CPU, each waits while the other runs; an idle task had a tick. Then a third
 * party comes that takes a real part. */
static void workers_that_are_too_many_are_the_reason(void **state)
{
	static unsigned two[] = {2};
	struct scene s;

	(void)state;
	scene_of(&s, 2);
	for (unsigned i = 0; i < 2; i++)
		s.r->jobs[i].cpus = (struct cpuset){two, 1};
	task(&s, 55, "kdamond.0", 5, 2, 9);
	task(&s, 56, "hog", 5, 2, 9);
	watch_tick(s.w, 1 * S);
	task(&s, 55, "kdamond.0", 6, 2, 9);
	thread(&s, 0, 500 * MS, 0, 2);
	watch_tick(s.w, 2 * S);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(watch_of(s.w, i)->who, "");
		assert_int_equal(watch_of(s.w, i)->competition.workers, 2);
		assert_int_equal(watch_of(s.w, i)->competition.cpus, 1);
	}
	task(&s, 56, "hog", 5 + 30, 2, 9);
	thread(&s, 0, 1100 * MS, 0, 2);
	watch_tick(s.w, 3 * S);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(watch_of(s.w, i)->who, "hog (56)");
		assert_int_equal(watch_of(s.w, i)->who_ns, 300 * MS);
	}
	scene_end(&s);
}

static void only_tasks_on_the_worker_s_cpu_are_named(void **state)
{
	static unsigned two[] = {2};
	struct scene s;

	(void)state;
	scene(&s);
	s.r->jobs[0].cpus = (struct cpuset){two, 1};
	task(&s, 55, "elsewhere", 5, 3, 9);
	task(&s, 56, "here", 5, 2, 9);
	watch_tick(s.w, 1 * S);
	task(&s, 55, "elsewhere", 5 + 90, 3, 9);
	task(&s, 56, "here", 5 + 10, 2, 9);
	thread(&s, 0, 100 * MS, 0, 2);
	watch_tick(s.w, 2 * S);
	assert_string_equal(watch_of(s.w, 0)->who, "here (56)");
	assert_int_equal(watch_of(s.w, 0)->competition.workers, 0);
	scene_end(&s);
}

/* A number that was given again belongs to a task that began at nothing. */
static void a_new_task_with_an_old_number_is_new(void **state)
{
	static unsigned two[] = {2};
	struct scene s;

	(void)state;
	scene(&s);
	s.r->jobs[0].cpus = (struct cpuset){two, 1};
	task(&s, 55, "old\x1b", 500, 2, 9);
	watch_tick(s.w, 1 * S);
	task(&s, 55, "new\x1b", 20, 2, 99);
	thread(&s, 0, 100 * MS, 0, 2);
	watch_tick(s.w, 2 * S);
	assert_string_equal(watch_of(s.w, 0)->who, "new? (55)");
	assert_int_equal(watch_of(s.w, 0)->who_ns, 200 * MS);
	scene_end(&s);
}

/* Counters that could not be read for once are no disturbance when they are there again. */
static void counters_never_go_backwards(void **state)
{
	struct scene s;

	(void)state;
	scene(&s);
	thread(&s, 0, 0, 500, 2);
	watch_tick(s.w, 1 * S);
	tree_put(&s.t, "/proc/self/task/7/status", "Name:\tj\n");
	watch_tick(s.w, 2 * S);
	assert_int_equal(watch_of(s.w, 0)->kind[DISTURB_PREEMPT].last, 0);
	scene_end(&s);
}

static void end_worker(struct scene *s, uint64_t wait)
{
	struct seconds *e = &s->r->workers[0]->seconds;

	e->at_end = (struct thread_times){.wait_ns = wait, .cpu = 2};
	e->ended = true;
	worker_set_state(s->r->workers[0], WORKER_DONE);
}

/* The last part of a run is judged by what the worker had counted at its end. */
static void the_end_of_a_run_is_judged_too(void **state)
{
	static const struct {
		uint64_t tick, end, wait, second;
		bool judged;
	} rows[] = {
		/* ended with the second, before the tick came; in the middle; too early */
		{1002 * MS, 2000 * MS, 50 * MS, 1, true},
		{1002 * MS, 1700 * MS, 50 * MS, 1, true},
		{1002 * MS, 1700 * MS, 0, 1, true},
		{1002 * MS, 1400 * MS, 50 * MS, 1, false},
		{2002 * MS, 2003 * MS, 50 * MS, 2, false},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		scene(&s);
		watch_tick(s.w, rows[i].tick);
		const struct watched *o = watch_of(s.w, 0);
		uint64_t seconds = o->seconds;
		end_worker(&s, rows[i].wait);
		watch_end(s.w, rows[i].end);
		assert_int_equal(o->seconds - seconds, rows[i].judged);
		bool bad = rows[i].judged && rows[i].wait;
		assert_int_equal(o->disturbed, bad);
		if (rows[i].judged)
			assert_int_equal(
				atomic_load(&s.r->workers[0]->seconds.flags[1]),
				SECOND_FLAG(rows[i].second, bad ? SECOND_DISTURBED : SECOND_QUIET));
		if (rows[i].judged) /* once */
			watch_end(s.w, rows[i].end + S);
		assert_int_equal(o->seconds - seconds, rows[i].judged);
		scene_end(&s);
	}
}

/* Ours, theirs, and what is on its way and not counted yet. */
static void foreign_bytes_are_weighed_against_ours(void **state)
{
	struct scene s;

	(void)state;
	scene(&s);
	rig_moved(s.r->workers[0], DIR_READ, 100 << 20, 0);
	disk(&s, 25600 + 30, (104ul << 20) / 512);
	watch_tick(s.w, 1 * S);
	const struct watched *o = watch_of(s.w, 0);
	assert_int_equal(o->kind[DISTURB_OTHER_IO].seconds, 0); /* 4 % */
	assert_int_equal(o->device.bytes, 104 << 20);
	assert_int_equal(o->device.foreign_bytes, 0);
	disk(&s, 25600 + 30 + 1000, (112ul << 20) / 512);
	watch_tick(s.w, 2 * S);
	assert_int_equal(o->kind[DISTURB_OTHER_IO].seconds, 1);
	assert_int_equal(o->kind[DISTURB_OTHER_IO].amount, 1000);
	assert_int_equal(o->device.ios, 25600 + 30 + 1000);
	assert_int_equal(o->device.foreign_bytes, 8 << 20);
	/* Sixteen of 1 MiB that the device has done and the worker not seen yet. */
	s.r->jobs[0].most_len[0] = 1 << 20;
	s.r->workers[0]->in_flight = 16;
	disk(&s, 25600 + 30 + 1016, (128ul << 20) / 512);
	watch_tick(s.w, 3 * S);
	assert_int_equal(o->kind[DISTURB_OTHER_IO].seconds, 1);
	scene_end(&s);
}

MAIN(cmocka_unit_test(each_cause_is_seen_alone),
     cmocka_unit_test(workers_that_are_too_many_are_the_reason),
     cmocka_unit_test(only_tasks_on_the_worker_s_cpu_are_named),
     cmocka_unit_test(a_new_task_with_an_old_number_is_new),
     cmocka_unit_test(counters_never_go_backwards),
     cmocka_unit_test(the_end_of_a_run_is_judged_too),
     cmocka_unit_test(foreign_bytes_are_weighed_against_ours),
     cmocka_unit_test(a_far_worker_leaves_its_nodes_behind),
     cmocka_unit_test(without_a_node_nothing_is_remote),
     cmocka_unit_test(frequencies_and_temperatures_are_kept))
