/* Merging, copying and releasing the results of jobs. */
#include "result/merge.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_job_init(struct result_job *j)
{
	memset(j, 0, sizeof(*j));
	for (unsigned d = 0; d < DIRS; d++)
		dir_stats_init(&j->dir[d]);
	runstat_init(&j->sync_lat);
	for (unsigned p = 0; p < PRIO_STATS_MAX; p++)
		runstat_init(&j->prio[p].lat);
}

static int merge_hist_into(struct hist **to, const struct hist *from)
{
	assert(!from || *to != from);
	if (!from)
		return 0;
	if (!*to)
		*to = calloc(1, sizeof(struct hist));
	if (!*to)
		return -ENOMEM;
	hist_merge(*to, from);
	return 0;
}

static void merge_add_all(uint64_t *to, const uint64_t *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] += from[i];
}

static uint64_t merge_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t merge_earlier_set(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

static int merge_prios(struct result_job *to, const struct result_job *from)
{
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++) {
		const struct prio_stats *f = &from->prio[i];
		struct prio_stats *t = NULL;

		if (!f->used)
			continue;
		for (unsigned k = 0; k < PRIO_STATS_MAX && !t; k++)
			if (to->prio[k].used && to->prio[k].prio == f->prio &&
			    to->prio[k].dir == f->dir)
				t = &to->prio[k];
		for (unsigned k = 0; k < PRIO_STATS_MAX && !t; k++)
			if (!to->prio[k].used)
				t = &to->prio[k];
		if (!t)
			continue;
		if (merge_hist_into(&t->hist, f->hist))
			return -ENOMEM;
		if (!t->used)
			runstat_init(&t->lat);
		t->used = true;
		t->prio = f->prio;
		t->dir = f->dir;
		runstat_merge(&t->lat, &f->lat);
	}
	return 0;
}

static void merge_phases(struct result_job *to, const struct result_job *from)
{
	for (unsigned p = 0; p < PHASES; p++) {
		merge_add_all(to->phase[p].ios, from->phase[p].ios, DIRS);
		merge_add_all(to->phase[p].bytes, from->phase[p].bytes, DIRS);
		to->phase[p].syncs += from->phase[p].syncs;
		to->phase[p].ns = merge_later(to->phase[p].ns, from->phase[p].ns);
	}
}

/* The first error wins, and with it its words; the gravest end is that of the first member that
 * ended in error. */
static void merge_outcome(struct result_job *to, const struct result_job *from)
{
	if (!to->error && from->error) {
		to->error = from->error;
		to->error_class = from->error_class;
		to->error_text = from->error_text;
		to->end = from->end;
	}
	if (to->end == END_NONE || to->end == END_NOT_STARTED)
		to->end = from->end == END_NONE ? to->end : from->end;
	if (!to->first_error)
		to->first_error = from->first_error;
	to->total_err += from->total_err;
	merge_add_all(to->errors, from->errors, DIRS);
}

