/* The rules of compatibility 1, one test each, and the places of mistakes. */
#include "fixture.h"

#include <sys/stat.h>

#define FIELD(f, i) ((f)->list.jobs[i].o)

static void lines_are_trimmed_and_comments_cut(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "; first\n"
				       "  # second\n\n"
				       "   [a]   \n"
				       "\tbs=8k ; note\n"
				       "description=\"x y\" # cut\n"
				       "iodepth = 4\n"
				       "size=  1m  \n"),
			 0);
	assert_int_equal(f->list.n, 1);
	assert_string_equal(f->list.jobs[0].section, "a");
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_string_equal(FIELD(f, 0).description, "\"x y\"");
	assert_int_equal(FIELD(f, 0).iodepth, 4);
	assert_int_equal(FIELD(f, 0).size.bytes, 1048576);
}

static void crlf_and_byte_order_mark_are_accepted(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "\xef\xbb\xbf[a]\r\nbs=8k\r\n\r\n[b]"), 0);
	assert_int_equal(f->list.n, 2);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
}

static void a_line_has_at_most_8192_bytes(void **state)
{
	struct fixture *f = *state;
	char text[9000] = "[a]\ndescription=";
	size_t head = strlen(text);

	memset(text + head, 'x', 200);
	assert_int_equal(parse_file(f, text), 0);
	memset(text + head, 'x', 8300);
	assert_int_not_equal(parse_file(f, text), 0);
	assert_starts(message(f, 0), "j.fio:2:1: error: the line has 8312 bytes");
}

static void a_description_may_be_long(void **state)
{
	struct fixture *f = *state;
	char text[9000] = "[a]\ndescription=";
	size_t head = strlen(text);

	memset(text + head, 'x', 8000);
	assert_int_equal(parse_file(f, text), 0);
	assert_int_equal(strlen(FIELD(f, 0).description), 8000);
}

static void nothing_is_read_behind_a_nul_byte(void **state)
{
	static const char text[] = "[a]\nrw=\0read\n\0\nnonsense=1\n[b\n";
	struct fixture *f = *state;
	FILE *out = fopen("binary.fio", "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, sizeof(text) - 1, out), sizeof(text) - 1);
	fclose(out);
	assert_int_not_equal(parse(f, "binary.fio", NULL), 0);
	assert_int_equal(f->diag.n, 1);
	assert_starts(message(f, 0), "binary.fio:2:1: error: the line has a NUL byte");
}

static void options_of_profiles_do_nothing_in_a_job(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nthreads=1\nread-req-num-512-blocks=3\n"), 0);
	assert_int_equal(f->list.n, 1);
	assert_int_equal(f->diag.n, 2);
	assert_starts(message(f, 0),
		      "j.fio:2:1: warning: option 'threads' has no effect: it belongs "
		      "to fio's profile tiobench; did you mean 'thread'?");
	assert_starts(message(f, 1), "j.fio:3:1: warning: option 'read-req-num-512-blocks' has no "
				     "effect: it belongs to fio's profile act; remove it");
}

static void names_of_sections_keep_blanks_and_may_repeat(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[my job]\n[my job]\n[a]b]\n"), 0);
	assert_int_equal(f->list.n, 3);
	assert_string_equal(f->list.jobs[0].section, "my job");
	assert_string_equal(FIELD(f, 1).name, "my job");
	assert_string_equal(f->list.jobs[2].section, "a]b");
	assert_int_equal(f->list.jobs[2].at.line, 3);
}

static void a_bad_section_header_is_an_error_with_its_place(void **state)
{
	struct fixture *f = *state;

	assert_int_not_equal(parse_file(f, "bs=4k\n[a] junk\nbs=4x\n[]\n[b]\n"), 0);
	assert_int_equal(f->diag.n, 3);
	assert_starts(message(f, 0), "j.fio:1:1: error: option before the first section");
	assert_starts(message(f, 1), "j.fio:2:1: error: section header '[a] junk'");
	assert_starts(message(f, 2), "j.fio:4:1: error: missing section name");
}

