#include "host/mounts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* Undo the kernel's \ooo escapes of blanks and backslashes, in place. */
static char *mounts_unescape(char *s)
{
	char *to = s;
	for (const char *p = s; *p;) {
		if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
		    p[3] >= '0' && p[3] <= '7') {
			*to++ = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
			p += 4;
		} else {
			*to++ = *p++;
		}
	}
	*to = '\0';
	return s;
}

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
static bool mounts_parse_line(char *line, struct mount *m)
{
	char *field[6], *save = NULL, *word;
	for (unsigned i = 0; i < 6; i++)
		if (!(field[i] = strtok_r(i ? NULL : line, " ", &save)))
			return false;
	do {
		word = strtok_r(NULL, " ", &save);
	} while (word && strcmp(word, "-"));
	char *fstype = strtok_r(NULL, " ", &save), *source = strtok_r(NULL, " ", &save),
	     *super = strtok_r(NULL, " ", &save);
	char *end;
	if (!word || !fstype || sscanf(field[2], "%u:%u", &m->major, &m->minor) != 2)
		return false;
	m->id = strtoull(field[0], &end, 10);
	if (*end)
		return false;
	m->point = mounts_unescape(field[4]);
	m->options = mounts_unescape(field[5]);
	m->fstype = mounts_unescape(fstype);
	m->source = source ? mounts_unescape(source) : "";
	m->super = super ? mounts_unescape(super) : "";
	return true;
}

static size_t mounts_count_lines(const char *text)
{
	size_t n = 1;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The text in the arena, so that fields can point into it. */
static int mounts_read_table(const struct host *h, struct arena *a, char **text, const char *path)
{
	char *raw;
	size_t len;
	int ret = host_read_all(h, &raw, &len, "%s", path);
	if (ret)
		return ret;
	*text = arena_strndup(a, raw, len);
	free(raw);
	return *text ? 0 : -ENOMEM;
}

static int mounts_read_mounts(const struct host *h, struct arena *a, struct mounts *out)
{
	char *text, *save = NULL;
	int ret = mounts_read_table(h, a, &text, "/proc/self/mountinfo");
	if (ret)
		return ret;
	out->v = arena_new(a, struct mount, mounts_count_lines(text));
	if (!out->v)
		return -ENOMEM;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (mounts_parse_line(line, &out->v[out->n]))
			out->n++;
	return 0;
}

static int mounts_read_swaps(const struct host *h, struct arena *a, struct mounts *out)
{
	char *text, *save = NULL;
	int ret = mounts_read_table(h, a, &text, "/proc/swaps");
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	out->swap = arena_new(a, const char *, mounts_count_lines(text));
	if (!out->swap)
		return -ENOMEM;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (line[0] != '/') /* the heading */
			continue;
		line[strcspn(line, " \t")] = '\0';
		out->swap[out->swaps++] = mounts_unescape(line);
	}
	return 0;
}

int mounts_read(const struct host *h, struct arena *a, struct mounts *out)
{
	struct mounts m = {0};
	int ret = mounts_read_mounts(h, a, &m);
	if (!ret)
		ret = mounts_read_swaps(h, a, &m);
	if (!ret)
		*out = m;
	return ret;
}

/* Does a path of /dev lead to the device? By its node where that can be looked at, else by the
 * names /sys knows. */
static bool mounts_leads_to(const struct host *h, const char *path, unsigned major, unsigned minor,
			    const char *name)
{
	struct stat st;
	if (strncmp(path, "/dev/", 5))
		return false;
	if (!h->root[0] && !stat(path, &st))
		return S_ISBLK(st.st_mode) && st.st_rdev == makedev(major, minor);
	if (!name)
		return false;
	if (!strncmp(path, "/dev/mapper/", 12)) {
		char dm[128];
		return !host_read_text(h, dm, sizeof(dm), "/sys/class/block/%s/dm/name", name) &&
		       !strcmp(dm, path + 12);
	}
	for (path += 5; *path && *name; path++, name++)
		if (*path != *name && !(*path == '/' && *name == '!'))
			return false;
	return *path == *name;
}

const struct mount *mounts_find_device(const struct host *h, const struct mounts *m, unsigned major,
				       unsigned minor, const char *name)
{
	for (unsigned i = m->n; i-- > 0;)
		if (m->v[i].major == major && m->v[i].minor == minor)
			return &m->v[i];
	/* btrfs and the like have device numbers of their own. Others never name a device they do
	 * not use. */
	for (unsigned i = m->n; i-- > 0;)
		if (m->v[i].major == 0 && mounts_leads_to(h, m->v[i].source, major, minor, name))
			return &m->v[i];
	return NULL;
}

const struct mount *mounts_find_path(const struct mounts *m, uint64_t id, const char *path)
{
	const struct mount *best = NULL;
	size_t best_len = 0;
	for (unsigned i = 0; id && i < m->n; i++)
		if (m->v[i].id == id)
			return &m->v[i];
	for (unsigned i = 0; path && i < m->n; i++) {
		const char *point = m->v[i].point;
		size_t len = strlen(point);
		if (len == 1)
			len = 0;
		if (strncmp(point, path, len) || (path[len] != '/' && path[len] != '\0'))
			continue;
		if (!best || len >= best_len) {
			best = &m->v[i];
			best_len = len;
		}
	}
	return best;
}

bool mounts_is_swap(const struct host *h, const struct mounts *m, unsigned major, unsigned minor,
		    const char *name)
{
	for (unsigned i = 0; i < m->swaps; i++)
		if (mounts_leads_to(h, m->swap[i], major, minor, name))
			return true;
	return false;
}
