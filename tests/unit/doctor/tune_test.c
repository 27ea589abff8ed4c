/* What the doctor advises is done, and undone to the byte, on every recorded machine. */
#include "../host/snapshot.h"

#include "host/system_disks.h"
#include "doctor/tune.h"
#include "doctor/tune_modprobe.h"
#include "host/journal_undo.h"
#include <ftw.h>
#include <sys/wait.h>

static const char *top(void)
{
	const char *root = getenv("FATHOM_ROOT");
	return root ? root : ".";
}

static char state_folder[] = "/dev/shm/fathom-test-XXXXXX";

static void remove_state(void)
{
	rmdir(state_folder);
}

/* In memory, where thousands of flushes take no time; without it the tree has the journal. */
static void choose_state(void)
{
	static bool chosen;
	if (chosen)
		return;
	chosen = true;
	unsetenv("FATHOM_STATE_DIR");
	if (mkdtemp(state_folder)) {
		setenv("FATHOM_STATE_DIR", state_folder, 1);
		atexit(remove_state);
	}
}

/* Builds a recorded machine; skips where there is no Python. */
static void build(struct tree *t, const char *name)
{
	char command[512];
	choose_state();
	tree_init(t);
	snprintf(command, sizeof(command),
		 "python3 '%s/tests/trees/build' '%s/tests/trees/%s.tree' %s", top(), top(), name,
		 t->root);
	if (system(command) != 0) {
		tree_release(t);
		print_message("no Python to build %s\n", name);
		skip();
	}
}

static void make(struct tree *t, struct arena *a, const char *disk, struct tune_plan *out)
{
	struct doctor_input in = {.host = &t->host, .device = disk, .any_job = true};
	arena_init(a, 0);
	assert_int_equal(tune_make(&in, a, out), 0);
}

/* A recorded machine and what would be tuned for a disk of it. */
struct machine {
	struct tree t;
	struct arena a;
	struct tune_plan plan;
};

static void machine(struct machine *m, const char *name, const char *disk)
{
	build(&m->t, name);
	make(&m->t, &m->a, disk, &m->plan);
}

static void machine_end(struct machine *m)
{
	arena_release(&m->a);
	tree_release(&m->t);
}

static const struct tune_item *item(const struct tune_plan *t, const char *code)
{
	for (unsigned i = 0; i < t->items; i++)
		if (!strcmp(t->item[i].code, code))
			return &t->item[i];
	return NULL;
}

static bool remarked(const struct tune_plan *t, const char *code)
{
	for (unsigned i = 0; i < t->remarks; i++)
		if (!strcmp(t->remark[i].code, code))
			return true;
	return false;
}

static const char *const machines[] = {
	"arm-server",	 "centos-7",	      "cloud-virtio", "container",
	"crypt-md-nvme", "desktop-nvme",      "hybrid",	      "laptop-powersave",
	"sata-ncq",	 "two-socket-server", "ubuntu-18.04", "xeon-optane-5.4",
	"zoned",
};

/* One disk: applied, nothing is left to do but what stays; restored, all is as before. */
static unsigned there_and_back(struct tree *t, const char *disk)
{
	struct arena a, b;
	struct tune_plan plan, again;
	struct journal *j;
	struct journal_report r;
	make(t, &a, disk, &plan);
	char *before = snapshot(t->root);
	assert_int_equal(journal_open(&t->host, "tune", &j, NULL), 0);
	assert_int_equal(tune_apply(&plan, &t->host, j, &a), 0);
	make(t, &b, disk, &again);
	if (again.items)
		fail_msg("%s: %s is still to be done", disk, again.item[0].path);
	journal_report_init(&r);
	assert_int_equal(journal_undo(j, &r), 0);
	assert_int_equal(r.undone, plan.items);
	assert_int_equal(r.foreign + r.failed, 0);
	journal_close(j);
	char *after = snapshot(t->root);
	assert_string_equal(before, after);
	unsigned n = plan.items;
	journal_report_release(&r);
	free(before);
	free(after);
	arena_release(&a);
	arena_release(&b);
	return n;
}

static void every_machine_there_and_back(void **state)
{
	unsigned changes = 0, disks = 0;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		struct tree t;
		struct arena a;
		struct host_names all = {0};
		char path[512];
		snprintf(path, sizeof(path), "%s/tests/trees/%s.tree", top(), machines[i]);
		if (access(path, F_OK))
			continue;
		build(&t, machines[i]);
		arena_init(&a, 0);
		assert_int_equal(host_list_dir(&t.host, &a, &all, "/sys/class/block"), 0);
		for (unsigned k = 0; k < all.n; k++, disks++)
			changes += there_and_back(&t, all.v[k]);
		arena_release(&a);
		tree_release(&t);
	}
	assert_true(disks >= 13);
	assert_true(changes > 50);
}

static void die_at(void *ctx)
{
	unsigned *left = ctx;
	if ((*left)-- == 0)
		_exit(9);
}

