/* A partition is built and interrupts are moved as planned, refused with a reason where that cannot
 * be, and taken back to the byte wherever the process that did it ended. */
#include "snapshot.h"

#include "host/irqmove.h"
#include "host/partition.h"
#include "host/journal_undo.h"
#include <limits.h>
#include <sys/wait.h>

#define GROUP "/sys/fs/cgroup"

static void irq(struct tree *t, unsigned n, const char *allowed, const char *effective)
{
	char path[96];
	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list", n);
	tree_put(t, path, allowed);
	snprintf(path, sizeof(path), "/proc/irq/%u/effective_affinity_list", n);
	tree_put(t, path, effective);
}

/* A machine with four CPUs, this process in a session. */
static void fill(struct tree *t)
{
	unsetenv("FATHOM_STATE_DIR");
	tree_init(t);
	tree_put(t, GROUP "/cgroup.controllers", "cpuset cpu io memory\n");
	tree_put(t, GROUP "/cgroup.subtree_control", "cpu io\n");
	tree_put(t, GROUP "/cgroup.procs", "");
	tree_put(t, GROUP "/cgroup.threads", "");
	tree_put(t, GROUP "/user/session/cgroup.procs", "");
	tree_put(t, GROUP "/user/session/memory.max", "max\n");
	tree_put(t, GROUP "/user/cpu.max", "max 100000\n");
	tree_put(t, "/proc/self/cgroup", "0::/user/session\n");
	tree_put(t, "/proc/interrupts",
		 "      CPU0 CPU1 CPU2 CPU3\n 20: 1 2 3 4 eth0-rx\n 21: 0 0 0 0 nvme0q1\n"
		 " 22: 0 0 0 0 wide\n 23: 0 0 0 0 elsewhere\n 24: 0 0 0 0 old\n"
		 " 26: 0 0 0 0 soon\n");
	irq(t, 20, "2\n", "2\n");
	irq(t, 21, "3\n", "3\n");
	irq(t, 22, "0-3\n", "3\n");
	irq(t, 23, "0-3\n", "0\n");
	irq(t, 24, "1-2\n", "\n");
	irq(t, 25, "2-3\n", "2\n"); /* nobody handles it */
	irq(t, 26, "3\n", "0\n");   /* moves with the next one */
}

/* This process as the tree has it. */
static void be_there(struct tree *t)
{
	char path[64], text[256];
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)getpid());
	snprintf(text, sizeof(text), "%d (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 777 0 0\n",
		 (int)getpid());
	tree_put(t, path, text);
}

static const char *our_file(const char *file)
{
	static char path[128];
	snprintf(path, sizeof(path), GROUP "/fathom-%d%s%s", (int)getpid(), *file ? "/" : "", file);
	return path;
}

static char held[256];

static const char *text_of(struct tree *t, const char *path)
{
	if (host_read_text(&t->host, held, sizeof(held), "%s", path))
		snprintf(held, sizeof(held), "(none)");
	return held;
}

struct kernel {
	struct tree *t;
	unsigned left;	       /* steps until the process ends; UINT_MAX: it does not */
	bool deaf, partitions; /* it takes no partition; it has some */
};

/* A new group has its files; and the process ends, as by kill -9. */
static void kernel_step(void *ctx)
{
	struct kernel *k = ctx;
	if (k->left-- == 0)
		_exit(9);
	if (!host_exists(&k->t->host, "%s", our_file("")) ||
	    host_exists(&k->t->host, "%s", our_file("cgroup.type")))
		return;
	tree_put(k->t, our_file("cgroup.type"), "domain\n");
	tree_put(k->t, our_file("cgroup.threads"), "");
	tree_put(k->t, our_file("cpuset.cpus"), "\n");
	if (k->deaf)
		tree_link(k->t, our_file("cpuset.cpus.partition"), "/dev/null");
	else if (k->partitions)
		tree_put(k->t, our_file("cpuset.cpus.partition"), "member\n");
}

