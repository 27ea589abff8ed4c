#include "faults.h"

#include "target/guard.h"
#include "target/signature.h"

static const char *of_bytes(uint64_t size, uint64_t at, const void *bytes, size_t n, uint64_t at2,
			    const void *bytes2, size_t n2, bool *table)
{
	struct tree t;
	char path[128];
	tree_init(&t);
	snprintf(path, sizeof(path), "%s/image", t.root);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	assert_int_equal(pwrite(fd, bytes, n, (off_t)at), n);
	assert_int_equal(pwrite(fd, bytes2, n2, (off_t)at2), n2);
	const char *name = guard_signature_table(NULL, fd, table);
	close(fd);
	tree_release(&t);
	return name;
}

#define Z4	"\0\0\0\0"
#define EXT_GAP Z4 Z4 Z4 Z4 Z4 Z4 Z4 Z4 Z4 Z4 Z4 Z4

static void formats_are_known(void **state)
{
	static const struct {
		uint64_t at;
		const char *bytes;
		size_t n;
		const char *name;
		bool table;
	} known[] = {
		{1024, "\1\0\0\0\1\0\0\0" EXT_GAP "\x53\xEF", 58, "ext2, ext3 or ext4", false},
		{0, "XFSB", 4, "xfs", false},
		{65600, "_BHRfS_M", 8, "btrfs", false},
		{512, "LABELONE", 8, "LVM2 member", false},
		{0, "LUKS\xBA\xBE", 6, "LUKS", false},
		{4086, "SWAPSPACE2", 10, "swap", false},
		{4096, "\xFC\x4E\x2B\xA9", 4, "md RAID member", false},
		{(1 << 20) - 65536, "\xFC\x4E\x2B\xA9", 4, "md RAID member", false},
		{(1 << 20) - 8192, "\xFC\x4E\x2B\xA9", 4, "md RAID member", false},
		{512, "EFI PART", 8, "GPT partition table", true},
		{4096, "EFI PART", 8, "GPT partition table", true},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		bool table = !known[i].table;
		const char *name = of_bytes(1 << 20, known[i].at, known[i].bytes, known[i].n, 0, "",
					    0, &table);
		assert_non_null(name);
		assert_string_equal(name, known[i].name);
		assert_int_equal(table, known[i].table);
	}
}

static void boot_sectors_are_told_from_partition_tables(void **state)
{
	static const char entry[16] = {(char)0x80, 0, 0, 0, (char)0x83}, code[16] = {0x17};
	bool table;
	assert_string_equal(of_bytes(1 << 20, 446, entry, 16, 510, "\x55\xAA", 2, &table),
			    "MBR partition table");
	assert_true(table);
	/* No partition in it, or code where the entries would be, or the end mark missing. */
	assert_null(of_bytes(1 << 20, 446, "", 0, 510, "\x55\xAA", 2, &table));
	assert_null(of_bytes(1 << 20, 446, code, 16, 510, "\x55\xAA", 2, &table));
	assert_null(of_bytes(1 << 20, 446, entry, 16, 510, "\x55", 1, &table));
	assert_string_equal(of_bytes(1 << 20, 82, "FAT32   ", 8, 510, "\x55\xAA", 2, &table),
			    "vfat");
	assert_false(table);
}

static void blank_and_tiny_devices_have_none(void **state)
{
	bool table = true;
	assert_null(of_bytes(1 << 20, 0, "", 0, 0, "", 0, &table));
	assert_false(table);
	for (uint64_t size = 1; size < 2000; size += 97)
		assert_null(of_bytes(size, 0, "x", 1, 0, "", 0, &table));
}

MAIN(cmocka_unit_test(formats_are_known),
     cmocka_unit_test(boot_sectors_are_told_from_partition_tables),
     cmocka_unit_test(blank_and_tiny_devices_have_none))
