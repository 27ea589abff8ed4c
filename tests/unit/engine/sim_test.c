/* The simulated device: exact times. */
#include "engine/sim.h"
#include "rig.h"

enum { US = 1000, DEPTH = 8 };

static void start(struct rig *r)
{
	rig_init(r, "sim", DEPTH, 4096);
	r->clock = (struct clock){.kind = CLOCK_KIND_VIRTUAL};
}

static void submit(struct rig *r, unsigned slot, uint8_t op, uint32_t len)
{
	struct io *io = rig_io(r, slot, op, 0, len);

	assert_int_equal(r->ops->submit(&r->e, &io, 1), 1);
}

/* Let time pass to the next completion; exactly one I/O is due then. Returns its slot, checks when.
 */
static unsigned step(struct rig *r, uint64_t when)
{
	struct io *out[DEPTH];
	uint64_t next = r->ops->next(&r->e);

	assert_int_equal(next, when);
	assert_int_equal(r->ops->reap(&r->e, out, 1, DEPTH, UINT64_MAX), 0);
	r->clock.virtual_now = next;
	assert_int_equal(r->ops->reap(&r->e, out, 1, DEPTH, UINT64_MAX), 1);
	return out[0]->slot;
}

static void one_server_works_in_order(void **state)
{
	struct rig r;

	start(&r);
	rig_open(&r);
	assert_true(r.ops->next(&r.e) == UINT64_MAX);
	for (unsigned i = 0; i < 3; i++)
		submit(&r, i, IO_READ, 4096);
	assert_int_equal(step(&r, 100 * US), 0);
	assert_int_equal(step(&r, 200 * US), 1);
	assert_int_equal(step(&r, 300 * US), 2);
	r.clock.virtual_now = 1000 * US;
	submit(&r, 0, IO_READ, 4096);
	assert_int_equal(step(&r, 1100 * US), 0);
	rig_close(&r);
}

static void parallel_servers_share_the_queue(void **state)
{
	struct io *out[DEPTH];
	struct rig r;

	start(&r);
	rig_option(&r, "sim_parallel", "2");
	rig_option(&r, "sim_latency", "10us");
	rig_option(&r, "sim_write_latency", "25us");
	rig_open(&r);
	submit(&r, 0, IO_WRITE, 4096); /* server 1: 0-25 */
	submit(&r, 1, IO_READ, 4096);  /* server 2: 0-10 */
	submit(&r, 2, IO_READ, 4096);  /* server 2: 10-20 */
	submit(&r, 3, IO_READ, 4096);  /* server 2: 20-30 */
	submit(&r, 4, IO_READ, 4096);  /* server 1: 25-35 */
	assert_int_equal(step(&r, 10 * US), 1);
	assert_int_equal(step(&r, 20 * US), 2);
	r.clock.virtual_now = 34 * US;
	assert_int_equal(r.ops->reap(&r.e, out, 0, DEPTH, 0), 2);
	assert_int_equal(out[0]->slot, 0);
	assert_int_equal(out[1]->slot, 3);
	assert_int_equal(step(&r, 35 * US), 4);
	rig_close(&r);
}

static void each_kind_has_its_mean(void **state)
{
	struct rig r;

	start(&r);
	rig_option(&r, "sim_write_latency", "20us");
	rig_option(&r, "sim_sync_latency", "1ms");
	rig_open(&r);
	submit(&r, 0, IO_READ, 4096);
	submit(&r, 1, IO_WRITE, 4096);
	submit(&r, 2, IO_TRIM, 4096);
	submit(&r, 3, IO_FSYNC, 0);
	assert_int_equal(step(&r, 100 * US), 0);
	assert_int_equal(step(&r, 120 * US), 1);
	assert_int_equal(step(&r, 140 * US), 2);
	assert_int_equal(step(&r, 1140 * US), 3);
	assert_int_equal(r.s.ios[3].result, 0);
	rig_close(&r);
}

static void bandwidth_adds_the_transfer(void **state)
{
	struct rig r;

	start(&r);
	rig_option(&r, "sim_latency", "0");
	rig_option(&r, "sim_bandwidth", "4096000");
	rig_open(&r);
	submit(&r, 0, IO_READ, 4096);
	submit(&r, 1, IO_READ, 2048);
	assert_int_equal(step(&r, 1000 * US), 0);
	assert_int_equal(step(&r, 1500 * US), 1);
	rig_close(&r);
}

static void the_device_stands_still_during_stalls(void **state)
{
	struct sim_opts o = {.stall_every = 100, .stall_for = 30};

	/* Stalls at 100-130, 200-230, ... */
	assert_int_equal(sim_finish(&o, 0, 100), 100);
	assert_int_equal(sim_finish(&o, 0, 101), 131);
	assert_int_equal(sim_finish(&o, 100, 1), 131);
	assert_int_equal(sim_finish(&o, 129, 70), 200);
	assert_int_equal(sim_finish(&o, 130, 71), 231);
	assert_int_equal(sim_finish(&o, 1000, 140), 1200);
	assert_int_equal(sim_finish(&o, 1000, 141), 1231);
	o.stall_at = 50;
	assert_int_equal(sim_finish(&o, 0, 51), 81);
	assert_int_equal(sim_finish(&o, 60, 71), 181);
	o.stall_every = 0;
	assert_int_equal(sim_finish(&o, 0, 500), 530);
	assert_int_equal(sim_finish(&o, 80, 500), 580);
	o.stall_for = 0;
	assert_int_equal(sim_finish(&o, 0, 500), 500);
}

