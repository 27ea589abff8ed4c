/* Latency lines and percentile tables of the normal format. */
#include "report/normal_lat.h"

#include "base/units.h"
#include <inttypes.h>

struct scale {
	const char *name;
	uint64_t ns;
};

/* A unit is used only if all three are large enough for it, so that no column collapses to 0 or 1.
 */
static struct scale normal_lat_latency_scale(uint64_t min, uint64_t max, double deviation)
{
	if (min > 2000000 && max > 99999999 && deviation > 1000000)
		return (struct scale){"msec", 1000000};
	if (min > 2000 && max > 99999 && deviation > 1000)
		return (struct scale){"usec", 1000};
	return (struct scale){"nsec", 1};
}

void normal_latency(const char *name, const struct runstat *m, FILE *to)
{
	char min[32], max[32];

	if (!m->n)
		return;
	double deviation = runstat_stddev(m);
	struct scale s = normal_lat_latency_scale(runstat_min(m), m->max, deviation);
	units_print(runstat_min(m) / s.ns, 1, 6, false, UNITS_NONE, min, sizeof(min));
	units_print(m->max / s.ns, 1, 6, false, UNITS_NONE, max, sizeof(max));
	fprintf(to, "    %s (%s): min=%s, max=%s, avg=%5.2f, stdev=%5.2f\n", name, s.name, min, max,
		runstat_mean(m) / (double)s.ns, deviation / (double)s.ns);
}

static unsigned normal_lat_decimal_width(uint64_t v)
{
	unsigned n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

void normal_percentiles(const char *name, const struct hist *h, const struct runstat *m,
			const struct result_style *s, FILE *to)
{
	uint64_t value[20];
	unsigned n = s->percentiles_n < 20 ? s->percentiles_n : 20;

	if (!h || !m->n || !n)
		return;
	for (unsigned i = 0; i < n; i++)
		value[i] = hist_percentile(h, s->percentile[i], runstat_min(m), m->max);

	struct scale scale = {"nsec", 1};
	if (value[0] > 2000000 && value[n - 1] > 99999999)
		scale = (struct scale){"msec", 1000000};
	else if (value[0] > 2000 && value[n - 1] > 99999)
		scale = (struct scale){"usec", 1000};
	for (unsigned i = 0; i < n; i++)
		value[i] = value[i] / scale.ns + (value[i] % scale.ns != 0);

	unsigned precision = s->percentile_precision;
	unsigned width = normal_lat_decimal_width(value[n - 1]);
	if (width < 5)
		width = 5;
	unsigned per_line = 73 / (precision + 10 + width);
	if (per_line == 0)
		per_line = 1;

	fprintf(to, "    %s percentiles (%s):\n", name, scale.name);
	for (unsigned i = 0; i < n; i++) {
		bool last_in_line = i % per_line == per_line - 1 || i == n - 1;
		fprintf(to, "%s%*.*fth=[%*" PRIu64 "]%s%s", i % per_line ? " " : "     | ",
			(int)precision + 3, (int)precision, s->percentile[i], (int)width, value[i],
			i == n - 1 ? "" : ",", last_in_line ? "\n" : "");
	}
}
