/* Exclusive descriptors for the length of a run. */
#include "target/claim.h"

#include "host/blockdev.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

static int claim_words(const char *path, int e, struct err *err)
{
	int ret = err_set(err, ERR_SETUP, e, "cannot open '%s' exclusively: %s", path, strerror(e));
	if (e == EBUSY)
		err_remedy(
			err,
			"see who holds it (lsblk, fuser): a mount, dm, md, swap, or another run");
	return ret;
}

static int claim_one(const struct sys_ops *sys, const char *path, int *fd, struct err *err)
{
	assert(path && fd);
	struct stat st;
	sys = sys_or_real(sys);
	if (sys->stat(path, &st))
		return claim_words(path, errno, err);
	int got = -1;
	if (S_ISBLK(st.st_mode)) {
		got = sys->open(path, O_RDONLY | O_EXCL | O_CLOEXEC, 0);
		if (got < 0)
			return claim_words(path, errno, err);
	}
	*fd = got;
	return 0;
}

/* What one claimed descriptor covers. */
struct claimed {
	dev_t dev;
	char disk[BLOCKDEV_NAME];
	bool partition;
};

/* Two partitions of a disk do not hinder each other; a disk and its partition do, and so do two
 * opens of one device. */
static bool claim_covered(const struct claimed *mine, const struct claimed *one)
{
	if (mine->dev == one->dev)
		return true;
	return mine->disk[0] && !strcmp(mine->disk, one->disk) &&
	       !(mine->partition && one->partition);
}

static int claim_describe(const struct host *h, const struct sys_ops *sys, const char *path,
			  struct claimed *c)
{
	struct stat st;
	struct blockdev b;
	memset(c, 0, sizeof(*c));
	if (sys->stat(path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISBLK(st.st_mode))
		return 0;
	c->dev = st.st_rdev;
	if (!blockdev_of_number(h, major(st.st_rdev), minor(st.st_rdev), &b)) {
		memcpy(c->disk, b.disk, sizeof(c->disk));
		c->partition = b.partition;
	}
	return 1;
}

int guard_claim_all(const struct host *h, const struct sys_ops *sys, const char *const *path,
		    unsigned n, bool allow, int *fd, struct err *err)
{
	assert(h && fd && (path || !n));
	struct claimed *mine = calloc(n ? n : 1, sizeof(*mine));
	int ret = mine ? 0 : -ENOMEM;
	if (!mine)
		return claim_words(n ? path[0] : "", ENOMEM, err);
	sys = sys_or_real(sys);
	for (unsigned i = 0; i < n; i++)
		fd[i] = -1;
	for (unsigned i = 0; i < n && ret >= 0; i++) {
		bool have = false;
		ret = claim_describe(h, sys, path[i], &mine[i]);
		if (ret < 0)
			claim_words(path[i], -ret, err);
		for (unsigned j = 0; j < i && !have; j++)
			have = fd[j] >= 0 && claim_covered(&mine[j], &mine[i]);
		if (ret > 0 && !have)
			ret = claim_one(sys, path[i], &fd[i], err);
		if (ret == -EBUSY && allow) {
			err_clear(err);
			ret = 0;
		}
	}
	for (unsigned i = 0; i < n && ret < 0; i++) {
		if (fd[i] >= 0)
			sys->close(fd[i]);
		fd[i] = -1;
	}
	free(mine);
	return ret < 0 ? ret : 0;
}
