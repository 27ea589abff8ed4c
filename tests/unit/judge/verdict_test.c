#include "run.h"
#include "judge/finding_work.h"

static void a_good_run_is_quiet(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	verdict_judge(&f.r, &f.j, &f.v);
	assert_string_equal(f.v.word, "quiet");
	assert_int_equal(f.v.n, 0);
}

static void what_did_not_run_has_no_verdict(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.started = false;
	verdict_judge(&f.r, &f.j, &f.v);
	assert_string_equal(f.v.word, "none");
}

static void each_disturbance_has_its_code(void **state)
{
	static const struct {
		enum disturbance kind;
		const char *code;
	} rows[] = {
		{DISTURB_CPU_WAIT, "cpu-contention"}, {DISTURB_PREEMPT, "preempted"},
		{DISTURB_STEAL, "cpu-steal"},	      {DISTURB_IRQ, "interrupt-load"},
		{DISTURB_OTHER_IO, "other-io"},	      {DISTURB_IOWQ, "iowq-punt"},
		{DISTURB_FREQUENCY, "frequency"},     {DISTURB_MEMORY, "memory-pressure"},
		{DISTURB_STOPPED, "stopped"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		fixture(&f);
		disturb(&f, rows[i].kind, 3, 1000000);
		f.j.watched.device.ios = 2000000;
		const struct finding *found = judged(&f, rows[i].code);
		assert_non_null(found);
		assert_int_equal(f.v.n, 1);
		assert_string_equal(f.v.word, "disturbed");
		assert_string_equal(found->seconds, "3");
		assert_true(found->evidence[0] && found->remedy[0]);
	}
}

/* Workers that wait for each other are told so; another task only beside it. */
static void too_many_workers_are_told_so(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	disturb(&f, DISTURB_CPU_WAIT, 3, 1500000000);
	f.j.watched.competition = (struct watched_competition){4, 2};
	const struct finding *found = judged(&f, "cpu-contention");
	assert_string_equal(found->evidence,
			    "workers waited 1.50s for a CPU: 4 workers share 2 CPUs");
	assert_non_null(strstr(found->remedy, "at most 2 workers"));
	assert_null(strstr(found->remedy, "stop other programs"));
	memcpy(f.j.watched.who, "hog (5)", 8);
	f.j.watched.who_ns = 300000000;
	found = judged(&f, "cpu-contention");
	assert_string_equal(found->evidence, "workers waited 1.50s for a CPU: 4 workers share 2 "
					     "CPUs; busiest other task: hog (5), 300.00ms");
	assert_non_null(strstr(found->remedy, "stop other programs"));
}

/* How much of the device went to others; below a hundredth it spoils nothing. */
static void other_io_tells_its_share(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	disturb(&f, DISTURB_OTHER_IO, 3, 17);
	f.j.watched.device = (struct watched_device){
		.ios = 100017, .bytes = 401 << 20, .foreign_bytes = 1 << 20};
	const struct finding *found = judged(&f, "other-io");
	assert_string_equal(found->evidence,
			    "other processes transferred 1024KiB in 17 I/Os on this device: 0.25 % "
			    "of its bytes, 0.02 % of its I/Os");
	assert_int_equal(found->severity, FINDING_NOTE);
	assert_string_equal(f.v.word, "quiet");
	f.j.watched.device.foreign_bytes = 8 << 20;
	found = judged(&f, "other-io");
	assert_int_equal(found->severity, FINDING_WARN);
	assert_non_null(strstr(found->evidence, ": 2 % of its bytes"));
}

static void heat_names_what_was_hot(void **state)
{
	struct fixture f;
	struct watched_temperature *h = &f.j.watched.heat;

	(void)state;
	fixture(&f);
	memcpy(h->disk, "nvme0n1", 8);
	h->limit_milli_c = 80000;
	watched_sample(&h->milli_c, 70000);
	assert_null(judged(&f, "thermal"));
	watched_sample(&h->milli_c, 83000);
	disturb(&f, DISTURB_TEMPERATURE, 4, 0);
	const struct finding *found = judged(&f, "thermal");
	assert_string_equal(found->evidence,
			    "nvme0n1 reached 83 degrees Celsius, it throttles near 80");
	assert_string_equal(found->seconds, "4");
	assert_string_equal(f.v.word, "disturbed");
	h->limit_milli_c = 0;
	disturb(&f, DISTURB_TEMPERATURE, 5, 3);
	found = judged(&f, "thermal");
	assert_string_equal(found->evidence, "the workers' CPUs throttled 3 times");
	assert_string_equal(found->seconds, "4-5");
}

static void a_worker_far_from_its_device_is_told_where_to_go(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	disturb(&f, DISTURB_REMOTE, 2, 1);
	assert_null(judged(&f, "remote-numa")); /* nodes unknown: nothing is said */
	f.j.watched.nodes = (struct watched_nodes){.known = true,
						   .device = 1,
						   .cpu = 0,
						   .memory = -1,
						   .disk = "nvme0n1",
						   .near = "18-35"};
	const struct finding *found = judged(&f, "remote-numa");
	assert_string_equal(found->evidence,
			    "nvme0n1 is on node 1, a worker ran on node 0, in 10 % of the time");
	assert_non_null(strstr(found->remedy, "cpus_allowed=18-35"));
	assert_non_null(strstr(found->effect, "0.5 to 2 us"));
	f.j.watched.nodes.cpu = 1;
	f.j.watched.nodes.memory = 0;
	assert_non_null(strstr(judged(&f, "remote-numa")->evidence, "its buffers were on node 0"));
}

static void seconds_are_told_as_ranges(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	for (unsigned s = 2; s <= 4; s++)
		disturb(&f, DISTURB_CPU_WAIT, s, 1);
	disturb(&f, DISTURB_CPU_WAIT, 9, 1);
	assert_string_equal(judged(&f, "cpu-contention")->seconds, "2-4, 9");
}

/* Seconds beyond those that are kept one by one are told by the last of them. */
static void late_seconds_are_told_too(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.watched.seconds = 5000;
	disturb(&f, DISTURB_CPU_WAIT, 4000, 1);
	disturb(&f, DISTURB_CPU_WAIT, 4711, 1);
	assert_string_equal(judged(&f, "cpu-contention")->seconds, "... 4711");
	disturb(&f, DISTURB_PREEMPT, 7, 1);
	disturb(&f, DISTURB_PREEMPT, 2000, 1);
	assert_string_equal(judged(&f, "preempted")->seconds, "7, ... 2000");
}

/* One bad second in a hundred is told, and does not spoil the run. */
static void few_bad_seconds_are_a_note(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.watched.seconds = 100;
	disturb(&f, DISTURB_OTHER_IO, 50, 10);
	assert_int_equal(judged(&f, "other-io")->severity, FINDING_NOTE);
	assert_string_equal(f.v.word, "quiet");
}

static void the_effect_is_against_the_quiet_seconds(void **state)
{
	struct fixture f;
	struct runstat *q;

	(void)state;
	fixture(&f);
	q = &f.j.watched.quiet_lat[DIR_READ];
	f.j.watched.quiet[DIR_READ] = &f.quiet;
	for (unsigned i = 0; i < 1000; i++) {
		runstat_add(q, 80000);
		hist_add(&f.quiet, 80000);
	}
	disturb(&f, DISTURB_CPU_WAIT, 1, 1);
	const struct finding *found = judged(&f, "cpu-contention");
	assert_non_null(strstr(found->effect, "+20.00us"));
	assert_non_null(strstr(found->effect, "+25.0 %"));
}

static void what_makes_a_number_void_is_invalid(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.device_reads = (struct result_share){64 << 20, 32 << 20};
	assert_int_equal(judged(&f, "page-cache")->severity, FINDING_BAD);
	assert_string_equal(f.v.word, "invalid");
	fixture(&f);
	f.j.unwritten_bytes = f.j.region_bytes / 2;
	assert_non_null(judged(&f, "unwritten"));
	assert_string_equal(f.v.word, "invalid");
	fixture(&f);
	f.j.poll = (struct result_poll){.asked = true, .no_queues = true};
	assert_non_null(judged(&f, "poll-inactive"));
	assert_string_equal(f.v.word, "invalid");
}

/* The bytes of the device against those of the jobs: one threshold, and none for a few. */
static void too_little_from_the_device_is_the_page_cache(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.device_reads = (struct result_share){100 << 20, 91 << 20};
	assert_null(judged(&f, "page-cache"));
	f.j.device_reads.device = 89 << 20;
	assert_non_null(strstr(judged(&f, "page-cache")->evidence, "11 % of the bytes"));
	f.j.device_reads = (struct result_share){15 << 20, 0};
	assert_null(judged(&f, "page-cache"));
}

/* As many interrupts as I/Os, but for those that need not be polled for. */
static void interrupts_tell_that_nothing_polled(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.poll = (struct result_poll){.interrupts = 1000, .ios = 1000, .device = "nvme0n1"};
	assert_null(judged(&f, "poll-inactive"));
	f.j.poll.asked = true;
	assert_non_null(strstr(judged(&f, "poll-inactive")->evidence, "1000 interrupts"));
	assert_true(verdict_poll_inactive(&f.j));
	f.j.poll.interrupts = 50;
	assert_null(judged(&f, "poll-inactive"));
	f.j.poll = (struct result_poll){.asked = true, .interrupts = 40, .ios = 40};
	assert_null(judged(&f, "poll-inactive"));
	f.j.poll = (struct result_poll){
		.asked = true, .unpolled = 0.5, .interrupts = 500, .ios = 1000};
	assert_null(judged(&f, "poll-inactive"));
}

/* Whatever is found: the worst first, of equal ones the order of the table. */
static void the_worst_is_told_first(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.region_bytes = 1 << 20;
	f.j.phase[PHASE_WORKLOAD].ns = 1000000;
	disturb(&f, DISTURB_STOPPED, 3, 1);
	disturb(&f, DISTURB_CPU_WAIT, 3, 1);
	f.j.unwritten_bytes = f.j.region_bytes;
	assert_non_null(judged(&f, "unwritten"));
	assert_string_equal(f.v.v[0].f.code, "unwritten");
	for (unsigned i = 1; i < f.v.n; i++) {
		const struct finding *x = &f.v.v[i - 1].f, *y = &f.v.v[i].f;
		assert_true(x->severity >= y->severity);
		assert_true(x->severity > y->severity ||
			    finding_row(x->code) < finding_row(y->code));
	}
}

static void work_that_was_not_what_was_asked_for(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.depth_asked = 32;
	f.j.depth_time = 10000000000ull;
	f.j.depth_ns = 10000000000ull;
	assert_non_null(judged(&f, "depth-unreached"));
	f.j.paced = true;
	assert_null(judged(&f, "depth-unreached"));
	fixture(&f);
	f.j.rate_iops_asked[DIR_READ] = 20000; /* 10,000 a second were done */
	assert_non_null(judged(&f, "rate-missed"));
	f.j.rate_iops_asked[DIR_READ] = 10000;
	assert_null(judged(&f, "rate-missed"));
	/* With a flush of a second after it. */
	f.j.runtime_ns[DIR_READ] += 1000000000;
	assert_null(judged(&f, "rate-missed"));
	fixture(&f);
	f.j.style.percentile[0] = 99.999;
	assert_non_null(judged(&f, "few-samples"));
	f.j.style.percentile[0] = 99.999999;
	assert_string_equal(judged(&f, "few-samples")->remedy,
			    "for p99.999999 run until there are 1000000000 samples");
	fixture(&f);
	f.j.phase[PHASE_WORKLOAD].ns = 1000000;
	assert_non_null(judged(&f, "too-short"));
	fixture(&f);
	f.j.region_bytes = 1 << 20;
	assert_non_null(judged(&f, "small-span"));
	f.j.no_device = true;
	assert_null(judged(&f, "small-span"));
	fixture(&f);
	f.r.clock_drift_ppm = -500;
	assert_non_null(judged(&f, "clock"));
	fixture(&f);
	f.j.overhead_ns = 50000;
	assert_non_null(judged(&f, "tool-limited"));
	/* Done within the call: the time is in the submission. */
	struct runstat *slat = &f.j.dir[DIR_READ].lat[LAT_SUBMIT];
	runstat_init(slat);
	for (uint64_t i = f.j.dir[DIR_READ].lat[LAT_COMPLETE].n; i > 0; i--)
		runstat_add(slat, 2000000);
	assert_null(judged(&f, "tool-limited"));
}

/* 100 steps of a rate with 2 % noise, `off` of it for the first n. */
static void series(struct fixture *f, struct timeline_point *p, uint64_t seed, unsigned n, int off)
{
	struct rng rng;

	fixture(f);
	memset(p, 0, 101 * sizeof(*p));
	rng_seed(&rng, seed);
	for (unsigned i = 0; i < 101; i++)
		p[i].ios[DIR_READ] =
			(uint64_t)(1000 + (int)rng_below(&rng, 40) + (i <= n ? off : 0));
	f->j.timeline = (struct timeline){.period_ns = TIMELINE_PERIOD_NS, .n = 101, .point = p};
}

static void a_start_on_another_level_wants_a_ramp(void **state)
{
	static const struct {
		unsigned n;
		int off;
		bool ramp, steady;
	} rows[] = {
		{0, 0, false, true},	 {5, -300, true, true}, {10, -300, true, true},
		{18, 400, true, true},	 {10, 20, false, true}, {40, -300, false, false},
		{60, 300, false, false},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct fixture f;
			struct timeline_point p[101];
			series(&f, p, seed, rows[i].n, rows[i].off);
			assert_int_equal(judged(&f, "ramp-short") != NULL, rows[i].ramp);
			assert_int_equal(judged(&f, "not-steady") == NULL, rows[i].steady);
		}
	}
}

