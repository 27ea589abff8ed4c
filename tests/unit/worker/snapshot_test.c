/* Copies of a running worker's numbers: whole, the last one, and never where the reader reads. */
#include "rig.h"
#include "worker/snapshot.h"
#include "result/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

static const struct engine_ops engine = {.name = "null"};

/* A worker whose I/O count, bytes and one bucket always agree. */
static struct rig *counting(struct hist *h)
{
	struct rig *r = rig_new(1);
	struct worker *w = r->workers[0];

	r->plan.virtual_clock = false;
	r->jobs[0].engine = &engine;
	memset(h, 0, sizeof(*h));
	dir_stats_init(&w->stats[DIR_READ]);
	w->stats[DIR_READ].hist[LAT_COMPLETE] = h;
	assert_int_equal(snapshot_open(w), 0);
	return r;
}

static void done(struct rig *r)
{
	snapshot_close(r->workers[0]);
	rig_free(r);
}

static void count(struct worker *w)
{
	w->stats[DIR_READ].ios++;
	w->stats[DIR_READ].bytes += 4096;
	w->stats[DIR_READ].hist[LAT_COMPLETE]->bucket[7]++;
}

/* How many I/Os the last copy has; it agrees with itself. */
static uint64_t read_ios(struct worker *w)
{
	struct result_job job;

	assert_int_equal(snapshot_read(w, &job), 0);
	uint64_t ios = job.dir[DIR_READ].ios;
	assert_int_equal(job.dir[DIR_READ].bytes, 4096 * ios);
	assert_int_equal(job.dir[DIR_READ].hist[LAT_COMPLETE]->bucket[7], ios);
	result_job_release(&job);
	return ios;
}

static void the_last_copy_is_read(void **state)
{
	static struct hist h;
	struct rig *r = counting(&h);
	struct worker *w = r->workers[0];
	struct result_job job;

	(void)state;
	assert_int_equal(snapshot_read(w, &job), -ENOENT);
	for (unsigned i = 1; i < 6; i++) {
		count(w);
		snapshot_take(w, i * MS);
		assert_int_equal(snapshot_count(w), i);
		assert_int_equal(read_ios(w), i);
	}
	done(r);
}

static void what_is_being_read_is_not_written(void **state)
{
	static struct hist h;
	struct rig *r = counting(&h);
	struct worker *w = r->workers[0];

	(void)state;
	count(w);
	snapshot_take(w, MS);
	atomic_store(&w->snapshots.reading, 1 + 1); /* the first copy */
	count(w);
	snapshot_take(w, 2 * MS);
	assert_int_equal(snapshot_count(w), 2);
	snapshot_take(w, 3 * MS);
	assert_int_equal(snapshot_count(w), 2);
	atomic_store(&w->snapshots.reading, 0);
	snapshot_take(w, 4 * MS);
	assert_int_equal(snapshot_count(w), 3);
	done(r);
}

static _Atomic bool ended;

static void *taking(void *arg)
{
	struct worker *w = arg;

	for (unsigned i = 1; i <= 20000; i++) {
		count(w);
		snapshot_take(w, i);
	}
	atomic_store(&ended, true);
	return NULL;
}

/* A writer that asks nobody, and a reader: each copy is whole. */
static void copies_are_whole(void **state)
{
	static struct hist h;
	struct rig *r = counting(&h);
	struct worker *w = r->workers[0];
	uint64_t before = 0;
	pthread_t thread;

	(void)state;
	count(w);
	snapshot_take(w, 0);
	assert_int_equal(pthread_create(&thread, NULL, taking, w), 0);
	while (!atomic_load(&ended)) {
		uint64_t ios = read_ios(w);
		assert_true(ios >= before);
		before = ios;
	}
	pthread_join(thread, NULL);
	done(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_copy_is_read),
		cmocka_unit_test(what_is_being_read_is_not_written),
		cmocka_unit_test(copies_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
