#include "conf/showcmd.h"
#include "fixture.h"

#include <wordexp.h>

/* The printed line, cut as a shell would, parsed again. */
static void reparse(struct fixture *f, const char *line, struct fixture *again)
{
	wordexp_t words;
	int rc;

	assert_int_equal(wordexp(line, &words, WRDE_NOCMD), 0);
	arena_init(&again->arena, 0);
	diag_init(&again->diag);
	rc = conf_parse((int)words.we_wordc, words.we_wordv, &fake_schema, &again->cl, &again->list,
			&again->arena, &again->diag);
	if (rc)
		fail_msg("%s: %s", line, message(again, 0));
	assert_int_equal(again->list.n, f->list.n);
	for (unsigned i = 0; i < f->list.n; i++) {
		const struct job *a = &f->list.jobs[i], *b = &again->list.jobs[i];
		assert_string_equal(a->o.name, b->o.name);
		assert_int_equal(a->engine_n, b->engine_n);
		for (int o = 0; o < OPT_COUNT; o++) {
			const char *x = (const char *)&a->o + job_rows[o].at;
			const char *y = (const char *)&b->o + job_rows[o].at;
			if (o != OPT_filename_format && !opt_equal(&job_rows[o], x, y))
				fail_msg("%s differs: %s", job_rows[o].name, line);
		}
	}
	wordfree(&words);
}

static void printed_lines_run_the_same_jobs(void **state)
{
	static const char *const files[] = {
		"[my job]\nioengine=null\nsize=64k\nbs=4k\ndescription=two words\n",
		"[global]\nbs=8k\ntime_based\nruntime=1.5\n[a]\n[global]\niodepth=3\nnorandommap="
		"0\n"
		"[b]\nwrite_bw_log\nrw=randrw:8\n",
		"[x'y]\ndescription=it's \"quoted\" $HOME `date` \\\n[*]\nfilename=a\\:b:c\n",
		"[a]\nioengine=pvsync2\nhipri\nhipri_percentage=20\n",
		"[sec]\nname=shown\nsize=1m\n",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fixture again = {.folder = ""};
		struct str out;
		assert_int_equal(parse_file(f, files[i]), 0);
		str_init(&out, 1 << 20);
		showcmd(&f->cl, &f->list, &out);
		assert_int_equal(out.s[out.len - 1], '\n');
		out.s[out.len - 1] = '\0';
		assert_null(strchr(out.s, '\n'));
		reparse(f, out.s, &again);
		str_release(&out);
		arena_release(&again.arena);
		diag_release(&again.diag);
	}
}

static void shown(struct fixture *f, const char *expected)
{
	struct str out;

	str_init(&out, 1 << 20);
	showcmd(&f->cl, &f->list, &out);
	assert_string_equal(out.s, expected);
	str_release(&out);
}

static void the_line_has_a_known_form(void **state)
{
	struct fixture *f = *state;

	parse_file(f, "[global]\nbs=8k\n[my job]\nthread\ndescription=two words\n");
	shown(f, "fathom --bs=8k --name='my job' --thread --description='two words'\n");
	/* the names of generated files come from the section */
	parse_file(f, "[sec]\nname=shown\nsize=1m\n");
	shown(f, "fathom --name=shown --filename_format='sec.$jobnum.$filenum' --size=1m\n");
}

static void overrides_and_further_files_are_shown(void **state)
{
	struct fixture *f = *state;

	write_file("1.fio", "[global]\nbs=8k\n[a]\n");
	write_file("2.fio", "[b]\n");
	parse(f, "--iodepth=2", "--name=c", "1.fio", "2.fio", "--set", "runtime=3", NULL);
	shown(f, "fathom --iodepth=2 --name=c --name=global --bs=8k --name=a --set runtime=3\n"
		 "fathom --name=b --set runtime=3\n");
}

static void quoting_leaves_plain_words_alone(void **state)
{
	static const char *const words[][2] = {
		{"abc", "abc"},
		{"/dev/nvme0n1:b", "/dev/nvme0n1:b"},
		{"", "''"},
		{"a b", "'a b'"},
		{"it's", "'it'\\''s'"},
		{"$x", "'$x'"},
		{"a;b", "'a;b'"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct str out;
		str_init(&out, 100);
		struct job_section section = {.name = "j"};
		const struct job_list jobs = {.sections = &section, .sections_n = 1};
		const struct cmdline c = {.program = words[i][0]};
		size_t n = strlen(words[i][1]);
		showcmd(&c, &jobs, &out);
		assert_int_equal(strncmp(out.s, words[i][1], n), 0);
		assert_int_equal(out.s[n], ' ');
		str_release(&out);
	}
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(printed_lines_run_the_same_jobs),
		CASE(the_line_has_a_known_form),
		CASE(overrides_and_further_files_are_shown),
		CASE(quoting_leaves_plain_words_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
