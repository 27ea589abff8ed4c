/* The small facts of the machine that the doctor asks for. */
#include "tree.h"

#include "host/busy.h"
#include "host/cgroup.h"
#include "host/governor.h"
#include "host/idle.h"
#include "host/irq.h"
#include "host/isolation.h"
#include "host/memory.h"
#include "host/nvme.h"
#include "host/pcidev.h"
#include "host/queue.h"
#include "host/smt.h"
#include "host/virt.h"

#define CPU0 "/sys/devices/system/cpu/cpu0/"

static void nothing_is_known_of_an_empty_tree(void **state)
{
	struct tree t;
	struct arena a;
	struct governor g;
	struct idle d;
	struct isolation i;
	struct cpuset fast, slow, l;
	struct memory m;
	struct virt v;
	struct mitigations mi;
	struct cgroup cg;
	struct cgroup_io io;
	struct irq_vectors irqs;
	struct pci_link link;
	struct temperature temp;
	struct busy_look *look;
	char text[32];
	double some, full;
	tree_init(&t);
	arena_init(&a, 0);
	assert_int_equal(governor_of_cpu(&t.host, 0, &g), -ENOENT);
	assert_int_equal(governor_turbo(&t.host), -1);
	assert_int_equal(idle_of_cpu(&t.host, 0, &d), -ENOENT);
	assert_int_equal(isolation_read(&t.host, &a, &i), 0);
	assert_false(i.isolated_known || i.tickless_known);
	assert_int_equal(isolation_boot_word(&t.host, "quiet", text, sizeof(text)), -ENOENT);
	assert_int_equal(smt_siblings(&t.host, 0, &a, &l), -ENOENT);
	assert_true(smt_kinds(&t.host, &a, &fast, &slow) < 0);
	memory_read(&t.host, &m);
	assert_true(m.total == 0 && m.balancing == -1 && !m.huge[0]);
	assert_int_equal(memory_pressure(&t.host, "io", &some, &full), -ENOENT);
	virt_read(&t.host, &v);
	assert_int_equal(v.guest, -1);
	assert_int_equal(mitigations_read(&t.host, &mi), -ENOENT);
	assert_int_equal(clocksource_read(&t.host, text, sizeof(text)), -ENOENT);
	assert_int_equal(cgroup_read(&t.host, &a, &cg), -ENOENT);
	assert_int_equal(cgroup_io_limits(&t.host, 8, 0, &io), -ENOENT);
	assert_true(irq_of_disk(&t.host, "sda", &a, &irqs) < 0);
	assert_int_equal(irq_balancer(&t.host), -1);
	assert_int_equal(pcidev_link(&t.host, "sda", &link), -ENOENT);
	assert_int_equal(pcidev_temperature(&t.host, "sda", &temp), -ENOENT);
	assert_true(busy_start(&t.host, &a, &look) < 0);
	arena_release(&a);
	tree_release(&t);
}

static void deepest_enabled_state_counts(void **state)
{
	struct tree t;
	struct idle d;
	tree_init(&t);
	tree_put(&t, CPU0 "cpuidle/state0/latency", "0\n");
	tree_put(&t, CPU0 "cpuidle/state1/latency", "133\n");
	tree_put(&t, CPU0 "cpuidle/state1/name", "C6\n");
	tree_put(&t, CPU0 "cpuidle/state2/latency", "890\n");
	tree_put(&t, CPU0 "cpuidle/state2/disable", "1\n");
	assert_int_equal(idle_of_cpu(&t.host, 0, &d), 0);
	assert_int_equal(d.states, 3);
	assert_int_equal(d.off, 1);
	assert_int_equal(d.latency_us, 133);
	assert_string_equal(d.deepest, "C6");
	tree_release(&t);
}

