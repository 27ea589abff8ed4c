/* All that a tree holds, to be compared with what it held before. */
#ifndef FATHOM_TESTS_SNAPSHOT_H
#define FATHOM_TESTS_SNAPSHOT_H

#include "tree.h"

#include "base/str.h"

static struct str snapshot_text;
static size_t snapshot_root;

/* Its name, and each line of it behind its name: lines can be sorted. The journal is left out, and
 * so are tasks and where they are. */
static int snapshot_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	char line[4096];
	const char *name = path + snapshot_root;
	if (!strcmp(name, "/run") || !strncmp(name, "/run/fathom", 11) ||
	    strstr(name, "/cgroup.procs") || strstr(name, "/cgroup.threads") ||
	    (!strncmp(name, "/proc/", 6) && name[6] >= '0' && name[6] <= '9'))
		return 0;
	str_printf(&snapshot_text, "%s\n", name);
	FILE *f = type == FTW_F ? fopen(path, "r") : NULL;
	for (unsigned i = 0; f && fgets(line, sizeof(line), f); i++)
		str_printf(&snapshot_text, "%s %06u %s%s", name, i, line,
			   strchr(line, '\n') ? "" : "(no end)\n");
	if (f)
		fclose(f);
	return 0;
}

static int snapshot_order(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Free it. */
static char *snapshot(const char *root)
{
	char **line, *save = NULL;
	size_t n = 0;
	struct str out;
	str_init(&snapshot_text, 0);
	str_init(&out, 0);
	snapshot_root = strlen(root);
	assert_int_equal(nftw(root, snapshot_one, 16, FTW_PHYS), 0);
	for (const char *p = snapshot_text.s; *p; p++)
		n += *p == '\n';
	line = calloc(n + 1, sizeof(*line));
	assert_non_null(line);
	n = 0;
	for (char *l = strtok_r(snapshot_text.s, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		line[n++] = l;
	qsort(line, n, sizeof(*line), snapshot_order);
	for (size_t i = 0; i < n; i++)
		str_printf(&out, "%s\n", line[i]);
	assert_false(snapshot_text.bad || out.bad);
	free(line);
	str_release(&snapshot_text);
	return out.s;
}

#endif
