#include "tree.h"

#include "host/blockdev.h"
#include "host/blocktree.h"
#include "host/cpu.h"
#include <sys/sysmacros.h>

/* sda with two partitions, md0 on sda2, dm-0 (vg-root) on md0; nvme0n1 over two controllers; a
 * zoned disk. */
static void build(struct tree *t)
{
	tree_init(t);
	tree_disk(t, "pci0/host0", "sda", "8:0\n", 2000000);
	tree_disk(t, "pci0/host0", "sda/sda1", "8:1\n", 2048);
	tree_disk(t, "pci0/host0", "sda/sda2", "8:2\n", 1000000);
	tree_put(t, "/sys/devices/pci0/host0/block/sda/sda1/partition", "1\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/sda2/partition", "2\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/sda2/start", "4096\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/queue/logical_block_size", "4096\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/queue/rotational", "1\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/queue/scheduler",
		 "none [mq-deadline] bfq\n");
	tree_put(t, "/sys/devices/pci0/host0/block/sda/queue/write_cache", "write back\n");
	tree_put(t, "/sys/devices/pci0/host0/target0/model", "WDC WD10  \n");
	tree_put(t, "/sys/devices/pci0/numa_node", "1\n");
	tree_link(t, "/sys/devices/pci0/host0/block/sda/device", "../../target0");
	tree_disk(t, "virtual", "md0", "9:0\n", 900000);
	tree_disk(t, "virtual", "dm-0", "253:0\n", 800000);
	tree_put(t, "/sys/devices/virtual/block/dm-0/dm/name", "vg-root\n");
	tree_link(t, "/sys/devices/virtual/block/md0/slaves/sda2", "x");
	tree_link(t, "/sys/devices/virtual/block/dm-0/slaves/md0", "x");
	tree_link(t, "/sys/devices/pci0/host0/block/sda/sda2/holders/md0", "x");
	tree_link(t, "/sys/devices/virtual/block/md0/holders/dm-0", "x");
	tree_disk(t, "virtual/nvme-subsys0", "nvme0n1", "259:0\n", 4096);
	tree_disk(t, "virtual/nvme-subsys0", "nvme0n1/nvme0n1p1", "259:3\n", 2048);
	tree_put(t, "/sys/devices/virtual/nvme-subsys0/block/nvme0n1/nvme0n1p1/partition", "1\n");
	tree_disk(t, "pci1/nvme0", "nvme0c0n1", "0:0\n", 4096);
	tree_disk(t, "pci1/nvme1", "nvme0c1n1", "0:1\n", 4096);
	tree_put(t, "/sys/devices/pci1/nvme1/block/nvme0c1n1/hidden", "1\n");
	tree_put(t, "/sys/module/nvme/parameters/poll_queues", "4\n");
	tree_disk(t, "pci2", "sdz", "8:400\n", 1 << 20);
	tree_put(t, "/sys/devices/pci2/block/sdz/queue/zoned", "host-managed\n");
	tree_put(t, "/sys/devices/pci2/block/sdz/queue/chunk_sectors", "524288\n");
	tree_put(
		t, "/proc/self/mountinfo",
		"20 1 8:1 / /boot rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
		"21 1 0:40 /@srv /srv rw - btrfs /dev/mapper/vg-root rw,subvolid=5\n"
		"22 1 0:41 / /mnt/with\\040blank rw - tmpfs tmpfs rw\n"
		"23 1 0:42 / /ov rw - overlay overlay rw,lowerdir=/l,upperdir=/srv/up,workdir=/w\n"
		"24 1 0:43 / /ctr rw - overlay overlay rw,lowerdir=/l,upperdir=/ctr/up,workdir=/w\n"
		"broken line\n");
}

static void partition_knows_its_disk(void **state)
{
	struct tree t;
	struct blockdev b;
	build(&t);
	assert_int_equal(blockdev_of_number(&t.host, 8, 2, &b), 0);
	assert_string_equal(b.name, "sda2");
	assert_string_equal(b.disk, "sda");
	assert_true(b.partition);
	assert_int_equal(b.partno, 2);
	assert_int_equal(b.start, 4096 * 512);
	assert_int_equal(b.size, 1000000 * 512);
	assert_int_equal(b.logical, 4096);
	assert_int_equal(b.physical, 4096);
	assert_int_equal(b.rotational, 1);
	assert_int_equal(b.write_back, 1);
	assert_string_equal(b.scheduler, "mq-deadline");
	assert_string_equal(b.model, "WDC WD10");
	assert_int_equal(b.node, 1);
	assert_int_equal(b.io_poll, -1);
	assert_int_equal(b.poll_queues, -1);
	assert_int_equal(blockdev_of_number(&t.host, 8, 77, &b), -ENOENT);
	assert_int_equal(blockdev_of_name(&t.host, "../sda", &b), -ENOENT);
	tree_release(&t);
}

