#include "judge/verdict.h"
#include "base/finding.h"
#include "base/units.h"
#include <stdio.h>
#include <string.h>

const char *severity_word(enum severity s)
{
	static const char *const words[] = {"note", "disturbed", "invalid"};

	return words[s];
}

/* In the order in which they are told: what makes a number void first. */
static void (*const rows[])(const struct result *r, const struct result_job *j,
			    struct verdict *v) = {
	find_unwritten, find_page_cache,   find_polling,     find_stopped, find_cpu,
	find_preempted, find_steal,	   find_other_io,    find_iowq,	   find_interrupts,
	find_memory,	find_frequency,	   find_thermal,     find_remote,  find_depth,
	find_rate,	find_write_missed, find_write_cache, find_steady,  find_ramp,
	find_short,	find_samples,	   find_span,	     find_tool,	   find_saturation,
	find_mixed,	find_clock,
};

struct finding *verdict_add(struct verdict *v, const char *code, enum severity s)
{
	/* The table is shorter than the room; the last row is written over rather than past the
	 * end. */
	struct finding *f = &v->v[v->n < FINDINGS_MAX ? v->n++ : FINDINGS_MAX - 1];

	*f = (struct finding){.code = code, .severity = s};
	return f;
}

static bool bit(const struct watched_kind *k, uint64_t second)
{
	return second < WATCHED_SECONDS && k->bits[second / 64] >> second % 64 & 1;
}

void finding_seconds(struct finding *f, const struct watched_kind *k)
{
	size_t at = 0;

	for (uint64_t s = 0; s < WATCHED_SECONDS && at + 24 < sizeof(f->seconds); s++) {
		uint64_t from = s;
		if (!bit(k, s))
			continue;
		while (bit(k, s + 1))
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

static unsigned main_direction(const struct result_job *j)
{
	unsigned best = 0;

	for (unsigned d = 1; d < DIRS; d++)
		if (j->dir[d].ios > j->dir[best].ios)
			best = d;
	return best;
}

static void signed_time(double ns, char *buf, size_t size)
{
	char text[32];

	units_print_time((uint64_t)(ns < 0 ? -ns : ns), text, sizeof(text));
	snprintf(buf, size, "%s%s", ns < 0 ? "-" : "+", text);
}

void finding_effect(struct finding *f, const struct result_job *j)
{
	unsigned d = main_direction(j);
	const struct moment *q = &j->watched.quiet_lat[d], *all = &j->dir[d].lat[LAT_COMPLETE];
	char mean[40], p99[40];

	if (!q->n || !all->n || !j->watched.quiet[d] || !j->dir[d].hist[LAT_COMPLETE])
		return;
	double dm = moment_mean(all) - moment_mean(q);
	double dp = (double)hist_percentile(j->dir[d].hist[LAT_COMPLETE], 99, moment_min(all),
					    all->max) -
		    (double)hist_percentile(j->watched.quiet[d], 99, moment_min(q), q->max);
	signed_time(dm, mean, sizeof(mean));
	signed_time(dp, p99, sizeof(p99));
	snprintf(f->effect, sizeof(f->effect),
		 "mean %s (%+.1f %%), p99 %s against the undisturbed seconds", mean,
		 100 * dm / moment_mean(q), p99);
}

/* What was not measured is told as doctor tells it before a run. */
static void say_general(struct finding *f)
{
	static const char *const other[][2] = {
		{"clock", "clock-source"},   {"cpu-contention", "busy-cpus"},
		{"cpu-steal", "steal"},	     {"device-cache", "write-cache"},
		{"other-io", "busy-device"}, {"poll-inactive", "poll-queues"},
		{"ramp-short", "ramp"},	     {"remote-numa", "numa-node"},
		{"thermal", "temperature"},
	};
	const char *code = f->code;

	if (f->effect[0])
		return;
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (!strcmp(other[i][0], f->code))
			code = other[i][1];
	const struct finding_row *row = finding_row(code);
	f->general = true;
	snprintf(f->effect, sizeof(f->effect), "%s", row ? row->effect : "");
}

void verdict_judge(const struct result *r, const struct result_job *j, struct verdict *out)
{
	enum severity worst = SEVERITY_NOTE;
	uint64_t ios = 0;

	*out = (struct verdict){.word = "none"};
	for (unsigned d = 0; d < DIRS; d++)
		ios += j->dir[d].ios;
	if (!j->started || !ios)
		return;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		rows[i](r, j, out);
	for (unsigned i = 0; i < out->n; i++) {
		say_general(&out->v[i]);
		if (out->v[i].severity > worst)
			worst = out->v[i].severity;
	}
	out->word = worst == SEVERITY_NOTE ? "quiet" : severity_word(worst);
}
