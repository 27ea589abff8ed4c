#include "fixture.h"

#include "base/units.h"

#include <errno.h>

union field {
	_Alignas(16) char bytes[512];
};

static struct arena arena;

static int setup(void **state)
{
	arena_init(&arena, 0);
	return 0;
}

static int teardown(void **state)
{
	arena_release(&arena);
	return 0;
}

static const struct opt_row *row_of(const char *name)
{
	int opt = schema_job_option(name);

	if (opt < 0)
		fail_msg("no option %s", name);
	return &job_rows[opt];
}

/* Parse text over the default of the option and print what came out. */
static int parsed(const char *name, const char *text, char *out, size_t size, struct err *err)
{
	const struct opt_row *row = row_of(name);
	struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
	union field v;
	int rc;

	memset(err, 0, sizeof(*err));
	assert_int_equal(opt_default(row, &ctx, &v, err), 0);
	rc = opt_parse(row, text, &ctx, &v, err);
	if (rc == 0)
		opt_print(row, &v, out, size);
	return rc;
}

static const char *const good[][3] = {
	{"direct", "1", "1"},
	{"norandommap", "", "1"},
	{"norandommap", "0", "0"},
	{"iodepth", "64", "64"},
	{"iodepth", "1k", "1024"},
	{"iodepth", "0x10", "16"},
	{"iodepth", "(2*4)", "8"},
	{"nice", "-5", "-5"},
	{"randseed", "-1", "-1"},
	{"hugepage-size", "2m", "2097152"},
	{"size", "16m", "16777216"},
	{"size", "1.5m", "1572864"},
	{"size", "(4k*4)", "16384"},
	{"size", "50%", "50%"},
	{"size", "12.5%", "12.5%"},
	{"size", "100%", "100%"},
	{"size", "3z", "3z"},
	{"offset", "0%", "0%"},
	{"runtime", "10", "10s"},
	{"runtime", "1.5", "1500ms"},
	{"runtime", "10sec", "10s"},
	{"runtime", "2m", "120s"},
	{"runtime", "(10)", "10s"},
	{"runtime", "(1m+30s)", "90s"},
	{"thinktime", "7", "7us"},
	{"thinktime", "2ms", "2ms"},
	{"log_avg_msec", "500", "500ms"},
	{"log_avg_msec", "1s", "1s"},
	{"bwavgtime", "250", "250ms"},
	{"startdelay", "5", "5s-5s"},
	{"startdelay", "5-3", "3s-5s"},
	{"startdelay", "1:2", "1s-2s"},
	{"rwmixread", "70", "70"},
	{"rwmixread", "30%", "30"},
	{"percentile_list", "50:99:99.99", "50:99:99.99"},
	{"percentile_list", "1.0:100.0", "1:100"},
	{"fallocate", "0", "none"},
	{"sync", "1", "sync"},
	{"fadvise_hint", "noreuse", "noreuse"},
	{"continue_on_error", "all", "all"},
	{"continue_on_error", "1", "all"},
	{"log_window_value", "1", "max"},
	{"mem", "mmapshared:/tmp/x:y", "mmapshared:/tmp/x:y"},
	{"filename", "a:b", "a:b"},
	{"filename", "::a::b:", "a:b"},
	{"filename", "x\\:y:z", "x\\:y:z"},
	{"write_bw_log", "", ""},
	{"write_bw_log", "p", "p"},
	{"bs", "8k,32k", "8192,32768,32768"},
	{"bs", "8k,32k,", "8192,32768,4096"},
	{"bs", ",8k", "4096,8192,8192"},
	{"bs", ",8k,", "4096,8192,4096"},
	{"bs", "8k,,", "8192,4096,4096"},
	{"bs", "8k", "8192,8192,8192"},
	{"bs", "4k-8k", "4096,8192,8192"},
	{"bs", "4k:8k:16k", "4096,8192,16384"},
	{"bs", "(2*4k),8k", "8192,8192,8192"},
	{"rate", "1m,500k", "1048576,512000,512000"},
	{"rate_iops", "100,50,", "100,50,0"},
	{"percentage_random", "50%,0", "50,0,0"},
	{"max_latency", "10ms,20", "10ms,20us,20us"},
	{"bsrange", "1k-4k", "1024-4096,1024-4096,1024-4096"},
	{"bsrange", "4k:1k,8k-16k,", "1024-4096,8192-16384,"},
	{"filesize", "4k", "4096-4096"},
	{"filesize", "4k-1m", "4096-1048576"},
	{"bssplit", "4k", "4096/100,4096/100,4096/100"},
	{"bssplit", "4k/30:8k/70,", "4096/30:8192/70,,"},
	{"bssplit", "4k/30:8k:16k/,", "4096/30:8192/35:16384/35,,"},
	{"bssplit", "4k/0:8k/100,", "8192/100,,"},
	{"bssplit", "4k/100,16k/50:32k/50", "4096/100,16384/50:32768/50,16384/50:32768/50"},
	{"cpus_allowed", "0,5,8-10", "0,5,8-10"},
	{"cpus_allowed", "3,2,2-4, 7", "2-4,7"},
	{"buffer_pattern", "0xdeadbeef", "0xdeadbeef"},
	{"buffer_pattern", "0xfff", "0xff0f"},
	{"buffer_pattern", "\"ab\"256", "0x61620001"},
	{"buffer_pattern", "-12", "0xf4ffffff"},
	{"buffer_pattern", "0", "0x00"},
	{"verify_pattern", "0xff%o\"abcd\"-12", "0xff%o0x61626364f4ffffff"},
	{"ignore_error", "EIO:5,ENOSPC", "EIO:EIO,ENOSPC,"},
	{"ignore_error", ",,EILSEQ", ",,EILSEQ"},
	{"rw", "randread:8", "randread:8"},
	{"rw", "readwrite", "rw"},
	{"rw", "write:-8k", "write:-8192"},
	{"rw", "randtrimwrite", "randtrimwrite"},
	{"random_distribution", "zipf", "zipf:1.1"},
	{"random_distribution", "zipf:1.2:0.5", "zipf:1.2:0.5"},
	{"random_distribution", "pareto:0.9", "pareto:0.9"},
	{"random_distribution", "normal:20", "normal:20"},
	{"random_distribution", "zoned:60/10:40/", "zoned:60/10:40/90,60/10:40/90,60/10:40/90"},
	{"random_distribution", "zoned_abs:60/1m:40/2m,", "zoned_abs:60/1048576:40/2097152,,"},
	{"random_distribution", "sequence:1,5,2", "sequence:1,5,2"},
	{"sync_file_range", "wait_before,write:8", "wait_before,write:8"},
	{"sync_file_range", "write", "write:1"},
	{"verify_policy", "completed,fsynced", "completed,fsynced"},
	{"steadystate", "bw:10%", "bw:10%"},
	{"file_service_type", "zipf:1.2", "zipf:1.2"},
};