static void tightest_group_above_counts(void **state)
{
	struct tree t;
	struct arena a;
	struct cgroup g;
	struct cgroup_io io;
	tree_init(&t);
	arena_init(&a, 0);
	tree_put(&t, "/proc/self/cgroup", "0::/a/b\n");
	tree_put(&t, "/sys/fs/cgroup/cgroup.controllers", "cpu io\n");
	tree_put(&t, "/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
	tree_put(&t, "/sys/fs/cgroup/a/b/cpu.max", "200000 100000\n");
	tree_put(&t, "/sys/fs/cgroup/a/io.max", "8:0 rbps=max wbps=max riops=100 wiops=max\n");
	tree_put(&t, "/sys/fs/cgroup/a/b/io.max", "8:0 rbps=5000 wbps=max riops=200 wiops=max\n");
	assert_int_equal(cgroup_read(&t.host, &a, &g), 0);
	assert_true(g.cpus > 0.49 && g.cpus < 0.51);
	assert_int_equal(cgroup_io_limits(&t.host, 8, 0, &io), 0);
	assert_int_equal(io.bytes[0], 5000);
	assert_int_equal(io.ios[0], 100);
	assert_int_equal(io.ios[1], 0);
	assert_int_equal(cgroup_io_limits(&t.host, 8, 16, &io), 0);
	assert_int_equal(io.ios[0], 0);
	arena_release(&a);
	tree_release(&t);
}

static void first_groups_have_a_hierarchy_each(void **state)
{
	struct tree t;
	struct arena a;
	struct cgroup g;
	struct cgroup_io io;
	tree_init(&t);
	arena_init(&a, 0);
	tree_put(&t, "/proc/self/cgroup", "4:blkio:/x\n3:cpu,cpuacct:/x\n1:name=systemd:/\n");
	tree_put(&t, "/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "150000\n");
	tree_put(&t, "/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
	tree_put(&t, "/sys/fs/cgroup/blkio/x/blkio.throttle.write_iops_device", "8:0 77\n");
	assert_int_equal(cgroup_read(&t.host, &a, &g), 0);
	assert_int_equal(g.version, 1);
	assert_true(g.cpus > 1.49 && g.cpus < 1.51);
	assert_int_equal(cgroup_io_limits(&t.host, 8, 0, &io), 0);
	assert_int_equal(io.ios[1], 77);
	arena_release(&a);
	tree_release(&t);
}

/* Two vectors of queues, one of the admin queue; the kernel spreads them since 4.8. */
static void vectors_of_queues_and_who_moves_them(void **state)
{
	struct tree t;
	struct arena a;
	struct irq_vectors v;
	struct kernel old, new;
	tree_init(&t);
	arena_init(&a, 0);
	tree_disk(&t, "pci0/nvme/nvme0", "nvme0n1", "259:0\n", 4096);
	tree_put(&t, "/proc/interrupts",
		 "     CPU0  CPU1\n 9: 1 2 PCI-MSI 8-edge nvme0q0\n"
		 " 31: 1 2 PCI-MSI 10-edge nvme0q2\n 30: 1 2 PCI-MSI 9-edge nvme0q1\n");
	tree_put(&t, "/proc/irq/30/smp_affinity_list", "0-1\n");
	tree_put(&t, "/proc/irq/30/effective_affinity_list", "1\n");
	tree_put(&t, "/proc/irq/31/smp_affinity_list", "0\n");
	assert_int_equal(irq_of_disk(&t.host, "nvme0n1", &a, &v), 0);
	assert_int_equal(v.n, 2);
	assert_int_equal(v.v[0].irq, 30);
	assert_string_equal(v.v[0].name, "nvme0q1");
	assert_int_equal(irq_where(&v.v[0])->n, 1);
	assert_int_equal(irq_where(&v.v[0])->cpu[0], 1);
	assert_int_equal(irq_where(&v.v[1])->cpu[0], 0);
	tree_put(&t, "/proc/sys/kernel/osrelease", "4.4.0-210");
	assert_int_equal(kernel_read(&t.host, &old), 0);
	tree_put(&t, "/proc/sys/kernel/osrelease", "5.4.0-42");
	assert_int_equal(kernel_read(&t.host, &new), 0);
	assert_int_equal(irq_managed(&t.host, "nvme0n1", &old, &v), 0);
	assert_int_equal(irq_managed(&t.host, "nvme0n1", &new, &v), 1);
	assert_int_equal(irq_managed(&t.host, "sda", &new, &v), -1);
	tree_put(&t, "/proc/sys/kernel/osrelease", "3.10.0-1160.el7.x86_64");
	assert_int_equal(kernel_read(&t.host, &old), 0);
	assert_int_equal(irq_managed(&t.host, "nvme0n1", &old, &v), -1);
	arena_release(&a);
	tree_release(&t);
}

#define PID7(user)                                                                                 \
	"7 (a (b) c) R 1 1 1 0 -1 0 0 0 0 0 " user                                                 \
	" 0 9 9 20 0 1 0 500 0 0 0 0 0 0 0 0 0 0 0 0 0 "                                           \
	"0 0 17 3 0 0\n"

static void work_between_two_looks_is_named(void **state)
{
	struct tree t;
	struct arena a;
	struct busy_look *look;
	struct busy b;
	tree_init(&t);
	arena_init(&a, 0);
	tree_put(&t, "/proc/stat", "cpu  0 0 0 100 0 0 0 0\ncpu3 0 0 0 100 0 0 0 0\n");
	tree_put(&t, "/proc/7/stat", PID7("10"));
	tree_put(&t, "/proc/7/task/7/io", "rchar: 1\nread_bytes: 4096\nwrite_bytes: 0\n");
	assert_int_equal(busy_start(&t.host, &a, &look), 0);
	tree_put(&t, "/proc/stat", "cpu  50 0 0 140 0 0 0 10\ncpu3 50 0 0 140 0 0 0 10\n");
	tree_put(&t, "/proc/7/stat", PID7("60"));
	tree_put(&t, "/proc/7/task/7/io", "rchar: 1\nread_bytes: 8192\nwrite_bytes: 10\n");
	assert_int_equal(busy_end(&t.host, &a, look, 1000000000, &b), 0);
	assert_int_equal(b.tasks, 1);
	assert_string_equal(b.task[0].name, "a (b) c");
	assert_int_equal(b.task[0].cpu, 3);
	assert_int_equal(b.task[0].io_bytes, 4106);
	assert_int_equal(b.task[0].cpu_ns, 50 * (1000000000 / sysconf(_SC_CLK_TCK)));
	assert_int_equal(b.cpus, 1);
	assert_true(b.cpu[0].busy > 49 && b.cpu[0].busy < 51);
	assert_true(b.steal > 9 && b.steal < 11);
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(nothing_is_known_of_an_empty_tree),
     cmocka_unit_test(deepest_enabled_state_counts), cmocka_unit_test(tightest_group_above_counts),
     cmocka_unit_test(first_groups_have_a_hierarchy_each),
     cmocka_unit_test(vectors_of_queues_and_who_moves_them),
     cmocka_unit_test(work_between_two_looks_is_named))
