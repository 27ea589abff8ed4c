#include "tree.h"

#include "host/cpu.h"
#include <sched.h>

static void machine_with_gaps_and_many_cpus(void **state)
{
	struct tree t;
	struct arena a;
	struct cpuset l;
	char path[64], buf[64];
	tree_init(&t);
	arena_init(&a, 0);
	tree_put(&t, "/sys/devices/system/cpu/online", "0-1,100-101\n");
	for (unsigned c = 0; c < 104; c += c == 1 ? 99 : 1) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", c);
		tree_put(&t, path, "1\n");
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpu%u/x", c >= 100,
			 c);
		tree_put(&t, path, "");
	}
	tree_put(&t, "/sys/devices/system/cpu/cpufreq/x", "");
	tree_put(&t, "/sys/devices/system/node/online", "0-1\n");
	tree_put(&t, "/sys/devices/system/node/node1/cpulist", "100-103\n");
	assert_int_equal(cpu_online(&t.host, &a, &l), 0);
	cpuset_print(&l, buf, sizeof(buf));
	assert_string_equal(buf, "0-1,100-101");
	assert_int_equal(cpu_configured(&t.host), 6);
	assert_int_equal(cpu_node(&t.host, 1), 0);
	assert_int_equal(cpu_node(&t.host, 100), 1);
	assert_int_equal(cpu_node(&t.host, 50), -1);
	assert_int_equal(cpu_nodes(&t.host), 2);
	assert_int_equal(cpu_of_node(&t.host, 1, &a, &l), 0);
	assert_int_equal(l.n, 4);
	assert_int_equal(cpu_of_node(&t.host, 2, &a, &l), -ENOENT);
	arena_release(&a);
	tree_release(&t);
}

static void inherited_mask_is_told(void **state)
{
	const struct host here = {""};
	struct arena a;
	struct cpuset allowed, online, both;
	cpu_set_t one;
	arena_init(&a, 0);
	assert_int_equal(cpu_allowed(&a, &allowed), 0);
	assert_true(allowed.n >= 1);
	assert_int_equal(cpu_online(&here, &a, &online), 0);
	assert_int_equal(cpuset_both(&allowed, &online, &a, &both), 0);
	assert_int_equal(both.n, allowed.n);
	assert_true(cpu_configured(&here) >= online.n);
	CPU_ZERO(&one);
	CPU_SET(allowed.cpu[allowed.n - 1], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(cpu_allowed(&a, &both), 0);
	assert_int_equal(both.n, 1);
	assert_int_equal(both.cpu[0], allowed.cpu[allowed.n - 1]);
	arena_release(&a);
}

MAIN(cmocka_unit_test(machine_with_gaps_and_many_cpus), cmocka_unit_test(inherited_mask_is_told))
