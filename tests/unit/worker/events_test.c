#include "worker/events.h"
#include "worker/timeline.h"
#include "worker/windows.h"
#include "worker/worker.h"

#include "rig.h"
#include "log/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* One worker that reads and logs its I/Os per second in windows of 100 ms; run_ns is a limit. */
static struct rig *logging(uint64_t run_ns)
{
	struct rig *r = rig_new(1);
	struct worker *w = r->workers[0];

	r->jobs[0].writes = false;
	r->jobs[0].run_ns = run_ns;
	r->opts[0].log_avg_msec = 100 * MS;
	w->log_windows = 1u << LOGK_IOPS;
	w->log.lines = ring_new(0, 256, sizeof(struct log_rec));
	arena_init(&w->arena, 0);
	if (!w->log.lines || worker_timeline_open(w))
		abort();
	for (unsigned d = 0; d < DIRS; d++)
		dir_stats_init(&w->stats[d]);
	return r;
}

/* The worker begins as far as windows go; a load is not needed for them. */
static void begin(struct rig *r, uint64_t at)
{
	worker_begin_measuring(r->workers[0], at);
	r->workers[0]->state = WORKER_RUN;
}

static void done(struct rig *r, uint64_t at, unsigned n)
{
	struct worker *w = r->workers[0];

	if (worker_called(w, at))
		worker_events(w, at);
	w->stats[DIR_READ].ios += n;
}

static void finish(struct rig *r, uint64_t end)
{
	worker_finish_windows(r->workers[0], end);
	ring_drain(r->workers[0]->log.lines, rig_drain, r);
}

static void release(struct rig *r)
{
	ring_free(r->workers[0]->log.lines);
	arena_release(&r->workers[0]->arena);
	rig_free(r);
}

static void expect(const struct rig *r, unsigned i, uint64_t ns, uint64_t milli_iops)
{
	assert_true(i < r->recs_n);
	assert_int_equal(r->recs[i].time_ns, ns);
	assert_int_equal(r->recs[i].value, milli_iops);
}

static void a_window_holds_what_completes_up_to_its_end(void **state)
{
	struct rig *r = logging(0);

	(void)state;
	begin(r, 50 * MS);
	done(r, 60 * MS, 1);
	done(r, 150 * MS, 2);
	done(r, 150 * MS + 1, 4);
	done(r, 400 * MS, 8);
	finish(r, 430 * MS);
	assert_int_equal(r->recs_n, 4);
	expect(r, 0, 100 * MS, 30000);
	expect(r, 1, 200 * MS, 40000);
	expect(r, 2, 300 * MS, 0);
	expect(r, 3, 380 * MS, 100000);
	release(r);
}

static void a_run_that_ends_with_a_window_has_no_empty_line(void **state)
{
	struct rig *r = logging(0);

	(void)state;
	begin(r, 0);
	done(r, 100 * MS, 1);
	finish(r, 100 * MS);
	assert_int_equal(r->recs_n, 1);
	expect(r, 0, 100 * MS, 10000);
	release(r);
}

static void a_short_drain_joins_the_last_window_of_a_limited_run(void **state)
{
	struct rig *r = logging(200 * MS);

	(void)state;
	begin(r, 0);
	done(r, 100 * MS, 10);
	done(r, 200 * MS, 10);
	r->workers[0]->state = WORKER_DRAIN;
	done(r, 200 * MS + 50000, 1);
	finish(r, 200 * MS + 50000);
	assert_int_equal(r->recs_n, 2);
	expect(r, 0, 100 * MS, 100000);
	expect(r, 1, 200 * MS + 50000, 11ull * 1000 * 1000000000 / (100 * MS + 50000));
	release(r);
}

static void a_long_drain_has_windows_of_its_own(void **state)
{
	struct rig *r = logging(200 * MS);

	(void)state;
	begin(r, 0);
	done(r, 100 * MS, 10);
	done(r, 200 * MS, 10);
	r->workers[0]->state = WORKER_DRAIN;
	done(r, 350 * MS, 1);
	finish(r, 350 * MS);
	assert_int_equal(r->recs_n, 4);
	expect(r, 1, 200 * MS, 100000);
	expect(r, 2, 300 * MS, 0);
	expect(r, 3, 350 * MS, 20000);
	release(r);
}

static void samples_are_of_whole_windows_unless_there_is_none(void **state)
{
	struct rig *r = logging(0);
	const struct dir_stats *t = &r->workers[0]->stats[DIR_READ];

	(void)state;
	begin(r, 0);
	done(r, 30 * MS, 3);
	finish(r, 30 * MS);
	assert_int_equal(t->iops.n, 1);
	assert_int_equal(t->iops.min, 100000);
	release(r);

	r = logging(0);
	t = &r->workers[0]->stats[DIR_READ];
	begin(r, 0);
	done(r, 100 * MS, 10);
	done(r, 130 * MS, 1);
	finish(r, 130 * MS);
	assert_int_equal(t->iops.n, 1);
	assert_int_equal(t->iops.min, 100000);
	release(r);
}

static void the_alternate_epoch_stamps_the_wall_clock(void **state)
{
	struct rig *r = logging(0);

	(void)state;
	clock_init_virtual(&r->env.clock, 5000 * MS);
	r->opts[0].log_alternate_epoch = true;
	begin(r, 250 * MS);
	done(r, 350 * MS, 1);
	finish(r, 350 * MS);
	expect(r, 0, 5350 * MS, 10000);
	release(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_holds_what_completes_up_to_its_end),
		cmocka_unit_test(a_run_that_ends_with_a_window_has_no_empty_line),
		cmocka_unit_test(a_short_drain_joins_the_last_window_of_a_limited_run),
		cmocka_unit_test(a_long_drain_has_windows_of_its_own),
		cmocka_unit_test(samples_are_of_whole_windows_unless_there_is_none),
		cmocka_unit_test(the_alternate_epoch_stamps_the_wall_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
