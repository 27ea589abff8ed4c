/* Signatures of file systems, volumes and partition tables; declared in guard.h. Places and values
 * are those of the on-disk formats: a small table of our own, for builds without libblkid. */
#include "target/signature.h"
#include "target/signature_blkid.h"

#include <assert.h>
#include <errno.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 73728u /* reaches beyond the super block of btrfs and reiserfs */

struct signature {
	uint32_t at;
	uint8_t len;
	const char *bytes;
	const char *name;
};

/* Those whose first sector looks like a boot sector come before the test for an MBR. */
static const struct signature boot_like[] = {
	{3, 8, "NTFS    ", "ntfs"},
	{3, 8, "EXFAT   ", "exfat"},
	{82, 5, "FAT32", "vfat"},
	{54, 4, "FAT1", "vfat"},
};

static const struct signature others[] = {
	{0, 4, "XFSB", "xfs"},
	{0x10040, 8, "_BHRfS_M", "btrfs"},
	{0x400, 4, "\x10\x20\xF5\xF2", "f2fs"},
	{0, 6, "LUKS\xBA\xBE", "LUKS"},
	{0, 8, "LABELONE", "LVM2 member"},
	{512, 8, "LABELONE", "LVM2 member"},
	{1024, 8, "LABELONE", "LVM2 member"},
	{1536, 8, "LABELONE", "LVM2 member"},
	{4086, 10, "SWAPSPACE2", "swap"},
	{65526, 10, "SWAPSPACE2", "swap"},
	{0, 4, "\xFC\x4E\x2B\xA9", "md RAID member"},
	{4096, 4, "\xFC\x4E\x2B\xA9", "md RAID member"},
	{4120, 8, "\xC6\x85\x73\xF6\x4E\x1A\x45\xCA", "bcache"},
	{4120, 8, "\xC6\x85\x73\xF6\x66\xCE\x90\xA9", "bcachefs"},
	{0, 22, "bluestore block device", "Ceph BlueStore"},
	{0, 4, "hsqs", "squashfs"},
	{1024, 4, "\xE2\xE1\xF5\xE0", "erofs"},
	{32768, 4, "JFS1", "jfs"},
	{32769, 5, "CD001", "iso9660"},
	{65588, 6, "ReIsEr", "reiserfs"},
};

static ssize_t signature_read_at(const struct sys_ops *sys, int fd, uint8_t *buf, size_t len,
				 uint64_t at)
{
	size_t got = 0;
	while (got < len) {
		ssize_t n = sys->pread(fd, buf + got, len - got, (off_t)(at + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static const char *signature_look_up(const struct signature *s, size_t n, const uint8_t *head,
				     size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (s[i].at + s[i].len <= len && !memcmp(head + s[i].at, s[i].bytes, s[i].len))
			return s[i].name;
	return NULL;
}

static uint32_t signature_le32_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Magics of two bytes occur in random data once in 65536 devices: other fields must fit as well. */
static const char *signature_look_at_short(const uint8_t *head, size_t len)
{
	const uint8_t *sb = head + 1024;
	if (len < 2048)
		return NULL;
	/* Inodes, blocks, log2 of the block size - 10, revision. */
	if (sb[0x38] == 0x53 && sb[0x39] == 0xEF && signature_le32_at(sb) &&
	    signature_le32_at(sb + 4) && signature_le32_at(sb + 0x18) <= 6 &&
	    signature_le32_at(sb + 0x4C) <= 1)
		return "ext2, ext3 or ext4";
	/* Revision, bytes of the super block. */
	if (sb[6] == 0x34 && sb[7] == 0x34 && signature_le32_at(sb) == 2 &&
	    sb[8] + sb[9] * 256 <= 1024)
		return "nilfs2";
	return NULL;
}

/* An MBR with at least one partition and nothing that no MBR has. */
static bool signature_is_mbr(const uint8_t *head, size_t len)
{
	unsigned used = 0;
	if (len < 512 || head[510] != 0x55 || head[511] != 0xAA)
		return false;
	for (const uint8_t *e = head + 446; e < head + 510; e += 16) {
		if (e[0] & 0x7F)
			return false;
		used += e[4] != 0;
	}
	return used > 0;
}

static bool signature_is_gpt(const uint8_t *head, size_t len)
{
	return (len >= 520 && !memcmp(head + 512, "EFI PART", 8)) ||
	       (len >= 4104 && !memcmp(head + 4096, "EFI PART", 8));
}

/* md formats 0.90 and 1.0 sit at the end. */
static bool signature_is_md_at_end(const struct sys_ops *sys, int fd)
{
	static const uint8_t magic[4] = {0xFC, 0x4E, 0x2B, 0xA9};
	uint8_t found[4];
	uint64_t size;
	struct stat st;
	if (sys->ioctl(fd, BLKGETSIZE64, &size)) {
		if (sys->fstat(fd, &st))
			return false;
		size = (uint64_t)st.st_size;
	}
	if (size < 131072)
		return false;
	const uint64_t places[] = {(size & ~65535ull) - 65536, ((size / 512 - 16) & ~7ull) * 512};
	for (size_t i = 0; i < 2; i++)
		if (signature_read_at(sys, fd, found, 4, places[i]) == 4 &&
		    !memcmp(found, magic, 4))
			return true;
	return false;
}

const char *guard_signature_table(const struct sys_ops *sys, int fd, bool *table)
{
	const char *name = NULL;
	sys = sys_or_real(sys);
	*table = false;
	uint8_t *head = malloc(HEAD);
	if (!head)
		return NULL;
	size_t len = (size_t)signature_read_at(sys, fd, head, HEAD, 0);
	if (signature_is_gpt(head, len)) {
		*table = true;
		name = "GPT partition table";
	}
	if (!name)
		name = signature_look_up(boot_like, sizeof(boot_like) / sizeof(*boot_like), head,
					 len);
	if (!name && signature_is_mbr(head, len)) {
		*table = true;
		name = "MBR partition table";
	}
	if (!name)
		name = signature_look_up(others, sizeof(others) / sizeof(*others), head, len);
	if (!name)
		name = signature_look_at_short(head, len);
	if (!name && signature_is_md_at_end(sys, fd))
		name = "md RAID member";
	free(head);
	return name;
}

bool guard_signature(const struct sys_ops *sys, int fd, struct guard_signature *out)
{
	assert(fd >= 0 && out);
	memset(out, 0, sizeof(*out));
	int ret = guard_signature_blkid(fd, out);
	if (ret >= 0)
		return ret > 0;
	memset(out, 0, sizeof(*out));
	const char *name = guard_signature_table(sys, fd, &out->table);
	if (name)
		snprintf(out->name, sizeof(out->name), "%s", name);
	return name != NULL;
}
