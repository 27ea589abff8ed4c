#include "faults.h"

#include "target/guard.h"
#include "target/claim.h"

/* sda: sda1 on /boot, sda2 swap, sda3 in md0, on it dm-0 (vg-data) on /data; sdb: free; sdc: one
 * free partition; sdd: mounted whole; sde: read-only; sdf: second device of a btrfs; sdg: multipath
 * below dm-1; sdh: below loop3 */
static void build(struct tree *t)
{
	static const char *const whole[][2] = {{"sda", "8:0"},	{"sdb", "8:16"}, {"sdc", "8:32"},
					       {"sdd", "8:48"}, {"sde", "8:64"}, {"sdf", "8:80"},
					       {"sdg", "8:96"}, {"sdh", "8:112"}};
	static const char *const parts[][2] = {{"sda/sda1", "8:1"},
					       {"sda/sda2", "8:2"},
					       {"sda/sda3", "8:3"},
					       {"sdc/sdc1", "8:33"}};
	char path[128];
	tree_init(t);
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		tree_disk(t, "pci", whole[i][0], whole[i][1], 1 << 20);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		tree_disk(t, "pci", parts[i][0], parts[i][1], 1 << 18);
		snprintf(path, sizeof(path), "/sys/devices/pci/block/%s/partition", parts[i][0]);
		tree_put(t, path, i == 3 ? "1\n" : i == 2 ? "3\n" : i == 1 ? "2\n" : "1\n");
	}
	tree_disk(t, "virtual", "md0", "9:0", 1 << 18);
	tree_disk(t, "virtual", "dm-0", "253:0", 1 << 18);
	tree_disk(t, "virtual", "dm-1", "253:1", 1 << 18);
	tree_disk(t, "virtual", "loop3", "7:3", 1 << 18);
	tree_put(t, "/sys/devices/virtual/block/loop3/loop/backing_file", "/dev/sdh\n");
	tree_put(t, "/sys/devices/virtual/block/dm-0/dm/name", "vg-data\n");
	tree_put(t, "/sys/devices/virtual/block/dm-1/dm/name", "mpatha\n");
	tree_link(t, "/sys/devices/pci/block/sda/sda3/holders/md0", "x");
	tree_link(t, "/sys/devices/virtual/block/md0/holders/dm-0", "x");
	tree_link(t, "/sys/devices/pci/block/sdg/holders/dm-1", "x");
	tree_put(t, "/sys/devices/pci/block/sde/ro", "1\n");
	tree_put(t, "/sys/fs/btrfs/0123-uuid/devices/sdf/x", "");
	tree_put(t, "/proc/self/mountinfo",
		 "1 0 0:20 / / rw - tmpfs tmpfs rw\n"
		 "2 1 8:1 / /boot rw - ext4 /dev/sda1 rw\n"
		 "3 1 253:0 / /data rw - xfs /dev/mapper/vg-data rw\n"
		 "4 1 8:48 / /whole rw - ext4 /dev/sdd rw\n");
	tree_put(t, "/proc/swaps",
		 "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n");
}

static int check(struct tree *t, const char *name, bool allow, struct guard_report *r,
		 struct err *e)
{
	char shown[64];
	snprintf(shown, sizeof(shown), "/dev/%s", name);
	memset(e, 0, sizeof(*e));
	return guard_check_name(&t->host, name, shown, allow, r, e);
}

static bool says(const struct guard_report *r, enum guard_kind kind, const char *words)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->v[i].kind == kind && strstr(r->v[i].text, words))
			return true;
	return false;
}