static void the_ramp_it_asks_for_covers_what_settled(void **state)
{
	struct fixture f;
	struct timeline_point p[101];

	(void)state;
	series(&f, p, 3, 10, -300);
	f.j.phase[PHASE_RAMP].ns = 2000000000;
	const struct finding *found = judged(&f, "ramp-short");
	assert_non_null(found);
	assert_non_null(strstr(found->evidence, "settled after 1.1 s"));
	assert_string_equal(found->remedy, "ramp_time=4"); /* 2 s there are, 1.1 s and a quarter */
	assert_non_null(strstr(found->effect, "mean rate -2.9 %"));
	assert_int_equal(found->severity, FINDING_WARN);
}

static void humps(struct hist *h, uint64_t a, uint64_t b)
{
	struct rng rng;

	rng_seed(&rng, 5);
	memset(h, 0, sizeof(*h));
	for (unsigned i = 0; i < 10000; i++) {
		uint64_t at = i % 10 < 7 ? a : b;
		hist_add(h, at + rng_below(&rng, at / 5));
	}
}

static void sizes_with_humps_of_their_own_hide_in_one_percentile(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.size_min[DIR_READ] = 4096;
	f.j.size_max[DIR_READ] = 65536;
	assert_null(judged(&f, "mixed-sizes")); /* all take as long */
	humps(&f.all, 80000, 350000);
	const struct finding *found = judged(&f, "mixed-sizes");
	assert_non_null(found);
	assert_int_equal(found->severity, FINDING_NOTE);
	assert_non_null(strstr(found->evidence, "70 % near"));
	assert_string_equal(f.v.word, "quiet");
	humps(&f.all, 80000, 84000); /* overlap */
	assert_null(judged(&f, "mixed-sizes"));
	humps(&f.all, 80000, 350000);
	f.j.size_max[DIR_READ] = 4096; /* one size: whatever the humps are, it is not that */
	assert_null(judged(&f, "mixed-sizes"));
}

