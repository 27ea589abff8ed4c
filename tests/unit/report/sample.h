/* A result made by hand: the same numbers at each call, every part of a report in it. */
#ifndef FATHOM_TESTS_REPORT_SAMPLE_H
#define FATHOM_TESTS_REPORT_SAMPLE_H

#include "base/rng.h"
#include "result/result.h"
#include "result/merge.h"
#include "result/groups.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static const double sample_percentile[] = {1,  5,  10, 20, 30,	 40,   50,    60,   70,
					   80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

static const struct job_text sample_options[] = {
	{.name = "rw", .text = "randread"},
	{.name = "bs", .text = "4k"},
	{.name = "rw", .text = "randrw"},
	{.name = "direct", .text = ""},
	{.name = "filename", .text = "/dev/a\"b\\c"},
};

static const struct job_text sample_globals[] = {
	{.name = "size", .text = "1g"},
	{.name = "size", .text = "4m"},
};

static inline void sample_style(struct result_style *s)
{
	memset(s, 0, sizeof(*s));
	s->slat_on = s->clat_on = s->lat_on = s->bw_on = true;
	s->clat_percentiles = true;
	memcpy(s->percentile, sample_percentile, sizeof(sample_percentile));
	s->percentiles_n = sizeof(sample_percentile) / sizeof(sample_percentile[0]);
	s->percentile_precision = 2;
	s->kb_base = 1024;
	s->unit_base = 8;
	s->digits = 4;
}

static inline void sample_lat(struct dir_stats *t, enum lat_kind k, uint64_t ns)
{
	if (!t->hist[k])
		t->hist[k] = calloc(1, sizeof(struct hist));
	if (!t->hist[k])
		abort();
	hist_add(t->hist[k], ns);
	runstat_add(&t->lat[k], ns);
}

/* n I/Os of a direction with latencies from `base` to four times that and a few far out, over
 * runtime_ns. */
static inline void sample_ios(struct result_job *j, unsigned d, struct rng *rng, unsigned n,
			      uint64_t base, uint64_t runtime_ns)
{
	struct dir_stats *t = &j->dir[d];

	for (unsigned i = 0; i < n; i++) {
		uint64_t clat = base + rng_below(rng, i % 50 ? base * 3 : base * 40);
		uint64_t slat = base / 20 + rng_below(rng, base / 10 + 1);

		if (j->style.is_async)
			sample_lat(t, LAT_SUBMIT, slat);
		sample_lat(t, LAT_COMPLETE, clat);
		sample_lat(t, LAT_TOTAL, clat + slat);
		j->lat_bins[hist_lat_bin(hist_index(clat), clat)]++;
	}
	t->ios = n;
	t->bytes = (uint64_t)n * 4096;
	j->issued[d] = n;
	j->runtime_ns[d] = runtime_ns;
	for (unsigned i = 0; i < runtime_ns / 500000000; i++) {
		runstat_add(&t->bw, (uint64_t)((double)t->bytes * 1e9 / (double)runtime_ns) +
					    i * 1024 * 10);
		runstat_add(&t->iops, (uint64_t)((double)n * 1e12 / (double)runtime_ns) + i * 2500);
	}
}

static inline void sample_machine(struct result_job *j, uint64_t ios)
{
	j->started = true;
	j->members = 1;
	j->end = j->planned_end = END_SIZE;
	j->planned_ios = ios;
	j->planned_bytes = ios * 4096;
	j->planned_ns = UINT64_MAX;
	j->job_runtime_ns = 2000000000;
	j->usr_ns = 91000000;
	j->sys_ns = 412345678;
	j->ctx = 4711;
	j->minf = 17;
	j->start_wall_ns = 1796031547123456789;
	j->end_wall_ns = j->start_wall_ns + 2000000000;
	j->start_ns = 1000000;
	j->end_ns = 2001000000;
	j->depth_asked = j->depth_planned = 1;
	j->depth_time = 1980000000;
	j->depth_ns = 2000000000;
	j->depth_level[0] = ios;
	j->depth_submit[1] = ios;
	j->depth_complete[1] = ios - 1;
	j->depth_complete[2] = 1;
	j->phase[PHASE_WORKLOAD].ns = 2000000000;
	for (unsigned d = 0; d < DIRS; d++) {
		j->phase[PHASE_WORKLOAD].ios[d] = j->dir[d].ios;
		j->phase[PHASE_WORKLOAD].bytes[d] = j->dir[d].bytes;
	}
}

/* Reads, writes and syncs of a rated job with a synchronous engine. */
static inline void sample_mixed(struct result_job *j, struct rng *rng)
{
	j->name = "mixed job";
	j->description = "some; text";
	j->engine = "psync";
	j->tid = 4242;
	j->options = sample_options;
	j->options_n = sizeof(sample_options) / sizeof(sample_options[0]);
	j->style.continue_mask = CONTINUE_READ;
	j->total_err = 3;
	j->first_error = 5;
	sample_ios(j, DIR_READ, rng, 3000, 30000, 2000000000);
	sample_ios(j, DIR_WRITE, rng, 1000, 1700, 1999999999);
	sample_machine(j, 4000);
	j->syncs = j->issued_syncs = 100;
	j->sync_hist = calloc(1, sizeof(struct hist));
	if (!j->sync_hist)
		abort();
	for (unsigned i = 0; i < 100; i++) {
		uint64_t ns = 2500000 + i * 1500000;
		hist_add(j->sync_hist, ns);
		runstat_add(&j->sync_lat, ns);
	}
	j->phase[PHASE_WORKLOAD].syncs = 100;
	j->rate_iops_asked[DIR_READ] = 1500;
	for (unsigned i = 0; i < 3000; i++)
		sample_lat(&j->dir[DIR_READ], LAT_SCHEDULE, 40000 + i * 100);
	j->late_ios = 12;
	j->behind_ns_max = 3200000;
	j->last_done_ns = 1999000000;
	j->durable_ns = 2.5e9;
	j->dir[DIR_READ].short_ios = 2;
	j->dir[DIR_WRITE].drop_ios = 1;
}