static void values_are_read_by_the_rules_of_their_type(void **state)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char out[512];
		struct err err;
		if (parsed(good[i][0], good[i][1], out, sizeof(out), &err))
			fail_msg("%s=%s: %s", good[i][0], good[i][1], err.text);
		if (strcmp(out, good[i][2]) != 0)
			fail_msg("%s=%s gives %s", good[i][0], good[i][1], out);
	}
}

/* Option, value, part of the message, part of the remedy. */
static const char *const bad[][4] = {
	{"direct", "true", "'true'", "use 1"},
	{"direct", "no", "'no'", "use 0"},
	{"direct", "2", "'2'", "use 0 or 1"},
	{"direct", "", "needs a value", "0 or 1"},
	{"norandommap", "yes", "'yes'", "use 1"},
	{"size", "16mfoo", "16mfoo", "size"},
	{"size", "4kk", "4kk", ""},
	{"size", "-4k", "-4k", ""},
	{"size", "0%", "0%", "above 0%"},
	{"size", "101%", "101%", "100%"},
	{"io_size", "150%", "150%", ""},
	{"size", "4kz", "4kz", ""},
	{"size", "(1/2.0)", "whole", ""},
	{"size", "(1", "')' is missing", "matching"},
	{"iodepth", "30%", "30%", ""},
	{"iodepth", "0", "out of range", "1-65536"},
	{"iodepth", "4x", "4x", ""},
	{"iodepth", "99999999999999999999999", "", ""},
	{"prio", "9", "out of range", "0-7"},
	{"runtime", "5 parsecs", "parsecs", "seconds"},
	{"runtime", "-1", "-1", ""},
	{"thinktime", "-1", "-1", ""},
	{"rwmixread", "101", "101", "0-100"},
	{"percentile_list", "50:101", "101", "100"},
	{"percentile_list", "0:50", "'0'", "above 0"},
	{"percentile_list", "50:abc", "abc", ""},
	{"percentile_list", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21", "more than 20",
	 ""},
	{"ioengine", "", "needs a value", ""},
	{"filename", "", "needs a value", ""},
	{"filename", ":::", ":::", ""},
	{"cpus_allowed", "", "needs a value", "0,5,8-15"},
	{"cpus_allowed", "3-1", "3-1", ""},
	{"cpus_allowed", "1,,2", "1,,2", ""},
	{"cpus_allowed", "99999", "99999", ""},
	{"bs", "4k/8k", "4k/8k", ""},
	{"bs", "4k,4k,4k,4k", "more than 3", ""},
	{"bs", "0", "out of range", ""},
	{"bsrange", "4k", "4k", "range"},
	{"bsrange", "1k-4k/8k-32k", "", ""},
	{"bssplit", "4k/50:8k/40", "add up to 90", "100"},
	{"bssplit", "4k/60:8k/50", "add up to 110", "100"},
	{"bssplit", "4k/100:8k", "add up to 100", "share"},
	{"bssplit", "4k/50:8k/x", "'x'", ""},
	{"buffer_pattern", "", "needs a value", ""},
	{"buffer_pattern", "0x", "pattern", ""},
	{"buffer_pattern", "\"abc", "pattern", ""},
	{"buffer_pattern", "%o", "'%o'", ""},
	{"buffer_pattern", "99999999999", "pattern", ""},
	{"buffer_pattern", "'/nonexistent/file'", "/nonexistent/file", "regular file"},
	{"buffer_pattern", "'/dev/zero'", "/dev/zero", "regular file"},
	{"ignore_error", "EFOO", "EFOO", "EIO"},
	{"rw", "randraed", "randraed", "did you mean 'randread'"},
	{"rw", "randread:0", "'0'", ""},
	{"rw", "read:x", "'x'", ""},
	{"rw", "Read", "'Read'", ""},
	{"random_distribution", "zipf:1", "theta", ""},
	{"random_distribution", "pareto:1.5", "1.5", ""},
	{"random_distribution", "zipf:1.2:2", "'2'", ""},
	{"random_distribution", "zoned:60/10:30/90", "add up to 90", "100"},
	{"random_distribution", "zoned:60/70:40/50", "add up to 120", ""},
	{"random_distribution", "zoned", "zoned", ""},
	{"random_distribution", "zipfian", "zipfian", "did you mean 'zipf'"},
	{"fallocate", "native:x", "native:x", "allowed: native"},
	{"sync_file_range", "write:0", "'0'", ""},
	{"sync_file_range", "wrote", "wrote", "did you mean 'write'"},
	{"log_hist_coarseness", "7", "7", "0-6"},
	{"numjobs", "0", "out of range", "1-4096"},
};

