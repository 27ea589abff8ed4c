/* Inside of doctor: what a check is given, and how it answers. Not for other folders. */
#ifndef FATHOM_DOCTOR_CHECK_H
#define FATHOM_DOCTOR_CHECK_H

#include "base/must_check.h"
#include "doctor/doctor.h"
#include "host/blockdev.h"
#include "host/busy.h"
#include "host/cpu.h"
#include "host/diskstats.h"
#include "host/kernel.h"
#include "host/mounts.h"
#include "host/queue.h"
#include "host/virt.h"

#define CHECK_LIST 128 /* bytes of a printed CPU list */

/* What the jobs do to a device; all false without jobs. */
struct check_use {
	bool any; /* there are jobs */
	bool reads, writes, random, sequential;
	bool direct, buffered; /* some do */
	bool fsyncs;	       /* all writers sync */
	bool polls;	       /* some ask for hipri */
	bool only_polls;       /* all do */
	unsigned depth;	       /* I/Os in flight of all workers of the busiest stage */
	uint32_t min_len;      /* smallest block, bytes; 0 without jobs */
	struct cpuset cpus;    /* they may use; n 0 unknown */
	bool pinned;	       /* all of them say which CPUs */
};

/* A device as it was named: a raw device, or the one a file lies on. */
struct check_top {
	struct blockdev dev;
	const char *path;	   /* the file; NULL for a raw device */
	const struct mount *mount; /* the file system of the file, or on the device; NULL none */
	uint64_t needs;		   /* bytes the jobs will still allocate */
	struct check_use use;
};

/* A disk at the bottom. */
struct check_leaf {
	struct blockdev dev;
	struct queue queue;
	struct check_use use;
	bool counted; /* both looks at its counters worked */
	struct disk_counters before, diff;
};

struct doctor {
	struct doctor_input in;
	const struct host *h;
	struct arena *a;
	struct kernel kernel;
	bool kernel_known;
	struct virt virt;
	struct mounts mounts; /* n 0 when unknown */
	bool mounts_known;
	struct cpuset cpus;    /* the jobs (without: we) may use; n 0 unknown */
	struct cpuset usable;  /* we may use at all */
	struct cpuset advised; /* cpus, and those the jobs should use: near their devices */
	bool pinned, only_polls;
	unsigned workers, pollers; /* of the busiest stage */
	struct check_top *top;
	unsigned tops;
	const char **lost; /* paths whose device is unknown: tmpfs, network, ... */
	unsigned losts;
	struct check_leaf *leaf;
	unsigned leaves;
	const struct busy_look *look; /* NULL: not measured */
	struct busy busy;
	bool busy_known;
	int ret; /* -ENOMEM once memory ran out */
};

struct check {
	struct doctor *d;
	const struct host *h;
	struct arena *a;
	const struct check_top *top;   /* of checks of devices as used */
	const struct check_leaf *leaf; /* of checks of disks */
	const struct plan_job *job;    /* of checks of jobs */
	struct doctor_finding *f;
	unsigned settings_room;
};

/* The answer. A check that says nothing has found nothing out: unknown. Called again, the worse
 * answer stays; of equal ones the first. */
void check_say(struct check *c, enum finding_severity s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A line of remedy. */
void check_fix(struct check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A attribute that fixes it and can be undone; beside the remedy in words. */
void check_setting(struct check *c, const char *want, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The CPUs of the disk's node that we may use, the fast ones first of all, one a core, without
 * those that are busy now as long as any is left. n 0 when the node is unknown. */
struct cpuset check_local_cpus(struct check *c, const struct blockdev *dev);
/* "0-17" in the arena, never NULL. */
const char *check_cpus(struct check *c, const struct cpuset *l);
/* Members of x that are not in y. */
struct cpuset check_without(struct check *c, const struct cpuset *x, const struct cpuset *y);

/* A check and the code that it answers for, which has a row in base/findings.def. */
struct check_row {
	const char *code;
	void (*run)(struct check *c);
};
/* One table a file, in the order of the report; the last row has no code. */
extern const struct check_row check_cpu_rows[], check_system_rows[], check_top_rows[],
	check_irq_rows[], check_leaf_rows[], check_job_rows[];

#endif
