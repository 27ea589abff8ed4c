/* Taking changes back: ours, and those of processes that are gone. Every step may be the last of
 * this process, after which another one starts over: what is found to be undone counts as undone.
 */
#include "host/journal_undo.h"

#include "host/journal_inner.h"
#include "host/sysattr.h"
#include "host/list.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum outcome { UNDONE, FOREIGN, FAILED };

void journal_report_init(struct journal_report *r)
{
	memset(r, 0, sizeof(*r));
	str_init(&r->words, 0);
}

void journal_report_release(struct journal_report *r)
{
	str_release(&r->words);
}

/* words: why not, at most size bytes. */
static enum outcome journal_undo_write(struct journal *j, const struct journal_entry *e,
				       char *words, size_t size)
{
	const char *now, *back = e->from;
	char held[128] = "?", was[128] = "?", inverse[SYSATTR_MAX];
	bool here = !j->h->root[0];
	int ret = sysattr_read(j->h, e->path, &j->a, &now);
	/* The device is gone, and the change with it. */
	if (ret == -ENOENT || ret == -ENODEV)
		return UNDONE;
	if (sysattr_is_switch(e->to)) {
		snprintf(inverse, sizeof(inverse), "%c%s", e->to[0] == '+' ? '-' : '+', e->to + 1);
		back = inverse;
	}
	IGNORE_RESULT(sysattr_active(e->from, was, sizeof(was)));
	if (!ret) {
		if (!strcmp(now, e->from) || (here && sysattr_is(now, back)))
			return UNDONE;
		if (!sysattr_is(now, e->to) && !sysattr_is(now, back) && !j->force) {
			IGNORE_RESULT(sysattr_active(now, held, sizeof(held)));
			snprintf(words, size,
				 "%s was '%s', was set to '%s', and is '%s' now: changed by "
				 "others, not restored",
				 e->path, was, e->to, held);
			return FOREIGN;
		}
		ret = here && back == inverse ? sysattr_write(j->h, e->path, now, inverse)
					      : sysattr_restore(j->h, e->path, e->from);
		journal_step(j);
	}
	if (!ret)
		ret = sysattr_read(j->h, e->path, &j->a, &now);
	if (!ret && sysattr_is(now, back))
		return UNDONE;
	snprintf(words, size, "%s cannot be given back its '%s': %s", e->path, was,
		 strerror(ret ? -ret : EIO));
	return FAILED;
}

/* A attribute that another one has set to its default when that was turned. */
static enum outcome journal_undo_keep(struct journal *j, const struct journal_entry *e, char *words,
				      size_t size)
{
	const char *now;
	char was[128] = "?";
	int ret = sysattr_read(j->h, e->path, &j->a, &now);
	if (ret == -ENOENT || ret == -ENODEV || (!ret && !strcmp(now, e->from)))
		return UNDONE;
	if (!ret)
		ret = sysattr_restore(j->h, e->path, e->from);
	journal_step(j);
	if (!ret)
		ret = sysattr_read(j->h, e->path, &j->a, &now);
	if (!ret && sysattr_is(now, e->from))
		return UNDONE;
	IGNORE_RESULT(sysattr_active(e->from, was, sizeof(was)));
	snprintf(words, size, "%s cannot be given back its '%s': %s", e->path, was,
		 strerror(ret ? -ret : EIO));
	return FAILED;
}

/* Tasks left behind go to the group above, as the kernel keeps no group that is removed. */
static void journal_undo_empty_group(struct journal *j, const char *path)
{
	char *text, *save = NULL, above[HOST_PATH_MAX];
	snprintf(above, sizeof(above), "%s", path);
	char *slash = strrchr(above, '/');
	if (!slash || host_read_all(j->h, &text, NULL, "%s/cgroup.procs", path))
		return;
	snprintf(slash, sizeof(above) - (size_t)(slash - above), "/cgroup.procs");
	for (char *w = strtok_r(text, "\n", &save); w; w = strtok_r(NULL, "\n", &save))
		IGNORE_RESULT(sysattr_write(j->h, above, NULL, w));
	free(text);
}