static void reads_and_writes_in_one_distribution_are_mixed_too(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	humps(&f.all, 80000, 80000);
	humps(&f.quiet, 10000, 10000);
	f.j.dir[DIR_WRITE].hist[LAT_COMPLETE] = &f.quiet;
	f.j.dir[DIR_WRITE].ios = 10000;
	runstat_init(&f.j.dir[DIR_WRITE].lat[LAT_COMPLETE]);
	assert_null(judged(&f, "mixed-sizes"));
	f.j.style.unified = UNIFIED_MIXED;
	assert_non_null(strstr(judged(&f, "mixed-sizes")->evidence, "reads and writes share"));
}

static void writes_a_cache_may_hold_are_told(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.dir[DIR_WRITE].ios = 25600;
	f.j.dir[DIR_WRITE].bytes = 100ull << 20;
	runstat_init(&f.j.dir[DIR_WRITE].lat[LAT_COMPLETE]);
	assert_null(judged(&f, "write-cache")); /* no volatile cache known of */
	f.j.write_back = true;
	f.j.device_bytes = 1ull << 40;
	const struct finding *found = judged(&f, "write-cache");
	assert_int_equal(found->severity, FINDING_WARN);
	assert_non_null(strstr(found->evidence, "100MiB"));
	f.j.phase[PHASE_RAMP].bytes[DIR_WRITE] = 400ull << 20; /* of the TiB a GiB may be cached */
	assert_int_equal(judged(&f, "write-cache")->severity, FINDING_NOTE);
	f.j.phase[PHASE_RAMP].bytes[DIR_WRITE] = 4ull << 30;
	assert_null(judged(&f, "write-cache"));
	f.j.region_bytes = 64 << 20; /* the same few over and over */
	assert_non_null(judged(&f, "write-cache"));
	f.j.writes_synced = true;
	assert_null(judged(&f, "write-cache"));
	f.j.writes_synced = false;
	f.j.writes_buffered = true;
	assert_null(judged(&f, "write-cache"));
	f.j.device_writes = (struct result_share){100 << 20, 60 << 20};
	assert_non_null(judged(&f, "write-back"));
	f.j.device_writes.device = 95 << 20;
	assert_null(judged(&f, "write-back"));
}