static struct journal *open_journal(struct kernel *k)
{
	struct journal *j;
	be_there(k->t);
	assert_int_equal(journal_open(&k->t->host, NULL, &j, NULL), 0);
	journal_on_step(j, kernel_step, k);
	return j;
}

static const unsigned own[] = {21};

static int do_all(struct kernel *k, struct journal *j, struct partition *p, struct irq_moved *m,
		  struct err *err)
{
	unsigned two[] = {2, 3}, rest[] = {0, 1};
	const struct cpuset cpus = {two, 2}, others = {rest, 2};
	struct err e = {0};
	int ret = partition_make(&k->t->host, j, &cpus, p, err);
	if (!ret && m)
		ret = irq_move_away(&k->t->host, j, &cpus, &others, own, 1, m, &e);
	return ret;
}

static void a_partition_is_built_and_taken_back(void **state)
{
	struct tree t;
	struct kernel k = {&t, UINT_MAX, false, true};
	struct partition p;
	struct journal_report r;
	struct err err = {0};
	(void)state;
	fill(&t);
	char *before = snapshot(t.root);
	struct journal *j = open_journal(&k);
	journal_report_init(&r);
	assert_int_equal(do_all(&k, j, &p, NULL, &err), 0);
	assert_string_equal(text_of(&t, GROUP "/cgroup.subtree_control"), "cpu io cpuset");
	assert_string_equal(text_of(&t, our_file("cgroup.type")), "threaded");
	assert_string_equal(text_of(&t, our_file("cpuset.cpus")), "2-3");
	assert_true(partition_holds(&p));
	assert_string_equal(p.from, "/user/session");
	assert_int_equal(atoi(text_of(&t, GROUP "/cgroup.procs")), getpid());
	assert_int_equal(partition_enter(&p, 4711), 0);
	assert_string_equal(text_of(&t, our_file("cgroup.threads")), "4711");
	partition_clear(&p);
	assert_string_equal(text_of(&t, GROUP "/cgroup.threads"), "4711");
	assert_int_equal(journal_undo(j, &r), 0);
	assert_int_equal(r.failed + r.foreign, 0);
	assert_int_equal(atoi(text_of(&t, GROUP "/user/session/cgroup.procs")), getpid());
	journal_close(j);
	char *after = snapshot(t.root);
	assert_string_equal(before, after);
	journal_report_release(&r);
	free(before);
	free(after);
	tree_release(&t);
}

static void must_refuse(struct kernel *k, const char *words, int want)
{
	struct partition p;
	struct err err = {0};
	char *before = snapshot(k->t->root);
	struct journal *j = open_journal(k);
	int ret = do_all(k, j, &p, NULL, &err);
	if (ret != want || !strstr(err.text, words))
		fail_msg("%d '%s' instead of %d '%s'", ret, err.text, want, words);
	assert_int_equal(journal_undo(j, NULL), 0);
	journal_close(j);
	char *after = snapshot(k->t->root);
	assert_string_equal(before, after);
	free(before);
	free(after);
	tree_release(k->t);
}

static void what_cannot_be_is_refused_and_leaves_no_trace(void **state)
{
	struct tree t;
	struct kernel k = {&t, UINT_MAX, false, true};
	char path[512];
	(void)state;
	fill(&t);
	remove(tree_path(&t, GROUP "/cgroup.controllers", path, sizeof(path)));
	must_refuse(&k, "no control groups of version 2", -ENOTSUP);
	fill(&t);
	remove(tree_path(&t, GROUP "/cgroup.controllers", path, sizeof(path)));
	tree_put(&t, GROUP "/cpuset/cpuset.cpus", "0-3\n");
	must_refuse(&k, "version 1", -ENOTSUP);
	fill(&t);
	tree_put(&t, GROUP "/cgroup.type", "domain\n");
	must_refuse(&k, "container", -ENOTSUP);
	fill(&t);
	tree_put(&t, GROUP "/cgroup.controllers", "cpu io memory\n");
	must_refuse(&k, "no cpuset controller", -ENOTSUP);
	fill(&t);
	tree_dir(&t, GROUP "/fathom-77");
	must_refuse(&k, "fathom-77", -EBUSY);
	fill(&t);
	tree_put(&t, GROUP "/user/cpu.max", "50000 100000\n");
	must_refuse(&k, "cpu.max", -ENOTSUP);
	fill(&t);
	tree_put(&t, GROUP "/user/session/memory.max", "1073741824\n");
	must_refuse(&k, "memory.max", -ENOTSUP);
	fill(&t);
	tree_put(&t, "/proc/self/cgroup", "3:cpu:/x\n");
	must_refuse(&k, "unknown", -ENOTSUP);
}