static void global_affects_later_sections_only_and_adds_up(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\n[global]\nbs=8k\niodepth=2\n[b]\nbs=16k\n"
				       "[globalx]\niodepth=3\nname=none\n[c]\n"),
			 0);
	assert_int_equal(f->list.n, 3);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 4096);
	assert_false(job_given(&f->list.jobs[0], OPT_bs));
	assert_int_equal(FIELD(f, 1).bs[DIR_READ], 16384);
	assert_int_equal(FIELD(f, 1).iodepth, 2);
	assert_int_equal(FIELD(f, 2).bs[DIR_READ], 8192);
	assert_int_equal(FIELD(f, 2).iodepth, 3);
	assert_string_equal(FIELD(f, 2).name, "c");
	assert_true(job_given(&f->list.jobs[2], OPT_bs));
	assert_int_equal(f->list.jobs[1].own_n, 1);
	assert_string_equal(f->list.jobs[1].own[0].text, "16k");
	assert_int_equal(f->list.globals_n, 3);
}

static void flags_stand_alone_and_bools_do_not(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\ntime_based\nnorandommap=0\nwrite_bw_log\n"), 0);
	assert_true(FIELD(f, 0).time_based);
	assert_false(FIELD(f, 0).norandommap);
	assert_string_equal(FIELD(f, 0).write_bw_log, "");
	assert_int_not_equal(parse_file(f, "[a]\ndirect\ncpus_allowed\nDirect=1\n"), 0);
	assert_int_equal(f->diag.n, 3);
	assert_starts(message(f, 0), "j.fio:2:1: error: option 'direct' needs a value");
	assert_starts(message(f, 1), "j.fio:3:1: error: option 'cpus_allowed' needs a value");
	assert_starts(message(f, 2), "j.fio:4:1: error: unknown option 'Direct'");
}

static void the_last_of_equal_keys_wins(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nbs=4k\nblocksize=8k\ndirect=1\nbuffered=1\n"
				       "rwmixread=70\nrwmixwrite=40\n"),
			 0);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_false(FIELD(f, 0).direct);
	assert_true(FIELD(f, 0).rwmixread == 60);
	/* what was written, one of each, under its canonical name */
	assert_int_equal(f->list.jobs[0].own_n, 5);
	assert_string_equal(f->list.jobs[0].own[0].name, "bs");
	assert_string_equal(f->list.jobs[0].own[0].text, "8k");
}

static void kb_base_counts_for_the_whole_section(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nsize=1m\nbs=4Ki\nkb_base=1000\n"), 0);
	assert_int_equal(FIELD(f, 0).size.bytes, 1000000);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 4096);
}

static void swapped_suffixes_are_warned_about_once_a_file(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nsize=1MiB\nbs=4KiB\n"), 0);
	assert_int_equal(FIELD(f, 0).size.bytes, 1000000);
	assert_int_equal(f->diag.n, 1);
	assert_starts(message(f, 0), "j.fio:2:6: warning: option 'size'");
}

static void a_filename_list_replaces_the_inherited_one(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		parse_file(f, "[global]\nfilename=x:y\n[a]\nfilename=z\n[b]\n[c]\nfilename=q\n"),
		0);
	assert_int_equal(FIELD(f, 0).filename.n, 1);
	assert_string_equal(FIELD(f, 0).filename.v[0], "z");
	assert_int_equal(FIELD(f, 1).filename.n, 2);
	assert_int_equal(f->diag.n, 1);
	assert_starts(message(f, 0), "j.fio:4:10: warning: this filename replaces");
}

static void include_splices_options_into_the_section(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkdir("d", 0700), 0);
	write_file("d/inner.inc", "iodepth=7\n");
	write_file("d/o.inc", "bs=8k\ninclude inner.inc\nsize=oops\n");
	assert_int_not_equal(parse_file(f, "[a]\ninclude d/o.inc\nrw=write\n"), 0);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_int_equal(FIELD(f, 0).iodepth, 7);
	assert_int_equal(FIELD(f, 0).rw.bits, RW_WRITE);
	assert_int_equal(f->diag.n, 1);
	assert_starts(message(f, 0), "d/o.inc:3:6: error: option 'size'");
}

