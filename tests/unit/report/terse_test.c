#include "report/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "print.h"
#include "sample.h"
#include "result/merge.h"

#include <errno.h>

static unsigned fields(const char *line)
{
	unsigned n = 1;

	for (; *line && *line != '\n'; line++)
		n += *line == ';';
	return n;
}

static void job(struct result *r, struct result_job *j)
{
	memset(r, 0, sizeof(*r));
	result_job_init(j);
	sample_style(&j->style);
	j->name = "a;b\nc";
	r->version = "fio-3.42";
	r->jobs = j;
	r->jobs_n = 1;
}

/* Counts of fio 3.33 and 3.42. */
static void field_counts_are_those_of_fio(void **state)
{
	static const unsigned plain[] = {161, 121, 162, 180};

	for (unsigned v = 2; v <= 5; v++) {
		const struct format_options fo = {.terse_version = v};
		struct result r;
		struct result_job j;
		struct result_disk disk = {.name = "vda"};

		job(&r, &j);
		char *text = print_result(&format_terse, &r, &fo);
		assert_int_equal(fields(text), plain[v - 2]);
		free(text);

		j.style.continue_mask = CONTINUE_READ;
		j.description = "d;e";
		r.disks = &disk;
		r.disks_n = 1;
		text = print_result(&format_terse, &r, &fo);
		assert_int_equal(fields(text), plain[v - 2] + (v == 2 ? 2 : 12));
		if (v == 2)
			assert_string_equal(strchr(text, '\n'), "\n;d e\n");
		free(text);
	}
}

static void names_cannot_break_columns(void **state)
{
	const struct format_options fo = {0};
	struct result r;
	struct result_job j;

	job(&r, &j);
	char *text = print_result(&format_terse, &r, &fo);
	assert_memory_equal(text, "3;fio-3.42;a b c;0;0;", 21);
	free(text);
}

static void nanosecond_bins_count_in_the_first_microsecond_bin(void **state)
{
	const struct format_options fo = {.terse_version = 3};
	struct result r;
	struct result_job j;

	job(&r, &j);
	j.lat_bins[0] = 1;
	j.lat_bins[9] = 1;
	j.lat_bins[10] = 1;
	j.lat_bins[31] = 1;
	char *text = print_result(&format_terse, &r, &fo);
	assert_non_null(strstr(text, ";75.00%;0.00%;"));
	assert_string_equal(text + strlen(text) - 8, ";25.00%\n");
	free(text);
}

static void unknown_versions_are_refused(void **state)
{
	struct result r = {0};

	assert_int_equal(
		format_terse.result(&r, &(struct format_options){.terse_version = 6}, 0, stdout),
		-EINVAL);
	assert_int_equal(
		format_terse.result(&r, &(struct format_options){.terse_version = 1}, 0, stdout),
		-EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(field_counts_are_those_of_fio),
		cmocka_unit_test(names_cannot_break_columns),
		cmocka_unit_test(nanosecond_bins_count_in_the_first_microsecond_bin),
		cmocka_unit_test(unknown_versions_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
