/* The exposition of a result made by hand, to the byte. tests/cli/openmetrics.py checks the same
 * text against the rules of the format. */
#include "live/openmetrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../report/print.h"
#include "../report/sample.h"
#include "result/merge.h"

static char *print_as(const struct result *r, const struct progress *p,
		      enum openmetrics_format format)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_int_equal(openmetrics_print(r, p, format, to), 0);
	fclose(to);
	return text;
}

static char *print(const struct result *r, const struct progress *p)
{
	return print_as(r, p, OPENMETRICS_1_0);
}

/* Samples are the same in both formats; comments differ. */
static void the_older_format_names_counters_in_full(void **state)
{
	struct result r;

	sample_result(&r, NULL);
	char *text = print_as(&r, NULL, OPENMETRICS_PROMETHEUS);
	golden_text("prometheus", text);
	assert_non_null(strstr(text, "# TYPE fathom_ios_total counter\n"));
	assert_non_null(strstr(text, "# TYPE fathom_build_info gauge\n"));
	assert_null(strstr(text, "# UNIT"));
	assert_null(strstr(text, "# EOF"));
	free(text);
	result_release(&r);
}

static void names_cannot_break_the_format(void **state)
{
	static const unsigned entries[] = {0, 1, 1, 2, 3};
	const struct progress p = {
		.states = "M/P_I", .states_n = 5, .entries = entries, .done = 0.5, .open_files = 3};
	struct result r;

	sample_result(&r, NULL);
	r.final = false;
	r.jobs[0].name = "a \"b\\c\nd \xff\xc3\xa9";
	r.jobs[0].errors[DIR_READ] = 2;
	char *text = print(&r, &p);
	golden_text("openmetrics", text);
	free(text);
	result_release(&r);
}

static uint64_t bucket(const char *text, const char *le)
{
	char key[40];

	(void)snprintf(key, sizeof(key), "le=\"%s\"} ", le);
	const char *at = strstr(text, key);
	assert_non_null(at);
	return strtoull(at + strlen(key), NULL, 10);
}

static void buckets_count_up_to_their_limit(void **state)
{
	struct result_job j;
	struct result r = {.jobs = &j, .jobs_n = 1};

	result_job_init(&j);
	j.name = "a";
	j.members = 1;
	sample_lat(&j.dir[DIR_READ], LAT_COMPLETE, 900);
	sample_lat(&j.dir[DIR_READ], LAT_COMPLETE, 1100);
	sample_lat(&j.dir[DIR_READ], LAT_COMPLETE, 9900000000);
	sample_lat(&j.dir[DIR_READ], LAT_COMPLETE, 400000000000);
	char *text = print(&r, NULL);
	assert_int_equal(bucket(text, "1e-06"), 1);
	assert_int_equal(bucket(text, "2e-06"), 2);
	assert_int_equal(bucket(text, "5.0"), 2);
	assert_int_equal(bucket(text, "10.0"), 3);
	assert_int_equal(bucket(text, "+Inf"), 4);
	assert_non_null(strstr(text, "_count{job=\"a\",number=\"0\",direction=\"read\"} 4\n"));
	assert_non_null(
		strstr(text, "_sum{job=\"a\",number=\"0\",direction=\"read\"} 409.900002000\n"));
	free(text);
	result_job_release(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_older_format_names_counters_in_full),
		cmocka_unit_test(names_cannot_break_the_format),
		cmocka_unit_test(buckets_count_up_to_their_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
