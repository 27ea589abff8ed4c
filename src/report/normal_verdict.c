/* The verdict after a job's lines: a word, then a line a finding. */
#include "base/units.h"
#include "base/direction.h"
#include "judge/verdict.h"
#include "report/normal_verdict.h"

static void normal_verdict_line(const struct finding *f, FILE *to)
{
	fprintf(to, "     finding   : %s, %s: %s", finding_run_word(f->severity), f->code,
		f->evidence);
	if (f->seconds[0])
		fprintf(to, "; in seconds %s", f->seconds);
	/* What a note commonly does is in the documentation. */
	if (!f->general || f->severity > FINDING_NOTE)
		fprintf(to, "\n     effect    : %s", f->effect);
	fprintf(to, "\n     fix       : %s\n", f->remedy);
}

/* What those above the 99.9th percentile waited for: it is known once the first second is over. */
static void normal_verdict_outliers(const struct watched_outliers *o, FILE *to)
{
	static const char *const cause[] = {
		[OUTLIER_UNKNOWN] = "cause unknown",
		[OUTLIER_CPU_WAIT] = "CPU wait",
		[OUTLIER_PREEMPTED] = "preempted",
		[OUTLIER_DEVICE] = "device",
	};
	const struct watched_outlier *worst = &o->slowest[0];
	const uint64_t count[] = {o->cpu_wait, o->preempted, o->device};
	const char *comma = "";
	char text[32];

	if (!o->n || !worst->latency_ns)
		return;
	units_print_time(worst->latency_ns, text, sizeof(text));
	fprintf(to, "  slow I/Os    : %llu above p99.9 after the first second (",
		(unsigned long long)o->n);
	for (unsigned i = 0; i < 3; i++)
		if (count[i]) {
			fprintf(to, "%s%llu %s", comma, (unsigned long long)count[i],
				cause[OUTLIER_CPU_WAIT + i]);
			comma = ", ";
		}
	if (!*comma)
		fputs(cause[OUTLIER_UNKNOWN], to);
	fprintf(to, "); max %s in second %llu, %s\n", text, (unsigned long long)worst->second,
		cause[worst->cause]);
}

/* What the job looks like without its disturbed seconds. */
static void normal_verdict_undisturbed(const struct result_job *j, FILE *to)
{
	static const double percentiles[] = {50, 99, 99.9};
	const struct watched *w = &j->watched;

	for (unsigned d = 0; w->disturbed && d < DIRS; d++) {
		const struct runstat *m = &w->quiet_lat[d];
		char text[32];
		if (!m->n || !w->quiet[d])
			continue;
		units_print_time((uint64_t)runstat_mean(m), text, sizeof(text));
		fprintf(to, "  undisturbed  : %llu of %llu %sseconds, %s clat avg=%s",
			(unsigned long long)(w->seconds - w->disturbed),
			(unsigned long long)w->seconds, j->members > 1 ? "worker " : "",
			direction_name[d], text);
		for (unsigned i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++) {
			units_print_time(hist_percentile(w->quiet[d], percentiles[i],
							 runstat_min(m), m->max),
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
		normal_verdict_line(&v.v[i].f, to);
	normal_verdict_outliers(&j->watched.outliers, to);
	normal_verdict_undisturbed(j, to);
}
