/* Every combination of the options behind logs: a file that is never fed, or a kind that is fed
 * without a file, is found here, but for the two that compatibility 22.1 and 22.5 name. */
#include "log/logkind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { FLAGS = 11 };

static void job_of(unsigned bits, struct plan_job *pj, struct job_opts *o)
{
	memset(pj, 0, sizeof(*pj));
	memset(o, 0, sizeof(*o));
	pj->o = o;
	pj->name = "job";
	pj->is_async = bits >> 0 & 1;
	o->write_bw_log = bits >> 1 & 1 ? "b" : NULL;
	o->write_iops_log = bits >> 2 & 1 ? "" : NULL;
	o->write_lat_log = bits >> 3 & 1 ? "l" : NULL;
	o->write_hist_log = bits >> 4 & 1 ? "h" : NULL;
	o->write_iolog = bits >> 5 & 1 ? "io" : NULL;
	o->log_hist_msec = bits >> 6 & 1 ? 1000 : 0;
	o->disable_slat = bits >> 7 & 1;
	o->disable_clat = bits >> 8 & 1;
	o->disable_lat = bits >> 9 & 1;
	o->disable_bw_measurement = bits >> 10 & 1;
}

static unsigned bit(bool on, unsigned kind)
{
	return on ? 1u << kind : 0;
}

static void what_is_created_is_fed(void **state)
{
	struct job_opts *o = malloc(sizeof(*o));
	struct plan_job *pj = malloc(sizeof(*pj));

	assert_non_null(o);
	assert_non_null(pj);
	for (unsigned bits = 0; bits < 1u << FLAGS; bits++) {
		job_of(bits, pj, o);
		unsigned created = logkind_created(pj), fed = logkind_fed(pj);
		unsigned want = bit(o->write_bw_log && !o->disable_bw_measurement, LOGK_BW) |
				bit(o->write_iops_log, LOGK_IOPS) |
				bit(o->write_lat_log && !o->disable_slat, LOGK_SLAT) |
				bit(o->write_lat_log && !o->disable_clat, LOGK_CLAT) |
				bit(o->write_lat_log && !o->disable_lat, LOGK_LAT) |
				bit(o->write_hist_log, LOGK_HIST) | bit(o->write_iolog, LOGK_IOLOG);
		unsigned empty = bit(!pj->is_async, LOGK_SLAT) | bit(!o->log_hist_msec, LOGK_HIST);

		assert_int_equal(created, want);
		assert_int_equal(fed, want & ~empty);
	}
	free(pj);
	free(o);
}

static void an_empty_prefix_is_the_name_of_the_job(void **state)
{
	struct job_opts *o = calloc(1, sizeof(*o));
	struct plan_job *pj = calloc(1, sizeof(*pj));

	assert_non_null(o);
	assert_non_null(pj);
	pj->o = o;
	pj->name = "job";
	o->write_bw_log = o->write_iolog = "";
	assert_string_equal(logkind_prefix(pj, LOGK_BW), "job");
	assert_string_equal(logkind_prefix(pj, LOGK_IOLOG), "");
	assert_null(logkind_prefix(pj, LOGK_LAT));
	free(pj);
	free(o);
}

static void each_kind_has_a_name(void **state)
{
	for (unsigned k = 0; k < LOGK_IOLOG; k++)
		assert_non_null(logkinds[k].word);
	for (unsigned k = 0; k < LOGK_HIST; k++)
		assert_non_null(logkinds[k].unit);
	assert_null(logkinds[LOGK_IOLOG].word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_created_is_fed),
		cmocka_unit_test(an_empty_prefix_is_the_name_of_the_job),
		cmocka_unit_test(each_kind_has_a_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
