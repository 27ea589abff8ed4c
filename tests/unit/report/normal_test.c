#include "report/format.h"
#include "report/normal_verdict.h"
#include "report/normal_lat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "print.h"
#include "sample.h"
#include "result/merge.h"

#include <math.h>

static char *latency_text(const char *name, const uint64_t *v, unsigned n)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	struct runstat m;

	runstat_init(&m);
	for (unsigned i = 0; i < n; i++)
		runstat_add(&m, v[i]);
	normal_latency(name, &m, to);
	fclose(to);
	return text;
}

/* The unit changes only when minimum, maximum and deviation all are beyond their limits. */
static void latency_unit_is_that_of_fio(void **state)
{
	static const struct {
		uint64_t v[2];
		const char *want;
	} rows[] = {
		{{2001, 99999},
		 "    clat (nsec): min=2001, max=99999, avg=51000.00, stdev=69295.05\n"},
		{{2001, 100000}, "    clat (usec): min=2, max=100, avg=51.00, stdev=69.30\n"},
		{{2000, 100000},
		 "    clat (nsec): min=2000, max=100000, avg=51000.00, stdev=69296.46\n"},
		{{2000001, 100000000}, "    clat (msec): min=2, max=100, avg=51.00, stdev=69.30\n"},
		{{912, 11419520},
		 "    clat (nsec): min=912, max=11420k, avg=5710216.00, stdev=8074175.15\n"},
		{{200000, 200100},
		 "    clat (nsec): min=200000, max=200100, avg=200050.00, stdev=70.71\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = latency_text("clat", rows[i].v, 2);
		assert_string_equal(text, rows[i].want);
		free(text);
	}
	char *none = latency_text("clat", NULL, 0);
	assert_string_equal(none, "");
	free(none);
}

static void watched_lines_say_cause_and_undisturbed_percentiles(void **state)
{
	static struct hist h;
	struct result r = {0};
	struct result_job j = {.started = true, .engine = "psync"};
	struct watched *w = &j.watched;
	char *text = NULL;
	size_t size = 0;

	memset(&h, 0, sizeof(h));
	runstat_init(&w->quiet_lat[DIR_READ]);
	for (unsigned i = 1; i <= 1000; i++) {
		uint64_t ns = i <= 500 ? 100 : i <= 990 ? 110 : i <= 999 ? 120 : 126;
		hist_add(&h, ns);
		runstat_add(&w->quiet_lat[DIR_READ], ns);
	}
	w->quiet[DIR_READ] = &h;
	w->on = true;
	w->seconds = 10;
	w->disturbed = 3;
	w->outliers = (struct watched_outliers){
		.n = 7,
		.cpu_wait = 4,
		.preempted = 1,
		.device = 2,
		.slowest = {{.second = 5, .latency_ns = 12000000, .cause = OUTLIER_CPU_WAIT}},
	};
	FILE *to = open_memstream(&text, &size);
	normal_verdict(&r, &j, to);
	fclose(to);
	assert_non_null(strstr(text,
			       "  slow I/Os    : 7 above p99.9 after the first second (4 CPU wait, "
			       "1 preempted, 2 device); max 12.00ms in second 5, CPU wait\n"));
	assert_non_null(strstr(text, "  undisturbed  : 7 of 10 seconds, read clat avg=105ns, "
				     "p50=100ns, p99=110ns, p99.9=120ns\n"));
	free(text);
}

static char *table_text(const struct result_style *s, const uint64_t *v, unsigned n)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	struct hist *h = calloc(1, sizeof(*h));
	struct runstat m;

	runstat_init(&m);
	for (unsigned i = 0; i < n; i++) {
		runstat_add(&m, v[i]);
		hist_add(h, v[i]);
	}
	normal_percentiles("clat", h, &m, s, to);
	fclose(to);
	free(h);
	return text;
}

/* Values seen in fio: precision from the list, values rounded up, line breaks by width. */
static void percentile_table_has_the_layout_of_fio(void **state)
{
	const uint64_t v[] = {564, 2992};
	const uint64_t wide[] = {100, 1234567};
	struct result_style s = {.percentiles_n = 2, .percentile = {50, 99}};

	char *text = table_text(&s, v, 2);
	assert_string_equal(text,
			    "    clat percentiles (nsec):\n     |  50th=[  564],  99th=[ 2992]\n");
	free(text);

	s = (struct result_style){
		.percentiles_n = 4, .percentile = {1, 50, 99, 100}, .percentile_precision = 4};
	text = table_text(&s, wide, 2);
	assert_string_equal(
		text, "    clat percentiles (nsec):\n"
		      "     |  1.0000th=[    100], 50.0000th=[    100], 99.0000th=[1234567],\n"
		      "     | 100.0000th=[1234567]\n");
	free(text);

	s.percentiles_n = 0;
	text = table_text(&s, v, 2);
	assert_string_equal(text, "");
	free(text);
}

static void scaled_percentiles_round_up(void **state)
{
	const uint64_t v[] = {3001, 200001};
	const struct result_style s = {.percentiles_n = 2, .percentile = {50, 100}};

	char *text = table_text(&s, v, 2);
	assert_string_equal(text,
			    "    clat percentiles (usec):\n     |  50th=[    4], 100th=[  201]\n");
	free(text);
}

static void a_job_without_io_has_no_block(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	char *text = print_result(&format_normal, &r, &fo);
	assert_null(strstr(text, "failed:"));
	assert_null(strstr(text, "hidden:"));
	assert_non_null(strstr(text, "\nunified: ("));
	free(text);
	result_release(&r);
}

static void an_error_shows_its_number_and_words(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	r.jobs[0].error = 5;
	r.jobs[1].error = 110;
	r.jobs[1].error_text = "no answer\nfor 30 s";
	char *text = print_result(&format_normal, &r, &fo);
	assert_non_null(strstr(text, "err= 5 (Input/output error): pid=4242: "));
	assert_non_null(strstr(text, "err=110 (no answer for 30 s): pid=4243: "));
	free(text);
	result_release(&r);
}

/* kb_base=1000 prints true kB/s, and the megabyte rule is at 1000 times 1000. */
static void bandwidth_samples_have_true_units(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	for (unsigned i = 0; i < 2; i++) {
		struct runstat *bw = &r.jobs[i].dir[DIR_READ].bw;
		runstat_init(bw);
		runstat_add(bw, 1073741824);
		r.jobs[i].style.kb_base = i ? 1024 : 1000;
	}
	char *text = print_result(&format_normal, &r, &fo);
	assert_non_null(strstr(text, "   bw (   MB/s): min= 1073, max= 1073, "));
	assert_non_null(strstr(text, "   bw (  KiB/s): min=1048576, max=1048576, "));
	free(text);
	runstat_add(&r.jobs[1].dir[DIR_READ].bw, 1073741826);
	text = print_result(&format_normal, &r, &fo);
	assert_non_null(strstr(text, "   bw (  MiB/s): min= 1024, max= 1024, "));
	free(text);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(watched_lines_say_cause_and_undisturbed_percentiles),
		cmocka_unit_test(latency_unit_is_that_of_fio),
		cmocka_unit_test(percentile_table_has_the_layout_of_fio),
		cmocka_unit_test(scaled_percentiles_round_up),
		cmocka_unit_test(a_job_without_io_has_no_block),
		cmocka_unit_test(an_error_shows_its_number_and_words),
		cmocka_unit_test(bandwidth_samples_have_true_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
