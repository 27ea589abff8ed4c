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

#endif
