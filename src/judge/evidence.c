#include "judge/evidence.h"
#include "base/units.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct verdict_finding *evidence_add(struct verdict *v, const char *code)
{
	assert(code && code[0]);
	assert(v->n < FINDINGS_MAX);
	for (unsigned i = 0; i < v->n; i++)
		assert(strcmp(v->v[i].f.code, code) != 0);
	struct verdict_finding *f = &v->v[v->n++];

	*f = (struct verdict_finding){.f = finding_of(code, "")};
	return f;
}

#define SHARE_BYTES (16ull << 20) /* fewer say nothing */
#define SHARE_FULL  0.9

bool evidence_short(const struct result_share *s)
{
	return s->own >= SHARE_BYTES && (double)s->device < SHARE_FULL * (double)s->own;
}

static bool evidence_bit(const struct watched_kind *k, uint64_t second)
{
	return second < WATCHED_SECONDS && k->bits[second / 64] >> second % 64 & 1;
}

void evidence_seconds(struct verdict_finding *f, const struct watched_kind *k)
{
	size_t at = 0;

	for (uint64_t s = 0; s < WATCHED_SECONDS && at + 24 < sizeof(f->seconds); s++) {
		uint64_t from = s;
		if (!evidence_bit(k, s))
			continue;
		while (evidence_bit(k, s + 1))
			s++;
		at += (size_t)snprintf(f->seconds + at, sizeof(f->seconds) - at,
				       from == s ? "%s%llu" : "%s%llu-%llu", at ? ", " : "",
				       (unsigned long long)from, (unsigned long long)s);
	}
	if (at + 24 >= sizeof(f->seconds))
		snprintf(f->seconds + at, sizeof(f->seconds) - at, ", ...");
	else if (k->seconds && k->last >= WATCHED_SECONDS) /* those are not known one by one */
		snprintf(f->seconds + at, sizeof(f->seconds) - at, "%s... %llu", at ? ", " : "",
			 (unsigned long long)k->last);
}

static unsigned evidence_direction(const struct result_job *j)
{
	unsigned best = 0;

	for (unsigned d = 1; d < DIRS; d++)
		if (j->dir[d].ios > j->dir[best].ios)
			best = d;
	return best;
}

static void evidence_time(double ns, char *buf, size_t size)
{
	char text[32];

	units_print_time((uint64_t)(ns < 0 ? -ns : ns), text, sizeof(text));
	snprintf(buf, size, "%s%s", ns < 0 ? "-" : "+", text);
}

void evidence_effect(struct verdict_finding *f, const struct result_job *j)
{
	unsigned d = evidence_direction(j);
	const struct runstat *q = &j->watched.quiet_lat[d], *all = &j->dir[d].lat[LAT_COMPLETE];
	char mean[40], p99[40];

	if (!q->n || !all->n || !j->watched.quiet[d] || !j->dir[d].hist[LAT_COMPLETE])
		return;
	double dm = runstat_mean(all) - runstat_mean(q);
	double dp = (double)hist_percentile(j->dir[d].hist[LAT_COMPLETE], 99, runstat_min(all),
					    all->max) -
		    (double)hist_percentile(j->watched.quiet[d], 99, runstat_min(q), q->max);
	evidence_time(dm, mean, sizeof(mean));
	evidence_time(dp, p99, sizeof(p99));
	snprintf(f->effect, sizeof(f->effect),
		 "mean %s (%+.1f %%), p99 %s against the undisturbed seconds", mean,
		 100 * dm / runstat_mean(q), p99);
}
