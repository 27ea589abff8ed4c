#include "target/path.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Cut the last component off; false when there is none above. */
static bool path_strip(char *path)
{
	size_t n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	while (n > 1 && path[n - 1] == '/')
		n--;
	path[n] = '\0';
	return n > 0;
}

char *path_existing_folder(const char *path)
{
	char *copy = strdup(path), *real = NULL;
	while (copy && !real) {
		if (!path_strip(copy)) {
			real = realpath(".", NULL);
			break;
		}
		real = realpath(copy, NULL);
		if (!strcmp(copy, "/"))
			break;
	}
	free(copy);
	return real;
}

/* 0 when path is a folder; else why not, where mkdir said e. */
static int path_check_folder(const struct sys_ops *sys, const char *path, int e)
{
	struct stat st;
	if (sys->stat(path, &st))
		return e == EEXIST ? -errno : -e;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int path_make_folders(const struct sys_ops *sys, const char *path, unsigned *made)
{
	assert(path && made);
	char *copy = strdup(path);
	unsigned n = 0;
	if (!copy)
		return -ENOMEM;
	for (char *p = copy + 1; *copy && *p; p++) {
		if (*p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		if (!sys->mkdir(copy, 0700)) {
			n++;
		} else {
			int ret = path_check_folder(sys, copy, errno);
			if (ret) {
				path_remove_folders(sys, copy, n);
				free(copy);
				return ret;
			}
			n = 0;
		}
		*p = '/';
	}
	free(copy);
	*made = n;
	return 0;
}

void path_remove_folders(const struct sys_ops *sys, const char *path, unsigned n)
{
	char *copy = strdup(path);
	while (copy && n-- && path_strip(copy))
		if (sys->rmdir(copy))
			break;
	free(copy);
}
