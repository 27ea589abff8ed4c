/* Where and with which rights a worker runs: CPUs, NUMA memory, priorities, user. Called by the
 * worker's own thread before it touches any memory of its own, so that first touch is local. */
#include "worker/place.h"
#include "worker/worker.h"
#include "host/cpu.h"
#include <errno.h>
#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_NODES 1024

int place_on(const struct cpuset *cpus)
{
	unsigned top = 0;

	for (unsigned i = 0; i < cpus->n; i++)
		top = cpus->cpu[i] > top ? cpus->cpu[i] : top;
	cpu_set_t *set = CPU_ALLOC(top + 1);
	size_t size = CPU_ALLOC_SIZE(top + 1);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (unsigned i = 0; i < cpus->n; i++)
		CPU_SET_S(cpus->cpu[i], size, set);
	int ret = sched_setaffinity(0, size, set) ? -errno : 0;
	CPU_FREE(set);
	return ret;
}

static int place_pin(struct worker *w, struct err *err)
{
	const struct cpuset *cpus = &w->pj->cpus;
	int ret = cpus->n ? place_on(cpus) : 0;

	if (ret < 0) {
		char list[128];
		cpuset_print(cpus, list, sizeof(list));
		err_set(err, ERR_SETUP, -ret, "%s cannot run on CPU %s: %s", w->pj->name, list,
			strerror(-ret));
		err_remedy(err, "name CPUs this process may use (taskset -p $$ shows them; "
				"containers limit them)");
	}
	return ret;
}

/* "prefer:1", "bind:0-1", "interleave:0,1", "interleave", "local", "default": set_mempolicy(2),
 * raw, since that is the one call we need. */
static int place_numa_memory(struct worker *w, struct err *err)
{
	const char *text = w->pj->o->numa_mem_policy;
	unsigned long mask[MAX_NODES / (8 * sizeof(unsigned long))] = {0};
	int mode = MPOL_DEFAULT;

	if (!text)
		return 0;
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	if (!strncmp(text, "prefer", n))
		mode = MPOL_PREFERRED;
	else if (!strncmp(text, "bind", n))
		mode = MPOL_BIND;
	else if (!strncmp(text, "interleave", n))
		mode = MPOL_INTERLEAVE;
	else if (!strncmp(text, "local", n))
		mode = MPOL_LOCAL;
	struct cpuset nodes = {0};
	if (colon && cpuset_parse(colon + 1, &w->arena, &nodes) < 0)
		return err_set(err, ERR_SETUP, EINVAL, "numa_mem_policy: '%s' is no list of nodes",
			       colon + 1);
	for (unsigned i = 0; i < nodes.n; i++)
		if (nodes.cpu[i] < MAX_NODES)
			mask[nodes.cpu[i] / (8 * sizeof(unsigned long))] |=
				1ul << nodes.cpu[i] % (8 * sizeof(unsigned long));
	if (mode == MPOL_INTERLEAVE && !nodes.n)
		for (unsigned i = 0; i < cpu_nodes(&w->env->host); i++)
			mask[i / (8 * sizeof(unsigned long))] |= 1ul
								 << i % (8 * sizeof(unsigned long));
	bool with_mask = mode != MPOL_DEFAULT && mode != MPOL_LOCAL;
	if (syscall(SYS_set_mempolicy, mode, with_mask ? mask : NULL, with_mask ? MAX_NODES : 0)) {
		int ret = errno;
		err_set(err, ERR_SETUP, ret, "numa_mem_policy=%s: %s", text, strerror(ret));
		err_remedy(err, "name nodes of this machine (/sys/devices/system/node)");
		return -ret;
	}
	return 0;
}

