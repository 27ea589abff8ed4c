#include "conf/help.h"
#include "fixture.h"

static struct str out;

static int setup(void **state)
{
	str_init(&out, 1 << 22);
	return 0;
}

static int teardown(void **state)
{
	str_release(&out);
	return 0;
}

static void the_list_and_the_references_name_every_option(void **state)
{
	for (int kind = 0; kind < 3; kind++) {
		str_clear(&out);
		if (kind == 0)
			help_options(&out);
		else
			help_reference(&fake_schema, kind == 1 ? HELP_MARKDOWN : HELP_SCDOC, &out);
		assert_false(out.bad);
		for (int i = 0; i < OPT_COUNT; i++) {
			char name[80], *p = name;
			for (const char *s = job_rows[i].name; *s; s++) {
				if (*s == '_' && kind)
					*p++ = '\\';
				*p++ = *s;
			}
			*p = '\0';
			assert_contains(out.s, name);
		}
	}
	assert_contains(out.s, "hipri");
}

static void one_option_is_described_by_name_or_alias(void **state)
{
	str_clear(&out);
	assert_true(help_option(&fake_schema, "blocksize", &out));
	assert_contains(out.s, "bs: ");
	assert_contains(out.s, "default 4096");
	str_clear(&out);
	assert_true(help_option(&fake_schema, "rw", &out));
	assert_contains(out.s, "randtrimwrite");
	str_clear(&out);
	assert_true(help_option(&fake_schema, "hipri", &out));
	assert_contains(out.s, "Engine pvsync2");
	str_clear(&out);
	assert_true(help_option(&fake_schema, "nfs_url", &out));
	assert_contains(out.s, "not yet");
	str_clear(&out);
	assert_false(help_option(&fake_schema, "iodepht", &out));
	assert_contains(out.s, "did you mean 'iodepth'");
}

static void usage_names_what_this_program_can_do(void **state)
{
	str_clear(&out);
	help_usage("fathom", &out);
	assert_contains(out.s, "-o, --output=FILE");
	assert_contains(out.s, "--set=OPTION=VALUE");
	assert_null(strstr(out.s, "--server"));
	assert_contains(out.s, "\nMeasurement and trust:\n      --repeat=");
	assert_contains(out.s, "terse, minimal, csv, json,");
	for (const char *line = out.s; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 100);
}

static void completion_offers_words(void **state)
{
	str_clear(&out);
	help_completion(&fake_schema, &out);
	assert_contains(out.s, "--rw=randread\n");
	assert_contains(out.s, "--time_based\n");
	assert_contains(out.s, "--output-format=jsonl\n");
	assert_contains(out.s, "--eta=never\n");
	assert_contains(out.s, "--ioengine=pvsync2\n");
	assert_null(strstr(out.s, "--verify="));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_and_the_references_name_every_option),
		cmocka_unit_test(one_option_is_described_by_name_or_alias),
		cmocka_unit_test(usage_names_what_this_program_can_do),
		cmocka_unit_test(completion_offers_words),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