/* The files of a control group vanish with it; those of a tree do not. */
static void journal_undo_remove_files(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	while (dir && (e = readdir(dir)))
		(void)unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

static enum outcome journal_undo_mkdir(struct journal *j, const struct journal_entry *e,
				       char *words, size_t size)
{
	char full[HOST_PATH_MAX];
	int ret = host_path(j->h, full, sizeof(full), "%s", e->path);
	if (!ret && access(full, F_OK))
		return UNDONE;
	if (!ret) {
		journal_undo_empty_group(j, e->path);
		journal_step(j);
		if (j->h->root[0])
			journal_undo_remove_files(full);
		ret = rmdir(full) && errno != ENOENT ? -errno : 0;
		journal_step(j);
	}
	if (!ret)
		return UNDONE;
	snprintf(words, size, "%s cannot be removed: %s", e->path, strerror(-ret));
	return FAILED;
}

/* Is the task in that group, a folder below where the groups are mounted? 1, 0, -1 unknown. */
static int journal_undo_is_in(const struct host *h, pid_t task, const char *group)
{
	char text[HOST_PATH_MAX];
	if (host_read_text(h, text, sizeof(text), "/proc/%d/cgroup", (int)task))
		return -1;
	const char *p = text;
	while (p && strncmp(p, "0::", 3) != 0)
		if ((p = strchr(p, '\n')))
			p++;
	if (!p)
		return -1;
	p += strlen("0::");
	size_t len = strcspn(p, "\n"), n = strlen(group);
	if (len == 1)
		return -1;
	return n >= len && !strncmp(group + n - len, p, len);
}

static enum outcome journal_undo_move(struct journal *j, const struct journal_entry *e, char *words,
				      size_t size)
{
	uint64_t start;
	char path[HOST_PATH_MAX], number[32];
	int ret = 0;
	if (journal_task_start(j->h, e->task, &start) || start != e->start)
		return UNDONE;
	/* Where it is now is where somebody else wanted it. */
	if (journal_undo_is_in(j->h, e->task, e->to) == 0)
		return UNDONE;
	snprintf(number, sizeof(number), "%d", (int)e->task);
	if ((size_t)snprintf(path, sizeof(path), "%s/cgroup.procs", e->from) >= sizeof(path))
		ret = -ENAMETOOLONG;
	if (!ret)
		ret = sysattr_write(j->h, path, NULL, number);
	journal_step(j);
	/* Gone meanwhile, or its old group is: it stays where the group above takes it. */
	if (!ret || ret == -ESRCH || ret == -ENOENT || ret == -ENODEV)
		return UNDONE;
	snprintf(words, size, "process %d cannot be moved back to %s: %s", (int)e->task, e->from,
		 strerror(-ret));
	return FAILED;
}

static enum outcome journal_undo_one(struct journal *j, const struct journal_entry *e, char *words,
				     size_t size)
{
	switch (e->kind) {
	case JOURNAL_WRITE:
		return journal_undo_write(j, e, words, size);
	case JOURNAL_KEEP:
		return journal_undo_keep(j, e, words, size);
	case JOURNAL_MKDIR:
		return journal_undo_mkdir(j, e, words, size);
	case JOURNAL_MOVE:
		return journal_undo_move(j, e, words, size);
	}
	return FAILED;
}

/* What is kept because of a change that stands has to stand, too. */
static bool journal_undo_is_bound(const struct journal *j, unsigned i)
{
	if (j->v[i].kind != JOURNAL_KEEP)
		return false;
	while (i < j->n && j->v[i].kind == JOURNAL_KEEP)
		i++;
	return i < j->n && !j->v[i].undone;
}

int journal_undo(struct journal *j, struct journal_report *r)
{
	assert(j);
	int ret = 0;
	for (unsigned i = j->n; i-- > 0 && !ret;) {
		char words[HOST_PATH_MAX + 512] = "";
		if (j->v[i].undone || journal_undo_is_bound(j, i))
			continue;
		enum outcome how = journal_undo_one(j, &j->v[i], words, sizeof(words));
		if (r) {
			r->undone += how == UNDONE && j->v[i].kind != JOURNAL_KEEP;
			r->foreign += how == FOREIGN;
			r->failed += how == FAILED;
			if (how != UNDONE && !j->v[i].said)
				str_printf(&r->words, "%s\n", words);
		}
		if (how == UNDONE)
			ret = journal_mark(j, i, 'u');
		else if (r && !j->v[i].said)
			ret = journal_mark(j, i, 'f');
	}
	return ret;
}

/* Is the process of "run-PID-START.journal" (or "run-PID-START-N.journal") gone? */
static bool journal_undo_is_orphan(const char *file)
{
	unsigned long long start;
	uint64_t now;
	int pid, end = 0;
	if (sscanf(file, "run-%d-%llu%n", &pid, &start, &end) != 2 || !end)
		return false;
	if (file[end] == '-' && file[end + 1])
		end += 2;
	if (strcmp(file + end, ".journal"))
		return false;
	int ret = journal_task_start(&host_here, (pid_t)pid, &now);
	return ret == -ENOENT || ret == -ESRCH || (!ret && now != start);
}

static int journal_undo_recover_one(const struct host *h, const char *file,
				    struct journal_report *r)
{
	char name[128];
	struct journal *j;
	snprintf(name, sizeof(name), "%.*s", (int)(strlen(file) - strlen(".journal")), file);
	int ret = journal_load(h, name, false, &j);
	/* Somebody else is at it, or was faster. */
	if (ret == -EBUSY || ret == -ENOENT)
		return 0;
	if (ret)
		return ret;
	unsigned undone = r->undone;
	ret = journal_undo(j, r);
	r->owners += r->undone > undone;
	journal_close(j);
	return ret;
}

int journal_recover(const struct host *h, struct journal_report *r)
{
	char folder[HOST_PATH_MAX];
	struct arena a;
	struct host_names files = {0};
	arena_init(&a, 0);
	int ret = journal_folder(h, folder, sizeof(folder));
	if (!ret)
		ret = host_list_dir(&host_here, &a, &files, "%s", folder);
	/* One journal that cannot be read does not keep the others. */
	for (unsigned i = 0; i < files.n; i++) {
		int one = journal_undo_is_orphan(files.v[i])
				  ? journal_undo_recover_one(h, files.v[i], r)
				  : 0;
		ret = ret ? ret : one;
	}
	arena_release(&a);
	return ret == -ENOENT ? 0 : ret;
}
