/* The rules of compatibility 3. */
#include "fixture.h"

#define FIELD(f, i) ((f)->list.jobs[i].o)

static void name_opens_a_job(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "--bs=8k", "--name=a", "--iodepth=2", "--name", "b", "--direct",
			       "1", "--name=global", "--iodepth=5", "--name=c", NULL),
			 0);
	assert_int_equal(f->list.n, 3);
	assert_string_equal(f->list.jobs[0].section, "a");
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_int_equal(FIELD(f, 0).iodepth, 2);
	assert_int_equal(FIELD(f, 1).iodepth, 1);
	assert_true(FIELD(f, 1).direct);
	assert_int_equal(FIELD(f, 2).iodepth, 5);
	/* "job options" of a command line job include its name */
	assert_string_equal(f->list.jobs[1].own[0].name, "name");
	assert_int_equal(f->list.jobs[1].place[OPT_direct].line, 0);
	assert_int_equal(f->list.jobs[1].place[OPT_direct].col, 6);
	assert_int_equal(f->list.globals_n, 2);
}

static void options_are_permuted_before_files(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[a]\niodepth=4\n[global]\nbs=16k\n[b]\n");
	assert_int_equal(parse(f, "j.fio", "--bs=8k", "--iodepth=2", "--readonly", NULL), 0);
	assert_true(f->cl.readonly);
	assert_int_equal(f->list.n, 2);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_int_equal(FIELD(f, 0).iodepth, 4);
	assert_int_equal(FIELD(f, 1).bs[DIR_READ], 16384);
	assert_int_equal(f->cl.files_n, 1);
	/* behind "--" everything is a file */
	assert_int_not_equal(parse(f, "--", "--bs=8k", NULL), 0);
	assert_string_equal(f->cl.files[0], "--bs=8k");
}

static void long_options_may_be_short(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "-nam=a", "--ioen", "null", "-direct=1", "--bs=8k",
			       "--iodepth_lo=1", "--hipri_s=20", "--ioengine=pvsync2", "-o", "out",
			       "-wr", NULL),
			 0);
	assert_int_equal(f->list.n, 1);
	assert_string_equal(f->cl.output, "out");
	assert_true(f->cl.readonly && f->cl.warnings_fatal);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_int_equal(parse(f, "-oout", "-F", "json", NULL), 0);
	assert_string_equal(f->cl.output, "out");
	assert_int_not_equal(parse(f, "--name=a", "--disable_=1", NULL), 0);
	assert_contains(message(f, 0), "is ambiguous");
}

static void unknown_options_name_the_nearest(void **state)
{
	struct fixture *f = *state;

	assert_int_not_equal(parse(f, "--name=a", "--iodepht=4", "--outptu=x", "-Q", "--bs", NULL),
			     0);
	assert_starts(message(f, 0), "command line, argument 2: error: unknown option "
				     "'--iodepht=4'; did you mean '--iodepth'");
	assert_starts(message(f, 1),
		      "command line, argument 3: error: unknown option '--outptu=x'; "
		      "did you mean '--output'");
	assert_starts(message(f, 2), "command line, argument 4: error: unknown option '-Q'");
	assert_starts(message(f, 3),
		      "command line, argument 5: error: option '--bs' needs a value");
	assert_int_equal(f->diag.n, 4);
}

static void flags_take_a_value_only_behind_an_equals_sign(void **state)
{
	struct fixture *f = *state;

	write_file("1", "[b]\n");
	assert_int_equal(parse(f, "--name=a", "--time_based", "1", "--norandommap=0", NULL), 0);
	assert_true(FIELD(f, 0).time_based);
	assert_false(FIELD(f, 0).norandommap);
	assert_int_equal(f->cl.files_n, 1);
}

static void a_log_option_does_not_swallow_the_next_option(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "--name=a", "--write_bw_log", "--write_lat_log", "p",
			       "--write_iops_log", NULL),
			 0);
	assert_string_equal(FIELD(f, 0).write_bw_log, "");
	assert_string_equal(FIELD(f, 0).write_lat_log, "p");
	assert_string_equal(FIELD(f, 0).write_iops_log, "");
}

static void live_numbers_keep_clear_of_the_report(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "--live=fd:1", "--output=o", "--live-interval=20ms",
			       "--metrics=9100", "--name=a", NULL),
			 0);
	assert_int_equal(f->cl.live.kind, ENDPOINT_FD);
	assert_int_equal(f->cl.live_interval_ns, 20000000);
	assert_int_equal(f->cl.metrics.port, 9100);
	assert_int_not_equal(parse(f, "--live=fd:1", "--name=a", NULL), 0);
	assert_contains(message(f, 0), "the report goes to fd:1");
	assert_int_not_equal(parse(f, "--live-interval=1s", "--name=a", NULL), 0);
	assert_contains(message(f, 0), "requires --live or --metrics");
	assert_int_not_equal(parse(f, "--live=x", "--live-interval=9ms", "--name=a", NULL), 0);
	assert_contains(message(f, 0), "write at least 10ms");
}

