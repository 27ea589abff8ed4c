/* The numbers of a run: pure values; merge, derive, print. No pointers into plan or run except
 * strings that outlive it. */
#ifndef FATHOM_RESULT_RESULT_H
#define FATHOM_RESULT_RESULT_H

#include "base/diag.h"
#include "base/must_check.h"
#include "conf/job.h"
#include "result/dir_stats.h"
#include "result/watched.h"
#include "result/timeline.h"

enum phase { PHASE_LAYOUT, PHASE_RAMP, PHASE_WORKLOAD, PHASE_SYNC, PHASE_VERIFY, PHASES };
struct phase_counts {
	uint64_t ios[DIRS], bytes[DIRS], syncs;
	uint64_t ns; /* how long it lasted */
};

enum end_reason {
	END_NONE,
	END_SIZE,
	END_COUNT,
	END_TIME,
	END_ERROR,
	END_SIGNAL,
	END_FULL,
	END_EXITALL,
	END_LIMIT,
	END_NOT_STARTED,
	END_CRASH
};

/* How a job wants to be printed. */
struct result_style {
	bool slat_on, clat_on, lat_on, bw_on;
	bool slat_percentiles, clat_percentiles, lat_percentiles;
	double percentile[20]; /* ascending */
	unsigned percentiles_n;
	unsigned percentile_precision; /* most decimals used in percentile_list */
	unsigned kb_base;	       /* 1000 or 1024 */
	unsigned unit_base;	       /* 1 or 8 */
	unsigned digits;	       /* significant_figures */
	int unified;		       /* enum opt_unified */
	unsigned continue_mask;	       /* CONTINUE_* */
	bool is_async;
	bool hide; /* stats=0 */
};

/* Bytes that the jobs on a disk moved, ramp included, beside what the disk itself counted until
 * they ended. Both 0: not known. */
struct result_share {
	uint64_t own, device;
};

/* Polled completions (hipri): what the disk did that polled least. */
struct result_poll {
	bool asked;
	bool no_queues;		  /* the disk has no poll queues */
	double unpolled;	  /* share of the I/Os that need not be polled for, 0..1 */
	uint64_t interrupts, ios; /* of the disk during the run; 0: not known */
	char device[32];
};

struct result_job {
	const char *name, *description, *engine;
	unsigned group, number, members; /* number: first worker's, from 0 */
	bool started, merged;
	bool no_device; /* of an engine that reaches none (null, sim) */
	struct result_style style;
	const struct job_text *options;
	unsigned options_n;

	int error; /* positive errno of the first error that ended it, 0 */
	enum err_class error_class;
	const char *error_text; /* stable words, NULL */
	uint64_t total_err;	/* errors gone over (continue_on_error) */
	uint64_t errors[DIRS];	/* of total_err; the rest are syncs */
	int first_error;
	enum end_reason end;
	/* What the plan said would end it, END_NONE when merged members differ, and its limits: the
	 * first one reached ends the job. UINT64_MAX: none. */
	enum end_reason planned_end;
	uint64_t planned_ios, planned_bytes, planned_ns;
	long tid;
	uint64_t start_wall_ns, end_wall_ns;
	uint64_t start_ns,
		end_ns; /* on the run's clock; start: first measured I/O possible (after ramp) */

	struct dir_stats dir[DIRS];
	uint64_t runtime_ns[DIRS]; /* measured interval of each direction; 0: no I/O */
	struct runstat sync_lat;
	struct hist *sync_hist;
	uint64_t syncs;
	uint64_t job_runtime_ns; /* sum over members */
	uint64_t usr_ns, sys_ns, ctx, majf, minf;
	uint64_t depth_level[DEPTH_BINS], depth_submit[DEPTH_BINS], depth_complete[DEPTH_BINS];
	uint64_t issued[DIRS], issued_syncs;
	uint64_t lat_bins[HIST_LAT_BINS]; /* clat of all directions */
	struct prio_stats prio[PRIO_STATS_MAX];

