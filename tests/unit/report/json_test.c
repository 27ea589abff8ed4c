#include "report/format.h"
#include "report/snapshots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "print.h"
#include "sample.h"
#include "result/groups.h"
#include "result/merge.h"

#include <math.h>

static void the_checker_knows_json_from_what_looks_like_it(void **state)
{
	static const char *const good[] = {"{}", " [1, -2.5, 0, \"\\u00e9\\n\"] ",
					   "{\"a\" : {\"a\" : true}}", "null"};
	static const char *const bad[] = {"",	    "{} {}",	  "{\"a\":1,\"a\":2}",
					  "[1,]",   "[01]",	  "{\"a\"}",
					  "\"\t\"", "\"\xff\"",	  "\"\xed\xa0\x80\"",
					  "nan",    "[1.]",	  "\"\\x\"",
					  "[",	    "{\"a\":1,}", "-",
					  "\"abc"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(json_valid(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(json_valid(bad[i]));
}

static char *random_text(struct rng *rng)
{
	static const char *const piece[] = {"a",
					    "\"",
					    "\\",
					    "\n",
					    "\t",
					    "\x01",
					    "\x7f",
					    "\xc3\xa9",
					    "\xff",
					    "\xc3",
					    "\xed\xa0\x80",
					    "\xf0\x9f\x98\x80",
					    "\xf4\x90\x80\x80",
					    "/",
					    " ",
					    "\xe2\x82"};
	char text[128] = "";
	size_t len = 0;

	for (uint64_t n = rng_below(rng, 12); n; n--)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
					piece[rng_below(rng, sizeof(piece) / sizeof(piece[0]))]);
	return strdup(text);
}

static uint64_t random_number(struct rng *rng)
{
	return rng_next(rng) >> rng_below(rng, 64);
}

static void random_moment(struct runstat *m, struct rng *rng)
{
	runstat_init(m);
	for (uint64_t n = rng_below(rng, 4); n; n--)
		runstat_add(m, random_number(rng));
}

static void random_tally(struct dir_stats *t, struct rng *rng)
{
	t->ios = random_number(rng);
	t->bytes = random_number(rng);
	t->short_ios = random_number(rng);
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		random_moment(&t->lat[k], rng);
		for (uint64_t n = rng_below(rng, 3); n; n--)
			sample_lat(t, k, random_number(rng));
	}
	random_moment(&t->bw, rng);
	random_moment(&t->iops, rng);
}

static void random_style(struct result_style *s, struct rng *rng)
{
	static const double odd[] = {NAN, INFINITY, -1, 0, 1e300};

	sample_style(s);
	s->unified = (int)rng_below(rng, 3);
	s->is_async = rng_below(rng, 2);
	s->bw_on = rng_below(rng, 2);
	s->lat_percentiles = rng_below(rng, 2);
	s->percentiles_n = (unsigned)rng_below(rng, 21);
	for (unsigned i = 0; i < s->percentiles_n; i++)
		s->percentile[i] = (double)(i + 1);
	if (rng_below(rng, 9) == 0 && s->percentiles_n)
		s->percentile[0] = odd[rng_below(rng, 5)];
	s->continue_mask = (unsigned)rng_below(rng, 2);
	s->kb_base = rng_below(rng, 2) ? 1000 : 1024;
	s->unit_base = rng_below(rng, 2) ? 1 : 8;
	s->digits = 1 + (unsigned)rng_below(rng, 10);
}

static void random_job(struct result_job *j, struct rng *rng)
{
	result_job_init(j);
	random_style(&j->style, rng);
	j->name = random_text(rng);
	j->description = rng_below(rng, 2) ? random_text(rng) : NULL;
	j->error_text = rng_below(rng, 2) ? random_text(rng) : NULL;
	j->error = (int)rng_below(rng, 200);
	j->end = (enum end_reason)rng_below(rng, END_CRASH + 1);
	j->group = (unsigned)rng_below(rng, 3);
	for (unsigned d = 0; d < DIRS; d++) {
		random_tally(&j->dir[d], rng);
		j->runtime_ns[d] = random_number(rng);
		j->issued[d] = random_number(rng);
		j->rate_asked[d] = random_number(rng);
	}
	random_moment(&j->sync_lat, rng);
	j->job_runtime_ns = random_number(rng);
	j->usr_ns = random_number(rng);
	j->depth_time = random_number(rng);
	j->depth_ns = random_number(rng);
	j->durable_ns = rng_below(rng, 2) ? 1e9 : 0;
	for (unsigned i = 0; i < HIST_LAT_BINS; i++)
		j->lat_bins[i] = random_number(rng);
	for (unsigned i = 0; i < DEPTH_BINS; i++)
		j->depth_level[i] = random_number(rng);
	for (unsigned i = 0; i < 3; i++) {
		j->prio[i].used = true;
		j->prio[i].dir = (uint8_t)rng_below(rng, DIRS);
		j->prio[i].prio = (uint16_t)rng_next(rng);
		random_moment(&j->prio[i].lat, rng);
	}
	for (unsigned i = 0; i < sizeof(j->engine_note) - 1; i++)
		j->engine_note[i] = (char)rng_next(rng);
}

static void random_job_free(struct result_job *j)
{
	free((char *)j->name);
	free((char *)j->description);
	free((char *)j->error_text);
}

/* Whatever the numbers and texts are, JSON is JSON, and no other format crashes. */
static void random_results_give_valid_json(void **state)
{
	const uint64_t seed = 20261130;
	struct rng rng;

	print_message("seed %llu\n", (unsigned long long)seed);
	rng_seed(&rng, seed);
	for (unsigned round = 0; round < 150; round++) {
		struct result r = {.version = "x", .jobs_n = 1 + (unsigned)rng_below(&rng, 3)};
		char *version = random_text(&rng);
		struct diag d;

		diag_init(&d);
		diag_add(&d, DIAG_WARNING, ERR_NONE, "code", NULL, 0, version, "%s", version);
		r.version = version;
		r.diag = &d;
		r.final = rng_below(&rng, 2);
		r.wall_ns = random_number(&rng);
		r.elapsed_ns = random_number(&rng);
		r.clock_drift_ppm = rng_below(&rng, 2) ? NAN : 1.5;
		r.jobs = calloc(r.jobs_n, sizeof(*r.jobs));
		for (unsigned i = 0; i < r.jobs_n; i++)
			random_job(&r.jobs[i], &rng);
		assert_int_equal(result_groups(&r), 0);

		const struct format_options fo = {.terse_version =
							  2 + (unsigned)rng_below(&rng, 4)};
		unsigned n;
		const struct format *const *formats = format_list(&n);
		for (unsigned i = 0; i < n; i++) {
			char *text = print_result(formats[i], &r, &fo);
			if (strncmp(formats[i]->name, "json", 4) == 0)
				assert_true(json_valid(text));
			free(text);
		}
		for (unsigned i = 0; i < r.jobs_n; i++)
			random_job_free(&r.jobs[i]);
		result_release(&r);
		diag_release(&d);
		free(version);
	}
}

static unsigned occurrences(const char *text, const char *word)
{
	unsigned n = 0;

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		n++;
	return n;
}

/* With a status interval the output still parses as a whole: the earlier reports are inside the
 * last. */
static void snapshots_are_part_of_the_one_document(void **state)
{
	struct result r;
	struct snapshots s;
	const struct format_options fo = {.snapshots = &s};

	snapshots_init(&s);
	sample_result(&r, NULL);
	r.final = false;
	for (unsigned i = 0; i < 3; i++) {
		char *text = print_result(&format_json, &r, &fo);
		assert_string_equal(text, "");
		free(text);
	}
	r.final = true;
	char *text = print_result(&format_json, &r, &fo);
	assert_true(json_valid(text));
	assert_int_equal(occurrences(text, "\"fio version\""), 4);
	assert_int_equal(occurrences(text, "\"eta\" : 2147483647"), 3 * 4);
	assert_non_null(strstr(text, "\n  \"snapshots\" : [\n    {\n      \"fio version\""));
	free(text);
	snapshots_release(&s);
	result_release(&r);
}

/* Steps of isolate=1: in JSON, and for people at the end; nothing when it was not asked for. */
static void isolation_is_told_by_both_formats(void **state)
{
	const struct format_options fo = {0};
	struct result r;

	(void)state;
	sample_result(&r, NULL);
	char *json = print_result(&format_json, &r, &fo);
	char *normal = print_result(&format_normal, &r, &fo);
	assert_null(strstr(json, "\"isolation\""));
	assert_null(strstr(normal, "Isolation"));
	free(json);
	free(normal);
	r.isolation = (struct result_isolation){.n = 2,
						.step = {{"cpus", true, "CPU 1 for the workers"},
							 {"partition", false, "no \"right\""}}};
	json = print_result(&format_json, &r, &fo);
	normal = print_result(&format_normal, &r, &fo);
	assert_true(json_valid(json));
	assert_non_null(strstr(json, "\"why\" : \"no \\\"right\\\"\""));
	assert_non_null(strstr(normal, "\nIsolation:\n"
				       "  cpus       : CPU 1 for the workers\n"
				       "  partition  : not done: no \"right\"\n"));
	free(json);
	free(normal);
	result_release(&r);
}

static void lines_format_is_one_document_a_line(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	r.final = false;
	char *text = print_result(&format_jsonl, &r, &fo);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_true(json_valid(text));
	free(text);
	result_release(&r);
}

static void bins_only_with_json_plus(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	char *plain = print_result(&format_json, &r, &fo),
	     *plus = print_result(&format_json_plus, &r, &fo);
	assert_int_equal(occurrences(plain, "\"bins\""), 0);
	assert_true(occurrences(plus, "\"bins\"") > 5);
	assert_true(json_valid(plus));
	free(plain);
	free(plus);
	result_release(&r);
}

/* The 100th is the maximum, none lies outside of what was measured. */
static void percentiles_lie_between_minimum_and_maximum(void **state)
{
	struct result r = {.jobs_n = 1};
	struct result_job j;
	const struct format_options fo = {0};

	result_job_init(&j);
	sample_style(&j.style);
	j.style.percentiles_n = 3;
	j.style.percentile[0] = 0.0001;
	j.style.percentile[1] = 50;
	j.style.percentile[2] = 100;
	sample_lat(&j.dir[DIR_READ], LAT_COMPLETE, 14146);
	j.dir[DIR_READ].ios = 1;
	r.jobs = &j;
	char *text = print_result(&format_json, &r, &fo);
	assert_non_null(strstr(text, "\"0.000100\" : 14146,"));
	assert_non_null(strstr(text, "\"50.000000\" : 14146,"));
	assert_non_null(strstr(text, "\"100.000000\" : 14146\n"));
	free(text);
	result_job_release(&j);
}

static void unified_replaces_the_directions(void **state)
{
	struct result r;
	const struct format_options fo = {0};

	sample_result(&r, NULL);
	r.jobs_n = 3;
	for (unsigned i = 0; i < 3; i++)
		r.jobs[i].style.unified = UNIFIED_MIXED;
	char *text = print_result(&format_json, &r, &fo);
	assert_int_equal(occurrences(text, "\n      \"mixed\" : {"), 3);
	assert_int_equal(occurrences(text, "\n      \"read\" : {"), 0);
	assert_int_equal(occurrences(text, "\n      \"sync\" : {"), 0);
	free(text);
	r.jobs_n = SAMPLE_JOBS;
	result_release(&r);
}

static void messages_of_a_job_stand_with_it(void **state)
{
	struct result r;
	struct diag d;
	const struct format_options fo = {0};

	diag_init(&d);
	diag_add(&d, DIAG_WARNING, ERR_NONE, "here", NULL, 2, "do that",
		 "second worker of the merged job");
	sample_result(&r, &d);
	char *text = print_result(&format_json, &r, &fo);
	assert_int_equal(occurrences(text, "\"code\" : \"here\""), 2);
	assert_true(strstr(text, "\"code\" : \"here\"") > strstr(text, "\"jobname\" : \"async\""));
	assert_true(strstr(text, "\"code\" : \"here\"") <
		    strstr(text, "\"jobname\" : \"unified\""));
	free(text);
	result_release(&r);
	diag_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_checker_knows_json_from_what_looks_like_it),
		cmocka_unit_test(random_results_give_valid_json),
		cmocka_unit_test(snapshots_are_part_of_the_one_document),
		cmocka_unit_test(isolation_is_told_by_both_formats),
		cmocka_unit_test(lines_format_is_one_document_a_line),
		cmocka_unit_test(bins_only_with_json_plus),
		cmocka_unit_test(percentiles_lie_between_minimum_and_maximum),
		cmocka_unit_test(unified_replaces_the_directions),
		cmocka_unit_test(messages_of_a_job_stand_with_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
