/* The verdict after a job's lines: a word, then a line a finding. */
#include "base/units.h"
#include "judge/verdict.h"
#include "report/normal.h"

static void finding(const struct finding *f, FILE *to)
{
	fprintf(to, "     %-9s : %s: %s", severity_word(f->severity), f->code, f->evidence);
	if (f->seconds[0])
		fprintf(to, "; in seconds %s", f->seconds);
	/* What a note commonly does is in the documentation. */
	if (f->effect[0] && (!f->general || f->severity > SEVERITY_NOTE))
		fprintf(to, "; %s", f->effect);
	fprintf(to, "\n     remedy    : %s\n", f->remedy);
}

/* What those above the 99.9th percentile waited for: it is known once the first second is over. */
static void outliers(const struct watched_outliers *o, FILE *to)
{
	static const char *const cause[] = {
		[OUTLIER_UNKNOWN] = "not looked at",
		[OUTLIER_CPU_WAIT] = "waited for a CPU",
		[OUTLIER_PREEMPTED] = "taken off its CPU",
		[OUTLIER_DEVICE] = "the device",
	};
	const struct watched_outlier *worst = &o->slowest[0];
	char text[32];

	if (!o->n || !worst->latency_ns)
		return;
	units_print_time(worst->latency_ns, text, sizeof(text));
	fprintf(to,
		"  slow I/Os    : %llu above p99.9 from second 1 on: %llu waited for a CPU, %llu "
		"taken off it, %llu the device; slowest of them %s in second %llu: %s\n",
		(unsigned long long)o->n, (unsigned long long)o->cpu_wait,
		(unsigned long long)o->preempted, (unsigned long long)o->device, text,
		(unsigned long long)worst->second, cause[worst->cause]);
}

/* What the job looks like without its disturbed seconds. */
static void undisturbed(const struct result_job *j, FILE *to)
{
	static const char *const words[DIRS] = {"read", "write", "trim"};
	static const double percentiles[] = {50, 99, 99.9};
	const struct watched *w = &j->watched;

	for (unsigned d = 0; w->disturbed && d < DIRS; d++) {
		const struct moment *m = &w->quiet_lat[d];
		char text[32];
		if (!m->n || !w->quiet[d])
			continue;
		units_print_time((uint64_t)moment_mean(m), text, sizeof(text));
		fprintf(to, "  undisturbed  : %llu of %llu %sseconds, %s clat avg=%s",
			(unsigned long long)(w->seconds - w->disturbed),
			(unsigned long long)w->seconds, j->members > 1 ? "worker " : "", words[d],
			text);
		for (unsigned i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++) {
			units_print_time(
				hist_percentile(w->quiet[d], percentiles[i], moment_min(m), m->max),
				text, sizeof(text));
			fprintf(to, ", p%g=%s", percentiles[i], text);
		}
		fputc('\n', to);
	}
}

void normal_verdict(const struct result *r, const struct result_job *j, FILE *to)
{
	struct verdict v;

	verdict_judge(r, j, &v);
	fprintf(to, "  verdict      : %s\n", v.word);
	for (unsigned i = 0; i < v.n; i++)
		finding(&v.v[i], to);
	outliers(&j->watched.outliers, to);
	undisturbed(j, to);
}
