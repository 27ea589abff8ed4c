#include "host/partition.h"
#include "host/journal_undo.h"

#include "host/sysattr.h"
#include "host/list.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT   "/sys/fs/cgroup"
#define PREFIX "fathom-"
#define LIST   4096

static int partition_put(const struct host *h, const char *folder, const char *file,
			 const char *word)
{
	char path[HOST_PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return sysattr_write(h, path, NULL, word);
}

static int partition_put_task(const struct host *h, const char *folder, long tid)
{
	char word[32];
	snprintf(word, sizeof(word), "%ld", tid);
	return partition_put(h, folder, "cgroup.threads", word);
}

static bool partition_root_has(const struct host *h, const char *word)
{
	char text[512], want[64];
	if (host_read_text(h, text, sizeof(text), ROOT "/cgroup.controllers"))
		return false;
	snprintf(want, sizeof(want), "+%s", word);
	return sysattr_is(text, want);
}

/* Are there groups of version 2 with cpusets, and do we see their true root? */
static int partition_supported(const struct host *h, struct err *err)
{
	if (!host_exists(h, ROOT "/cgroup.controllers")) {
		err_set(err, ERR_SETUP, ENOTSUP,
			host_exists(h, ROOT "/cpuset")
				? "cpusets are in control groups of version 1 here"
				: "no control groups of version 2 are mounted");
		err_remedy(err, "boot with systemd.unified_cgroup_hierarchy=1");
		return -ENOTSUP;
	}
	if (host_exists(h, ROOT "/cgroup.type")) {
		err_set(err, ERR_SETUP, ENOTSUP,
			"the root of the control groups is not to be seen from this container");
		err_remedy(err, "run on the host itself");
		return -ENOTSUP;
	}
	if (!partition_root_has(h, "cpuset"))
		return err_set(err, ERR_SETUP, ENOTSUP,
			       "the control groups of version 2 have no cpuset controller");
	return 0;
}

/* One at a time: who ends first would take the cpuset controller away from the other. Groups of
 * processes that were killed are gone by now (journal_recover). */
static int partition_alone(const struct host *h, struct err *err)
{
	struct arena a;
	struct host_names list = {0};
	int ret = 0;
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &list, ROOT))
		for (unsigned i = 0; i < list.n && !ret; i++)
			if (!strncmp(list.v[i], PREFIX, strlen(PREFIX)))
				ret = err_set(err, ERR_SETUP, EBUSY,
					      "another isolated run has its partition (%s)",
					      list.v[i]);
	arena_release(&a);
	return ret;
}

/* "0::/a/b" of /proc/self/cgroup. */
static int partition_our_group(const struct host *h, char *buf, size_t size)
{
	char *text, *save = NULL;
	int ret = host_read_all(h, &text, NULL, "/proc/self/cgroup");
	if (ret)
		return ret;
	ret = -ENOENT;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		if (!strncmp(l, "0::/", 4) && strlen(l + 3) < size) {
			snprintf(buf, size, "%s", l + 3);
			ret = 0;
		}
	free(text);
	return ret;
}

/* Leaving a group that limits its tasks would change what is measured. */
static const char *partition_limit_of(const struct host *h, const char *group)
{
	static const char *const file[] = {"cpu.max", "memory.max", "memory.high", "io.max"};
	char path[256], text[256];
	snprintf(path, sizeof(path), "%s", group);
	for (char *slash; (slash = strrchr(path, '/')) && path[1]; *slash = '\0')
		for (unsigned i = 0; i < sizeof(file) / sizeof(file[0]); i++)
			if (!host_read_text(h, text, sizeof(text), ROOT "%s/%s", path, file[i]) &&
			    text[0] && strncmp(text, "max", 3) != 0)
				return file[i];
	return NULL;
}

static int partition_refused(struct err *err, int ret, const char *what)
{
	err_set(err, ERR_SETUP, -ret, "the kernel refuses %s: %s", what, strerror(-ret));
	if (ret == -EACCES || ret == -EPERM)
		err_remedy(err, "run as root");
	return ret;
}