static int place_priorities(struct worker *w, struct err *err)
{
	const struct job_opts *o = w->pj->o;
	bool prio = job_given(w->pj->job, OPT_prio), class = job_given(w->pj->job, OPT_prioclass);

	if (o->nice && setpriority(PRIO_PROCESS, (id_t)w->thread.tid, (int)o->nice)) {
		err_set(err, ERR_SETUP, errno, "nice=%lld: %s", (long long)o->nice,
			strerror(errno));
		err_remedy(err, "a negative nice value needs root or CAP_SYS_NICE");
		return -err->sys;
	}
	if (!prio && !class)
		return 0;
	int value = IOPRIO_PRIO_VALUE(class ? (int)o->prioclass : IOPRIO_CLASS_BE, (int)o->prio);
	w->default_prio = (uint16_t)value;
	if (syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, 0, value)) {
		int ret = errno;
		err_set(err, ERR_SETUP, ret, "prioclass=%lld, prio=%lld: %s",
			(long long)o->prioclass, (long long)o->prio, strerror(ret));
		err_remedy(err, "the real-time class needs root or CAP_SYS_ADMIN");
		return -ret;
	}
	return 0;
}

/* Of this thread alone: the C library's wrappers would change all threads. */
static int place_user(struct worker *w, struct err *err)
{
	const struct job_opts *o = w->pj->o;

	if (job_given(w->pj->job, OPT_gid) &&
	    syscall(SYS_setresgid, (gid_t)o->gid, (gid_t)o->gid, (gid_t)o->gid))
		return err_set(err, ERR_SETUP, errno, "gid=%llu: %s", (unsigned long long)o->gid,
			       strerror(errno));
	if (job_given(w->pj->job, OPT_uid) &&
	    syscall(SYS_setresuid, (uid_t)o->uid, (uid_t)o->uid, (uid_t)o->uid))
		return err_set(err, ERR_SETUP, errno, "uid=%llu: %s", (unsigned long long)o->uid,
			       strerror(errno));
	return 0;
}

static int place_lock_memory(struct worker *w, struct err *err)
{
	size_t bytes = (size_t)w->pj->o->lockmem;

	if (!bytes)
		return 0;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return err_set(err, ERR_SETUP, ENOMEM, "lockmem: no memory");
	if (mlock(p, bytes)) {
		int ret = errno;
		munmap(p, bytes);
		err_set(err, ERR_SETUP, ret, "lockmem=%zu: %s", bytes, strerror(ret));
		err_remedy(err, "raise 'ulimit -l' or run as root");
		return -ret;
	}
	w->buffers.locked = p;
	return 0;
}

static void place_note_cpus(struct worker *w)
{
	struct cpuset cpus;

	if (cpu_allowed(&w->arena, &cpus) == 0)
		cpuset_print(&cpus, w->thread.cpus, sizeof(w->thread.cpus));
}

/* The struct was written by the thread that made it: bring its pages to this one's node (the rest
 * is touched here first). */
static void place_bring_home(struct worker *w)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (cpu_nodes(&w->env->host) > 1)
		syscall(SYS_mbind, w, (sizeof(*w) + page - 1) / page * page, MPOL_LOCAL, NULL, 0,
			MPOL_MF_MOVE);
}

int place_thread(struct worker *w, struct err *err)
{
	int ret;

	w->thread.tid = (long)syscall(SYS_gettid);
	prctl(PR_SET_NAME, w->pj->o->comm ? w->pj->o->comm : w->pj->name);
	/* Sleeps of paced jobs end when they should, not 50 us later. */
	prctl(PR_SET_TIMERSLACK, 1ul);
	/* A descriptor table of its own: look-ups are not shared and take the kernel's single-owner
	 * path. Where that is forbidden (Docker's default filter), the shared table is only slower.
	 * An engine whose I/O other threads do needs the shared one: in theirs a number may be
	 * another file. */
	if (!(w->pj->caps & ENGINE_THREADS))
		IGNORE_RESULT(unshare(CLONE_FILES));
	if (w->env->enter)
		w->env->enter(w);
	ret = place_pin(w, err);
	place_note_cpus(w);
	place_bring_home(w);
	if (!ret)
		ret = place_numa_memory(w, err);
	if (!ret)
		ret = place_priorities(w, err);
	if (!ret)
		ret = place_lock_memory(w, err);
	/* Last: the others may need the rights. */
	return ret ? ret : place_user(w, err);
}
