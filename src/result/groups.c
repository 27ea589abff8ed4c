/* The sums of a reporting group (compatibility 17.9): total bytes over the longest run time, and
 * the range of its entries. */
#include "base/time.h"
#include "result/groups.h"
#include "result/derive.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static void group_style(struct result_group *g, const struct result_style *s)
{
	g->kb_base = s->kb_base;
	g->unit_base = s->unit_base;
	g->digits = s->digits;
	g->unified = s->unified;
}

static struct result_group *group_of(struct result_group *groups, unsigned *n,
				     const struct result_job *j)
{
	assert(groups && n);
	for (unsigned i = 0; i < *n; i++)
		if (groups[i].id == j->group)
			return &groups[i];

	struct result_group *g = &groups[(*n)++];
	g->id = j->group;
	group_style(g, &j->style);
	for (unsigned d = 0; d <= DIRS; d++) {
		g->dir[d].min_bw = UINT64_MAX;
		g->dir[d].min_run_ns = UINT64_MAX;
	}
	return g;
}

static void group_add(struct result_group *g, unsigned d, uint64_t bytes, uint64_t bw,
		      uint64_t run_ns)
{
	assert(d <= DIRS);
	if (run_ns == 0)
		return;
	g->dir[d].used = true;
	g->dir[d].bytes += bytes;
	if (bw < g->dir[d].min_bw)
		g->dir[d].min_bw = bw;
	if (bw > g->dir[d].max_bw)
		g->dir[d].max_bw = bw;
	if (run_ns < g->dir[d].min_run_ns)
		g->dir[d].min_run_ns = run_ns;
	if (run_ns > g->dir[d].max_run_ns)
		g->dir[d].max_run_ns = run_ns;
}

static uint64_t groups_rate(unsigned __int128 bytes, uint64_t ns)
{
	assert(ns);
	unsigned __int128 r = bytes * NS_PER_SEC / ns;
	return r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
}

static void group_job(struct result_group *g, const struct result_job *j)
{
	uint64_t bytes = 0, longest = 0;
	bool first = !g->dir[DIRS].used;

	for (unsigned d = 0; d < DIRS; d++) {
		group_add(g, d, j->dir[d].bytes, result_bw(j, d), j->runtime_ns[d]);
		bytes += j->dir[d].bytes;
		if (j->runtime_ns[d] > longest)
			longest = j->runtime_ns[d];
	}
	if (longest)
		group_add(g, DIRS, bytes, groups_rate(bytes, longest), longest);
	/* Printed as its first job that did I/O wants it. */
	if (first && longest)
		group_style(g, &j->style);
}

int result_groups(struct result *r)
{
	struct result_group *groups;
	unsigned n = 0;

	assert(r->jobs || !r->jobs_n);
	groups = calloc(r->jobs_n ? r->jobs_n : 1, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	for (unsigned i = 0; i < r->jobs_n; i++)
		if (!r->jobs[i].style.hide)
			group_job(group_of(groups, &n, &r->jobs[i]), &r->jobs[i]);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned d = 0; d <= DIRS; d++) {
			if (groups[i].dir[d].used) {
				groups[i].dir[d].agg_bw = groups_rate(groups[i].dir[d].bytes,
								      groups[i].dir[d].max_run_ns);
			} else {
				groups[i].dir[d].min_bw = 0;
				groups[i].dir[d].min_run_ns = 0;
			}
		}
	}
	free(r->groups);
	r->groups = groups;
	r->groups_n = n;
	return 0;
}