static uint64_t merge_sum_of_limits(uint64_t a, uint64_t b)
{
	return a == UINT64_MAX || b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void merge_planned(struct result_job *to, const struct result_job *from)
{
	if (to->planned_end != from->planned_end)
		to->planned_end = END_NONE;
	to->planned_ios = merge_sum_of_limits(to->planned_ios, from->planned_ios);
	to->planned_bytes = merge_sum_of_limits(to->planned_bytes, from->planned_bytes);
	to->planned_ns = merge_later(to->planned_ns, from->planned_ns);
}

static void merge_times(struct result_job *to, const struct result_job *from)
{
	if (from->started) {
		to->start_wall_ns = merge_earlier_set(to->start_wall_ns, from->start_wall_ns);
		if (!to->started || from->start_ns < to->start_ns)
			to->start_ns = from->start_ns;
		to->end_wall_ns = merge_later(to->end_wall_ns, from->end_wall_ns);
		to->end_ns = merge_later(to->end_ns, from->end_ns);
	}
	for (unsigned d = 0; d < DIRS; d++)
		to->runtime_ns[d] = merge_later(to->runtime_ns[d], from->runtime_ns[d]);
	to->started |= from->started;
	to->job_runtime_ns += from->job_runtime_ns;
	to->usr_ns += from->usr_ns;
	to->sys_ns += from->sys_ns;
	to->ctx += from->ctx;
	to->majf += from->majf;
	to->minf += from->minf;
	to->last_done_ns = merge_later(to->last_done_ns, from->last_done_ns);
	if (from->durable_ns > to->durable_ns)
		to->durable_ns = from->durable_ns;
}

/* Workers with CPUs of their own are told one after the other, as far as there is room. */
static void merge_cpus(struct result_job *to, const struct result_job *from)
{
	size_t n = strlen(to->cpus), room = sizeof(to->cpus) - n;

	if (!from->cpus[0] || strstr(to->cpus, from->cpus))
		return;
	if (strlen(from->cpus) + 2 < room)
		snprintf(to->cpus + n, room, "%s%s", n ? " " : "", from->cpus);
}

static void merge_writes(struct result_job *to, const struct result_job *from)
{
	to->writes_synced |= from->writes_synced;
	to->writes_buffered |= from->writes_buffered;
	for (unsigned d = 0; d < DIRS; d++) {
		to->size_min[d] = merge_earlier_set(to->size_min[d], from->size_min[d]);
		to->size_max[d] = merge_later(to->size_max[d], from->size_max[d]);
	}
}

static void merge_own(struct result_job *to, const struct result_job *from)
{
	merge_writes(to, from);
	to->depth_time += from->depth_time;
	to->depth_ns += from->depth_ns;
	to->late_ios += from->late_ios;
	to->behind_ns_max = merge_later(to->behind_ns_max, from->behind_ns_max);
	merge_add_all(to->rate_asked, from->rate_asked, DIRS);
	merge_add_all(to->rate_iops_asked, from->rate_iops_asked, DIRS);
	to->unwritten_bytes += from->unwritten_bytes;
	to->region_bytes += from->region_bytes;
	to->cached_bytes += from->cached_bytes;
	merge_cpus(to, from);
	to->paced |= from->paced;
	if (!to->engine_note[0])
		memcpy(to->engine_note, from->engine_note, sizeof(to->engine_note));
	to->overhead_ns = merge_later(to->overhead_ns, from->overhead_ns);
	to->log_stall_ns += from->log_stall_ns;
}

int result_job_merge(struct result_job *to, const struct result_job *from)
{
	assert(to != from);
	for (unsigned d = 0; d < DIRS; d++)
		if (dir_stats_merge(&to->dir[d], &from->dir[d]))
			return -ENOMEM;
	if (merge_hist_into(&to->sync_hist, from->sync_hist) || merge_prios(to, from))
		return -ENOMEM;
	runstat_merge(&to->sync_lat, &from->sync_lat);
	to->syncs += from->syncs;
	to->issued_syncs += from->issued_syncs;
	merge_add_all(to->issued, from->issued, DIRS);
	merge_add_all(to->depth_level, from->depth_level, DEPTH_BINS);
	merge_add_all(to->depth_submit, from->depth_submit, DEPTH_BINS);
	merge_add_all(to->depth_complete, from->depth_complete, DEPTH_BINS);
	merge_add_all(to->lat_bins, from->lat_bins, HIST_LAT_BINS);
	if (timeline_merge(&to->timeline, &from->timeline,
			   (int64_t)(from->start_ns - to->start_ns)))
		return -ENOMEM;
	if (watched_merge(&to->watched, &from->watched))
		return -ENOMEM;
	merge_phases(to, from);
	merge_outcome(to, from);
	merge_planned(to, from);
	merge_times(to, from);
	merge_own(to, from);
	to->merged = true;
	to->members += from->members;
	return 0;
}

int result_job_copy(struct result_job *to, const struct result_job *from)
{
	struct result_job copy = *from;
	int failed = 0;

	assert(to != from);
	for (unsigned d = 0; d < DIRS; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			copy.dir[d].hist[k] = NULL;
	copy.sync_hist = NULL;
	for (unsigned p = 0; p < PRIO_STATS_MAX; p++)
		copy.prio[p].hist = NULL;
	copy.timeline = (struct timeline){0};
	copy.watched = (struct watched){0};

	for (unsigned d = 0; d < DIRS; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			failed |= merge_hist_into(&copy.dir[d].hist[k], from->dir[d].hist[k]);
	failed |= merge_hist_into(&copy.sync_hist, from->sync_hist);
	failed |= timeline_copy(&copy.timeline, &from->timeline);
	failed |= watched_merge(&copy.watched, &from->watched);
	for (unsigned p = 0; p < PRIO_STATS_MAX; p++)
		failed |= merge_hist_into(&copy.prio[p].hist, from->prio[p].hist);
	if (failed) {
		result_job_release(&copy);
		return -ENOMEM;
	}
	*to = copy;
	return 0;
}

void result_job_release(struct result_job *j)
{
	for (unsigned d = 0; d < DIRS; d++)
		dir_stats_release(&j->dir[d]);
	free(j->sync_hist);
	j->sync_hist = NULL;
	timeline_release(&j->timeline);
	watched_release(&j->watched);
	for (unsigned p = 0; p < PRIO_STATS_MAX; p++) {
		free(j->prio[p].hist);
		j->prio[p].hist = NULL;
	}
}

void result_release(struct result *r)
{
	for (unsigned i = 0; i < r->jobs_n; i++)
		result_job_release(&r->jobs[i]);
	free(r->jobs);
	free(r->groups);
	free(r->disks);
	free(r->devices);
	r->jobs = NULL;
	r->groups = NULL;
	r->disks = NULL;
	r->devices = NULL;
	r->jobs_n = r->groups_n = r->disks_n = r->devices_n = 0;
}
