/* All workers of a run and what they share: the clock, messages, logs, the hooks of the caller. */
#ifndef FATHOM_RUN_CREW_H
#define FATHOM_RUN_CREW_H

#include "host/host.h"
#include "run/run.h"
#include "run/worker.h"
#include <setjmp.h>

struct isolate;

struct crew {
	const struct plan *plan;
	const struct run_options *ro;
	const struct run_hooks *hooks;
	struct diag *diag;
	struct clock clock;
	uint64_t clock_resolution_ns, own_ns; /* measured at start-up */
	struct host host;
	struct worker **workers;  /* [plan->jobs_n]; each in memory of its own */
	int event_fd;		  /* a worker changed its state */
	pthread_mutex_t log_lock; /* hooks log_* */
	pthread_t log_thread;
	bool has_log_thread;
	_Atomic bool log_stop;
	_Atomic int log_error;
	bool *created; /* [plan->targets_n]: this run made the file (unlink may remove it) */
	struct phase_counts *layout; /* [plan->jobs_n]: by the first worker that uses a target */
	int *claims;		     /* O_EXCL descriptors held on devices that are written */
	unsigned claims_n;
	struct disks *disks;
	struct watch *watch;	 /* NULL in simulated time */
	struct isolate *isolate; /* NULL: no job asks for it */
};

/* crew.c: threads. */
int crew_init(struct crew *c, const struct plan *p, const struct run_options *ro,
	      const struct run_hooks *hooks, struct diag *diag);
void crew_release(struct crew *c);
struct worker *worker_new(struct crew *c, const struct plan_job *pj, struct err *err);
void worker_delete(struct worker *w);
/* Virtual clock: whose turns the calling thread takes from now on, NULL for nobody's. The caller
 * sigsetjmp()s what this returns; when the worker crashes, control comes back there with its state
 * WORKER_CRASHED. */
sigjmp_buf *crew_guard(struct worker *w);
int crew_launch(struct crew *c,
		struct worker *w); /* a thread that sets the worker up and waits for its start */
void crew_not_started(struct worker *w);     /* it was told to stop before its start */
void crew_go(struct worker *w, uint64_t at); /* let a READY worker begin at that time */
void crew_poke(struct worker *w,
	       unsigned bits); /* set bits of poke and interrupt a blocking wait */
void crew_ask_snapshot(struct worker *w);
void crew_join(struct worker *w);
void crew_notify(struct crew *c);

/* messages.c: said by workers. Cold, thread safe. */
void crew_job_error(struct crew *c, struct worker *w, int error, enum err_class cls,
		    const char *text);
void crew_io_error(struct crew *c, struct worker *w, int error, bool go_on, const char *remedy,
		   const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void crew_setup_error(struct crew *c, struct worker *w, const struct err *err);

/* logging.c */
int crew_logs_start(struct crew *c);
int crew_logs_stop(struct crew *c);
void crew_log_hist(struct crew *c, unsigned job, uint64_t time_ns, unsigned dir, uint32_t bs,
		   const struct hist *now, const struct hist *before);

/* What all jobs did together, for --bandwidth-log. */
void crew_log_sum(struct crew *c, const struct log_rec *recs, unsigned n);

/* bandwidth.c: --bandwidth-log. */
struct bandwidth;
struct bandwidth *bandwidth_new(struct crew *c);
void bandwidth_free(struct bandwidth *b);
/* A worker will measure from then on; the earliest counts. */
void bandwidth_begin(struct bandwidth *b, uint64_t at);
uint64_t bandwidth_turn(struct bandwidth *b, uint64_t now); /* when it is due again */
void bandwidth_finish(struct bandwidth *b, uint64_t end);   /* of the last measured I/O */

/* place.c: where and with which rights a worker runs; called by its own thread. */
int place_thread(struct worker *w, struct err *err);
/* This thread on these CPUs from now on. -errno. */
int place_on(const struct opt_cpus *cpus);

/* prepare.c: before the first worker starts. On failure (words are in diag) every file is as it
 * was. */
int prepare_targets(struct crew *c, atomic_int *stop);
void prepare_release(struct crew *c); /* claims go, unlink=1 is carried out */
/* Has the run been interrupted, or ended by exitall? */
bool crew_told_to_stop(const struct worker *w);
/* commands.c: exec_prerun, exec_postrun; output goes to NAME.WHEN.txt. With `ends` a stop of the
 * job ends the command too: -EINTR. */
int run_command(const struct worker *w, const char *command, const char *when, bool ends,
		struct err *err);

/* disks.c: what the block devices below the targets did. */
struct disks *disks_start(struct crew *c);
int disks_collect(const struct disks *d, uint64_t span_ns, struct result *out);
void disks_free(struct disks *d);
/* polling.c: was polling asked for and did not happen? Judged by the interrupts and counters of the
 * run, not by a table of kernel versions; marks results and says so. */
void polling_judge(struct crew *c, struct result *out);
/* findings.c: reads that never reached the device, a depth that was never there. */
void findings_judge(struct crew *c, struct result *out);

/* hostinfo.c: kernel, processor, devices; nothing for a simulated run. -ENOMEM. */
int hostinfo_collect(const struct crew *c, struct result *out);

/* owncost.c: what this program itself takes for an I/O at depth 1, ns: the quickest of some rounds,
 * some 0.2 ms. 0 on the virtual clock. */
uint64_t crew_own_cost(const struct clock *clock);

/* collect.c, results.c */
void collect_style(const struct plan_job *pj, struct result_style *s);
void collect_planned(const struct plan_job *pj, struct result_job *out);
/* The jobs of the running run, without groups and disks. */
int results_live(struct crew *c, uint64_t now, struct result *out);
int results_build(struct crew *c, uint64_t now, bool final, struct result *out);
void progress_fill(const struct crew *c, uint64_t now, struct progress *p, char *states);

/* supervisor.c: start rules, signals, hooks; a state machine over the run's clock. */
struct supervisor;
struct supervisor *supervisor_new(struct crew *c);
void supervisor_free(struct supervisor *s);
/* Do what is due; returns when it next has something to do without being notified, UINT64_MAX when
 * the run is over. */
uint64_t supervisor_turn(struct supervisor *s, uint64_t now);
bool supervisor_over(const struct supervisor *s);
/* The last wait ended so many ns after it should have, and no signal tells why. */
void supervisor_late(struct supervisor *s, uint64_t ns);
void supervisor_signal(struct supervisor *s, int signo, uint64_t now);
/* Tell the live hook how it ended. */
void supervisor_live_end(struct supervisor *s, const struct result *final);
bool supervisor_interrupted(const struct supervisor *s);

/* realtime.c, simulate.c: two ways to let time pass. */
int realtime_run(struct crew *c, struct supervisor *s);
int simulate_run(struct crew *c, struct supervisor *s);

#endif