static inline void sample_prio(struct result_job *j, unsigned slot, uint16_t prio, struct rng *rng)
{
	struct prio_stats *p = &j->prio[slot];

	p->used = true;
	p->prio = prio;
	p->dir = DIR_READ;
	p->hist = calloc(1, sizeof(struct hist));
	if (!p->hist)
		abort();
	for (unsigned i = 0; i < 500u + 300u * slot; i++) {
		uint64_t ns = 90000 + rng_below(rng, 100000);
		runstat_add(&p->lat, ns);
		hist_add(p->hist, ns);
	}
}

/* Two merged workers of an asynchronous engine, two priorities, all percentile tables. */
static inline void sample_async(struct result_job *j, struct rng *rng)
{
	j->name = "async";
	j->engine = "libaio";
	j->group = 1;
	j->number = 1;
	j->tid = 4243;
	j->style.is_async = j->style.slat_percentiles = j->style.lat_percentiles = true;
	j->style.percentile[0] = 50;
	j->style.percentile[1] = 99;
	j->style.percentile[2] = 100;
	j->style.percentiles_n = 3;
	j->style.percentile_precision = 0;
	sample_ios(j, DIR_READ, rng, 1300, 90000, 5100000000);
	sample_machine(j, 1300);
	j->members = 2;
	j->merged = true;
	j->depth_asked = j->depth_planned = 8;
	j->depth_time = 15000000000;
	j->end = END_TIME;
	sample_prio(j, 0, 0, rng);
	sample_prio(j, 1, 0x4003 | 5 << 3, rng);
	(void)snprintf(j->engine_note, sizeof(j->engine_note), "\"quoted\" note");
}

/* Three directions reported together and apart, in bits and powers of 1000. */
static inline void sample_unified(struct result_job *j, struct rng *rng)
{
	j->name = "unified";
	j->engine = "null";
	j->no_device = true;
	j->group = 2;
	j->number = 3;
	j->tid = 4244;
	j->style.unified = UNIFIED_BOTH;
	j->style.kb_base = 1000;
	j->style.unit_base = 1;
	sample_ios(j, DIR_READ, rng, 50, 200, 400000);
	sample_ios(j, DIR_WRITE, rng, 20, 3000000, 300000);
	sample_ios(j, DIR_TRIM, rng, 10, 70, 700);
	sample_machine(j, 80);
	j->end = END_COUNT;
}

static inline void sample_failed(struct result_job *j)
{
	j->name = "failed";
	j->engine = "psync";
	j->group = 2;
	j->number = 4;
	j->members = 1;
	j->error = 2;
	j->error_text = "cannot open \"/x\"";
	j->end = END_ERROR;
}

#define SAMPLE_JOBS 5

static inline void sample_disks(struct result *r)
{
	r->disks_n = 2;
	r->disks = calloc(2, sizeof(*r->disks));
	if (!r->disks)
		abort();
	(void)snprintf(r->disks[0].name, sizeof(r->disks[0].name), "dm-0");
	r->disks[0].c =
		(struct result_disk_counts){{100, 200}, {800, 1600}, {1, 2}, {30, 40}, 70, 65};
	r->disks[0].util = 12.345;
	r->disks[0].slaves = 1;
	r->disks[0].agg =
		(struct result_disk_counts){{101, 201}, {808, 1608}, {3, 4}, {31, 41}, 72, 66};
	r->disks[0].agg_util = 100;
	(void)snprintf(r->disks[0].slave_names[0], 64, "sda");
	r->disks[0].slave[0] = r->disks[0].agg;
	r->disks[0].slave_util[0] = 100;
	(void)snprintf(r->disks[1].name, sizeof(r->disks[1].name), "vda");
}

/* diag may be NULL. Free with result_release. */
static inline void sample_result(struct result *r, const struct diag *diag)
{
	struct rng rng;

	rng_seed(&rng, 42);
	memset(r, 0, sizeof(*r));
	r->version = "fio-3.42-fathom-0.1";
	r->wall_ns = 1796031550269000000;
	r->elapsed_ns = 2100000000;
	r->jobs_n = SAMPLE_JOBS;
	r->jobs = calloc(SAMPLE_JOBS, sizeof(*r->jobs));
	if (!r->jobs)
		abort();
	for (unsigned i = 0; i < SAMPLE_JOBS; i++) {
		result_job_init(&r->jobs[i]);
		sample_style(&r->jobs[i].style);
	}
	sample_mixed(&r->jobs[0], &rng);
	sample_async(&r->jobs[1], &rng);
	sample_unified(&r->jobs[2], &rng);
	sample_failed(&r->jobs[3]);
	r->jobs[4].name = "hidden";
	sample_ios(&r->jobs[4], DIR_READ, &rng, 9, 100, 1000);
	r->jobs[4].style.hide = true;
	sample_disks(r);
	r->globals = sample_globals;
	r->globals_n = 2;
	r->final = true;
	r->exit_code = 2;
	r->diag = diag;
	r->clock_name = "tsc";
	r->clock_drift_ppm = 1.5;
	r->clock_read_ns = 8;
	r->clock_resolution_ns = 1;
	r->own_ns = 40;
	if (result_groups(r))
		abort();
}

#endif