static void program_options_are_typed(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "--output=o", "--output-format=json,terse", "--terse-version=5",
			       "--eta=never", "--eta-interval=500ms", "--eta-newline=2",
			       "--status-interval=1.5", "--bandwidth-log", "--showcmd",
			       "--parse-only", "--version", "--help", "--cmdhelp=bs", "--enghelp",
			       "--inflate-log=z", NULL),
			 0);
	assert_string_equal(f->cl.output, "o");
	assert_int_equal(f->cl.output_formats, CONF_OUT_JSON | CONF_OUT_TERSE);
	assert_int_equal(f->cl.terse_version, 5);
	assert_int_equal(f->cl.eta, CONF_ETA_NEVER);
	assert_int_equal(f->cl.eta_interval_ns, 500000000);
	assert_int_equal(f->cl.eta_newline_ns, 2000000000);
	assert_int_equal(f->cl.status_interval_ns, 1500000000);
	assert_string_equal(f->cl.bandwidth_log, "agg");
	assert_true(f->cl.showcmd && f->cl.parse_only && f->cl.version && f->cl.help);
	assert_string_equal(f->cl.cmdhelp_option, "bs");
	assert_true(f->cl.enghelp && !f->cl.enghelp_engine);
	assert_string_equal(f->cl.inflate_log, "z");
	assert_int_equal(f->list.n, 0);
}

/* Behind a blank the option to explain looks like a job file, and no such file is missed. */
static void help_takes_the_word_behind_it(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse(f, "--cmdhelp", "iodepth", "--enghelp", NULL), 0);
	assert_string_equal(f->cl.cmdhelp_option, "iodepth");
	assert_int_equal(parse(f, "--cmdhelp", "all", NULL), 0);
	assert_true(f->cl.cmdhelp && !f->cl.cmdhelp_option);
	assert_int_equal(parse(f, "--enghelp", "libaio", NULL), 0);
	assert_string_equal(f->cl.enghelp_engine, "libaio");
}

static void of_minimal_and_output_format_the_later_wins(void **state)
{
	struct fixture *f = *state;

	parse(f, "--minimal", "--output-format=json", NULL);
	assert_int_equal(f->cl.output_formats, CONF_OUT_JSON);
	parse(f, "--output-format=json", "--minimal", NULL);
	assert_int_equal(f->cl.output_formats, CONF_OUT_TERSE);
	parse(f, "--append-terse", "--output-format=json+", NULL);
	assert_int_equal(f->cl.output_formats, CONF_OUT_JSON_PLUS | CONF_OUT_TERSE);
	parse(f, NULL);
	assert_int_equal(f->cl.output_formats, CONF_OUT_NORMAL);
	assert_string_equal(f->cl.program, "fathom");
}

static void bad_program_values_are_refused(void **state)
{
	struct fixture *f = *state;
	static const char *const bad[][2] = {
		{"--output-format=xml", "'xml' is not a format"},
		{"--output-format=", "'' is not a format"},
		{"--terse-version=6", "invalid value '6'"},
		{"--eta-interval=100ms", "too short"},
		{"--status-interval=0", "too short"},
		{"--status-interval=x", "not a time"},
		{"--output", "needs a value"},
		{"--help=x", "takes no value"},
		{"--set==x", "missing option name"},
		{"--server", "not supported yet"},
		{"--client=h", "not supported yet"},
		{"--profile=act", "not supported yet"},
		{"--latency-log=x", "has been removed"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (parse(f, bad[i][0], NULL) == 0)
			fail_msg("%s is accepted", bad[i][0]);
		assert_starts(message(f, 0), "command line, argument 1: error: ");
		assert_contains(message(f, 0), bad[i][1]);
		assert_int_equal(f->diag.worst, ERR_USAGE);
	}
	assert_int_equal(parse(f, "--eta=sometimes", NULL), 0);
	assert_int_equal(f->cl.eta, CONF_ETA_AUTO);
	assert_int_equal(f->diag.warnings, 1);
	assert_int_equal(parse(f, "--max-jobs=5", "--alloc-size=100", NULL), 0);
	assert_int_equal(f->diag.warnings, 0);
}

static void readonly_refuses_writers(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[r]\n[w]\n  rw=randwrite\n[t]\nrw=trim\n");
	assert_int_not_equal(parse(f, "--readonly", "j.fio", NULL), 0);
	assert_int_equal(f->diag.errors, 2);
	assert_starts(message(f, 0), "j.fio:3:6: error: job 'w' writes or trims");
}

static void warnings_fatal_counts_wherever_it_stands(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[a]\nsize=1KiB\n");
	assert_int_equal(parse(f, "j.fio", NULL), 0);
	assert_int_not_equal(parse(f, "j.fio", "--warnings-fatal", NULL), 0);
}

static void set_overrides_every_job(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[global]\nruntime=300\nfilename=/dev/a\nioengine=pvsync2\nhipri\n"
			    "[a]\nsize=1m\n[b]\nruntime=10\nioengine=psync\n[c]\nkb_base=1024\n");
	assert_int_equal(parse(f, "j.fio", "--set", "runtime=2", "--set=filename=x", "--set",
			       "time_based", "--set", "kb_base=1000", "--set", "hipri_share=7",
			       NULL),
			 0);
	assert_int_equal(f->list.n, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(FIELD(f, i).runtime, 2000000000);
		assert_string_equal(FIELD(f, i).filename.v[0], "x");
		assert_true(FIELD(f, i).time_based);
		assert_string_equal(f->list.jobs[i].place[OPT_runtime].file, "command line");
	}
	/* values of the file itself are read before */
	assert_int_equal(FIELD(f, 0).size.bytes, 1048576);
	assert_int_equal(f->list.jobs[0].engine_n, 2);
	assert_int_equal(f->list.jobs[1].engine_n, 1);
}

