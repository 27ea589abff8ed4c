#include "target/fsname.h"

#include <errno.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

static const struct {
	unsigned long magic;
	const char *name;
} types[] = {
	{0xEF53, "ext4"},	  {0x58465342, "xfs"},	     {0x9123683E, "btrfs"},
	{0xF2F52010, "f2fs"},	  {0x01021994, "tmpfs"},     {0x858458F6, "ramfs"},
	{0x794C7630, "overlay"},  {0x6969, "nfs"},	     {0x65735546, "fuse"},
	{0x2FC12FC1, "zfs"},	  {0xCA451A4E, "bcachefs"},  {0xFF534D42, "cifs"},
	{0xFE534D42, "smb3"},	  {0x00C36400, "ceph"},	     {0x01021997, "9p"},
	{0x4D44, "vfat"},	  {0x2011BAB0, "exfat"},     {0x7366746E, "ntfs3"},
	{0x5346544E, "ntfs"},	  {0x958458F6, "hugetlbfs"}, {0x73717368, "squashfs"},
	{0xE0F5E1E2, "erofs"},	  {0x0BD00BD0, "lustre"},    {0x47504653, "gpfs"},
	{0x01161970, "gfs2"},	  {0x7461636F, "ocfs2"},     {0x3153464A, "jfs"},
	{0x52654973, "reiserfs"}, {0x3434, "nilfs2"},	     {0x9660, "iso9660"},
	{0x15013346, "udf"},	  {0x19830326, "fhgfs"},     {0x5A4F4653, "zonefs"},
	{0x1CD1, "devpts"},	  {0x9FA0, "proc"},	     {0x62656572, "sysfs"},
};

int fsname_of_path(const char *path, char *buf, size_t size, bool *read_only)
{
	struct statfs fs;
	if (statfs(path, &fs))
		return -errno;
	if (read_only)
		*read_only = (fs.f_flags & ST_RDONLY) != 0;
	unsigned long magic = (unsigned long)fs.f_type & 0xFFFFFFFFul;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].magic == magic) {
			snprintf(buf, size, "%s", types[i].name);
			return 0;
		}
	snprintf(buf, size, "0x%lx", magic);
	return 0;
}
