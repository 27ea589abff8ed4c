#include "target/target.h"

#include "host/blockdev.h"
#include "target/fsname.h"
#include "target/path.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

const char *target_kind_word(enum target_kind k)
{
	assert((unsigned)k <= TARGET_DIRECTORY);
	static const char *const words[] = {"missing file",	"regular file", "block device",
					    "character device", "fifo",		"socket",
					    "directory"};
	return words[k];
}

static enum target_kind target_kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return TARGET_REGULAR;
	case S_IFBLK:
		return TARGET_BLOCK;
	case S_IFCHR:
		return TARGET_CHAR;
	case S_IFIFO:
		return TARGET_FIFO;
	case S_IFDIR:
		return TARGET_DIRECTORY;
	default:
		return TARGET_SOCKET;
	}
}

/* What statx tells beyond stat: mount and alignment of direct I/O. Old kernels leave the bits
 * unset. */
static void target_ask_statx(struct target_info *t)
{
	struct statx sx;
	memset(&sx, 0, sizeof(sx));
#ifdef STATX_DIOALIGN
	if (statx(AT_FDCWD, t->path, 0, STATX_MNT_ID | STATX_DIOALIGN, &sx))
		return;
	if (sx.stx_mask & STATX_DIOALIGN) {
		t->alignment_known = true;
		t->direct = sx.stx_dio_offset_align ? TARGET_DIRECT_YES : TARGET_DIRECT_NO;
		t->alignment = sx.stx_dio_offset_align;
		t->memory_alignment = sx.stx_dio_mem_align;
	}
#else
	if (statx(AT_FDCWD, t->path, 0, STATX_MNT_ID, &sx))
		return;
#endif
	if (sx.stx_mask & STATX_MNT_ID)
		t->mount_id = sx.stx_mnt_id;
}

/* Size and block size by ioctl, or what /sys says where we may not open the device. */
static void target_ask_device(const struct host *h, const struct sys_ops *sys,
			      struct target_info *t)
{
	struct blockdev b;
	uint64_t size;
	int logical, ro, fd = sys->open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	unsigned align = 0;
	if (!blockdev_of_number(h, major(t->rdev), minor(t->rdev), &b)) {
		t->size = b.size;
		t->read_only = b.read_only;
		align = b.logical;
	}
	if (fd >= 0) {
		if (!sys->ioctl(fd, BLKGETSIZE64, &size))
			t->size = size;
		if (!sys->ioctl(fd, BLKSSZGET, &logical) && logical > 0)
			align = (unsigned)logical;
		if (!sys->ioctl(fd, BLKROGET, &ro))
			t->read_only = ro != 0;
		sys->close(fd);
	}
	if (t->direct == TARGET_DIRECT_UNKNOWN)
		t->direct = TARGET_DIRECT_YES;
	if (!t->alignment_known && align) {
		t->alignment = t->memory_alignment = align;
		t->alignment_known = true;
	}
}

static void target_guess_alignment(const struct host *h, struct target_info *t)
{
	struct blockdev b;
	if (t->alignment && t->memory_alignment)
		return;
	t->alignment = t->memory_alignment = 1;
	if (t->kind == TARGET_REGULAR || t->kind == TARGET_BLOCK || t->kind == TARGET_MISSING) {
		t->alignment = t->memory_alignment = 512;
		/* A file system never goes below the block size of its device. */
		if (t->kind == TARGET_REGULAR && !blockdev_of_file(h, t->path, &b) &&
		    b.logical > 512)
			t->alignment = t->memory_alignment = b.logical;
	}
}

static void target_probe_missing(struct target_info *t)
{
	char *folder = path_existing_folder(t->path);
	if (folder)
		IGNORE_RESULT(fsname_of_path(folder, t->fs, sizeof(t->fs), &t->read_only));
	free(folder);
}

/* Below a root that is not this machine a name in /dev is the device that its /sys knows. */
static bool target_probe_recorded(const struct host *h, struct target_info *t)
{
	struct blockdev b;
	if (!h->root[0] || blockdev_of_source(h, t->path, &b))
		return false;
	t->kind = TARGET_BLOCK;
	t->size = b.size;
	t->rdev = makedev(b.major, b.minor);
	t->direct = TARGET_DIRECT_YES;
	t->alignment = t->memory_alignment = b.logical;
	t->alignment_known = true;
	t->read_only = b.read_only;
	return true;
}

int target_probe(const struct host *h, const struct sys_ops *sys, const char *path,
		 struct target_info *out, struct err *err)
{
	assert(h && path && out);
	struct target_info t;
	struct stat st;
	sys = sys_or_real(sys);
	memset(&t, 0, sizeof(t));
	t.path = path;
	if (target_probe_recorded(h, &t)) {
		*out = t;
		return 0;
	}
	if (sys->stat(path, &st)) {
		if (errno != ENOENT)
			return err_set(err, ERR_SETUP, errno, "cannot look at '%s': %s", path,
				       strerror(errno));
		t.kind = TARGET_MISSING;
		target_probe_missing(&t);
		target_guess_alignment(h, &t);
		*out = t;
		return 0;
	}
	t.kind = target_kind_of(st.st_mode);
	t.dev = st.st_dev;
	t.rdev = st.st_rdev;
	t.ino = st.st_ino;
	target_ask_statx(&t);
	if (t.kind == TARGET_BLOCK)
		target_ask_device(h, sys, &t);
	else if (t.kind == TARGET_REGULAR || t.kind == TARGET_DIRECTORY)
		IGNORE_RESULT(fsname_of_path(path, t.fs, sizeof(t.fs), &t.read_only));
	if (t.kind == TARGET_REGULAR) {
		t.size = (uint64_t)st.st_size;
		t.allocated = (uint64_t)st.st_blocks * 512;
	}
	target_guess_alignment(h, &t);
	*out = t;
	return 0;
}

int target_check_direct(const struct target_info *t, uint64_t block, struct err *err)
{
	assert(block);
	const char *where = t->fs[0] ? t->fs : target_kind_word(t->kind);
	if (t->direct == TARGET_DIRECT_NO) {
		int ret = err_set(err, ERR_SETUP, EINVAL, "direct I/O does not work on '%s' (%s)",
				  t->path, where);
		err_remedy(err, "set direct=0, or use a file on a file system of a disk");
		return ret;
	}
	if (block % t->alignment == 0)
		return 0;
	int ret = err_set(err, ERR_SETUP, EINVAL,
			  "block size %llu is no multiple of the %u bytes that direct I/O on '%s' "
			  "(%s) is aligned to",
			  (unsigned long long)block, t->alignment, t->path, where);
	err_remedy(err, "make every block size a multiple of %u, or set direct=0", t->alignment);
	return ret;
}
