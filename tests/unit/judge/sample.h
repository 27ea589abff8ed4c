/* Reports as text, made for comparing. */
#ifndef FATHOM_TESTS_JUDGE_SAMPLE_H
#define FATHOM_TESTS_JUDGE_SAMPLE_H

#include "base/str.h"
#include "noise.h"

/* One read job of a minute: n steps about `iops`, latency 1 / iops. ours: with Fathom's own object.
 */
static inline void sample_report(struct str *s, struct rng *r, bool ours, double iops,
				 const char *option)
{
	double v[60], mean = 0;

	noise_series(r, v, 60, iops, 0.01, 0.3);
	for (unsigned i = 0; i < 60; i++)
		mean += v[i] / 60;
	str_printf(s,
		   "{\"fio version\":\"%s\",\"global "
		   "options\":{\"rw\":\"randread\",\"bs\":\"4k\"},\"jobs\":[{\"jobname\":\"j\","
		   "\"error\":0,\"job "
		   "options\":{\"iodepth\":\"%s\"},\"read\":{\"total_ios\":%.0f,\"iops\":%f,\"bw_"
		   "bytes\":%.0f,"
		   "\"runtime\":60000,\"lat_ns\":{\"mean\":%f,\"stddev\":%f,\"N\":%.0f},\"clat_"
		   "ns\":{\"mean\":%f,\"N\":%.0f,"
		   "\"percentile\":{\"50.000000\":%.0f,\"99.000000\":%.0f}},\"iops_mean\":%f,"
		   "\"iops_stddev\":%f,"
		   "\"iops_samples\":120,\"bw_mean\":%f,\"bw_dev\":%f,\"bw_samples\":120},"
		   "\"write\":{\"total_ios\":0}",
		   ours ? "fio-3.42-fathom-0.1.0" : "fio-3.33", option, mean * 60, mean,
		   mean * 4096, 1e9 / mean, 1e8 / mean, mean * 60, 1e9 / mean, mean * 60,
		   1e9 / mean, 2e9 / mean, mean, mean / 100, mean * 4, mean / 25);
	if (ours) {
		str_add(s,
			",\"fathom\":{\"series\":{\"period_ns\":1000000000,\"read\":{\"iops\":[");
		for (unsigned i = 0; i < 60; i++)
			str_printf(s, "%s%f", i ? "," : "", v[i]);
		str_add(s, "],\"lat_mean_ns\":[");
		for (unsigned i = 0; i < 60; i++)
			str_printf(s, "%s%f", i ? "," : "", 1e9 / v[i]);
		str_add(s, "]}}}");
	}
	str_add(s, "}]");
	if (ours)
		str_add(s, ",\"fathom\":{\"host\":{\"kernel\":\"6.1\",\"cpus\":2,\"devices\":[{"
			   "\"name\":\"sda\",\"scheduler\":\"none\"}]}}");
	str_add(s, "}\n");
}

#endif
