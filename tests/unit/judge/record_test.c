#include "judge/record.h"
#include "judge/record_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sample.h"

#include <errno.h>
#include <string.h>

struct fixture {
	struct arena arena;
	struct str text;
	struct rng rng;
	struct record_list list;
	struct err err;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){0};
	arena_init(&f.arena, 0);
	str_init(&f.text, 0);
	rng_seed(&f.rng, 1);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_release(&f->arena);
	str_release(&f->text);
	return 0;
}

static int parse(struct fixture *f)
{
	return record_parse(f->text.s, f->text.len, "x.json", &f->arena, &f->list, &f->err);
}

/* A build without libjansson refuses everything. */
static bool no_library(struct fixture *f)
{
	if (record_parse("{\"jobs\":[]}", 11, "x", &f->arena, &f->list, &f->err) != -ENOSYS)
		return false;
	print_message("skipped: built without libjansson\n");
	return true;
}

static void a_report_is_read_whole(void **state)
{
	struct fixture *f = *state;

	if (no_library(f))
		skip();
	sample_report(&f->text, &f->rng, true, 1000, "4");
	assert_int_equal(parse(f), 0);
	assert_int_equal(f->list.n, 1);
	const struct record *r = &f->list.v[0];
	assert_true(r->ours);
	assert_int_equal(r->jobs_n, 1);
	assert_string_equal(r->jobs[0].name, "j");
	assert_string_equal(record_pair(&r->jobs[0].options, "bs"), "4k");
	assert_string_equal(record_pair(&r->jobs[0].options, "iodepth"), "4");
	assert_null(record_pair(&r->jobs[0].options, "direct"));
	assert_string_equal(record_pair(&r->host, "device sda scheduler"), "none");
	assert_string_equal(record_pair(&r->host, "cpus"), "2");
	const struct record_flow *flow = &r->jobs[0].flow[RECORD_READ];
	assert_int_equal(flow->series[RECORD_IOPS].n, 60);
	assert_int_equal(flow->series[RECORD_BW].n, 0);
	assert_true(fabs(stats_mean(&flow->series[RECORD_IOPS]) - flow->iops) < 0.01);
	assert_int_equal(flow->clat.percentiles_n, 2);
	assert_true(flow->clat.percentile[1] == 99);
	assert_true(flow->runtime_s == 60);
	assert_true(r->jobs[0].flow[RECORD_WRITE].ios == 0);
}

static void notes_before_and_between_are_skipped_and_the_last_document_counts(void **state)
{
	struct fixture *f = *state;

	if (no_library(f))
		skip();
	str_add(&f->text, "fio: this platform {does} not support something\nnote: x\n");
	sample_report(&f->text, &f->rng, false, 1000, "1");
	str_add(&f->text, "fio: still {here}\n");
	sample_report(&f->text, &f->rng, false, 2000, "2");
	str_add(&f->text, "bye\n");
	assert_int_equal(parse(f), 0);
	assert_false(f->list.v[0].ours);
	assert_string_equal(record_pair(&f->list.v[0].jobs[0].options, "iodepth"), "2");
}

static void repeats_are_reports_of_their_own(void **state)
{
	struct fixture *f = *state;

	if (no_library(f))
		skip();
	str_add(&f->text, "{\"jobs\":[],\"repeats\":[");
	sample_report(&f->text, &f->rng, true, 1000, "1");
	str_add(&f->text, ",");
	sample_report(&f->text, &f->rng, true, 1100, "1");
	str_add(&f->text, "]}");
	assert_int_equal(parse(f), 0);
	assert_int_equal(f->list.n, 2);
	assert_true(f->list.v[1].jobs[0].flow[RECORD_READ].iops >
		    f->list.v[0].jobs[0].flow[RECORD_READ].iops);
}

static void what_is_cut_off_says_so_wherever_it_is_cut(void **state)
{
	struct fixture *f = *state;

	if (no_library(f))
		skip();
	sample_report(&f->text, &f->rng, true, 1000, "1");
	for (size_t n = f->text.len - 2; n > 0; n -= n < 97 ? 1 : 97) {
		assert_int_equal(record_parse(f->text.s, n, "x.json", &f->arena, &f->list, &f->err),
				 -EINVAL);
		assert_non_null(strstr(f->err.text, "x.json"));
	}
	assert_non_null(strstr(f->err.text, "cut off"));
}

static void what_is_no_report_is_refused(void **state)
{
	static const char *const bad[] = {"",	 "no braces",	      "{}", "{\"jobs\":3}", "{]",
					  "[1]", "{\"jobs\":[1e999]}"};
	struct fixture *f = *state;

	if (no_library(f))
		skip();
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(
			record_parse(bad[i], strlen(bad[i]), "x", &f->arena, &f->list, &f->err),
			-EINVAL);
	/* Strange members are unknown, not an error. */
	const char *odd =
		"{\"jobs\":[7,{\"jobname\":3,\"read\":{\"total_ios\":5,\"iops\":\"x\",\"clat_ns\":["
		"],"
		"\"lat_ns\":{\"mean\":-1,\"N\":18446744073709551615,\"percentile\":{\"x\":1,\"-5\":"
		"2,\"200\":3},"
		"\"bins\":{\"a\":1,\"5\":-1}}},\"job options\":[]}],\"global options\":\"\"}";
	assert_int_equal(record_parse(odd, strlen(odd), "x", &f->arena, &f->list, &f->err), 0);
	const struct record_flow *flow = &f->list.v[0].jobs[1].flow[RECORD_READ];
	assert_true(flow->lat.mean == 0 && flow->lat.n > 1e19 && flow->lat.percentiles_n == 0 &&
		    flow->lat.bins_n == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_report_is_read_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(
			notes_before_and_between_are_skipped_and_the_last_document_counts, setup,
			teardown),
		cmocka_unit_test_setup_teardown(repeats_are_reports_of_their_own, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_cut_off_says_so_wherever_it_is_cut, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_no_report_is_refused, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