/* "root" or "isolated", or "root invalid (...)" when it took the word and not the CPUs. */
static int partition_read_state(const struct partition *p, char *buf, size_t size)
{
	return host_read_text(p->h, buf, size, "%s/cpuset.cpus.partition", p->folder);
}

static int partition_shape(const struct partition *p, const struct cpuset *cpus, struct err *err)
{
	char list[LIST], state[256] = "";
	int ret = partition_put(p->h, p->folder, "cgroup.type", "threaded");
	if (ret)
		return partition_refused(err, ret, "a threaded group");
	cpuset_print(cpus, list, sizeof(list));
	ret = partition_put(p->h, p->folder, "cpuset.cpus", list);
	if (ret)
		return partition_refused(err, ret, "the CPUs");
	ret = partition_put(p->h, p->folder, "cpuset.cpus.partition", "root");
	if (ret == -ENOENT)
		return err_set(err, ERR_SETUP, ENOTSUP, "this kernel has no cpuset partitions");
	/* CPUs of isolcpus can only be in one where nothing is balanced (6.9). */
	if (!ret && !partition_holds(p)) {
		(void)partition_read_state(p, state, sizeof(state));
		ret = partition_put(p->h, p->folder, "cpuset.cpus.partition", "isolated");
	}
	if (ret)
		return partition_refused(err, ret, "a partition");
	if (partition_holds(p))
		return 0;
	return err_set(err, ERR_SETUP, EINVAL, "the partition of CPU %s is '%s'", list, state);
}

static int partition_join_root(struct journal *j, const struct partition *p, struct err *err)
{
	char from[HOST_PATH_MAX];
	if (!strcmp(p->from, "/"))
		return 0;
	snprintf(from, sizeof(from), ROOT "%s", p->from);
	return journal_move(j, getpid(), from, ROOT, err);
}

int partition_make(const struct host *h, struct journal *j, const struct cpuset *cpus,
		   struct partition *out, struct err *err)
{
	struct partition p = {.h = h};
	int ret = partition_supported(h, err);
	if (!ret)
		ret = partition_alone(h, err);
	if (ret)
		return ret;
	if (partition_our_group(h, p.from, sizeof(p.from)))
		return err_set(err, ERR_SETUP, ENOTSUP,
			       "the control group of this process is unknown");
	const char *limit = partition_limit_of(h, p.from);
	if (limit) {
		err_set(err, ERR_SETUP, ENOTSUP,
			"it would lift the limits of the control group %s (%s)", p.from, limit);
		err_remedy(err, "start it from a group without limits");
		return -ENOTSUP;
	}
	snprintf(p.folder, sizeof(p.folder), ROOT "/" PREFIX "%d", (int)getpid());
	ret = journal_write(j, ROOT "/cgroup.subtree_control", "+cpuset", err);
	if (!ret)
		ret = journal_mkdir(j, p.folder, err);
	if (!ret)
		ret = partition_shape(&p, cpus, err);
	if (!ret)
		ret = partition_join_root(j, &p, err);
	if (ret)
		return ret;
	p.made = true;
	*out = p;
	return 0;
}

int partition_enter(const struct partition *p, long tid)
{
	return partition_put_task(p->h, p->folder, tid);
}

int partition_leave(const struct partition *p, long tid)
{
	return partition_put_task(p->h, ROOT, tid);
}

bool partition_holds(const struct partition *p)
{
	char state[256];
	return !partition_read_state(p, state, sizeof(state)) &&
	       (!strcmp(state, "root") || !strcmp(state, "isolated"));
}

void partition_clear(const struct partition *p)
{
	char *text, *save = NULL;
	if (host_read_all(p->h, &text, NULL, "%s/cgroup.threads", p->folder))
		return;
	for (char *w = strtok_r(text, "\n", &save); w; w = strtok_r(NULL, "\n", &save))
		(void)partition_put(p->h, ROOT, "cgroup.threads", w);
	free(text);
}