static void a_bad_include_is_an_error_with_its_place(void **state)
{
	struct fixture *f = *state;

	write_file("h.inc", "[b]\nbs=4k\n");
	write_file("self.inc", "include self.inc\n");
	assert_int_not_equal(
		parse_file(f, "[a]\ninclude gone.inc\ninclude h.inc\ninclude self.inc\n"), 0);
	assert_int_equal(f->diag.n, 3);
	assert_starts(message(f, 0), "j.fio:2:9: error: cannot read 'gone.inc': No such file");
	assert_starts(message(f, 1), "h.inc:1:1: error: an included file cannot open a section");
	assert_starts(message(f, 2), "self.inc:1:9: error: too many files are included");
}

static void the_environment_is_expanded_in_keys_and_values(void **state)
{
	struct fixture *f = *state;

	setenv("CONF_KEY", "iodepth", 1);
	setenv("CONF_VALUE", "8k", 1);
	unsetenv("CONF_NONE");
	assert_int_equal(parse_file(f, "[a]\n${CONF_KEY}=9\nbs=${CONF_VALUE}\n"
				       "description=$CONF_VALUE ${}\n[${CONF_VALUE}]\n"),
			 0);
	assert_int_equal(FIELD(f, 0).iodepth, 9);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_string_equal(FIELD(f, 0).description, "$CONF_VALUE ${}");
	assert_string_equal(f->list.jobs[1].section, "${CONF_VALUE}");
	assert_int_equal(parse_file(f, "[a]\n${CONF_NONE}\ndescription=a${CONF_NONE}b\n"), 0);
	assert_string_equal(FIELD(f, 0).description, "ab");
	assert_int_equal(f->diag.warnings, 2);
	assert_int_not_equal(parse_file(f, "[a]\nbs=${CONF_VALUE}x\n"), 0);
	assert_starts(message(f, 0), "j.fio:2:4: error: option 'bs': '8kx'");
}

static void keywords_are_replaced_and_calculated_with(void **state)
{
	struct fixture *f = *state;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE),
		 cpus = (uint64_t)sysconf(_SC_NPROCESSORS_CONF);

	assert_int_equal(parse_file(f, "[a]\nsize=2*$pagesize\nnumjobs=$ncpus\nbs=$pagesize/2+1\n"
				       "filename=x-$ncpus\n[b]\nsize=$mb_memory\n"),
			 0);
	assert_int_equal(FIELD(f, 0).size.bytes, 2 * page);
	assert_int_equal(FIELD(f, 0).numjobs, cpus);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], page / 2 + 1);
	assert_starts(FIELD(f, 0).filename.v[0], "x-");
	assert_true(FIELD(f, 1).size.bytes > 0);
}

static void all_mistakes_are_collected_with_their_places(void **state)
{
	struct fixture *f = *state;

	assert_int_not_equal(parse_file(f, "[a]\n"
					   "  blocksise=4k\n"
					   "bs = 16mfoo\n"
					   "[b]\n"
					   "verify=md5\n"
					   "rwmixcycle=3\n"
					   "ioengine=pvsync2\n"
					   "hipri_percentage=200\n"
					   "md_per_io_size=64\n"
					   "pool=x\n"),
			     0);
	assert_int_equal(f->diag.n, 7);
	assert_starts(message(f, 0),
		      "j.fio:2:3: error: unknown option 'blocksise'; did you mean 'bs'");
	assert_starts(message(f, 1), "j.fio:3:6: error: option 'bs': '16mfoo'");
	assert_starts(message(f, 2), "j.fio:5:1: error: option 'verify' is not supported yet");
	assert_starts(message(f, 3), "j.fio:6:1: error: option 'rwmixcycle' has been removed");
	assert_starts(message(f, 0), "j.fio:2:3");
	assert_starts(message(f, 4), "j.fio:10:1: error: option 'pool' of engine");
	assert_starts(message(f, 5), "j.fio:8:18: error: option 'hipri_percentage': '200'");
	assert_starts(message(f, 6),
		      "j.fio:9:16: error: option 'md_per_io_size' of engine pvsync2");
}