static void clocks_that_cannot_be_trusted_are_told(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.r.clock_name = "tsc";
	snprintf(f.r.host.clock_source, sizeof(f.r.host.clock_source), "tsc");
	assert_null(judged(&f, "clock"));
	snprintf(f.r.host.clock_source, sizeof(f.r.host.clock_source), "hpet");
	assert_non_null(
		strstr(judged(&f, "clock")->evidence, "replaced its clock source tsc by hpet"));
	assert_string_equal(f.v.word, "disturbed");
	f.r.clock_name = "monotonic";
	f.r.clock_read_ns = 1000; /* of 100 us */
	assert_int_equal(judged(&f, "clock")->severity, FINDING_NOTE);
	f.r.clock_read_ns = 5000;
	assert_int_equal(judged(&f, "clock")->severity, FINDING_WARN);
	snprintf(f.r.host.clock_source, sizeof(f.r.host.clock_source), "kvm-clock");
	assert_null(judged(&f, "clock"));
	f.r.clock_backwards = true;
	assert_non_null(strstr(judged(&f, "clock")->evidence, "ran backwards"));
}

/* What was not measured is said in the words of doctor, and marked as such. */
static void effects_are_measured_or_general(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	f.j.device_reads = (struct result_share){64 << 20, 32 << 20};
	const struct finding *found = judged(&f, "page-cache");
	assert_true(found->general);
	assert_string_equal(found->effect, finding_row("page-cache")->effect);
}

