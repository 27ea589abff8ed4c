/* Live lines of a result made by hand. */
#include "live/jsonlive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../report/print.h"
#include "../report/sample.h"
#include "result/merge.h"

static const unsigned entries[] = {0, 1, 1, 2, 3};
static const struct progress running = {
	.running = 3,
	.states = "M/P_I",
	.states_n = 5,
	.entries = entries,
	.done = 0.25,
	.eta_ns = 6000000000,
};

static void line(struct json_live *l, const struct result *r, const struct progress *p, FILE *to)
{
	assert_int_equal(json_live_line(l, r, p, 7, to), 0);
}

static void lines_of_a_run(void **state)
{
	struct json_live *l = json_live_new();
	struct result r;
	struct rng rng;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(l);
	assert_non_null(to);
	rng_seed(&rng, 9);
	sample_result(&r, NULL);
	r.final = false;
	line(l, &r, &running, to);
	/* An interval in which the first job read a little and nobody else did anything. */
	r.elapsed_ns += 1000000000;
	for (unsigned i = 0; i < 4; i++)
		sample_lat(&r.jobs[0].dir[DIR_READ], LAT_COMPLETE, 50000 + i);
	r.jobs[0].dir[DIR_READ].ios += 4;
	r.jobs[0].dir[DIR_READ].bytes += 16384;
	r.jobs[0].phase[PHASE_RAMP].ios[DIR_READ] = 2;
	line(l, &r, &running, to);
	r.final = true;
	line(l, &r, NULL, to);
	fclose(to);

	golden_text("live", text);
	unsigned lines = 0;
	for (char *at = text, *end; *at; at = end + 1, lines++) {
		end = strchr(at, '\n');
		assert_non_null(end);
		*end = '\0';
		assert_true(json_valid(at));
	}
	assert_int_equal(lines, 3);
	free(text);
	json_live_free(l);
	result_release(&r);
}

static void a_run_that_never_started_has_a_last_line(void **state)
{
	struct json_live *l = json_live_new();
	const struct result r = {.version = "x", .final = true, .exit_code = 2};
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	line(l, &r, NULL, to);
	fclose(to);
	assert_true(json_valid(text));
	assert_non_null(
		strstr(text, "\"final\":true,\"interrupted\":false,\"exit_code\":2,\"jobs\":[]"));
	free(text);
	json_live_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_a_run),
		cmocka_unit_test(a_run_that_never_started_has_a_last_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
