/* The file of a journal: where it lies, who may use it, and its text. */
#include "host/journal_inner.h"
#include "host/task.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)16 << 20)

int journal_folder(const struct host *h, char *buf, size_t size)
{
	const char *given = getenv("FATHOM_STATE_DIR");
	if (!given || !given[0])
		return host_path(h, buf, size, "/run/fathom");
	return (size_t)snprintf(buf, size, "%s", given) >= size ? -ENAMETOOLONG : 0;
}

int journal_task_start(const struct host *h, pid_t pid, uint64_t *out)
{
	char which[24];
	struct task t;
	snprintf(which, sizeof(which), "%d", (int)pid);
	int ret = task_read(h, which, &t);
	/* What has ended and is only kept for its parent does nothing any more. */
	if (!ret && (t.state == 'Z' || t.state == 'X'))
		ret = -ENOENT;
	if (!ret)
		*out = t.start;
	return ret;
}

void journal_step(struct journal *j)
{
	if (j->step)
		j->step(j->step_ctx);
}

/* What is written by root from there must have been written by us. */
static int journal_file_folder_is_ours(const char *path)
{
	struct stat st;
	if (lstat(path, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

static int journal_file_make_folder(const char *path)
{
	char above[HOST_PATH_MAX];
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return 0;
	if (errno != ENOENT)
		return -errno;
	/* A recorded tree has no /run. */
	snprintf(above, sizeof(above), "%s", path);
	char *slash = strrchr(above, '/');
	if (slash && slash != above)
		*slash = '\0';
	if (mkdir(above, 0755) && errno != EEXIST)
		return -errno;
	return mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
}

/* Opened and locked; a file that was removed between the two is opened anew. */
static int journal_file_open_locked(const char *path, bool create)
{
	for (;;) {
		struct stat st = {0}, now;
		int fd = open(path,
			      O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0),
			      0600);
		if (fd < 0)
			return -errno;
		int ret = 0;
		if (flock(fd, LOCK_EX | LOCK_NB))
			ret = errno == EWOULDBLOCK ? -EBUSY : -errno;
		else if (fstat(fd, &st))
			ret = -errno;
		if (ret) {
			close(fd);
			return ret;
		}
		if (!stat(path, &now) && now.st_ino == st.st_ino && now.st_dev == st.st_dev)
			return fd;
		close(fd);
	}
}

static void journal_file_add_field(struct str *s, const char *text)
{
	str_addc(s, '\t');
	for (; *text; text++) {
		const char *from = "\\\n\t", *to = "\\nt", *at = strchr(from, *text);
		if (at)
			str_addc(s, '\\');
		str_addc(s, at ? to[at - from] : *text);
	}
}

/* The fields of a line, their escapes taken out, in place. */
static unsigned journal_file_split(char *line, char **field, unsigned most)
{
	assert(line && field && most);
	unsigned n = 0;
	for (char *p = line; p && n < most;) {
		char *next = strchr(p, '\t'), *to = p;
		if (next)
			*next++ = '\0';
		field[n++] = p;
		for (; *p; p++) {
			if (*p == '\\' && p[1])
				*to++ = *++p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
			else
				*to++ = *p;
		}
		*to = '\0';
		p = next;
	}
	return n;
}

/* Room for one more, zeroed. NULL without memory. */
static struct journal_entry *journal_file_grow(struct journal *j)
{
	if (j->n == j->room) {
		unsigned room = j->room ? j->room * 2 : 16;
		struct journal_entry *v = arena_new(&j->a, struct journal_entry, room);
		if (!v)
			return NULL;
		if (j->n)
			memcpy(v, j->v, j->n * sizeof(*v));
		j->v = v;
		j->room = room;
	}
	return memset(&j->v[j->n], 0, sizeof(*j->v));
}

static int journal_file_keep(struct journal *j, const struct journal_entry *from)
{
	struct journal_entry *e = journal_file_grow(j);
	if (!e)
		return -ENOMEM;
	*e = *from;
	e->path = arena_strdup(&j->a, from->path);
	e->from = arena_strdup(&j->a, from->from ? from->from : "");
	e->to = arena_strdup(&j->a, from->to ? from->to : "");
	if (!e->path || !e->from || !e->to)
		return -ENOMEM;
	j->n++;
	return 0;
}

static int journal_file_take_line(struct journal *j, char *line)
{
	char *f[5] = {"", "", "", "", ""};
	unsigned n = journal_file_split(line, f, 5);
	if (!strcmp(f[0], "w") && n == 4)
		return journal_file_keep(
			j, &(struct journal_entry){JOURNAL_WRITE, f[1], f[2], f[3], 0, 0, 0, 0});
	if (!strcmp(f[0], "k") && n == 3)
		return journal_file_keep(
			j,
			&(struct journal_entry){.kind = JOURNAL_KEEP, .path = f[1], .from = f[2]});
	if (!strcmp(f[0], "m") && n == 2)
		return journal_file_keep(
			j, &(struct journal_entry){.kind = JOURNAL_MKDIR, .path = f[1]});
	if (!strcmp(f[0], "t") && n == 5)
		return journal_file_keep(
			j, &(struct journal_entry){.kind = JOURNAL_MOVE,
						   .path = f[3],
						   .from = f[3],
						   .to = f[4],
						   .task = (pid_t)strtol(f[1], NULL, 10),
						   .start = strtoull(f[2], NULL, 10)});
	unsigned long i = strtoul(f[1], NULL, 10);
	if (n == 2 && i < j->n && (!strcmp(f[0], "u") || !strcmp(f[0], "f"))) {
		if (f[0][0] == 'u')
			j->v[i].undone = true;
		else
			j->v[i].said = true;
		return 0;
	}
	return -EINVAL;
}

static int journal_file_load(struct journal *j)
{
	struct stat st;
	if (fstat(j->fd, &st))
		return -errno;
	if ((uint64_t)st.st_size > FILE_MAX)
		return -EFBIG;
	size_t size = (size_t)st.st_size;
	char *text = arena_alloc(&j->a, size + 1, 1);
	if (!text)
		return -ENOMEM;
	ssize_t got = pread(j->fd, text, size, 0);
	if (got < 0 || (size_t)got != size)
		return got < 0 ? -errno : -EIO;
	text[size] = '\0';
	char *end;
	int ret = 0;
	for (char *line = text; !ret && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		ret = journal_file_take_line(j, line);
		if (end + 1 == text + size)
			return ret;
	}
	if (ret)
		return ret;
	/* A line that was cut off must not be joined by the next. */
	for (end = text + size; end > text && end[-1] != '\0'; end--)
		;
	return ftruncate(j->fd, (off_t)(end - text)) ? -errno : 0;
}

int journal_load(const struct host *h, const char *name, bool create, struct journal **out)
{
	char folder[HOST_PATH_MAX];
	int ret = journal_folder(h, folder, sizeof(folder));
	if (!ret && create)
		ret = journal_file_make_folder(folder);
	if (!ret)
		ret = journal_file_folder_is_ours(folder);
	if (ret)
		return ret;
	struct journal *j = calloc(1, sizeof(*j));
	if (!j)
		return -ENOMEM;
	arena_init(&j->a, 0);
	j->h = h;
	if ((size_t)snprintf(j->path, sizeof(j->path), "%s/%s.journal", folder, name) >=
	    sizeof(j->path))
		ret = -ENAMETOOLONG;
	j->fd = ret ? ret : journal_file_open_locked(j->path, create);
	if (j->fd >= 0)
		ret = journal_file_load(j);
	if (j->fd < 0 || ret) {
		ret = ret ? ret : j->fd;
		if (j->fd >= 0)
			close(j->fd);
		arena_release(&j->a);
		free(j);
		return ret;
	}
	*out = j;
	return 0;
}

/* A tree is left as it was found. */
static void journal_file_remove_folders(const struct journal *j)
{
	char folder[HOST_PATH_MAX];
	if (j->h->root[0] && !getenv("FATHOM_STATE_DIR") &&
	    !host_path(j->h, folder, sizeof(folder), "/run/fathom") && !rmdir(folder)) {
		*strrchr(folder, '/') = '\0';
		(void)rmdir(folder);
	}
}

void journal_unload(struct journal *j, bool keep)
{
	if (!keep) {
		unlink(j->path);
		journal_file_remove_folders(j);
	}
	close(j->fd);
	arena_release(&j->a);
	free(j);
}

static int journal_file_append(struct journal *j, const struct str *line)
{
	if (line->bad)
		return -E2BIG;
	off_t end = lseek(j->fd, 0, SEEK_END);
	ssize_t n = write(j->fd, line->s, line->len);
	int ret = n < 0 ? -errno : (size_t)n != line->len ? -ENOSPC : 0;
	if (!ret) {
		journal_step(j);
		ret = fsync(j->fd) ? -errno : 0;
	}
	/* Neither a piece nor a record that does not count may stay: the next would be joined to
	 * it, and all numbers be off by one. */
	if (ret)
		return end < 0 || ftruncate(j->fd, end) ? -EIO : ret;
	journal_step(j);
	return 0;
}

int journal_record(struct journal *j, const struct journal_entry *e)
{
	struct str line;
	str_init(&line, (size_t)64 << 10);
	switch (e->kind) {
	case JOURNAL_WRITE:
		str_addc(&line, 'w');
		journal_file_add_field(&line, e->path);
		journal_file_add_field(&line, e->from);
		journal_file_add_field(&line, e->to);
		break;
	case JOURNAL_KEEP:
		str_addc(&line, 'k');
		journal_file_add_field(&line, e->path);
		journal_file_add_field(&line, e->from);
		break;
	case JOURNAL_MKDIR:
		str_addc(&line, 'm');
		journal_file_add_field(&line, e->path);
		break;
	case JOURNAL_MOVE:
		str_printf(&line, "t\t%d\t%llu", (int)e->task, (unsigned long long)e->start);
		journal_file_add_field(&line, e->from);
		journal_file_add_field(&line, e->to);
		break;
	}
	str_addc(&line, '\n');
	int ret = journal_file_keep(j, e);
	if (!ret) {
		ret = journal_file_append(j, &line);
		if (ret)
			j->n--;
	}
	str_release(&line);
	return ret;
}

int journal_mark(struct journal *j, unsigned i, char mark)
{
	assert(mark);
	struct str line;
	str_init(&line, 64);
	if (mark == 'u')
		j->v[i].undone = true;
	else
		j->v[i].said = true;
	str_printf(&line, "%c\t%u\n", mark, i);
	int ret = journal_file_append(j, &line);
	str_release(&line);
	return ret;
}