static void a_change_of_level_is_not_steady(void **state)
{
	struct fixture f;
	struct timeline_point p[100];
	struct rng rng;

	static const struct {
		unsigned drop, seconds;
		const char *word; /* NULL: steady */
	} rows[] = {{0, 10, NULL}, {300, 10, "disturbed"}, {70, 10, "note"}, {300, 9, "note"}};

	(void)state;
	for (unsigned k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		fixture(&f);
		f.j.phase[PHASE_WORKLOAD].ns = rows[k].seconds * 1000000000ull;
		memset(p, 0, sizeof(p));
		rng_seed(&rng, 7);
		for (unsigned i = 0; i < 100; i++)
			p[i].ios[DIR_READ] =
				1000 + rng_below(&rng, 40) - (i >= 60 ? rows[k].drop : 0);
		f.j.timeline =
			(struct timeline){.period_ns = TIMELINE_PERIOD_NS, .n = 100, .point = p};
		const struct finding *found = judged(&f, "not-steady");
		assert_true((found != NULL) == (rows[k].word != NULL));
		if (found)
			assert_string_equal(finding_run_word(found->severity), rows[k].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_run_is_quiet),
		cmocka_unit_test(what_did_not_run_has_no_verdict),
		cmocka_unit_test(each_disturbance_has_its_code),
		cmocka_unit_test(too_many_workers_are_told_so),
		cmocka_unit_test(other_io_tells_its_share),
		cmocka_unit_test(heat_names_what_was_hot),
		cmocka_unit_test(a_worker_far_from_its_device_is_told_where_to_go),
		cmocka_unit_test(seconds_are_told_as_ranges),
		cmocka_unit_test(late_seconds_are_told_too),
		cmocka_unit_test(few_bad_seconds_are_a_note),
		cmocka_unit_test(the_effect_is_against_the_quiet_seconds),
		cmocka_unit_test(what_makes_a_number_void_is_invalid),
		cmocka_unit_test(too_little_from_the_device_is_the_page_cache),
		cmocka_unit_test(interrupts_tell_that_nothing_polled),
		cmocka_unit_test(the_worst_is_told_first),
		cmocka_unit_test(work_that_was_not_what_was_asked_for),
		cmocka_unit_test(a_change_of_level_is_not_steady),
		cmocka_unit_test(a_start_on_another_level_wants_a_ramp),
		cmocka_unit_test(the_ramp_it_asks_for_covers_what_settled),
		cmocka_unit_test(sizes_with_humps_of_their_own_hide_in_one_percentile),
		cmocka_unit_test(reads_and_writes_in_one_distribution_are_mixed_too),
		cmocka_unit_test(writes_a_cache_may_hold_are_told),
		cmocka_unit_test(clocks_that_cannot_be_trusted_are_told),
		cmocka_unit_test(effects_are_measured_or_general),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