static void pending_options_accept_their_default(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		parse_file(f, "[a]\nverify=0\nzonemode=none\nio_submit_mode=inline\n"
			      "latency_target=0\nverify_only=0\nflow=0\nlatency_percentile=100\n"
			      "ioengine=pvsync2\nmd_per_io_size=0\n"),
		0);
	assert_int_equal(f->diag.n, 0);
}

static void moot_options_warn_once(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nverifysort=1\nlog_entries=2048\nthread\n"), 0);
	assert_int_equal(f->diag.warnings, 2);
	assert_starts(message(f, 0), "j.fio:2:1: warning: option 'verifysort' has no effect");
}

static void engine_options_wait_for_the_engine_of_the_job(void **state)
{
	struct fixture *f = *state;
	const struct fake_options *o;
	void *out = NULL;

	/* any order in the section; inherited ones that the engine lacks are silently left out */
	assert_int_equal(parse_file(f, "[global]\nhipri\nhipri_share=30\nioengine=pvsync2\n"
				       "[a]\n[b]\nioengine=io_uring\n[c]\nioengine=psync\n"
				       "[d]\nioengine=rbd\nhipri=0\n"),
			 0);
	assert_int_equal(
		engine_opts_typed(&f->list.jobs[0], &fake_engines[2], &f->arena, &out, &f->diag),
		0);
	o = out;
	assert_true(o->hipri);
	assert_true(o->hipri_percentage == 30);
	assert_int_equal(
		engine_opts_typed(&f->list.jobs[1], &fake_engines[3], &f->arena, &out, &f->diag),
		0);
	o = out;
	assert_true(o->hipri && o->hipri_percentage == 0);
	assert_int_equal(
		engine_opts_typed(&f->list.jobs[2], &fake_engines[0], &f->arena, &out, &f->diag),
		0);
	assert_int_equal(f->diag.n, 0);
	/* its own option, which its engine lacks */
	assert_int_not_equal(parse_file(f, "[a]\nioengine=psync\nhipri\n"), 0);
	assert_starts(message(f, 0), "j.fio:3:1: error: engine psync has no option 'hipri'; "
				     "engines with it: pvsync2, io_uring");
}

static void the_words_of_engine_options_are_checked_once(void **state)
{
	struct fixture *f = *state;

	assert_int_not_equal(
		parse_file(f, "[global]\nioengine=pvsync2\nhipri_percentage=x\n[a]\n[b]\n[c]\n"),
		0);
	assert_int_equal(f->diag.n, 1);
	assert_starts(message(f, 0), "j.fio:3:18: error: option 'hipri_percentage'");
}

static void each_file_starts_with_fresh_defaults_and_a_stonewall(void **state)
{
	struct fixture *f = *state;

	write_file("1.fio", "[global]\nbs=8k\n[a]\n[b]\n");
	write_file("2.fio", "[c]\n[d]\n");
	assert_int_equal(parse(f, "--iodepth=3", "1.fio", "2.fio", NULL), 0);
	assert_int_equal(f->list.n, 4);
	assert_int_equal(FIELD(f, 1).bs[DIR_READ], 8192);
	assert_int_equal(FIELD(f, 1).iodepth, 3);
	assert_int_equal(FIELD(f, 2).bs[DIR_READ], 4096);
	assert_int_equal(FIELD(f, 2).iodepth, 1);
	assert_false(f->list.jobs[0].first_of_file);
	assert_true(f->list.jobs[2].first_of_file);
	assert_false(f->list.jobs[3].first_of_file);
	assert_int_equal(f->list.jobs[3].file, 1);
	assert_int_not_equal(parse(f, "1.fio", "gone.fio", NULL), 0);
	assert_starts(message(f, 0),
		      "command line, argument 2: error: cannot read job file 'gone.fio'");
}

static void section_picks_sections_by_exact_name(void **state)
{
	struct fixture *f = *state;

	write_file("j.fio", "[global]\nbs=8k\n[a]\nnonsense=1\n[b]\n[ab]\n[b]\n");
	assert_int_equal(parse(f, "--section=b", "j.fio", NULL), 0);
	assert_int_equal(f->list.n, 2);
	assert_int_equal(FIELD(f, 0).bs[DIR_READ], 8192);
	assert_int_not_equal(parse(f, "--section=zz", "j.fio", NULL), 0);
	assert_starts(message(f, 0), "error: there is no section 'zz'");
	assert_int_not_equal(parse(f, "--section=global", "j.fio", NULL), 0);
}

