/* The invariants of a worker: a sound one has no fault, and each of these is noticed. */
#include "rig.h"
#include "worker/check.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEPTH = 4 };

/* A worker in its loop: one slot free, one pending, two in flight; three reads are counted. */
struct sound {
	struct rig *r;
	struct worker *w;
	struct plan_file file;
	struct io ios[DEPTH], *free[DEPTH], *pending[DEPTH];
	struct hist hist;
};

static void sound_queue(struct sound *s)
{
	struct worker *w = s->w;

	for (unsigned i = 0; i < DEPTH; i++)
		s->ios[i] = (struct io){.slot = (uint16_t)i,
					.op = IO_READ,
					.offset = 4096 * i,
					.len = 4096,
					.len_asked = 4096};
	s->free[0] = &s->ios[3];
	s->pending[0] = &s->ios[2];
	w->ios = s->ios;
	w->free = s->free;
	w->pending = s->pending;
	w->depth = DEPTH;
	w->batch = w->batch_all = w->batch_part = 1;
	w->free_n = w->pending_n = 1;
	w->in_flight = 2;
}

static void sound_counts(struct sound *s)
{
	struct dir_stats *t = &s->w->stats[DIR_READ];

	dir_stats_init(t);
	t->hist[LAT_COMPLETE] = &s->hist;
	s->w->acct = ACCT_CLAT | ACCT_CLAT_HIST;
	for (unsigned i = 0; i < 3; i++) {
		t->ios++;
		t->bytes += 4096;
		s->w->issued[DIR_READ]++;
		runstat_add(&t->lat[LAT_COMPLETE], 100);
		hist_add(&s->hist, 100);
		s->w->lat_bins[hist_lat_bin(hist_index(100), 100)]++;
	}
	s->w->issued[DIR_READ] += 3;
}

static struct sound *sound_new(void)
{
	struct sound *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	s->r = rig_new(1);
	s->w = s->r->workers[0];
	s->file = (struct plan_file){.begin = 0, .end = 1 << 20};
	s->r->jobs[0].files = &s->file;
	s->r->jobs[0].files_n = 1;
	sound_queue(s);
	sound_counts(s);
	rig_go(s->w, 0);
	s->w->start_ns = s->w->measure_ns = s->w->last_done = s->w->now = 100 * MS;
	s->w->run_end = s->w->next_event = UINT64_MAX;
	s->w->windows.samples_bw =
		(struct window){.period = 100 * MS, .start = 100 * MS, .next = 200 * MS};
	s->w->windows.samples_iops.next = s->w->windows.log_bw.next = UINT64_MAX;
	s->w->windows.log_iops.next = s->w->windows.log_lat.next = UINT64_MAX;
	return s;
}

static void sound_free(struct sound *s)
{
	rig_free(s->r);
	free(s);
}

/* Make one thing wrong and expect these words; `all` when only the whole check can see it. */
#define WRONG(all, words, change)                                                                  \
	do {                                                                                       \
		struct sound *s = sound_new();                                                     \
		struct worker *w = s->w;                                                           \
		assert_null(worker_check_all_fault(w));                                            \
		change;                                                                            \
		const char *quick = worker_check_fault(w), *fault = worker_check_all_fault(w);     \
		assert_non_null(fault);                                                            \
		assert_string_equal(fault, words);                                                 \
		if (all)                                                                           \
			assert_null(quick);                                                        \
		else                                                                               \
			assert_ptr_equal(quick, fault);                                            \
		sound_free(s);                                                                     \
	} while (0)

static void a_slot_that_is_lost_or_twice_is_noticed(void **state)
{
	(void)state;
	WRONG(false, "a slot is neither free nor pending nor in flight", w->in_flight--);
	WRONG(false, "more slots free, pending and in flight than there are", w->free_n++);
	WRONG(false, "more I/Os in flight than slots", w->in_flight = 5);
	WRONG(true, "a pending slot is not its own", s->pending[0] = s->free[0]);
	WRONG(true, "a free slot is not its own", s->free[0] = NULL);
}

static void an_io_outside_its_region_is_noticed(void **state)
{
	(void)state;
	WRONG(true, "an I/O in flight is outside its region", s->ios[0].offset = 1 << 20);
	WRONG(true, "an I/O in flight is outside its region", s->file.begin = 512);
	WRONG(true, "an I/O in flight is outside its region", s->ios[1].file = 1);
}

static void sums_that_disagree_are_noticed(void **state)
{
	(void)state;
	WRONG(true, "a histogram does not hold every I/O once", s->hist.bucket[7]++);
	WRONG(true, "the distribution of latencies does not hold every I/O once", w->lat_bins[0]++);
	WRONG(false, "more I/Os completed than issued", w->issued[DIR_READ] = 2);
}

static void times_and_states_out_of_order_are_noticed(void **state)
{
	(void)state;
	WRONG(false, "the next event is before the start", w->next_event = 99 * MS);
	WRONG(false, "a window is not as long as its period", w->windows.samples_bw.start += MS);
	WRONG(false, "it saw requests that nobody made", w->requests_seen = REQUEST_ABANDON);
	WRONG(false, "others see another state", w->state = WORKER_DRAIN);
	WRONG(false, "it goes on after a failure", w->outcome.error = 5);
}

/* True when it aborts, in a process of its own. */
static bool aborts(void (*change)(struct worker *w))
{
	const struct rlimit no_core = {0, 0};
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct sound *s = sound_new();
		(void)setrlimit(RLIMIT_CORE, &no_core);
		(void)signal(SIGABRT, SIG_DFL);
		(void)close(STDERR_FILENO);
		change(s->w);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void check_sound(struct worker *w)
{
	worker_check(w, 0);
}

static void check_unsound(struct worker *w)
{
	w->lat_bins[0]++;
	worker_check(w, 0);
}

static void drain_and_run(struct worker *w)
{
	worker_stop(w, END_SIZE);
	worker_set_state(w, WORKER_RUN);
}

static void a_fault_and_an_illegal_state_abort(void **state)
{
	(void)state;
	assert_false(aborts(check_sound));
#ifndef NDEBUG
	assert_true(aborts(check_unsound));
	assert_true(aborts(drain_and_run));
#else
	(void)check_unsound;
	(void)drain_and_run;
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slot_that_is_lost_or_twice_is_noticed),
		cmocka_unit_test(an_io_outside_its_region_is_noticed),
		cmocka_unit_test(sums_that_disagree_are_noticed),
		cmocka_unit_test(times_and_states_out_of_order_are_noticed),
		cmocka_unit_test(a_fault_and_an_illegal_state_abort),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
