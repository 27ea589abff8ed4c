/* Heat and nodes of the disks below a job, on machines that are files. */
#include "../host/tree.h"
#include "host/cpu.h"
#include "monitor/watch_device.h"
#include "host/times.h"

#define S UINT64_C(1000000000)

static struct cpuset cpus(struct arena *a, const char *text)
{
	struct cpuset l = {0};

	assert_int_equal(cpuset_parse(text, a, &l), 0);
	return l;
}

/* Two sockets, an NVMe drive with a partition on node 1. */
static void two_sockets(struct tree *t)
{
	tree_init(t);
	tree_put(t, "/sys/devices/system/node/online", "0-1\n");
	tree_put(t, "/sys/devices/system/node/node0/cpulist", "0-3\n");
	tree_put(t, "/sys/devices/system/node/node1/cpulist", "4-7\n");
	tree_disk(t, "pci0/nvme/nvme0", "nvme0n1", "259:0\n", 4096);
	tree_disk(t, "pci0/nvme/nvme0", "nvme0n1/nvme0n1p1", "259:1\n", 2048);
	tree_put(t, "/sys/devices/pci0/nvme/nvme0/block/nvme0n1/nvme0n1p1/partition", "1\n");
	tree_link(t, "/sys/devices/pci0/nvme/nvme0/block/nvme0n1/device", "../../../nvme0");
	tree_put(t, "/sys/devices/pci0/nvme/nvme0/numa_node", "1\n");
}

static void a_drive_has_a_node_and_cpus_near_it(void **state)
{
	struct tree t;
	struct arena a;
	struct watch_device d;

	arena_init(&a, 0);
	two_sockets(&t);
	struct cpuset allowed = cpus(&a, "2-5");
	watch_device_open(&t.host, "nvme0n1", &allowed, &d);
	assert_int_equal(d.node, 1);
	assert_int_equal(d.n, 1);
	assert_string_equal(d.near, "4-5");
	watch_device_open(&t.host, "nvme0n1p1", &allowed, &d);
	assert_int_equal(d.node, 1);
	assert_string_equal(d.disk[0], "nvme0n1");
	tree_put(&t, "/sys/devices/pci0/nvme/nvme0/numa_node", "-1\n");
	watch_device_open(&t.host, "nvme0n1", &allowed, &d);
	assert_int_equal(d.node, -1);
	tree_release(&t);
	arena_release(&a);
}

/* On one node nothing is remote, whatever the device says of itself. */
static void one_node_is_no_node(void **state)
{
	struct tree t;
	struct arena a;
	struct watch_device d;

	arena_init(&a, 0);
	two_sockets(&t);
	tree_put(&t, "/sys/devices/system/node/online", "0\n");
	struct cpuset allowed = cpus(&a, "0-7");
	watch_device_open(&t.host, "nvme0n1", &allowed, &d);
	assert_int_equal(d.node, -1);
	tree_release(&t);
	arena_release(&a);
}

/* Layers have no node of their own: that of the disks counts, unless they differ. */
static void disks_below_layers_decide(void **state)
{
	struct tree t;
	struct arena a;
	struct watch_device d;

	arena_init(&a, 0);
	two_sockets(&t);
	tree_disk(&t, "virtual", "md0", "9:0\n", 4096);
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/nvme0n1",
		  "../../../../pci0/nvme/nvme0/block/nvme0n1");
	struct cpuset allowed = cpus(&a, "0-7");
	watch_device_open(&t.host, "md0", &allowed, &d);
	assert_int_equal(d.node, 1);
	assert_string_equal(d.disk[0], "nvme0n1");
	tree_disk(&t, "pci1/nvme/nvme1", "nvme1n1", "259:2\n", 4096);
	tree_link(&t, "/sys/devices/pci1/nvme/nvme1/block/nvme1n1/device", "../../../nvme1");
	tree_put(&t, "/sys/devices/pci1/nvme/nvme1/numa_node", "0\n");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/nvme1n1",
		  "../../../../pci1/nvme/nvme1/block/nvme1n1");
	watch_device_open(&t.host, "md0", &allowed, &d);
	assert_int_equal(d.node, -1);
	assert_int_equal(d.n, 2);
	tree_release(&t);
	arena_release(&a);
}

#define SENSOR "/sys/devices/pci0/nvme/nvme0/hwmon3/"

static void heat_is_against_the_drives_own_limit(void **state)
{
	struct tree t;
	struct watch_device d;
	struct cpuset none = {0};

	two_sockets(&t);
	watch_device_open(&t.host, "nvme0n1", &none, &d);
	watch_device_look(&t.host, &d, 0);
	assert_int_equal(d.milli_c, 0);
	assert_false(watch_device_hot(&d));
	tree_put(&t, SENSOR "temp1_input", "75850\n");
	tree_put(&t, SENSOR "temp1_max", "80000\n");
	tree_put(&t, SENSOR "temp1_crit", "84850\n");
	/* It is asked every ten seconds only. */
	watch_device_look(&t.host, &d, 9 * S);
	assert_int_equal(d.milli_c, 0);
	watch_device_look(&t.host, &d, 10 * S);
	assert_int_equal(d.milli_c, 75850);
	assert_int_equal(d.limit_milli_c, 79850);
	assert_false(watch_device_hot(&d));
	tree_put(&t, SENSOR "temp1_input", "79850\n");
	watch_device_look(&t.host, &d, 20 * S);
	assert_true(watch_device_hot(&d));
	/* Drives without a limit are never too hot. */
	tree_put(&t, SENSOR "temp1_max", "65261850\n");
	tree_put(&t, SENSOR "temp1_crit", "0\n");
	watch_device_look(&t.host, &d, 30 * S);
	assert_int_equal(d.limit_milli_c, 0);
	assert_false(watch_device_hot(&d));
	tree_release(&t);
}

static void throttled_cpus_are_counted_with_their_package(void **state)
{
	struct tree t;
	uint64_t times = 0;

	tree_init(&t);
	assert_false(watch_throttled(&t.host, 2, &times));
	tree_put(&t, "/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "5\n");
	assert_true(watch_throttled(&t.host, 2, &times));
	assert_int_equal(times, 5);
	tree_put(&t, "/sys/devices/system/cpu/cpu2/thermal_throttle/package_throttle_count", "7\n");
	assert_true(watch_throttled(&t.host, 2, &times));
	assert_int_equal(times, 12);
	tree_release(&t);
}

/* The machine as a whole: what is not there counts nothing. */
static void pressure_is_read_where_it_is(void **state)
{
	struct tree t;
	struct machine_times a, b;

	tree_init(&t);
	machine_times(&t.host, &a);
	assert_int_equal(a.io_ns + a.memory_ns + a.steal_ns, 0);
	tree_put(&t, "/proc/stat", "cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
	tree_put(&t, "/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=70\n");
	tree_put(&t, "/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3\n");
	machine_times(&t.host, &b);
	struct machine_times diff = machine_since(&a, &b);
	assert_int_equal(diff.io_ns, 70000);
	assert_int_equal(diff.memory_ns, 3000);
	assert_true(diff.steal_ns > 0 && diff.irq_ns > 0);
	assert_int_equal(diff.cpus, 1);
	tree_release(&t);
}

MAIN(cmocka_unit_test(a_drive_has_a_node_and_cpus_near_it), cmocka_unit_test(one_node_is_no_node),
     cmocka_unit_test(disks_below_layers_decide),
     cmocka_unit_test(heat_is_against_the_drives_own_limit),
     cmocka_unit_test(throttled_cpus_are_counted_with_their_package),
     cmocka_unit_test(pressure_is_read_where_it_is))