static void a_kernel_without_partitions_is_noticed(void **state)
{
	struct tree t;
	struct kernel k = {&t, UINT_MAX, false, false};
	(void)state;
	fill(&t);
	must_refuse(&k, "no cpuset partitions", -ENOTSUP);
	fill(&t);
	k.deaf = true;
	must_refuse(&k, "the partition of CPU 2-3 is ''", -EINVAL);
}

static void interrupts_go_to_what_is_left(void **state)
{
	struct tree t;
	struct kernel k = {&t, UINT_MAX, false, true};
	struct partition p;
	struct irq_moved m;
	struct err err = {0};
	(void)state;
	fill(&t);
	char *before = snapshot(t.root);
	struct journal *j = open_journal(&k);
	assert_int_equal(do_all(&k, j, &p, &m, &err), 0);
	assert_int_equal(m.moved, 4);
	assert_int_equal(m.kept, 1);
	assert_int_equal(m.fixed + m.failed, 0);
	assert_string_equal(text_of(&t, "/proc/irq/20/smp_affinity_list"), "0-1");
	assert_string_equal(text_of(&t, "/proc/irq/21/smp_affinity_list"), "3");
	assert_string_equal(text_of(&t, "/proc/irq/22/smp_affinity_list"), "0-1");
	assert_string_equal(text_of(&t, "/proc/irq/23/smp_affinity_list"), "0-3");
	assert_string_equal(text_of(&t, "/proc/irq/24/smp_affinity_list"), "1");
	assert_string_equal(text_of(&t, "/proc/irq/26/smp_affinity_list"), "0-1");
	assert_string_equal(text_of(&t, "/proc/irq/25/smp_affinity_list"), "2-3");
	assert_int_equal(journal_undo(j, NULL), 0);
	journal_close(j);
	char *after = snapshot(t.root);
	assert_string_equal(before, after);
	free(before);
	free(after);
	tree_release(&t);
}

/* In a process of its own, killed at a step; true when it came to its end. */
static bool lives(struct tree *t, unsigned steps)
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct kernel k = {t, steps, false, true};
		struct partition p;
		struct irq_moved m;
		struct err err = {0};
		struct journal *j = open_journal(&k);
		int ret = do_all(&k, j, &p, &m, &err);
		if (!ret)
			ret = journal_undo(j, NULL);
		_exit(ret ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9);
	return WEXITSTATUS(status) == 0;
}

static void killed_at_any_step_it_is_taken_back(void **state)
{
	struct tree t;
	bool end = false;
	unsigned n = 0;
	(void)state;
	fill(&t);
	char *before = snapshot(t.root);
	for (; !end; n++) {
		struct journal_report r;
		end = lives(&t, n);
		journal_report_init(&r);
		assert_int_equal(journal_recover(&t.host, &r), 0);
		assert_int_equal(r.failed + r.foreign, 0);
		journal_report_release(&r);
		char *after = snapshot(t.root);
		if (strcmp(before, after))
			fail_msg("killed at step %u:\n%s\ninstead of\n%s", n, after, before);
		free(after);
	}
	assert_true(n > 20);
	free(before);
	tree_release(&t);
}

MAIN(cmocka_unit_test(a_partition_is_built_and_taken_back),
     cmocka_unit_test(what_cannot_be_is_refused_and_leaves_no_trace),
     cmocka_unit_test(a_kernel_without_partitions_is_noticed),
     cmocka_unit_test(interrupts_go_to_what_is_left),
     cmocka_unit_test(killed_at_any_step_it_is_taken_back))
