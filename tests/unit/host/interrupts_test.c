#include "tree.h"

#include "host/interrupts.h"
#include "host/irq.h"

static const char table[] =
	"           CPU0       CPU1       CPU5       \n"
	"  0:         35          0          0  IR-IO-APIC    2-edge      timer\n"
	" 16:          3          4          5  IR-IO-APIC   16-fasteoi   ehci_hcd:usb1, "
	"ahci[0000:00:1f.2]\n"
	" 36:          1          2          0  PCI-MSIX-0000:01:00.0   0-edge      nvme0q0\n"
	" 37:         10         20         30  PCI-MSIX-0000:01:00.0   1-edge      nvme0q1\n"
	" 38:        100        200        300  PCI-MSIX-0000:01:00.0  12-edge      nvme0q12\n"
	" 39:       1000       2000       3000  IR-PCI-MSI 524288-edge      nvme1q0, nvme1q1\n"
	" 40:          7          7          7  PCI-MSIX-0000:03:00.0   1-edge      nvme10q1\n"
	" 41:          1          0          0  PCI-MSIX-0000:02:00.0   0-edge      "
	"virtio1-config\n"
	" 42:          4          5          6  PCI-MSIX-0000:02:00.0   1-edge      virtio1-req.0\n"
	" 43:          1          1          1  PCI-MSIX-0000:02:00.0   2-edge      virtio1-req.1\n"
	" 44:          9          9          9  PCI-MSIX-0000:04:00.0   1-edge      "
	"virtio10-req.0\n"
	" 45:         11          0          0   GIC   36 Edge      virtio2\n"
	" 50:          2          3          4  PCI-MSIX-0000:05:00.0   0-edge      "
	"megasas0-msix0\n"
	" 51:          5          6          7  PCI-MSIX-0000:05:00.0   1-edge      "
	"megasas0-msix1\n"
	"NMI:          1          1          1   Non-maskable interrupts\n"
	"ERR:          0\n";

static void build(struct tree *t)
{
	tree_init(t);
	tree_put(t, "/proc/interrupts", table);
	tree_disk(t, "pci0/nvme0", "nvme0n1", "259:0\n", 8);
	tree_link(t, "/sys/devices/pci0/nvme0/block/nvme0n1/device", "../../../nvme0");
	tree_disk(t, "pci0/nvme0", "nvme0n1/nvme0n1p2", "259:1\n", 8);
	tree_put(t, "/sys/devices/pci0/nvme0/block/nvme0n1/nvme0n1p2/partition", "2\n");
	tree_disk(t, "pci1/virtio1", "vda", "254:0\n", 8);
	tree_link(t, "/sys/devices/pci1/virtio1/block/vda/device", "../../../virtio1");
	tree_disk(t, "pci2/virtio2", "vdb", "254:16\n", 8);
	tree_link(t, "/sys/devices/pci2/virtio2/block/vdb/device", "../../../virtio2");
	tree_disk(t, "pci3/host0/target", "sda", "8:0\n", 8);
	tree_link(t, "/sys/devices/pci3/host0/target/block/sda/device", "../../../target");
	tree_put(t, "/sys/devices/pci3/msi_irqs/50", "msix\n");
	tree_put(t, "/sys/devices/pci3/msi_irqs/51", "msix\n");
	tree_disk(t, "pci4/ata1", "sdb", "8:16\n", 8);
	tree_link(t, "/sys/devices/pci4/ata1/block/sdb/device", "../../../ata1");
	tree_put(t, "/sys/devices/pci4/vendor", "0x8086\n");
	tree_put(t, "/sys/devices/pci4/irq", "16\n");
	tree_disk(t, "virtual", "loop0", "7:0\n", 8);
}

static uint64_t of(struct tree *t, const char *disk)
{
	uint64_t n = 0;
	assert_int_equal(interrupts_of_disk(&t->host, disk, &n), 0);
	return n;
}

static void vectors_of_each_kind_of_disk(void **state)
{
	struct tree t;
	uint64_t n = 5;
	build(&t);
	assert_int_equal(of(&t, "nvme0n1"), 660);
	assert_int_equal(of(&t, "nvme0n1p2"), 660);
	assert_int_equal(of(&t, "nvme10n1"), 21);
	assert_int_equal(of(&t, "nvme1n3"), 6000);
	assert_int_equal(of(&t, "vda"), 18);
	assert_int_equal(of(&t, "vdb"), 11);
	assert_int_equal(of(&t, "sda"), 27);
	assert_int_equal(of(&t, "sdb"), 12);
	assert_int_equal(interrupts_of_disk(&t.host, "loop0", &n), -ENOENT);
	assert_int_equal(interrupts_of_disk(&t.host, "nvme7n1", &n), -ENOENT);
	assert_int_equal(n, 5);
	tree_release(&t);
}

/* Of dm-0 over md0 over a partition and another disk: those of both disks, each once. */
static void vectors_of_all_disks_below(void **state)
{
	static const unsigned expect[] = {37, 38, 42, 43};
	struct tree t;
	struct arena a;
	struct irq_vectors v;
	build(&t);
	arena_init(&a, 0);
	tree_disk(&t, "virtual", "dm-0", "252:0\n", 8);
	tree_disk(&t, "virtual", "md0", "9:0\n", 8);
	tree_link(&t, "/sys/devices/virtual/block/dm-0/slaves/md0", "x");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/nvme0n1p2", "x");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/vda", "x");
	assert_int_equal(irq_of_stack(&t.host, "dm-0", &a, &v), 0);
	assert_int_equal(v.n, 4);
	for (unsigned i = 0; i < v.n; i++)
		assert_int_equal(v.v[i].irq, expect[i]);
	assert_int_equal(irq_of_stack(&t.host, "nvme0n1p2", &a, &v), 0);
	assert_int_equal(v.n, 2);
	assert_int_equal(irq_of_stack(&t.host, "loop0", &a, &v), 0);
	assert_int_equal(v.n, 0);
	arena_release(&a);
	tree_release(&t);
}

/* The number of a multipath disk is that of its subsystem, not of a controller. */
static void multipath_sums_its_controllers(void **state)
{
	struct tree t;
	build(&t);
	tree_disk(&t, "virtual/nvme-subsys5", "nvme5n1", "259:9\n", 8);
	tree_link(&t, "/sys/devices/virtual/nvme-subsys5/block/nvme5n1/device",
		  "../../../nvme-subsys5");
	tree_disk(&t, "pci0/nvme0", "nvme5c0n1", "0:0\n", 8);
	tree_disk(&t, "pci0/nvme1", "nvme5c1n1", "0:1\n", 8);
	assert_int_equal(of(&t, "nvme5c0n1"), 660);
	assert_int_equal(of(&t, "nvme5c1n1"), 6000);
	assert_int_equal(of(&t, "nvme5n1"), 6660);
	tree_release(&t);
}

MAIN(cmocka_unit_test(vectors_of_each_kind_of_disk), cmocka_unit_test(vectors_of_all_disks_below),
     cmocka_unit_test(multipath_sums_its_controllers))
