/* Fathom's own lines, last in a job block so that parsers of fio's lines never meet them between
 * two of those. */
#include "report/normal_own.h"
#include "result/derive.h"
#include "report/normal_dir.h"

#include "base/units.h"
#include <inttypes.h>

#define OWN "  fathom       : "

/* What the plan promised, when it came differently. */
static void normal_own_promised(const struct result_job *j, FILE *to)
{
	char amount[32];

	if (j->end == END_NONE || j->planned_end == END_NONE || j->end == j->planned_end)
		return;
	fprintf(to, ", planned to end by %s", end_reason_name(j->planned_end));
	if (j->planned_end == END_SIZE && j->planned_bytes != UINT64_MAX) {
		units_print(j->planned_bytes, 1, j->style.digits, true, UNITS_BYTES, amount,
			    sizeof(amount));
		fprintf(to, " (%s)", amount);
	} else if (j->planned_end == END_COUNT && j->planned_ios != UINT64_MAX) {
		fprintf(to, " (%" PRIu64 " I/Os)", j->planned_ios);
	} else if (j->planned_end == END_TIME && j->planned_ns != UINT64_MAX) {
		units_print_time(j->planned_ns, amount, sizeof(amount));
		fprintf(to, " (%s)", amount);
	}
}

static void normal_own_ended(const struct result_job *j, FILE *to)
{
	char after[32];
	uint64_t ns = j->end_ns > j->start_ns ? j->end_ns - j->start_ns : 0;

	units_print_time(ns, after, sizeof(after));
	if (j->end == END_NONE)
		fprintf(to, OWN "running for %s", after);
	else
		fprintf(to, OWN "ended by %s after %s", end_reason_name(j->end), after);
	normal_own_promised(j, to);
	if (j->depth_ns)
		fprintf(to, ", mean depth %.2f of %u asked%s", result_mean_depth(j), j->depth_asked,
			j->members > 1 ? " per worker" : "");
	fputc('\n', to);
}

static void normal_own_schedule(const struct result_job *j, FILE *to)
{
	struct runstat all;
	char mean[32], max[32], behind[32];

	runstat_init(&all);
	for (unsigned d = 0; d < DIRS; d++)
		runstat_merge(&all, &j->dir[d].lat[LAT_SCHEDULE]);
	if (!all.n)
		return;
	units_print_time((uint64_t)(runstat_mean(&all) + 0.5), mean, sizeof(mean));
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

/* Writes are done twice: when the system has them, and when the medium has. */
static void normal_own_durable(const struct result_job *j, FILE *to)
{
	const struct result_style *s = &j->style;
	char done[32], when[32], fast[32], slow[32], other[32];
	uint64_t ns = (uint64_t)j->durable_ns;

	if (j->durable_ns <= 0)
		return;
	units_print_time(ns, when, sizeof(when));
	if (!j->last_done_ns || !j->dir[DIR_WRITE].bytes) {
		fprintf(to, OWN "written data durable after %s\n", when);
		return;
	}
	units_print_time(j->last_done_ns, done, sizeof(done));
	normal_rate(result_bw_over(j, DIR_WRITE, j->last_done_ns), s->kb_base, s->unit_base,
		    s->digits, fast, other);
	normal_rate(result_bw_over(j, DIR_WRITE, ns), s->kb_base, s->unit_base, s->digits, slow,
		    other);
	fprintf(to, OWN "last %s completed after %s, durable after %s (bandwidth %s / %s)\n",
		j->dir[DIR_READ].ios || j->dir[DIR_TRIM].ios ? "I/O" : "write", done, when, fast,
		slow);
}

void normal_own(const struct result_job *j, FILE *to)
{
	normal_own_ended(j, to);
	normal_own_schedule(j, to);
	normal_own_durable(j, to);
}
