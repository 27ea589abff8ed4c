#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* May another file take this name? *mode becomes that of the one there. 1, 0 or -errno. */
static int newfile_replaces(const char *path, mode_t *mode)
{
	struct stat st;

	if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6))
		return 0;
	if (lstat(path, &st))
		return errno == ENOENT ? 1 : -errno;
	*mode = st.st_mode & 07777;
	return S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid();
}

static int newfile_in_place(struct newfile *f, const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);

	if (fd < 0)
		return -errno;
	*f = (struct newfile){.fd = fd};
	return 0;
}

int newfile_open(struct newfile *f, const char *path, mode_t mode)
{
	const mode_t none = (mode_t)-1;
	mode_t before = none;
	int replaces = newfile_replaces(path, &before);
	char *part;

	if (replaces < 0)
		return replaces;
	if (!replaces)
		return newfile_in_place(f, path, mode);
	if (before != none && access(path, W_OK))
		return -errno;
	if (asprintf(&part, "%s.%d.part", path, (int)getpid()) < 0)
		return -ENOMEM;
	/* Of an earlier process with this number. */
	(void)unlink(part);
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
	if (fd < 0) {
		int ret = -errno;
		free(part);
		bool folder = ret == -EACCES || ret == -EPERM || ret == -ENAMETOOLONG;
		return folder ? newfile_in_place(f, path, mode) : ret;
	}
	if (before != none)
		(void)fchmod(fd, before);
	*f = (struct newfile){.part = part, .fd = fd};
	return 0;
}

int newfile_finish(struct newfile *f, const char *path)
{
	int ret = 0;

	if (f->part && rename(f->part, path)) {
		ret = -errno;
		(void)unlink(f->part);
	}
	free(f->part);
	f->part = NULL;
	return ret;
}

void newfile_drop(struct newfile *f)
{
	if (f->part)
		(void)unlink(f->part);
	free(f->part);
	f->part = NULL;
}