static void faults_hit_the_io_they_are_set_for(void **state)
{
	static const int32_t want[] = {4096, 2048, -ETIMEDOUT, 2048, 4096, -ETIMEDOUT, -ETIMEDOUT};
	struct rig r;

	start(&r);
	rig_option(&r, "sim_error_every", "3");
	rig_option(&r, "sim_error_after", "7");
	rig_option(&r, "sim_errno", "ETIMEDOUT");
	rig_option(&r, "sim_short_every", "2");
	rig_open(&r);
	for (unsigned i = 0; i < 7; i++) {
		submit(&r, 0, IO_READ, 4096);
		step(&r, (i + 1) * 100 * US);
		assert_int_equal(r.s.ios[0].result, want[i]);
	}
	rig_close(&r);
}

static void a_full_device_takes_what_fits(void **state)
{
	static const int32_t want[] = {4096, 1904, -ENOSPC};
	struct rig r;

	start(&r);
	rig_option(&r, "sim_full_after", "6000");
	rig_open(&r);
	for (unsigned i = 0; i < 3; i++) {
		submit(&r, 0, IO_WRITE, 4096);
		step(&r, (i + 1) * 100 * US);
		assert_int_equal(r.s.ios[0].result, want[i]);
	}
	submit(&r, 0, IO_READ, 4096);
	step(&r, 400 * US);
	assert_int_equal(r.s.ios[0].result, 4096);
	rig_close(&r);
}

static void a_device_ends_at_its_capacity(void **state)
{
	struct rig r;

	start(&r);
	rig_option(&r, "sim_capacity", "6000");
	rig_open(&r);
	assert_int_equal(r.ops->capacity(r.options), 6000);
	submit(&r, 0, IO_READ, 4096);
	submit(&r, 1, IO_READ, 4096);
	submit(&r, 2, IO_WRITE, 4096);
	assert_int_equal(r.s.ios[0].result, 4096);
	rig_close(&r);
	start(&r);
	rig_option(&r, "sim_capacity", "6000");
	rig_open(&r);
	for (unsigned i = 0; i < 3; i++) {
		struct io *io = rig_io(&r, i, i == 2 ? IO_WRITE : IO_READ, i * 4096ull, 4096);

		assert_int_equal(r.ops->submit(&r.e, &io, 1), 1);
	}
	assert_int_equal(r.s.ios[0].result, 4096);
	assert_int_equal(r.s.ios[1].result, 1904);
	assert_int_equal(r.s.ios[2].result, -ENOSPC);
	rig_close(&r);
}

static double mean_of(const char *dist, double *largest)
{
	struct sim_opts o = {.latency = 100 * US, .sigma = 0.5};
	struct io io = {.op = IO_READ, .len = 4096};
	double sum = 0, n = 20000;
	struct rng rng;

	o.dist = !strcmp(dist, "uniform") ? SIM_UNIFORM
		 : !strcmp(dist, "exp")	  ? SIM_EXP
					  : SIM_LOGNORMAL;
	rng_seed(&rng, 1);
	*largest = 0;
	for (int i = 0; i < (int)n; i++) {
		double x = (double)sim_service(&o, &rng, &io);

		sum += x;
		if (x > *largest)
			*largest = x;
	}
	return sum / n;
}

static void distributions_keep_their_mean(void **state)
{
	double top;

	/* Seed 1; the mean of 20,000 has a deviation of at most 0.71 percent (exponential). */
	assert_in_range(mean_of("uniform", &top), 97 * US, 103 * US);
	assert_true(top <= 200 * US);
	assert_in_range(mean_of("exp", &top), 97 * US, 103 * US);
	assert_true(top > 600 * US);
	assert_in_range(mean_of("lognormal", &top), 97 * US, 103 * US);
}

static void the_same_seed_gives_the_same_run(void **state)
{
	uint64_t due[2][50];

	for (int k = 0; k < 2; k++) {
		struct io *out[DEPTH];
		struct rig r;

		start(&r);
		rig_option(&r, "sim_dist", "exp");
		rig_option(&r, "sim_parallel", "3");
		rig_open(&r);
		for (unsigned i = 0; i < DEPTH; i++)
			submit(&r, i, IO_READ, 4096);
		for (int i = 0; i < 50; i++) {
			due[k][i] = r.clock.virtual_now = r.ops->next(&r.e);
			assert_int_equal(r.ops->reap(&r.e, out, 1, 1, UINT64_MAX), 1);
			submit(&r, out[0]->slot, IO_READ, 4096);
		}
		rig_close(&r);
	}
	assert_memory_equal(due[0], due[1], sizeof(due[0]));
}

static void the_heap_sorts(void **state)
{
	struct sim_event v[100], last = {0, 0, 0};
	struct sim_heap h = {v, 0};
	struct rng rng;

	rng_seed(&rng, 3);
	for (unsigned i = 0; i < 100; i++)
		sim_heap_push(&h, (struct sim_event){rng_below(&rng, 20), i, i});
	while (h.n) {
		struct sim_event ev = sim_heap_pop(&h);

		assert_true(ev.due > last.due || (ev.due == last.due && ev.seq >= last.seq));
		last = ev;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_server_works_in_order),
		cmocka_unit_test(parallel_servers_share_the_queue),
		cmocka_unit_test(each_kind_has_its_mean),
		cmocka_unit_test(bandwidth_adds_the_transfer),
		cmocka_unit_test(the_device_stands_still_during_stalls),
		cmocka_unit_test(faults_hit_the_io_they_are_set_for),
		cmocka_unit_test(a_full_device_takes_what_fits),
		cmocka_unit_test(a_device_ends_at_its_capacity),
		cmocka_unit_test(distributions_keep_their_mean),
		cmocka_unit_test(the_same_seed_gives_the_same_run),
		cmocka_unit_test(the_heap_sorts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
