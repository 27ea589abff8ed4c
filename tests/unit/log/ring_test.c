#include "log/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>

enum { SLOTS = 16384 };

struct slot {
	uint64_t value, more;
};

/* A consumer that wants slots 0, 1, 2 ... of one job. */
struct consumer {
	uint64_t next;
	unsigned job, calls, most;
	bool wrong;
	unsigned full; /* calls while more than half of the ring waited */
	int answer;
};

static int consume(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct consumer *c = ctx;
	const struct slot *recs = slots;

	c->calls++;
	c->most = n > c->most ? n : c->most;
	c->full += full;
	c->wrong |= job != c->job;
	for (unsigned i = 0; i < n; i++)
		c->wrong |= recs[i].value != c->next++;
	return c->answer;
}

static void push(struct ring *r, uint64_t first, uint64_t n, uint64_t *stall)
{
	for (uint64_t i = 0; i < n; i++)
		ring_push(r, &(struct slot){.value = first + i}, stall);
}

static void records_come_out_in_order_across_the_end_of_the_ring(void **state)
{
	struct ring *r = ring_new(7, SLOTS, sizeof(struct slot));
	struct consumer c = {.job = 7};
	uint64_t stall = 0, sent = 0;

	(void)state;
	assert_non_null(r);
	/* Amounts that share no factor with the size: every position is crossed. */
	for (unsigned round = 0; round < 200; round++) {
		push(r, sent, 4097, &stall);
		sent += 4097;
		assert_int_equal(ring_drain(r, consume, &c), 4097);
	}
	assert_int_equal(ring_drain(r, consume, &c), 0);
	assert_int_equal(c.next, sent);
	assert_false(c.wrong);
	assert_int_equal(stall, 0);
	ring_free(r);
}

static void a_full_ring_is_emptied_in_place_without_a_writer(void **state)
{
	struct consumer c = {.job = 1};
	struct ring *r = ring_new(1, SLOTS, sizeof(struct slot));
	uint64_t stall = 0;

	(void)state;
	assert_non_null(r);
	r->drain = consume;
	r->drain_ctx = &c;
	push(r, 0, 10 * SLOTS + 3, &stall);
	assert_true(c.next >= 9 * SLOTS);
	ring_drain(r, consume, &c);
	assert_int_equal(c.next, 10 * SLOTS + 3);
	assert_false(c.wrong);
	ring_free(r);
}

struct pair {
	struct ring *ring;
	struct consumer consumer;
	_Atomic bool done;
};

static void *write_main(void *arg)
{
	struct pair *p = arg;

	while (!atomic_load_explicit(&p->done, memory_order_acquire))
		ring_drain(p->ring, consume, &p->consumer);
	ring_drain(p->ring, consume, &p->consumer);
	return NULL;
}

static void nothing_is_lost_between_two_threads(void **state)
{
	struct pair p = {.ring = ring_new(3, SLOTS, sizeof(struct slot)), .consumer = {.job = 3}};
	const uint64_t n = 40 * SLOTS + 11;
	uint64_t stall = 0;
	pthread_t thread;

	(void)state;
	assert_non_null(p.ring);
	/* The ring is full before anybody reads: the producer has to wait at least once. */
	push(p.ring, 0, SLOTS, &stall);
	assert_int_equal(stall, 0);
	assert_int_equal(pthread_create(&thread, NULL, write_main, &p), 0);
	push(p.ring, SLOTS, n - SLOTS, &stall);
	atomic_store_explicit(&p.done, true, memory_order_release);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(p.consumer.next, n);
	assert_false(p.consumer.wrong);
	assert_true(p.consumer.most <= SLOTS);
	ring_free(p.ring);
}

static void the_first_error_is_kept_and_records_go_on(void **state)
{
	struct ring *r = ring_new(0, SLOTS, sizeof(struct slot));
	struct consumer c = {.answer = -ENOSPC};
	uint64_t stall = 0;

	(void)state;
	assert_non_null(r);
	push(r, 0, 5, &stall);
	assert_int_equal(ring_drain(r, consume, &c), 5);
	c.answer = -EIO;
	push(r, 5, 5, &stall);
	assert_int_equal(ring_drain(r, consume, &c), 5);
	assert_int_equal(atomic_load(&r->error), -ENOSPC);
	assert_int_equal(c.next, 10);
	ring_free(r);
}

static void the_consumer_is_told_when_much_waits(void **state)
{
	struct ring *r = ring_new(0, 32, sizeof(struct slot));
	struct consumer c = {0};
	uint64_t stall = 0;

	(void)state;
	assert_non_null(r);
	push(r, 0, 16, &stall);
	assert_int_equal(ring_drain(r, consume, &c), 16);
	assert_int_equal(c.full, 0);
	/* Two at a time: 20 wait, then 18, then 16. */
	push(r, 16, 20, &stall);
	assert_int_equal(ring_drain(r, consume, &c), 20);
	assert_int_equal(c.full, 2);
	assert_false(c.wrong);
	ring_free(r);
}

static void without_a_reader_records_are_dropped(void **state)
{
	struct ring *r = ring_new(0, SLOTS, sizeof(struct slot));
	uint64_t stall = 0;

	(void)state;
	assert_non_null(r);
	push(r, 0, 100, &stall);
	assert_int_equal(ring_drain(r, NULL, NULL), 100);
	assert_int_equal(ring_drain(r, NULL, NULL), 0);
	ring_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_out_in_order_across_the_end_of_the_ring),
		cmocka_unit_test(a_full_ring_is_emptied_in_place_without_a_writer),
		cmocka_unit_test(nothing_is_lost_between_two_threads),
		cmocka_unit_test(the_first_error_is_kept_and_records_go_on),
		cmocka_unit_test(the_consumer_is_told_when_much_waits),
		cmocka_unit_test(without_a_reader_records_are_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
