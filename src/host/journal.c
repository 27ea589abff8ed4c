/* Opening a journal and making changes through it. */
#include "host/journal.h"

#include "host/journal_inner.h"
#include "host/sysattr.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int journal_fail(struct err *err, int ret, const char *what, const char *path)
{
	err_set(err, ERR_SETUP, -ret, "cannot %s %s: %s", what, path, strerror(-ret));
	if (ret == -EROFS)
		err_remedy(err, "it is read-only here, as in a container: run on the host itself");
	else if ((ret == -EACCES || ret == -EPERM) && geteuid() != 0)
		err_remedy(err, "run as root");
	return ret;
}

/* -9, -8, ...: handles that a process opens later, whose changes have to be undone earlier, come
 * earlier in the order of names. */
#define HANDLES 10

static int journal_name_of(const char *owner, unsigned handle, char *buf, size_t size)
{
	uint64_t start;
	if (owner)
		return (size_t)snprintf(buf, size, "%s", owner) >= size ? -ENAMETOOLONG : 0;
	int ret = journal_task_start(&host_here, getpid(), &start);
	if (!ret && handle)
		snprintf(buf, size, "run-%d-%llu-%u", (int)getpid(), (unsigned long long)start,
			 HANDLES - handle);
	else if (!ret)
		snprintf(buf, size, "run-%d-%llu", (int)getpid(), (unsigned long long)start);
	return ret;
}

static int journal_open_it(const struct host *h, const char *owner, bool create,
			   struct journal **out, struct err *err)
{
	char name[128], folder[HOST_PATH_MAX] = "";
	int ret = -EBUSY;
	for (unsigned i = 0; ret == -EBUSY && i < (owner ? 1 : HANDLES); i++) {
		ret = journal_name_of(owner, i, name, sizeof(name));
		if (!ret)
			ret = journal_load(h, name, create, out);
	}
	if (!ret || (ret == -ENOENT && !create))
		return ret;
	IGNORE_RESULT(journal_folder(h, folder, sizeof(folder)));
	journal_fail(err, ret, "open the journal of changes in", folder);
	if (ret == -EBUSY)
		err_remedy(err, "another fathom is changing the machine just now: wait for it");
	else if (ret == -EPERM && geteuid() == 0)
		err_remedy(err, "the folder must belong to root, and nobody else may write to it");
	else if (ret == -EINVAL)
		err_remedy(err, "%s.journal is damaged: read it, then remove it", name);
	return ret;
}

int journal_open(const struct host *h, const char *owner, struct journal **out, struct err *err)
{
	return journal_open_it(h, owner, true, out, err);
}

int journal_open_existing(const struct host *h, const char *owner, struct journal **out,
			  struct err *err)
{
	return journal_open_it(h, owner, false, out, err);
}

const struct journal_entry *journal_entry(const struct journal *j, unsigned i)
{
	for (unsigned k = 0; k < j->n; k++)
		if (!j->v[k].undone && i-- == 0)
			return &j->v[k];
	return NULL;
}

void journal_close(struct journal *j)
{
	if (j)
		journal_unload(j, journal_entry(j, 0));
}

void journal_force(struct journal *j)
{
	j->force = true;
}

void journal_on_step(struct journal *j, void (*step)(void *ctx), void *ctx)
{
	j->step = step;
	j->step_ctx = ctx;
}

/* Written down and flushed; from here on whoever comes after us can undo it. */
static int journal_announce(struct journal *j, const struct journal_entry *e, struct err *err)
{
	int ret = journal_record(j, e);
	return ret ? journal_fail(err, ret, "write to the journal", j->path) : 0;
}

/* The change was not made. */
static void journal_withdraw(struct journal *j)
{
	IGNORE_RESULT(journal_mark(j, j->n - 1, 'u'));
}

int journal_write(struct journal *j, const char *path, const char *text, struct err *err)
{
	assert(j && path && text);
	const char *was, *now;
	char word[SYSATTR_MAX];
	int ret = sysattr_read(j->h, path, &j->a, &was);
	if (!ret)
		ret = sysattr_active(text, word, sizeof(word));
	if (ret)
		return journal_fail(err, ret, "read", path);
	if (sysattr_is(was, word))
		return 0;
	ret = journal_announce(
		j, &(struct journal_entry){JOURNAL_WRITE, path, was, word, 0, 0, 0, 0}, err);
	if (ret)
		return ret;
	ret = sysattr_write(j->h, path, was, word);
	journal_step(j);
	if (ret) {
		journal_withdraw(j);
		return journal_fail(err, ret, "write to", path);
	}
	ret = sysattr_read(j->h, path, &j->a, &now);
	if (!ret && sysattr_is(now, word))
		return 0;
	if (sysattr_restore(j->h, path, was) == 0)
		journal_withdraw(j);
	if (ret)
		return journal_fail(err, ret, "read", path);
	IGNORE_RESULT(sysattr_active(now, word, sizeof(word)));
	return err_set(err, ERR_SETUP, EIO, "%s took '%s' and then held '%s'", path, text, word);
}

int journal_keep(struct journal *j, const char *path, struct err *err)
{
	assert(j && path);
	const char *was;
	int ret = sysattr_read(j->h, path, &j->a, &was);
	if (ret)
		return journal_fail(err, ret, "read", path);
	return journal_announce(
		j, &(struct journal_entry){.kind = JOURNAL_KEEP, .path = path, .from = was}, err);
}

int journal_mkdir(struct journal *j, const char *path, struct err *err)
{
	assert(j && path);
	char full[HOST_PATH_MAX];
	int ret = host_path(j->h, full, sizeof(full), "%s", path);
	if (!ret && access(full, F_OK) == 0)
		ret = -EEXIST;
	if (ret)
		return journal_fail(err, ret, "make", path);
	ret = journal_announce(j, &(struct journal_entry){.kind = JOURNAL_MKDIR, .path = path},
			       err);
	if (ret)
		return ret;
	ret = mkdir(full, 0755) ? -errno : 0;
	journal_step(j);
	if (ret) {
		journal_withdraw(j);
		return journal_fail(err, ret, "make", path);
	}
	return 0;
}

int journal_move(struct journal *j, pid_t task, const char *from_cgroup, const char *to_cgroup,
		 struct err *err)
{
	assert(task > 0 && from_cgroup && to_cgroup);
	char path[HOST_PATH_MAX], number[32];
	struct journal_entry e = {JOURNAL_MOVE, from_cgroup, from_cgroup, to_cgroup, task, 0, 0, 0};
	if ((size_t)snprintf(path, sizeof(path), "%s/cgroup.procs", to_cgroup) >= sizeof(path))
		return journal_fail(err, -ENAMETOOLONG, "move a task to", to_cgroup);
	snprintf(number, sizeof(number), "%d", (int)task);
	if (journal_task_start(j->h, task, &e.start))
		return err_set(err, ERR_SETUP, ESRCH, "process %d is gone", (int)task);
	int ret = journal_announce(j, &e, err);
	if (ret)
		return ret;
	ret = sysattr_write(j->h, path, NULL, number);
	journal_step(j);
	if (ret) {
		journal_withdraw(j);
		return journal_fail(err, ret, "move a task to", to_cgroup);
	}
	return 0;
}
