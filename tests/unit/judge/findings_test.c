/* Every finding of the table has a run that shows it. */
#include "run.h"

static struct timeline_point ramp_points[101];

/* 100 steps of a rate, twice as high up to the n-th. */
static void course(struct fixture *f, unsigned n)
{
	struct rng rng;

	rng_seed(&rng, 7);
	for (unsigned i = 0; i < 101; i++)
		ramp_points[i].ios[DIR_READ] = 1000 + rng_below(&rng, 40) + (i <= n ? 1000 : 0);
	f->j.timeline =
		(struct timeline){.period_ns = TIMELINE_PERIOD_NS, .n = 101, .point = ramp_points};
}

static void direct_writes(struct fixture *f)
{
	f->j.dir[DIR_WRITE] = f->j.dir[DIR_READ];
	f->j.dir[DIR_WRITE].bytes = 1 << 20;
	f->j.write_back = true;
}

/* Gives a good run one fault; false: a fault without a word here. */
static bool spoil(struct fixture *f, const char *code)
{
	struct result_job *j = &f->j;
	struct dir_stats *t = &j->dir[DIR_READ];

	if (!strcmp(code, "thermal") || !strcmp(code, "remote-numa")) {
		j->watched.nodes.known = true;
		disturb(f, code[0] == 't' ? DISTURB_TEMPERATURE : DISTURB_REMOTE, 3, 1);
	} else if (!strcmp(code, "clock")) {
		f->r.clock_drift_ppm = 500;
	} else if (!strcmp(code, "poll-inactive")) {
		j->poll = (struct result_poll){.asked = true, .no_queues = true};
	} else if (!strcmp(code, "write-cache")) {
		direct_writes(f);
	} else if (!strcmp(code, "unwritten")) {
		j->unwritten_bytes = j->region_bytes;
	} else if (!strcmp(code, "page-cache")) {
		j->device_reads = (struct result_share){100 << 20, 0};
	} else if (!strcmp(code, "depth-unreached")) {
		j->depth_asked = 32;
		j->depth_time = j->depth_ns = 10000000000ull;
	} else if (!strcmp(code, "rate-missed")) {
		j->rate_iops_asked[DIR_READ] = 20000;
	} else if (!strcmp(code, "write-back")) {
		j->writes_buffered = true;
		j->device_writes = (struct result_share){100 << 20, 0};
	} else if (!strcmp(code, "not-steady") || !strcmp(code, "ramp-short")) {
		course(f, code[0] == 'n' ? 60 : 10);
	} else if (!strcmp(code, "too-short")) {
		j->phase[PHASE_WORKLOAD].ns = 1000000;
	} else if (!strcmp(code, "few-samples")) {
		j->style.percentile[0] = 99.999;
	} else if (!strcmp(code, "small-span")) {
		j->region_bytes = 1 << 20;
	} else if (!strcmp(code, "tool-limited")) {
		j->overhead_ns = 50000;
	} else if (!strcmp(code, "log-stall")) {
		j->job_runtime_ns = 10000000000ull;
		j->log_stall_ns = 200000000;
	} else if (!strcmp(code, "histogram")) {
		t->lat[LAT_COMPLETE].max = 1ull << 43;
	} else if (!strcmp(code, "mixed-sizes")) {
		j->size_min[DIR_READ] = 4096;
		j->size_max[DIR_READ] = 65536;
		for (unsigned i = 0; i < 100000; i++)
			hist_add(&f->all, 900000);
	} else {
		return false;
	}
	return true;
}

/* Every finding of the table, but disturbances (verdict_test.c): one run that has it. The
 * good run has none. */
static void each_finding_has_a_run(void **state)
{
	static const char *const disturbances[] = {
		"cpu-contention", "preempted",	     "cpu-steal", "interrupt-load", "other-io",
		"iowq-punt",	  "memory-pressure", "frequency", "stopped",
	};

#define MESSAGE(code, level, meaning)
#define FINDING(code, title, subject, severity, before, after, effect, remedy) code,
	static const char *const codes[] = {
#include "base/findings.def"
	};
#undef FINDING
#undef MESSAGE

	(void)state;
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		const char *code = codes[i];
		struct fixture f;
		bool above = false;
		for (unsigned k = 0; k < sizeof(disturbances) / sizeof(disturbances[0]); k++)
			above |= !strcmp(disturbances[k], code);
		if (!finding_row(code)->after[0] || above)
			continue;
		fixture(&f);
		if (!spoil(&f, code))
			fail_msg("no run has %s", code);
		const struct finding *found = judged(&f, code);
		if (!found)
			fail_msg("%s is not found", code);
		assert_true(found->evidence[0] && found->remedy[0] && found->effect[0]);
		assert_string_equal(found->title, finding_row(code)->title);
	}
}

static void the_good_run_has_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture(&f);
	verdict_judge(&f.r, &f.j, &f.v);
	assert_int_equal(f.v.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_good_run_has_none),
		cmocka_unit_test(each_finding_has_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