static void nvme_and_zoned(void **state)
{
	struct tree t;
	struct blockdev b;
	build(&t);
	assert_int_equal(blockdev_of_name(&t.host, "nvme0n1p1", &b), 0);
	assert_string_equal(b.disk, "nvme0n1");
	assert_int_equal(b.poll_queues, 4);
	assert_false(b.hidden);
	assert_int_equal(b.node, -1);
	assert_int_equal(blockdev_of_name(&t.host, "nvme0c1n1", &b), 0);
	assert_true(b.hidden);
	assert_int_equal(blockdev_of_name(&t.host, "sdz", &b), 0);
	assert_int_equal(b.zoned, BLOCKDEV_HOST_MANAGED);
	assert_int_equal(b.zone_bytes, 256 << 20);
	assert_int_equal(b.logical, 512);
	tree_release(&t);
}

static void join(const struct host_names *l, char *buf, size_t size)
{
	buf[0] = '\0';
	for (unsigned i = 0; i < l->n; i++)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s ", l->v[i]);
}

static void stacks_are_walked_to_the_bottom(void **state)
{
	struct tree t;
	struct arena a;
	char buf[256];
	struct host_names l = {0}, up = {0}, parts = {0}, nvme = {0}, none = {0};
	build(&t);
	arena_init(&a, 0);
	assert_int_equal(blockdev_below(&t.host, "dm-0", &a, &l), 0);
	join(&l, buf, sizeof(buf));
	assert_string_equal(buf, "md0 sda2 sda ");
	assert_int_equal(blockdev_holders(&t.host, "sda2", &a, &up), 0);
	join(&up, buf, sizeof(buf));
	assert_string_equal(buf, "md0 ");
	assert_int_equal(blockdev_partitions(&t.host, "sda", &a, &parts), 0);
	join(&parts, buf, sizeof(buf));
	assert_string_equal(buf, "sda1 sda2 ");
	assert_int_equal(blockdev_below(&t.host, "nvme0n1p1", &a, &nvme), 0);
	join(&nvme, buf, sizeof(buf));
	assert_string_equal(buf, "nvme0n1 nvme0c0n1 nvme0c1n1 ");
	assert_int_equal(blockdev_below(&t.host, "sda", &a, &none), 0);
	assert_int_equal(none.n, 0);
	assert_int_equal(blockdev_below(&t.host, "nosuch", &a, &none), -ENOENT);
	arena_release(&a);
	tree_release(&t);
}

static void files_find_their_device(void **state)
{
	struct tree t;
	struct blockdev b;
	build(&t);
	assert_int_equal(blockdev_of_dev(&t.host, makedev(8, 1), 0, "", &b), 0);
	assert_string_equal(b.name, "sda1");
	/* btrfs: st_dev of a subvolume is anonymous; by mount id, and by path. */
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 99), 21, "", &b), 0);
	assert_string_equal(b.name, "dm-0");
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 99), 0, "/srv/x/y", &b), 0);
	assert_string_equal(b.name, "dm-0");
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 42), 23, "", &b), 0);
	assert_string_equal(b.name, "dm-0");
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 43), 24, "", &b), -ENOENT);
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 41), 0, "/mnt/with blank/f", &b),
			 -ENOENT);
	assert_int_equal(blockdev_of_dev(&t.host, makedev(0, 41), 0, "/srvs/f", &b), -ENOENT);
	tree_release(&t);
}

/* A recorded machine: $FATHOM_TREES is the folder of the archives, unpacked here into a temporary
 * folder. */
static void recorded_machine(void **state)
{
	const char *trees = getenv("FATHOM_TREES");
	struct tree t;
	struct arena a;
	struct host_names top = {0}, all = {0};
	char text[512];
	if (!trees) {
		print_message("FATHOM_TREES is not set: skipped\n");
		skip();
	}
	tree_init(&t);
	arena_init(&a, 0);
	snprintf(text, sizeof(text), "tar -xjf '%s/two-socket-nvme.tar.bz2' -C %s", trees, t.root);
	assert_int_equal(system(text), 0);
	assert_int_equal(host_list_dir(&t.host, &a, &top, "/"), 0);
	assert_int_equal(top.n, 1);
	snprintf(text, sizeof(text), "%s/%s", t.root, top.v[0]);
	struct host h = {text};
	assert_int_equal(host_list_dir(&h, &a, &all, "/sys/class/block"), 0);
	assert_true(host_names_has(&all, "nvme0n1"));
	assert_true(cpu_nodes(&h) == 2 && cpu_configured(&h) == 16 && cpu_node(&h, 15) >= 0);
	for (unsigned i = 0; i < all.n; i++) {
		struct blockdev b;
		struct host_names l = {0};
		/* Some links of the recording lead out of it. */
		if (!host_exists(&h, "/sys/class/block/%s", all.v[i]))
			continue;
		assert_int_equal(blockdev_of_name(&h, all.v[i], &b), 0);
		if (b.partition)
			continue;
		assert_string_equal(b.disk, b.name);
		assert_int_equal(blockdev_partitions(&h, all.v[i], &a, &l), 0);
		print_message("%s: %u partitions, node %d\n", b.name, l.n, b.node);
		for (unsigned k = 0; k < l.n; k++) {
			assert_int_equal(blockdev_of_name(&h, l.v[k], &b), 0);
			assert_string_equal(b.disk, all.v[i]);
		}
	}
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(partition_knows_its_disk), cmocka_unit_test(nvme_and_zoned),
     cmocka_unit_test(stacks_are_walked_to_the_bottom), cmocka_unit_test(files_find_their_device),
     cmocka_unit_test(recorded_machine))