/* A run that is killed at its n-th step: true when it came to its end. */
static bool lives(struct tree *t, const char *disk, unsigned steps)
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct journal *j;
		struct arena a;
		struct tune_plan plan;
		make(t, &a, disk, &plan);
		if (journal_open(&t->host, NULL, &j, NULL))
			_exit(1);
		journal_on_step(j, die_at, &steps);
		tune_apply(&plan, &t->host, j, &a);
		IGNORE_RESULT(journal_undo(j, NULL));
		journal_close(j);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) == 0;
}

static void killed_anywhere_is_given_back(void **state)
{
	struct tree t;
	bool end = false;
	unsigned n = 0;
	build(&t, "laptop-powersave");
	char *before = snapshot(t.root);
	for (; !end; n++) {
		struct journal_report r;
		end = lives(&t, "nvme0n1", n);
		journal_report_init(&r);
		assert_int_equal(journal_recover(&t.host, &r), 0);
		assert_int_equal(r.foreign + r.failed, 0);
		journal_report_release(&r);
		char *after = snapshot(t.root);
		if (strcmp(before, after))
			fail_msg("killed at step %u", n);
		free(after);
	}
	assert_true(n > 40);
	free(before);
	tree_release(&t);
}

static void only_the_node_of_the_device_is_changed(void **state)
{
	struct machine m;
	machine(&m, "xeon-optane-5.4", "nvme0n1");
	assert_int_equal(m.plan.items, 37);
	assert_string_equal(m.plan.item[36].code, "nomerges");
	for (unsigned i = 0; i < 36; i++) {
		unsigned cpu;
		assert_int_equal(
			sscanf(m.plan.item[i].path, "/sys/devices/system/cpu/cpu%u/", &cpu), 1);
		assert_true(cpu >= 18 && cpu <= 35);
		/* The driver refuses it the other way round. */
		assert_string_equal(m.plan.item[i].code, i < 18 ? "energy-preference" : "governor");
	}
	assert_true(m.plan.sleeps && remarked(&m.plan, "idle-states"));
	assert_true(remarked(&m.plan, "poll-inactive"));
	assert_int_equal(m.plan.modules, 1);
	assert_string_equal(m.plan.module[0].line, "options nvme poll_queues=4");
	machine_end(&m);
}

static void interrupts_that_can_move_are_moved(void **state)
{
	struct machine m;
	machine(&m, "centos-7", "nvme0n1");
	assert_string_equal(item(&m.plan, "interrupts")->path, "/proc/irq/31/smp_affinity_list");
	assert_string_equal(item(&m.plan, "interrupts")->want, "1");
	assert_string_equal(item(&m.plan, "rq-affinity")->want, "2");
	assert_true(remarked(&m.plan, "irqbalance"));
	machine_end(&m);
}

static void disk_of_the_root_is_left_alone(void **state)
{
	struct machine m;
	machine(&m, "centos-7", "sda1");
	assert_int_equal(m.plan.refusals, 1);
	assert_string_equal(m.plan.refusal[0].disk, "sda");
	assert_string_equal(m.plan.refusal[0].what, "holds the root file system");
	for (unsigned i = 0; i < m.plan.items; i++)
		assert_string_not_equal(m.plan.item[i].subject, "sda");
	machine_end(&m);
}

