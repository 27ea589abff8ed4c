/* Inside of plan: a plan under construction. Not for other folders.
 *
 * The order of work (plan.c): each declared job becomes a `draft`: its effective options after the
 * rules, its engine and depth; the draft is expanded into clones, whose files are named, probed and
 * given regions; then come checks across jobs. Mistakes are collected in diag and work goes on as
 * far as it makes sense.
 */
#ifndef FATHOM_PLAN_BUILD_H
#define FATHOM_PLAN_BUILD_H

#include "base/must_check.h"
#include "plan/plan.h"
#include "target/target.h"
#include <stdarg.h>

/* What planning knows about a target besides plan->targets[i]. */
struct build_target {
	struct target_info info;
	bool virtual;	  /* of an engine without files, or simulated: nothing on disk is touched */
	bool bad;	  /* an error was reported */
	uint64_t planned; /* size once the jobs so far were laid out, bytes */
	unsigned stage;	  /* of the job that lays it out last */
	unsigned write_stage; /* the first stage that writes it, when it is written */
	bool guarded[4];      /* guard was asked, by the GUARD_ALLOW_* it was asked with */
	uint64_t holes_begin, holes_end, holes; /* the range last measured, bytes */
	bool holes_known;
};

struct builder {
	const struct job_list *list;
	const struct plan_options *po;
	struct arena *arena;
	struct diag *diag;
	struct host host;
	struct plan *plan;
	unsigned jobs_room, targets_room;
	struct build_target *targets; /* beside plan->targets */
	uint32_t *slots;	      /* hash of paths: index + 1, 0 empty */
	unsigned slots_n;	      /* a power of two */
	unsigned group_jobs;	      /* declared jobs in the current group so far */
	unsigned group, stage;
	uint64_t ram;			     /* bytes of this machine, 0 unknown */
	const struct engine_ops *probed[16]; /* engines that work here */
	unsigned probed_n;
	bool no_memory;
};

/* One declared job being planned. */
struct draft {
	struct builder *b;
	const struct job *job;
	struct job_opts *o; /* effective, shared by the clones */
	unsigned number;    /* of the first clone */
	unsigned clones;
	bool failed; /* an error was reported */

	bool reads, writes, trims, random;
	uint64_t lo[DIRS], hi[DIRS]; /* block sizes, bytes; 0 for directions that do not occur */
	uint64_t min_block, max_block;
	bool fixed_size, cover;

	const struct engine_ops *engine; /* that runs; sim when simulated */
	const struct engine_ops *asked;	 /* that was asked for, NULL when not here */
	const void *engine_options, *asked_options;
	uint64_t engine_given;
	unsigned caps, asked_caps;
	struct engine_traits traits;
	unsigned depth, batch, batch_part, reap_min, reap_max, depth_low;
	struct cpuset cpus;

	struct plan_reason *reasons;
	unsigned reasons_n, reasons_room;
};

/* say.c: messages with the place of an option (OPT_COUNT: of the section). The same words are said
 * once a job. */
void draft_error(struct draft *d, enum err_class cls, const char *code, enum job_opt opt,
		 const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void draft_warn(struct draft *d, const char *code, enum job_opt opt, const char *remedy,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* An error already in words. */
void draft_err(struct draft *d, const char *code, enum job_opt opt, const struct err *e);
/* Why an effective value differs from the declared one. */
void draft_reason(struct draft *d, enum job_opt opt, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Was something with this code said about the job already? */
bool draft_told(const struct draft *d, const char *code);
/* Was the option given, in [global] or here; in the job's own section? */
bool draft_given(const struct draft *d, enum job_opt opt);
bool draft_own(const struct draft *d, const char *name);

/* Memory from the arena; the builder remembers a failure. */
MUST_CHECK void *build_alloc(struct builder *b, size_t size);
/* An array grown to hold at least n + 1 elements. */
MUST_CHECK void *build_grow(struct builder *b, void *old, unsigned n, unsigned *room,
			    size_t element);

/* rules.c */
void rules_apply(struct draft *d);
/* blocks.c: directions and block sizes of the draft from its options. */
void blocks_init(struct draft *d);
/* The declared block sizes of a direction, for the job line. */
void blocks_declared(const struct job_opts *o, unsigned dir, uint64_t *lo, uint64_t *hi);
/* The mean size of the draft's I/Os as far as it can be told, bytes. */
double blocks_mean(const struct draft *d);

/* engines.c: find the engine, parse its options; depth and batch limits. */
void engines_init(struct draft *d);
void engines_depth(struct draft *d);
void engines_check(struct draft *d, const struct plan_job *pj);

/* place.c: cpus_allowed, cpumask, numa_*. */
void place_init(struct draft *d);
/* The NUMA node of the device of a job's first target; -1 unknown. */
MUST_CHECK int place_node(struct builder *b, const struct job_opts *o);
/* isolate.c: CPUs of their own for the workers that ask for them, once all jobs are there. */
void isolate_plan(struct builder *b);

/* seeds.c */
void seeds_init(struct draft *d, struct plan_job *pj);

/* expand.c: add the clones to the plan; entries and cross-job rules once all jobs are there. */
void expand_draft(struct draft *d);
void expand_entries(struct builder *b);

/* files.c: names and probes. files_name fills pj->files with targets; false after an error. */
bool files_name(struct draft *d, struct plan_job *pj);

/* sizes.c: regions; false after an error. limits.c: when it is enough. */
bool sizes_region(struct draft *d, struct plan_job *pj);
void sizes_limits(struct draft *d, struct plan_job *pj);

/* targets.c: what a worker does to its targets: layout, permissions, guard, holes. */
void targets_use(struct draft *d, struct plan_job *pj);

/* cross.c: checks that look at several jobs. */
void cross_check(struct builder *b);

/* memory.c: estimate the memory of the whole plan; a warning when it is much, an error when the
 * machine does not have it. */
void memory_check(struct builder *b);

#endif
