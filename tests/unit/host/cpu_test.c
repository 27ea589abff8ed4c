#include "tree.h"

#include "host/cpu.h"
#include <sched.h>

static struct opt_cpus parse(struct arena *a, const char *text)
{
	struct opt_cpus l = {0};
	assert_int_equal(cpu_list_parse(text, a, &l), 0);
	return l;
}

static void lists_are_read_and_printed(void **state)
{
	static const char *const pairs[][2] = {
		{"", ""},	  {"0\n", "0"},		  {"0-3", "0-3"},
		{"3,1,2", "1-3"}, {"0-8:2", "0,2,4,6,8"}, {" 0-1, 64-65 ,1000\n", "0-1,64-65,1000"},
		{"5,5,5", "5"},	  {"65535", "65535"},	  {"0-3,2-6", "0-6"},
	};
	struct arena a;
	char buf[64];
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct opt_cpus l = parse(&a, pairs[i][0]);
		cpu_list_print(&l, buf, sizeof(buf));
		assert_string_equal(buf, pairs[i][1]);
	}
	arena_release(&a);
}

static void bad_lists_are_refused(void **state)
{
	static const char *const bad[] = {"x",	"1,",	 ",1",	"3-1", "1--2", "1-",
					  "-1", "0-4:0", "1 2", "1;2", "0x1"};
	struct arena a;
	struct opt_cpus l = {.n = 99};
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cpu_list_parse(bad[i], &a, &l), -EINVAL);
	assert_int_equal(cpu_list_parse("65536", &a, &l), -ERANGE);
	assert_int_equal(cpu_list_parse("99999999999999999999", &a, &l), -ERANGE);
	assert_int_equal(l.n, 99);
	arena_release(&a);
}

static void intersection(void **state)
{
	struct arena a;
	char buf[64];
	arena_init(&a, 0);
	struct opt_cpus x = parse(&a, "0-3,70-80"), y = parse(&a, "2-75"), none = parse(&a, ""),
			both;
	assert_int_equal(cpu_list_both(&x, &y, &a, &both), 0);
	cpu_list_print(&both, buf, sizeof(buf));
	assert_string_equal(buf, "2-3,70-75");
	assert_true(cpu_list_has(&both, 70));
	assert_false(cpu_list_has(&both, 69));
	assert_int_equal(cpu_list_both(&x, &none, &a, &both), 0);
	assert_int_equal(both.n, 0);
	cpu_list_print(&both, buf, sizeof(buf));
	assert_string_equal(buf, "");
	arena_release(&a);
}

static void machine_with_gaps_and_many_cpus(void **state)
{
	struct tree t;
	struct arena a;
	struct opt_cpus l;
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
	cpu_list_print(&l, buf, sizeof(buf));
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
	struct opt_cpus allowed, online, both;
	cpu_set_t one;
	arena_init(&a, 0);
	assert_int_equal(cpu_allowed(&a, &allowed), 0);
	assert_true(allowed.n >= 1);
	assert_int_equal(cpu_online(&here, &a, &online), 0);
	assert_int_equal(cpu_list_both(&allowed, &online, &a, &both), 0);
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

MAIN(cmocka_unit_test(lists_are_read_and_printed), cmocka_unit_test(bad_lists_are_refused),
     cmocka_unit_test(intersection), cmocka_unit_test(machine_with_gaps_and_many_cpus),
     cmocka_unit_test(inherited_mask_is_told))