static void an_empty_set_goes_back_to_the_default(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio",
		   "[global]\nfilename=/dev/a\nrwmixread=10\nioengine=pvsync2\nhipri\n[a]\n"
		   "bs=8k\n");
	assert_int_equal(parse(f, "j.fio", "--set", "filename=", "--set", "bs=", "--set",
			       "rwmixread=", "--set", "hipri=", NULL),
			 0);
	assert_int_equal(FIELD(f, 0).filename.n, 0);
	assert_false(job_given(&f->list.jobs[0], OPT_filename));
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 4096);
	assert_true(FIELD(f, 0).rwmixwrite == 50);
	assert_int_equal(f->list.jobs[0].own_n, 0);
	assert_int_equal(f->list.jobs[0].engine_n, 0);
}

static void mistakes_of_set_are_said_once(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[a]\n[b]\n");
	assert_int_not_equal(parse(f, "j.fio", "--set", "bs=x", "--set", "bz=4k", "--set",
				   "verify=md5", "--set", "hipri=1", NULL),
			     0);
	assert_int_equal(f->diag.n, 4);
	assert_starts(message(f, 0), "command line, argument 2: error: option 'bs': 'x'");
	assert_starts(message(f, 1), "command line, argument 4: error: unknown option 'bz'");
	assert_starts(message(f, 2), "command line, argument 6: error: option 'verify'");
	assert_starts(message(f, 3), "command line, argument 8: error: no job uses an engine");
}

static void set_of_the_engine_leaves_options_of_the_old_one(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[a]\nioengine=pvsync2\nhipri\n");
	assert_int_equal(parse(f, "j.fio", "--set", "ioengine=null", NULL), 0);
	assert_int_equal(f->diag.warnings, 1);
	assert_starts(message(f, 0), "j.fio:3:1: warning: engine null has no option 'hipri'");
	/* and an option of the new one may be set in any order */
	assert_int_equal(parse(f, "--set", "hipri_percentage=3", "--set", "ioengine=pvsync2",
			       "--name=b", NULL),
			 0);
	assert_int_equal(f->list.jobs[0].engine_n, 1);
}

static void keywords_are_not_expanded_on_the_command_line(void **state)
{
	struct fixture *f = *state;

	assert_int_not_equal(parse(f, "--name=a", "--size=2*$pagesize", NULL), 0);
	assert_int_equal(parse(f, "--name=a", "--description=${HOME};#", NULL), 0);
	assert_string_equal(FIELD(f, 0).description, "${HOME};#");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(name_opens_a_job),
		CASE(options_are_permuted_before_files),
		CASE(long_options_may_be_short),
		CASE(unknown_options_name_the_nearest),
		CASE(flags_take_a_value_only_behind_an_equals_sign),
		CASE(a_log_option_does_not_swallow_the_next_option),
		CASE(live_numbers_keep_clear_of_the_report),
		CASE(program_options_are_typed),
		CASE(help_takes_the_word_behind_it),
		CASE(of_minimal_and_output_format_the_later_wins),
		CASE(bad_program_values_are_refused),
		CASE(readonly_refuses_writers),
		CASE(warnings_fatal_counts_wherever_it_stands),
		CASE(set_overrides_every_job),
		CASE(an_empty_set_goes_back_to_the_default),
		CASE(mistakes_of_set_are_said_once),
		CASE(set_of_the_engine_leaves_options_of_the_old_one),
		CASE(keywords_are_not_expanded_on_the_command_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