	struct phase_counts phase[PHASES];
	unsigned depth_asked, depth_planned;
	unsigned __int128 depth_time; /* integral of I/Os in flight over ns of the workload phase */
	uint64_t depth_ns;
	uint64_t late_ios, behind_ns_max;
	uint64_t rate_asked[DIRS]; /* bytes/s, 0 none */
	uint64_t rate_iops_asked[DIRS];
	uint64_t unwritten_bytes, region_bytes; /* holes or unwritten extents below reads */
	uint64_t cached_bytes; /* of the region in the page cache before the run (reads) */
	/* Reads of jobs that do not want them from memory (pre_read), buffered and direct writes.
	 */
	struct result_share device_reads, device_writes;
	bool write_back;			 /* all its disks have a volatile write cache */
	bool writes_synced, writes_buffered;	 /* some are */
	uint64_t device_bytes;			 /* size of the smallest of its disks, 0 unknown */
	uint64_t size_min[DIRS], size_max[DIRS]; /* of an I/O, bytes; 0: none of this direction */
	bool paced;				 /* by rate or think time */
	struct result_poll poll;
	/* from start to the last completion of a read, write or trim, 0: none */
	uint64_t last_done_ns;
	double durable_ns; /* from start to the end of the last flush, 0: no flush */
	char cpus[96];	   /* where its workers were allowed to run, "0-3"; several lists when they
			      differ */
	struct watched watched;
	char engine_note[160];
	uint64_t overhead_ns;  /* own cost per I/O, 0 unknown */
	uint64_t log_stall_ns; /* time spent waiting for the log writer */
	struct timeline timeline;
};

struct result_group {
	unsigned id;
	struct {
		uint64_t bytes, agg_bw, min_bw, max_bw; /* bytes/s */
		uint64_t min_run_ns, max_run_ns;
		bool used;
	} dir[DIRS + 1]; /* [DIRS]: mixed */
	unsigned kb_base, unit_base, digits;
	int unified;
};

struct result_disk_counts {
	uint64_t ios[2], sectors[2], merges[2], ticks_ms[2], in_queue_ms, io_ticks_ms;
};
struct result_disk {
	char name[64];
	struct result_disk_counts c;
	double util;	 /* percent */
	unsigned slaves; /* how many devices are summed in agg */
	struct result_disk_counts agg;
	double agg_util;
	char slave_names[8][64];
	struct result_disk_counts slave[8];
	double slave_util[8];
};

/* Where it ran, as far as it can be told; what is unknown is empty or 0. */
struct result_host {
	bool known; /* false: a simulated run */
	char kernel[96], machine[32];
	char cpu_model[128], governor[32];
	char clock_source[32]; /* the kernel's, at the end */
	unsigned cpus;
	uint64_t memory_bytes;
};
/* A block device below the targets. */
struct result_device {
	char name[64], model[64], scheduler[32];
	uint64_t size;
	int rotational, write_back, node; /* -1 unknown */
};

/* What --tune changed for the run. */
struct result_tuned {
	const char *file, *from, *to; /* values in force */
};
/* What was done to give workers CPUs of their own (isolate=1), one step each. */
#define RESULT_STEPS 8u
struct result_step {
	const char *what; /* "cpus", "partition", "interrupts", ...: stable */
	bool done;
	char why[224]; /* how, or why not */
};
struct result_isolation {
	struct result_step step[RESULT_STEPS];
	unsigned n; /* 0: not asked for */
};

struct result {
	const char *version;	 /* "fio-3.42-fathom-X" for JSON */
	uint64_t wall_ns;	 /* realtime at report */
	uint64_t elapsed_ns;	 /* since the start of the run */
	struct result_job *jobs; /* report entries in order */
	unsigned jobs_n;
	struct result_group *groups;
	unsigned groups_n;
	struct result_disk *disks;
	unsigned disks_n;
	struct result_host host;
	struct result_device *devices;
	unsigned devices_n;
	const struct result_tuned *tuned; /* not owned */
	unsigned tuned_n;
	bool tuned_asked;
	struct result_isolation isolation;
	const struct job_text *globals;
	unsigned globals_n;
	bool interrupted; /* cut short by a signal */
	bool final;	  /* false: a snapshot while running */
	int exit_code;
	const struct diag *diag; /* messages */
	const char *clock_name;
	bool clock_backwards; /* the TSC was not the same on all CPUs */
	double clock_drift_ppm;
	uint64_t clock_read_ns;
	uint64_t clock_resolution_ns; /* smallest step seen at start-up, 0 unknown */
	uint64_t own_ns;	      /* the program's own cost per I/O at start-up, 0 unknown */
};

#endif
