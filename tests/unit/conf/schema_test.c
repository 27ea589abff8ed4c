#include "fixture.h"

#include "conf/cli.h"

union field {
	_Alignas(16) char bytes[512];
};

static void every_row_is_complete(void **state)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *r = &job_rows[i];
		assert_non_null(r->name);
		assert_non_null(r->aliases);
		assert_non_null(r->category);
		assert_true(strlen(r->help) > 10);
		if (r->help[strlen(r->help) - 1] != '.')
			fail_msg("%s: the help is no sentence", r->name);
		assert_true(r->at + opt_field_size(r->type) <= sizeof(struct job_opts));
		assert_true(opt_field_size(r->type) <= sizeof(union field));
		bool words = r->type == OPT_T_ENUM || r->type == OPT_T_ENUMARG ||
			     r->type == OPT_T_BITS || r->type == OPT_T_SFR || r->type == OPT_T_RW ||
			     r->type == OPT_T_DIST;
		assert_int_equal(words, r->choices != NULL);
		bool time = r->type == OPT_T_TIME || r->type == OPT_T_TIME3 ||
			    r->type == OPT_T_TIMERANGE;
		assert_int_equal(time, r->unit_ns != 0);
	}
}

static void every_default_parses_prints_and_reads_back(void **state)
{
	struct arena arena;

	arena_init(&arena, 0);
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *r = &job_rows[i];
		struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
		union field first, second;
		char text[512];
		struct err err = {0};
		if (opt_default(r, &ctx, &first, &err))
			fail_msg("%s: %s", r->name, err.text);
		assert_int_equal(ctx.notes, 0);
		if (!r->def)
			continue;
		memset(&second, 0, sizeof(second));
		opt_print(r, &first, text, sizeof(text));
		if (opt_parse(r, text, &ctx, &second, &err) || !opt_equal(r, &first, &second))
			fail_msg("%s: the default prints as %s: %s", r->name, text, err.text);
	}
	arena_release(&arena);
}

static void every_choice_is_accepted_and_words_are_unique(void **state)
{
	struct arena arena;

	arena_init(&arena, 0);
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *r = &job_rows[i];
		struct opt_context ctx = {.arena = &arena, .kb_base = 1024};
		if (r->type == OPT_T_DIST)
			continue; /* some need arguments */
		for (const struct opt_choice *c = r->choices; c && c->word; c++) {
			union field v = {{0}};
			assert_int_equal(opt_parse(r, c->word, &ctx, &v, NULL), 0);
			for (const struct opt_choice *d = r->choices; d < c; d++)
				assert_string_not_equal(c->word, d->word);
		}
	}
	arena_release(&arena);
}

static void no_name_means_two_options(void **state)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		assert_int_equal(schema_job_option(job_rows[i].name), i);
		for (int k = 0; k < OPT_COUNT; k++)
			if (i != k)
				assert_false(opt_row_named(&job_rows[k], job_rows[i].name));
	}
	for (int i = 0; i < CLI_COUNT; i++) {
		assert_true(strlen(cli_rows[i].help) > 5);
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(cli_rows[i].name, cli_rows[k].name);
			if (cli_rows[i].letter)
				assert_int_not_equal(cli_rows[i].letter, cli_rows[k].letter);
		}
	}
}

static void fields_follow_the_order_of_the_table(void **state)
{
	assert_string_equal(job_rows[OPT_description].name, "description");
	assert_string_equal(job_rows[OPT_hugepage_size].name, "hugepage-size");
	assert_string_equal(job_rows[OPT_error_dump].name, "error_dump");
}

static bool cli_known(const char *name)
{
	for (int i = 0; i < CLI_COUNT; i++)
		if (strcmp(cli_rows[i].name, name) == 0)
			return true;
	return false;
}

static bool engine_known(const char *engines, const char *name)
{
	/* those that are built here bring their own rows; tests/unit/engine looks at those */
	static const char *const here[] = {"pvsync2", "io_uring", "libaio", "mmap", "posixaio"};
	char list[128];
	char *save = NULL;

	snprintf(list, sizeof(list), "%s", engines);
	for (char *e = strtok_r(list, ",", &save); e; e = strtok_r(NULL, ",", &save)) {
		bool ours = false;
		for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
			ours |= strcmp(e, here[i]) == 0;
		if (!ours && !schema_foreign(name, e))
			return false;
	}
	return true;
}

static void all_names_of_fio_are_known(void **state)
{
#define JOB(name_, canonical)                                                                      \
	{                                                                                          \
		int opt = schema_job_option(name_);                                                \
		if (opt < 0)                                                                       \
			fail_msg("job option %s is unknown", name_);                               \
		assert_string_equal(job_rows[opt].name, canonical);                                \
	}
#define ENGINE(engines, name)                                                                      \
	if (!engine_known(engines, name))                                                          \
		fail_msg("option %s of %s is unknown", name, engines);
#define PROGRAM(name)                                                                              \
	if (!cli_known(name))                                                                      \
		fail_msg("--%s is unknown", name);
#include "known_names.def"
}

static void near_names_are_found(void **state)
{
	assert_string_equal(schema_nearest(&fake_schema, "iodepht"), "iodepth");
	assert_string_equal(schema_nearest(&fake_schema, "blocksise"), "bs");
	assert_string_equal(schema_nearest(&fake_schema, "hipry"), "hipri");
	assert_null(schema_nearest(&fake_schema, "completely_unlike_anything"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_complete),
		cmocka_unit_test(every_default_parses_prints_and_reads_back),
		cmocka_unit_test(every_choice_is_accepted_and_words_are_unique),
		cmocka_unit_test(no_name_means_two_options),
		cmocka_unit_test(fields_follow_the_order_of_the_table),
		cmocka_unit_test(all_names_of_fio_are_known),
		cmocka_unit_test(near_names_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
