#include "host/list.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool host_names_has(const struct host_names *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], name))
			return true;
	return false;
}

int host_names_add(struct host_names *l, struct arena *a, const char *name)
{
	assert(l && a && name);
	if (host_names_has(l, name))
		return 0;
	/* The array is full whenever the count is 0 or a power of two from 8 on. */
	if (l->n == 0 || (l->n >= 8 && (l->n & (l->n - 1)) == 0)) {
		const char **v = arena_new(a, const char *, l->n ? l->n * 2 : 8);
		if (!v)
			return -ENOMEM;
		if (l->n)
			memcpy(v, l->v, l->n * sizeof(*v));
		l->v = v;
	}
	const char *copy = arena_strdup(a, name);
	if (!copy)
		return -ENOMEM;
	l->v[l->n++] = copy;
	return 0;
}

static int list_by_bytes(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

int host_list_dir(const struct host *h, struct arena *a, struct host_names *out, const char *fmt,
		  ...)
{
	char path[HOST_PATH_MAX], below[HOST_PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(below, sizeof(below), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(below))
		return -ENAMETOOLONG;
	int ret = host_path(h, path, sizeof(path), "%s", below);
	if (ret)
		return ret;
	DIR *dir = opendir(path);
	if (!dir)
		return -errno;
	struct host_names found = {0};
	struct dirent *e;
	while (!ret && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			ret = host_names_add(&found, a, e->d_name);
	closedir(dir);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), list_by_bytes);
	for (unsigned i = 0; !ret && i < found.n; i++)
		ret = host_names_add(out, a, found.v[i]);
	return ret;
}
