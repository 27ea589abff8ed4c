/* The watcher on a machine that is a folder: each cause is seen, and nothing else with it. */
#include "../host/tree.h"
#include "rig.h"
#include "run/disks.h"
#include "run/watch.h"

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

static void scene(struct scene *s)
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
	s->r = rig_new(1);
	s->r->jobs[0].engine = &engine;
	s->r->jobs[0].files = &s->file;
	s->r->jobs[0].files_n = 1;
	s->r->opts[0].direct = true;
	s->r->crew.host = s->t.host;
	s->r->crew.disks = &s->disks;
	s->disks = (struct disks){.crew = &s->r->crew, .n = 1, .of_target = s->of_target};
	memcpy(s->disks.v[0].dev.name, "nvme0n1", 8);
	memcpy(s->disks.v[0].dev.disk, "nvme0n1", 8);
	s->r->workers[0]->tid = 7;
	s->w = watch_new(&s->r->crew);
	assert_non_null(s->w);
	rig_go(s->r->workers[0], 0);
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
		{little_memory, DISTURB_MEMORY},  {hot_drive, DISTURB_HEAT},
		{hot_cpu, DISTURB_HEAT},	  {elsewhere, DISTURB_REMOTE},
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
			assert_int_equal(watch_of(s.w, 0)->kind[DISTURB_HEAT].first, 10);
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
	s.w = watch_new(&s.r->crew);
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

MAIN(cmocka_unit_test(each_cause_is_seen_alone),
     cmocka_unit_test(a_far_worker_leaves_its_nodes_behind),
     cmocka_unit_test(without_a_node_nothing_is_remote),
     cmocka_unit_test(frequencies_and_temperatures_are_kept))