static void used_devices_are_refused(void **state)
{
	static const struct {
		const char *name;
		enum guard_kind kind;
		const char *words;
	} used[] = {
		{"sda1", GUARD_MOUNTED, "/dev/sda1 is mounted on /boot (ext4)"},
		{"sda2", GUARD_SWAP, "is used as swap"},
		{"sda3", GUARD_HELD, "is held by md0"},
		{"sda3", GUARD_MOUNTED, "dm-0 (vg-data), which stands on it, is mounted on /data"},
		{"sda", GUARD_MOUNTED, "partition sda1 is mounted on /boot"},
		{"sda", GUARD_SWAP, "partition sda2 is used as swap"},
		{"sda", GUARD_HELD, "partition sda3 is held by md0"},
		{"sda", GUARD_PARTITIONED, "has 3 partitions (sda1, sda2, sda3)"},
		{"sdc", GUARD_PARTITIONED, "has 1 partition (sdc1)"},
		{"sdd", GUARD_MOUNTED, "is mounted on /whole"},
		{"sdf", GUARD_HELD, "btrfs"},
		{"sdg", GUARD_HELD, "dm-1 (mpatha)"},
		{"sdh", GUARD_HELD, "is held by loop3"},
		{"md0", GUARD_HELD, "dm-0 (vg-data)"},
		{"dm-0", GUARD_MOUNTED, "/data"},
	};
	struct tree t;
	struct err e;
	build(&t);
	for (size_t i = 0; i < sizeof(used) / sizeof(*used); i++) {
		struct guard_report r;
		assert_int_equal(check(&t, used[i].name, false, &r, &e), -EBUSY);
		assert_int_equal(e.cls, ERR_SETUP);
		/* Partitions that nobody uses are content like any other. */
		bool content = !strcmp(used[i].name, "sdc");
		assert_non_null(strstr(e.remedy, content ? "allow_signature_write=1"
							 : "allow_mounted_write=1"));
		if (!says(&r, used[i].kind, used[i].words))
			fail_msg("%s: no '%s' in '%s'", used[i].name, used[i].words, e.text);
		for (unsigned k = 0; k < r.n; k++)
			assert_true(r.v[k].refused);
		/* Allowed, the same findings are warnings. */
		assert_int_equal(check(&t, used[i].name, true, &r, &e), 0);
		assert_true(says(&r, used[i].kind, used[i].words));
		for (unsigned k = 0; k < r.n; k++)
			assert_false(r.v[k].refused);
	}
	tree_release(&t);
}

static void free_devices_pass(void **state)
{
	struct tree t;
	struct err e;
	struct guard_report r;
	build(&t);
	assert_int_equal(check(&t, "sdb", false, &r, &e), 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(check(&t, "sdc1", false, &r, &e), 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(check(&t, "sdq", false, &r, &e), -ENOENT);
	tree_release(&t);
}

static void a_read_only_device_is_refused_always(void **state)
{
	struct tree t;
	struct err e;
	struct guard_report r;
	build(&t);
	assert_int_equal(check(&t, "sde", true, &r, &e), -EROFS);
	assert_non_null(strstr(e.text, "read-only"));
	tree_release(&t);
}

static void a_partition_knows_of_its_disk(void **state)
{
	struct tree t;
	struct err e;
	struct guard_report r;
	build(&t);
	tree_link(&t, "/sys/devices/pci/block/sdc/holders/md0", "x");
	assert_int_equal(check(&t, "sdc1", false, &r, &e), -EBUSY);
	assert_true(says(&r, GUARD_HELD, "its whole disk sdc is held by md0"));
	tree_release(&t);
}

static void more_findings_than_fit_are_counted(void **state)
{
	struct tree t;
	struct err e;
	struct guard_report r;
	char path[128];
	build(&t);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(path, sizeof(path), "/sys/devices/pci/block/sdb/holders/dm-%u", 100 + i);
		tree_link(&t, path, "x");
	}
	assert_int_equal(check(&t, "sdb", false, &r, &e), -EBUSY);
	assert_int_equal(r.n, GUARD_FINDINGS);
	assert_int_equal(r.n + r.more, 30);
	assert_non_null(strstr(e.text, "and 29 more"));
	tree_release(&t);
}

static void other_files_are_nobodys_business(void **state)
{
	struct tree t;
	struct guard_report r;
	char path[128];
	int fd = 5;
	build(&t);
	tree_put(&t, "/file", "x");
	snprintf(path, sizeof(path), "%s/file", t.root);
	assert_int_equal(guard_check(&t.host, NULL, path, false, &r, NULL), 0);
	assert_int_equal(guard_check(&t.host, NULL, "/dev/null", false, &r, NULL), 0);
	assert_int_equal(guard_check(&t.host, NULL, "/no/such/file", false, &r, NULL), 0);
	assert_int_equal(r.n, 0);
	const char *const paths[] = {path};
	assert_int_equal(guard_claim_all(&t.host, NULL, paths, 1, false, &fd, NULL), 0);
	assert_int_equal(fd, -1);
	tree_release(&t);
}

MAIN(cmocka_unit_test(used_devices_are_refused), cmocka_unit_test(free_devices_pass),
     cmocka_unit_test(a_read_only_device_is_refused_always),
     cmocka_unit_test(a_partition_knows_of_its_disk),
     cmocka_unit_test(more_findings_than_fit_are_counted),
     cmocka_unit_test(other_files_are_nobodys_business))
