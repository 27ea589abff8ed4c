#include "log/logs.h"
#include "log/logs_write.h"
#include "log/logs_ios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hist.h"
#include "log/logkind.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOBS 2

/* Two jobs with empty options, in an empty folder that is the current one. */
struct scene {
	struct plan plan;
	struct plan_job job[JOBS];
	struct job_opts opts[JOBS];
	struct plan_file file[2];
	char folder[64];
};

static void scene_init(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	s->plan.jobs = s->job;
	s->plan.jobs_n = JOBS;
	s->file[0].path = "data.0";
	s->file[1].path = "data.1";
	for (unsigned i = 0; i < JOBS; i++) {
		s->job[i].o = &s->opts[i];
		s->job[i].name = i ? "second" : "first";
		s->job[i].number = i;
		s->job[i].files = s->file;
		s->job[i].files_n = 2;
		s->opts[i].per_job_logs = true;
	}
	(void)snprintf(s->folder, sizeof(s->folder), "/tmp/fathom-logs-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	assert_int_equal(chdir(s->folder), 0);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	return remove(path);
}

static void scene_release(struct scene *s)
{
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(nftw(s->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void expect_file(const char *path, const char *want)
{
	char text[4096];
	char part[300];

	/* Until the log is closed it has another name. */
	(void)snprintf(part, sizeof(part), "%s.%d.part", path, (int)getpid());
	FILE *f = fopen(access(part, F_OK) ? path : part, "re");

	assert_non_null(f);
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	assert_string_equal(text, want);
}

static struct logs *open_logs(const struct scene *s, const char *bandwidth)
{
	struct logs *l = NULL;
	struct err err = {0};

	if (logs_open(&l, &s->plan, bandwidth, &err))
		fail_msg("%s", err.text);
	return l;
}

static void names_and_kinds_are_those_of_fio(void **state)
{
	struct scene s;
	const struct log_rec recs[] = {
		{.time_ns = 1000000, .value = 10, .len = 512, .kind = LOGK_CLAT},
		{.time_ns = 2000000, .value = 20, .len = 512, .kind = LOGK_LAT, .dir = 1},
		{.time_ns = 2000000, .value = 2048, .len = 512, .kind = LOGK_BW},
		{.time_ns = 3000000, .value = 1, .len = 512, .kind = LOGK_IOPS},
	};

	scene_init(&s);
	s.opts[0].write_lat_log = s.opts[0].write_bw_log = "";
	s.opts[1].write_lat_log = "given";
	s.opts[1].write_iops_log = "given";
	s.opts[1].write_hist_log = "given";
	s.opts[1].log_hist_msec = 1000000;
	s.opts[1].disable_lat = true;
	assert_int_equal(logkind_fed(&s.job[0]), 1 << LOGK_CLAT | 1 << LOGK_LAT | 1 << LOGK_BW);
	assert_int_equal(logkind_fed(&s.job[1]), 1 << LOGK_CLAT | 1 << LOGK_IOPS | 1 << LOGK_HIST);
	s.job[1].is_async = true;
	assert_int_equal(logkind_fed(&s.job[1]),
			 1 << LOGK_SLAT | 1 << LOGK_CLAT | 1 << LOGK_IOPS | 1 << LOGK_HIST);

	struct logs *l = open_logs(&s, NULL);
	assert_int_equal(logs_write(l, 0, recs, 4), 0);
	assert_int_equal(logs_write(l, 1, recs, 4), 0);
	assert_int_equal(logs_close(l, NULL), 0);
	expect_file("first_clat.1.log", "1, 10, 0, 512, 0\n");
	expect_file("first_lat.1.log", "2, 20, 1, 512, 0\n");
	expect_file("first_slat.1.log", "");
	expect_file("first_bw.1.log", "2, 2, 0, 512, 0\n");
	expect_file("given_clat.2.log", "1, 10, 0, 512, 0\n");
	expect_file("given_iops.2.log", "3, 1, 0, 512, 0\n");
	expect_file("given_clat_hist.2.log", "");
	assert_int_not_equal(access("given_lat.2.log", F_OK), 0);
	scene_release(&s);
}

static void shared_logs_are_appended_and_own_ones_truncated(void **state)
{
	struct scene s;
	const struct log_rec rec = {.value = 7, .kind = LOGK_LAT, .len = 1};

	scene_init(&s);
	s.opts[0].write_lat_log = s.opts[1].write_lat_log = "x";
	s.opts[0].per_job_logs = false;
	for (unsigned i = 0; i < 2; i++) {
		struct logs *l = open_logs(&s, NULL);
		assert_int_equal(logs_write(l, 0, &rec, 1), 0);
		assert_int_equal(logs_write(l, 1, &rec, 1), 0);
		assert_int_equal(logs_close(l, NULL), 0);
	}
	expect_file("x_lat.log", "0, 7, 0, 1, 0\n0, 7, 0, 1, 0\n");
	expect_file("x_lat.2.log", "0, 7, 0, 1, 0\n");
	scene_release(&s);
}

/* A run that cannot log everything asked for leaves what was there, and nothing new. */
static void failure_to_open_changes_nothing(void **state)
{
	struct scene s;
	struct logs *l = NULL;
	struct err err = {0};

	scene_init(&s);
	FILE *f = fopen("old_lat.1.log", "we");
	assert_non_null(f);
	fputs("precious\n", f);
	fclose(f);
	s.opts[0].write_lat_log = "old";
	s.opts[0].disable_clat = s.opts[0].disable_slat = true;
	s.opts[0].write_bw_log = "new";
	s.opts[1].write_lat_log = "no/such/folder";
	assert_int_equal(logs_open(&l, &s.plan, NULL, &err), -ENOENT);
	assert_null(l);
	assert_int_equal(err.cls, ERR_SETUP);
	assert_non_null(strstr(err.text, "no/such/folder_slat.2.log"));
	assert_string_not_equal(err.remedy, "");
	expect_file("old_lat.1.log", "precious\n");
	assert_int_not_equal(access("new_bw.1.log", F_OK), 0);
	scene_release(&s);
}

/* A killed run keeps its windows; single I/Os are written in large pieces. */
static void lines_of_windows_reach_the_file_at_once(void **state)
{
	struct scene s;
	const struct log_rec rec = {.time_ns = 100000000, .value = 5000, .kind = LOGK_IOPS};

	scene_init(&s);
	s.opts[0].write_iops_log = "w";
	s.opts[0].log_avg_msec = 100000000;
	struct logs *l = open_logs(&s, NULL);
	assert_int_equal(logs_write(l, 0, &rec, 1), 0);
	expect_file("w_iops.1.log", "100, 5, 0, 0, 0\n");
	assert_int_equal(logs_close(l, NULL), 0);
	scene_release(&s);
}

static void iolog_has_one_header_a_run(void **state)
{
	struct scene s;
	const struct log_rec recs[] = {
		{.time_ns = 15000, .kind = LOGK_IOLOG, .dir = 253, .file = 1},
		{.time_ns = 90000,
		 .kind = LOGK_IOLOG,
		 .dir = 0,
		 .file = 1,
		 .offset = 4096,
		 .len = 512},
		{.time_ns = 90000, .kind = LOGK_IOLOG, .dir = 0, .file = 9},
	};

	scene_init(&s);
	s.opts[0].write_iolog = "io";
	assert_int_equal(logkind_fed(&s.job[0]), 1 << LOGK_IOLOG);
	for (unsigned i = 0; i < 2; i++) {
		struct logs *l = open_logs(&s, NULL);
		assert_int_equal(logs_write(l, 0, recs, 3), 0);
		assert_int_equal(logs_close(l, NULL), 0);
	}
	expect_file("io", "fio version 3 iolog\n15 data.1 add\n90 data.1 read 4096 512\n"
			  "fio version 3 iolog\n15 data.1 add\n90 data.1 read 4096 512\n");

	struct logs *l;
	struct err err = {0};
	s.file[0].path = "with blank";
	assert_int_equal(logs_open(&l, &s.plan, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "with blank"));
	scene_release(&s);
}

static void bandwidth_log_has_a_file_per_direction(void **state)
{
	struct scene s;
	const struct log_rec recs[] = {
		{.time_ns = 500000000, .value = 2048, .kind = LOGK_BW, .dir = 0},
		{.time_ns = 500000000, .value = 0, .kind = LOGK_BW, .dir = 2},
	};

	scene_init(&s);
	struct logs *l = open_logs(&s, "agg");
	assert_int_equal(logs_write(l, UINT_MAX, recs, 2), 0);
	expect_file("agg-read_bw.log", "500, 2, 0, 0, 0\n");
	expect_file("agg-write_bw.log", "");
	expect_file("agg-trim_bw.log", "500, 0, 2, 0, 0\n");
	assert_int_equal(logs_close(l, NULL), 0);
	scene_release(&s);
}

/* Hundreds of clones with logs need no descriptor each, and lose no line. */
static void many_files_are_opened_for_each_piece(void **state)
{
	enum { MANY = 300 };
	struct scene s;
	struct plan_job *jobs = calloc(MANY, sizeof(*jobs));

	assert_non_null(jobs);
	scene_init(&s);
	s.opts[0].write_iops_log = "m";
	for (unsigned i = 0; i < MANY; i++) {
		jobs[i] = s.job[0];
		jobs[i].number = i;
	}
	s.plan.jobs = jobs;
	s.plan.jobs_n = MANY;
	int before = dup(0);
	struct logs *l = open_logs(&s, NULL);
	int after = dup(0);
	assert_true(after - before <= 1);
	close(before);
	close(after);
	for (unsigned i = 0; i < MANY; i++) {
		const struct log_rec rec = {.value = i, .kind = LOGK_IOPS, .len = 1};
		assert_int_equal(logs_write(l, i, &rec, 1), 0);
	}
	assert_int_equal(logs_close(l, NULL), 0);
	expect_file("m_iops.1.log", "0, 0, 0, 1, 0\n");
	expect_file("m_iops.300.log", "0, 299, 0, 1, 0\n");
	scene_release(&s);
	free(jobs);
}

static void a_full_device_is_reported_with_its_file(void **state)
{
	struct scene s;
	struct err err = {0};
	const struct log_rec rec = {.value = 1, .kind = LOGK_IOPS};

	scene_init(&s);
	assert_int_equal(symlink("/dev/full", "f_iops.1.log"), 0);
	s.opts[0].write_iops_log = "f";
	s.opts[0].log_avg_msec = 1000000;
	struct logs *l = open_logs(&s, NULL);
	assert_int_equal(logs_write(l, 0, &rec, 1), -ENOSPC);
	assert_int_equal(logs_close(l, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "f_iops.1.log"));
	scene_release(&s);
}

/* A block of one I/O. */
static void fill(struct log_block *b, unsigned job, uint32_t n)
{
	*b = (struct log_block){.job = job, .slots = 1, .mark = LOGB_MARK};
	b->slot[0].io = (struct logb_io){
		.time_ns = n * 1000000, .clat_ns = 10 * n, .slat_ns = n, .len = 512};
	b->slot[0].io.where = (n & 1 ? (uint64_t)DIR_WRITE << LOGB_OFFSET_BITS : 0) | n * 512;
}

static void single_ios_keep_their_order_when_they_are_put_off(void **state)
{
	struct scene s;
	struct log_block b[2];

	scene_init(&s);
	s.opts[0].write_lat_log = "p";
	s.opts[1].write_lat_log = "p";
	s.opts[1].disable_lat = true;
	s.opts[0].log_offset = true;
	struct logs *l = open_logs(&s, NULL);
	for (uint32_t n = 1; n <= 8; n += 2) {
		fill(&b[0], 0, n);
		fill(&b[1], 0, n + 1);
		/* Put off are the second pair, and what comes before that was caught up. */
		assert_int_equal(logs_ios(l, 0, b, 2, n == 3), 0);
		assert_int_equal(logs_behind(l) != 0, n == 3 || n == 5);
		fill(&b[0], 1, n);
		assert_int_equal(logs_ios(l, 1, b, 1, false), 0);
		if (n == 5) {
			assert_true(logs_idle(l));
			assert_false(logs_idle(l));
		}
	}
	assert_int_equal(logs_close(l, NULL), 0);
	expect_file("p_clat.1.log", "1, 10, 1, 512, 512, 0\n2, 20, 0, 512, 1024, 0\n"
				    "3, 30, 1, 512, 1536, 0\n4, 40, 0, 512, 2048, 0\n"
				    "5, 50, 1, 512, 2560, 0\n6, 60, 0, 512, 3072, 0\n"
				    "7, 70, 1, 512, 3584, 0\n8, 80, 0, 512, 4096, 0\n");
	expect_file("p_clat.2.log", "1, 10, 1, 512, 0\n3, 30, 1, 512, 0\n5, 50, 1, 512, 0\n"
				    "7, 70, 1, 512, 0\n");
	assert_int_not_equal(access("p_lat.2.log", F_OK), 0);
	scene_release(&s);
}

static void what_is_still_put_off_is_written_at_the_end(void **state)
{
	struct scene s;
	struct log_block b;

	scene_init(&s);
	s.opts[0].write_bw_log = "q";
	struct logs *l = open_logs(&s, NULL);
	fill(&b, 0, 2);
	assert_int_equal(logs_ios(l, 0, &b, 1, true), 0);
	expect_file("q_bw.1.log", "");
	while (logs_idle(l))
		;
	assert_int_equal(logs_close(l, NULL), 0);
	expect_file("q_bw.1.log", "2, 25000000, 0, 512, 0\n");
	scene_release(&s);
}

static void the_alternate_epoch_is_the_clock_asked_for(void **state)
{
	struct scene s;
	const struct log_rec rec = {.time_ns = 1796023431148000000, .value = 1, .kind = LOGK_IOPS};
	struct logs *l;

	scene_init(&s);
	s.plan.virtual_clock = true;
	s.opts[0].write_iops_log = "e";
	s.opts[0].log_alternate_epoch = true;
	assert_int_equal(logs_open(&l, &s.plan, NULL, NULL), 0);
	assert_int_equal(logs_write(l, 0, &rec, 1), 0);
	assert_int_equal(logs_close(l, NULL), 0);
	expect_file("e_iops.1.log", "1796023431148, 1, 0, 0, 0\n");
	scene_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_kinds_are_those_of_fio),
		cmocka_unit_test(shared_logs_are_appended_and_own_ones_truncated),
		cmocka_unit_test(failure_to_open_changes_nothing),
		cmocka_unit_test(lines_of_windows_reach_the_file_at_once),
		cmocka_unit_test(iolog_has_one_header_a_run),
		cmocka_unit_test(bandwidth_log_has_a_file_per_direction),
		cmocka_unit_test(many_files_are_opened_for_each_piece),
		cmocka_unit_test(single_ios_keep_their_order_when_they_are_put_off),
		cmocka_unit_test(what_is_still_put_off_is_written_at_the_end),
		cmocka_unit_test(a_full_device_is_reported_with_its_file),
		cmocka_unit_test(the_alternate_epoch_is_the_clock_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