static void standard_input_is_a_job_file(void **state)
{
	struct fixture *f = *state;
	int saved = dup(0);

	write_file("in.fio", "[a]\nbs=x\n");
	assert_non_null(freopen("in.fio", "r", stdin));
	assert_int_not_equal(parse(f, "-", NULL), 0);
	assert_starts(message(f, 0), "-:2:4: error:");
	dup2(saved, 0);
	close(saved);
}

static void an_empty_file_defines_nothing(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, ""), 0);
	assert_int_equal(f->list.n, 0);
	assert_int_equal(parse_file(f, "[global]\nbs=8k\n"), 0);
	assert_int_equal(f->list.n, 0);
	assert_int_equal(f->list.globals_n, 1);
}

static void there_are_at_most_4096_jobs(void **state)
{
	struct fixture *f = *state;
	char *text = malloc(4097 * 4 + 1);

	assert_non_null(text);
	for (int i = 0; i < 4097; i++)
		memcpy(text + 4 * i, "[a]\n", 5);
	assert_int_not_equal(parse_file(f, text), 0);
	assert_starts(message(f, 0), "j.fio:4097:1: error: more than 4096 jobs");
	text[4096 * 4] = '\0';
	assert_int_equal(parse_file(f, text), 0);
	assert_int_equal(f->list.n, 4096);
	free(text);
}

static void text_inside_values_is_checked(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(parse_file(f, "[a]\nfile_service_type=random:8\nmem=mmap:f\n"
				       "numa_cpu_nodes=all\n[b]\nfile_service_type=zipf:1.2:0.5\n"
				       "numa_cpu_nodes=0,1-2\n[c]\nnuma_cpu_nodes=device\n"),
			 0);
	assert_int_not_equal(parse_file(f, "[a]\nfile_service_type=random:x\nmem=malloc:f\n"
					   "numa_cpu_nodes=none\nfile_service_type=zipf:1.2:3\n"
					   "file_service_type=roundrobin:0\n"),
			     0);
	assert_int_equal(f->diag.errors, 5);
	assert_starts(message(f, 0), "j.fio:2:19: error: option 'file_service_type': 'x'");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(lines_are_trimmed_and_comments_cut),
		CASE(crlf_and_byte_order_mark_are_accepted),
		CASE(a_line_has_at_most_8192_bytes),
		CASE(names_of_sections_keep_blanks_and_may_repeat),
		CASE(a_bad_section_header_is_an_error_with_its_place),
		CASE(global_affects_later_sections_only_and_adds_up),
		CASE(flags_stand_alone_and_bools_do_not),
		CASE(the_last_of_equal_keys_wins),
		CASE(kb_base_counts_for_the_whole_section),
		CASE(swapped_suffixes_are_warned_about_once_a_file),
		CASE(a_filename_list_replaces_the_inherited_one),
		CASE(a_description_may_be_long),
		CASE(nothing_is_read_behind_a_nul_byte),
		CASE(options_of_profiles_do_nothing_in_a_job),
		CASE(include_splices_options_into_the_section),
		CASE(a_bad_include_is_an_error_with_its_place),
		CASE(the_environment_is_expanded_in_keys_and_values),
		CASE(keywords_are_replaced_and_calculated_with),
		CASE(all_mistakes_are_collected_with_their_places),
		CASE(pending_options_accept_their_default),
		CASE(moot_options_warn_once),
		CASE(engine_options_wait_for_the_engine_of_the_job),
		CASE(the_words_of_engine_options_are_checked_once),
		CASE(each_file_starts_with_fresh_defaults_and_a_stonewall),
		CASE(section_picks_sections_by_exact_name),
		CASE(standard_input_is_a_job_file),
		CASE(an_empty_file_defines_nothing),
		CASE(there_are_at_most_4096_jobs),
		CASE(text_inside_values_is_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
