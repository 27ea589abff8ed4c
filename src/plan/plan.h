/* What the jobs mean: the whole run, immutable once made. One plan_job per worker (numjobs clones
 * are expanded).
 *
 * A plan_job carries `o`, the *effective* options: a copy of what was declared with the rules of
 * rules.c applied; `job` still points at the declaration. Where the two differ there is a reason.
 * Load and run read `o`, never `job->o`.
 */
#ifndef FATHOM_PLAN_PLAN_H
#define FATHOM_PLAN_PLAN_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/must_check.h"
#include "conf/job.h"
#include "engine/engine.h"

/* A separate random stream for each purpose (compatibility 6.9): changing one option does not shift
 * the others. */
enum seed_stream {
	SEED_OFFSET,
	SEED_SIZE,
	SEED_MIX,
	SEED_FILE,
	SEED_FILE_SIZE,
	SEED_BUFFER,
	SEED_DELAY,
	SEED_POISSON,
	SEED_SEQ_RAND,
	SEED_ENGINE,
	/* Numbers stay as they are: 10 is free. */
	SEED_DEDUPE = 11,
	SEED_STREAMS
};

enum plan_target_kind {
	PLAN_REGULAR,
	PLAN_BLOCK,
	PLAN_CHAR,
	PLAN_OTHER,
	PLAN_NONE /* engine without files */
};

/* One path, once per run however many jobs use it. */
struct plan_target {
	const char *path;
	enum plan_target_kind kind;
	bool exists;
	uint64_t size_now;    /* bytes at planning; 0 when missing */
	uint64_t size_needed; /* highest end of any region on it, bytes */
	bool lay_out;	      /* has to be created or extended before the run */
	bool fill; /* the missing part is written through with data (it will be read or overwritten)
		    */
	bool create_on_open; /* the job creates it itself when opening */
	bool read, written, trimmed;
	bool may_create;	/* allow_file_create */
	bool may_write_mounted; /* allow_mounted_write */
	enum opt_fallocate fallocate;
	bool create_fsync;
	unsigned alignment;  /* of direct I/O, 0 unknown */
	unsigned first_job;  /* first worker that uses it */
	uint64_t fill_block; /* block size for filling, bytes */
};

/* A worker's view of one target. */
struct plan_file {
	uint32_t target;     /* index in plan->targets */
	uint64_t begin, end; /* region of the I/O, bytes; only whole blocks inside it are used */
	const char *path;
	uint64_t unwritten; /* bytes of the region that are holes or never written, for jobs that
			       read */
};

enum plan_end {
	PLAN_END_SIZE,
	PLAN_END_COUNT,
	PLAN_END_TIME,
	PLAN_END_FULL /* until the device is full */
};

struct plan_reason {
	enum job_opt option;
	const char *text; /* "depth-bound to 1: psync is synchronous" */
};

struct plan_job {
	const struct job *job;
	const struct job_opts *o; /* effective */
	const char *name;	  /* reported name */
	const char *description;  /* may be NULL */
	unsigned number;	  /* global, from 0, in definition order, clones in order */
	unsigned clone, clones;
	unsigned group; /* groupid */
	unsigned entry; /* index of its report entry: group_reporting merges workers into one entry
			 */

	const struct engine_ops *engine;
	const void *engine_options;
	uint64_t engine_given; /* bit i: engine->rows[i] was written by the user */
	unsigned caps;	       /* ENGINE_* given these options */
	struct engine_traits traits;
	bool is_async; /* submission latency exists */

	struct plan_file *files;
	unsigned files_n;
	unsigned open_files; /* how many may be open at once */

	bool reads, writes, trims;
	unsigned depth;		     /* I/Os in flight this worker can reach */
	unsigned batch;		     /* most I/Os per submit, 1..depth */
	unsigned batch_part;	     /* the same for a device that works beside us, 1..batch */
	unsigned reap_min, reap_max; /* per reap when the queue is full */
	unsigned depth_low;
	uint32_t max_len;			/* largest I/O, bytes */
	uint64_t min_len[DIRS], most_len[DIRS]; /* of each direction, 0: does not occur */
	bool cover;				/* every block exactly once a pass */
	bool fixed_size; /* one block size for all directions that occur, offsets multiples of it */

	uint64_t region; /* sum of the files' regions, bytes */
	/* Bytes of one loop, 0: none (time_based). I/O goes on while less than this was issued;
	 * when it is above the region the region is gone through again, otherwise the loop also
	 * ends when the region is used up. */
	uint64_t limit_bytes;
	uint64_t limit_ios; /* reads, writes and trims of all loops; 0: none */
	unsigned loops;
	uint64_t run_ns, ramp_ns, ramp_bytes, delay_ns; /* 0: none */
	bool time_based;
	enum plan_end ends_by;		   /* what will end it as far as can be told */
	uint64_t expect_ios, expect_bytes; /* of all loops; UINT64_MAX: until the time is over */

	unsigned stage;		/* starts when all workers of lower stages have ended */
	int wait_first, wait_n; /* wait_for: these workers must have ended; wait_n 0: none */

	struct cpuset cpus; /* affinity; n 0: inherited */
	bool isolate;	    /* those are in plan->isolation */
	bool own_cpus;	    /* and no other worker of its stage needs them */
	uint64_t seed[SEED_STREAMS];
	uint64_t buffer_bytes; /* memory of the I/O buffers, for the estimate */

	struct plan_reason *reasons;
	unsigned reasons_n;
};

/* One block of the report. */
struct plan_entry {
	unsigned first,
		n; /* workers; consecutive in number except across ungrouped ones: see members */
	unsigned *members;
	unsigned group;
};

/* isolate=1: what is taken from the rest of the machine. */
struct plan_isolation {
	struct cpuset cpus; /* of the workers, and those kept idle for them */
	struct cpuset idle; /* of these: siblings of the workers' CPUs */
	struct cpuset rest; /* what everybody else has: at least one */
};

struct plan {
	struct plan_job *jobs;
	unsigned jobs_n;
	struct plan_target *targets;
	unsigned targets_n;
	struct plan_entry *entries;
	unsigned entries_n;
	unsigned groups_n, stages_n;
	bool virtual_clock; /* all engines are simulated */
	bool exitall;
	uint64_t memory_bytes; /* estimate of the whole run */
	const struct job_list *list;
	const struct plan_isolation *isolation; /* NULL: no job asks for it */
};

struct plan_options {
	bool simulate; /* replace every engine by sim (explain --simulate) */
	bool readonly;
	bool no_device_access; /* explain: only words come of it, so a device in use or an engine
				* that does not work here is a warning (planning never opens for
				* writing) */
	const char *sysroot;   /* "" in production */
	uint64_t os_seed;      /* entropy for randrepeat=0 */
};

/* Make the plan; every mistake goes to diag. 0, or -EINVAL when diag has errors; then nothing was
 * touched on disk. All memory comes from arena. */
MUST_CHECK int plan_make(const struct job_list *list, const struct plan_options *po,
			 struct arena *arena, struct plan **out, struct diag *diag);

#endif
