/* Fathom's own lines, last in a job block so that parsers of fio's lines never meet them between
 * two of those. */
#include "report/normal.h"

#include "base/units.h"
#include <inttypes.h>

#define OWN "  fathom       : "

static void ended(const struct result_job *j, FILE *to)
{
	char after[32];
	uint64_t ns = j->end_ns > j->start_ns ? j->end_ns - j->start_ns : 0;

	units_print_time(ns, after, sizeof(after));
	if (j->end == END_NONE)
		fprintf(to, OWN "running for %s", after);
	else
		fprintf(to, OWN "ended by %s after %s", end_reason_name(j->end), after);
	if (j->depth_ns)
		fprintf(to, ", mean depth %.2f of %u asked%s", result_mean_depth(j), j->depth_asked,
			j->members > 1 ? " per worker" : "");
	fputc('\n', to);
}

static void schedule(const struct result_job *j, FILE *to)
{
	struct moment all;
	char mean[32], max[32], behind[32];

	moment_init(&all);
	for (unsigned d = 0; d < DIRS; d++)
		moment_merge(&all, &j->dir[d].lat[LAT_SCHEDULE]);
	if (!all.n)
		return;
	units_print_time((uint64_t)(moment_mean(&all) + 0.5), mean, sizeof(mean));
	units_print_time(all.max, max, sizeof(max));
	fprintf(to,
		OWN "latency from the scheduled start: avg %s, max %s; %" PRIu64 " started late",
		mean, max, j->late_ios);
	if (j->behind_ns_max) {
		units_print_time(j->behind_ns_max, behind, sizeof(behind));
		fprintf(to, ", at most %s behind", behind);
	}
	fputc('\n', to);
}

static void durable(const struct result_job *j, FILE *to)
{
	char when[32];

	if (j->durable_ns <= 0)
		return;
	units_print_time((uint64_t)j->durable_ns, when, sizeof(when));
	fprintf(to, OWN "written data durable after %s\n", when);
}

static void polling(const struct result_job *j, FILE *to)
{
	if (j->poll_failed)
		fputs(OWN "warning: polling was asked for but did not happen; the latencies are "
			  "those of interrupts\n",
		      to);
}

void normal_own(const struct result_job *j, FILE *to)
{
	ended(j, to);
	schedule(j, to);
	durable(j, to);
	polling(j, to);
}