static void a_bad_value_is_named_with_what_would_be_right(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char out[512] = "";
		struct err err;
		int rc = parsed(bad[i][0], bad[i][1], out, sizeof(out), &err);
		if (rc >= 0)
			fail_msg("%s=%s is taken as %s", bad[i][0], bad[i][1], out);
		assert_int_equal(err.cls, ERR_USAGE);
		assert_contains(err.text, bad[i][0]);
		assert_contains(err.text, bad[i][2]);
		assert_contains(err.remedy, bad[i][3]);
		assert_true(err.remedy[0] != '\0');
	}
}

static void nothing_is_written_on_failure(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct opt_row *row = row_of(bad[i][0]);
		struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
		union field v, before;
		IGNORE_RESULT(opt_default(row, &ctx, &v, NULL));
		before = v;
		IGNORE_RESULT(opt_parse(row, bad[i][1], &ctx, &v, NULL));
		assert_memory_equal(&v, &before, opt_field_size(row->type));
	}
}

static void what_is_printed_reads_back_equal(void **state)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct opt_row *row = row_of(good[i][0]);
		struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
		union field first, second;
		char text[512];
		IGNORE_RESULT(opt_default(row, &ctx, &first, NULL));
		second = first;
		assert_int_equal(opt_parse(row, good[i][1], &ctx, &first, NULL), 0);
		opt_print(row, &first, text, sizeof(text));
		/* printed sizes are bytes, so the base does not matter */
		ctx.kb_base = 1000;
		if (opt_parse(row, text, &ctx, &second, NULL) || !opt_equal(row, &first, &second))
			fail_msg("%s=%s prints as %s", good[i][0], good[i][1], text);
	}
}