static void root_is_found_at_any_depth(void **state)
{
	static const struct {
		const char *mounts, *swaps, *root, *swap;
	} rows[] = {
		{"1 0 8:0 / / rw - ext4 /dev/sda rw\n", "", "sda", NULL},
		{"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n", "", "sda", NULL},
		{"1 0 253:0 / / rw - xfs /dev/mapper/vg-root rw\n", "", "sda", NULL},
		{"1 0 0:40 / / rw - btrfs /dev/sda1 rw\n", "", "sda", NULL},
		{"1 0 0:40 / / rw - tmpfs tmpfs rw\n", "", NULL, NULL},
		{"1 0 8:16 / /mnt rw - ext4 /dev/sdb rw\n", "", NULL, NULL},
		{"1 0 0:2 / / rw - rootfs none rw\n", "Filename Type\n/dev/sdb partition 1 0 -1\n",
		 NULL, "sdb"},
		{"1 0 0:2 / / rw - rootfs none rw\n2 1 8:16 / /data rw - ext4 /dev/sdb rw\n",
		 "Filename Type\n/data/swap file 1 0 -1\n", NULL, "sdb"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct tree t;
		struct arena a;
		struct system_disks v;
		tree_init(&t);
		arena_init(&a, 0);
		tree_disk(&t, "pci0/a", "sda", "8:0\n", 2000);
		tree_disk(&t, "pci0/a", "sda/sda1", "8:1\n", 1000);
		tree_put(&t, "/sys/devices/pci0/a/block/sda/sda1/partition", "1\n");
		tree_disk(&t, "pci0/b", "sdb", "8:16\n", 2000);
		tree_disk(&t, "virtual", "dm-0", "253:0\n", 1000);
		tree_put(&t, "/sys/devices/virtual/block/dm-0/dm/name", "vg-root\n");
		tree_dir(&t, "/sys/devices/virtual/block/dm-0/slaves");
		tree_link(&t, "/sys/devices/virtual/block/dm-0/slaves/sda1", "../../../../x");
		tree_put(&t, "/proc/self/mountinfo", rows[i].mounts);
		tree_put(&t, "/proc/swaps", rows[i].swaps);
		assert_int_equal(system_disks_read(&t.host, &a, &v), 0);
		assert_true(v.known);
		static const char *const disks[] = {"sda", "sdb"};
		for (unsigned k = 0; k < 2; k++) {
			const char *on = system_disks_use(&v, disks[k]);
			bool root = rows[i].root && !strcmp(rows[i].root, disks[k]);
			bool swap = rows[i].swap && !strcmp(rows[i].swap, disks[k]);
			if (root != (on && strstr(on, "root")) ||
			    swap != (on && strstr(on, "swap")))
				fail_msg("row %zu: %s: %s", i, disks[k], on ? on : "nothing");
		}
		arena_release(&a);
		tree_release(&t);
	}
}

static void disks_of_the_same_btrfs_are_the_roots(void **state)
{
	struct tree t;
	struct arena a;
	struct system_disks v;
	tree_init(&t);
	arena_init(&a, 0);
	tree_disk(&t, "pci0/a", "sda", "8:0\n", 2000);
	tree_disk(&t, "pci0/b", "sdb", "8:16\n", 2000);
	tree_put(&t, "/proc/self/mountinfo", "1 0 0:40 / / rw - btrfs /dev/sda rw\n");
	tree_put(&t, "/sys/fs/btrfs/0-1-2/devices/sda/x", "");
	tree_put(&t, "/sys/fs/btrfs/0-1-2/devices/sdb/x", "");
	assert_int_equal(system_disks_read(&t.host, &a, &v), 0);
	assert_non_null(system_disks_use(&v, "sdb"));
	arena_release(&a);
	tree_release(&t);
}

static void without_a_mount_table_nothing_is_touched(void **state)
{
	struct tree t;
	struct arena a;
	struct tune_plan plan;
	tree_init(&t);
	tree_disk(&t, "pci0/a", "sda", "8:0\n", 2000);
	tree_put(&t, "/sys/devices/pci0/a/block/sda/queue/rq_affinity", "0\n");
	make(&t, &a, "sda", &plan);
	assert_int_equal(plan.items, 0);
	assert_int_equal(plan.refusals, 1);
	arena_release(&a);
	tree_release(&t);
}

static void modprobe_file_is_ours_or_left_alone(void **state)
{
	static const struct doctor_module nvme = {"nvme", "options nvme poll_queues=4"};
	static const struct doctor_module more = {"nvme", "options nvme poll_queues=8"};
	static const struct doctor_module virtio = {"virtio_blk",
						    "options virtio_blk poll_queues=4"};
	struct tree t;
	struct err err;
	char *text;
	tree_init(&t);
	assert_int_equal(tune_write_modprobe(&t.host, "/a.conf", &nvme, &err), 0);
	assert_int_equal(tune_write_modprobe(&t.host, "/a.conf", &virtio, &err), 0);
	assert_int_equal(tune_write_modprobe(&t.host, "/a.conf", &more, &err), 0);
	assert_int_equal(host_read_all(&t.host, &text, NULL, "/a.conf"), 0);
	assert_non_null(strstr(text, "options virtio_blk poll_queues=4\n"));
	assert_non_null(strstr(text, "options nvme poll_queues=8\n"));
	assert_null(strstr(text, "options nvme poll_queues=4"));
	free(text);
	tree_put(&t, "/b.conf", "options snd_hda_intel index=1\n");
	assert_int_equal(tune_write_modprobe(&t.host, "/b.conf", &nvme, &err), -EEXIST);
	assert_true(err.remedy[0]);
	assert_int_equal(tune_write_modprobe(&t.host, "/none/c.conf", &nvme, &err), -ENOENT);
	tree_release(&t);
}

MAIN(cmocka_unit_test(every_machine_there_and_back),
     cmocka_unit_test(killed_anywhere_is_given_back),
     cmocka_unit_test(only_the_node_of_the_device_is_changed),
     cmocka_unit_test(interrupts_that_can_move_are_moved),
     cmocka_unit_test(disk_of_the_root_is_left_alone), cmocka_unit_test(root_is_found_at_any_depth),
     cmocka_unit_test(disks_of_the_same_btrfs_are_the_roots),
     cmocka_unit_test(without_a_mount_table_nothing_is_touched),
     cmocka_unit_test(modprobe_file_is_ours_or_left_alone))