static void different_values_are_not_equal(void **state)
{
	static const char *const pairs[][3] = {
		{"direct", "0", "1"},
		{"size", "50%", "50"},
		{"size", "3", "3z"},
		{"bs", "4k", "4k,8k"},
		{"bssplit", "4k/50:8k/50", "4k/50:16k/50"},
		{"bssplit", "4k/50:8k/50", "4k/40:8k/60"},
		{"cpus_allowed", "1-3", "1-4"},
		{"buffer_pattern", "0x11", "0x12"},
		{"verify_pattern", "%o", "0x0000000000000000"},
		{"ignore_error", "EIO", "ENOSPC"},
		{"rw", "read:4k", "read"},
		{"random_distribution", "zipf:1.2", "zipf:1.3"},
		{"random_distribution", "zoned:50/5:50/95", "zoned:50/6:50/94"},
		{"random_distribution", "sequence:1,2", "sequence:1,3"},
		{"filename", "a:b", "a:c"},
		{"filename", "a:b", "a"},
		{"mem", "mmap:a", "mmap:b"},
		{"percentile_list", "1:2", "1:3"},
		{"percentage_random", "1", "2"},
		{"description", "a", "b"},
		{"latency_percentile", "99", "99.5"},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct opt_row *row = row_of(pairs[i][0]);
		struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
		union field a, b;
		IGNORE_RESULT(opt_default(row, &ctx, &a, NULL));
		b = a;
		assert_true(opt_equal(row, &a, &b));
		assert_int_equal(opt_parse(row, pairs[i][1], &ctx, &a, NULL), 0);
		assert_int_equal(opt_parse(row, pairs[i][2], &ctx, &b, NULL), 0);
		if (opt_equal(row, &a, &b))
			fail_msg("%s: %s = %s", pairs[i][0], pairs[i][1], pairs[i][2]);
	}
}

static void a_pattern_can_come_from_a_file(void **state)
{
	char path[] = "/tmp/fathom-pattern-XXXXXX", text[80], out[80];
	int fd = mkstemp(path);
	struct err err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "xyz", 3), 3);
	close(fd);
	snprintf(text, sizeof(text), "0x01'%s'2", path);
	assert_int_equal(parsed("buffer_pattern", text, out, sizeof(out), &err), 0);
	assert_string_equal(out, "0x0178797a02");
	unlink(path);
}

static void printing_respects_the_buffer(void **state)
{
	const struct opt_row *row = row_of("percentile_list");
	struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
	union field v;

	IGNORE_RESULT(opt_default(row, &ctx, &v, NULL));
	for (size_t size = 1; size < 90; size++) {
		char buf[100];
		memset(buf, 'x', sizeof(buf));
		opt_print(row, &v, buf, size);
		assert_true(strlen(buf) < size);
		assert_int_equal(buf[size], 'x');
		memset(buf, 'x', sizeof(buf));
		opt_describe(row, buf, size);
		assert_true(strlen(buf) < size);
		assert_int_equal(buf[size], 'x');
	}
}

static void notes_tell_swapped_suffixes_and_dashes(void **state)
{
	struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
	union field v = {{0}};

	assert_int_equal(opt_parse(row_of("size"), "4KiB", &ctx, &v, NULL), 0);
	assert_int_equal(ctx.notes, UNITS_IEC_SWAPPED);
	ctx.notes = 0;
	assert_int_equal(opt_parse(row_of("bs"), "4k-8k", &ctx, &v, NULL), 0);
	assert_int_equal(ctx.notes, OPT_NOTE_DASH);
	ctx.notes = 0;
	assert_int_equal(opt_parse(row_of("bs"), "4k,8k", &ctx, &v, NULL), 0);
	assert_int_equal(ctx.notes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_by_the_rules_of_their_type),
		cmocka_unit_test(a_bad_value_is_named_with_what_would_be_right),
		cmocka_unit_test(nothing_is_written_on_failure),
		cmocka_unit_test(what_is_printed_reads_back_equal),
		cmocka_unit_test(different_values_are_not_equal),
		cmocka_unit_test(a_pattern_can_come_from_a_file),
		cmocka_unit_test(printing_respects_the_buffer),
		cmocka_unit_test(notes_tell_swapped_suffixes_and_dashes),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
