#include "base/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* The codes of the table, in its order. */
#define MESSAGE(code, level, meaning)
static const char *const findings[] = {
#define FINDING(code, title, subject, severity, before, after, effect, remedy) code,
#include "base/findings.def"
#undef FINDING
};
#undef MESSAGE

#define FINDING(code, title, subject, severity, before, after, effect, remedy)
static const struct {
	const char *code, *meaning;
} messages[] = {
#define MESSAGE(code, level, meaning) {code, meaning},
#include "base/findings.def"
#undef MESSAGE
};
#undef FINDING

#define FINDINGS (sizeof(findings) / sizeof(findings[0]))
#define MESSAGES (sizeof(messages) / sizeof(messages[0]))

static bool is_code(const char *code)
{
	return code[0] && strspn(code, "abcdefghijklmnopqrstuvwxyz-") == strlen(code);
}

static void every_row_says_what_it_has_to(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDINGS; i++) {
		const struct finding_row *row = finding_row(findings[i]);
		assert_true(is_code(row->code) && row->title[0] && row->effect[0] &&
			    row->remedy[0]);
		assert_true(row->before[0] || row->after[0]);
		assert_true(row->severity >= FINDING_NOTE);
	}
	for (unsigned i = 0; i < MESSAGES; i++)
		assert_true(is_code(messages[i].code) && messages[i].meaning[0]);
}

/* One row a code, of findings and messages together. */
static void codes_are_unique(void **state)
{
	(void)state;
	for (unsigned i = 1; i < FINDINGS; i++)
		assert_ptr_equal(finding_row(findings[i]), finding_row(findings[0]) + i);
	for (unsigned i = 0; i < MESSAGES; i++) {
		const char *code = messages[i].code;
		assert_null(finding_row(code));
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(code, messages[k].code);
	}
	assert_null(finding_row("no-such-code"));
}

static void a_finding_has_the_words_of_its_row(void **state)
{
	struct finding f = finding_of("governor", "sda");

	(void)state;
	assert_string_equal(f.code, "governor");
	assert_string_equal(f.subject, "sda");
	assert_ptr_equal(f.effect, finding_row("governor")->effect);
	assert_true(f.general);
	assert_string_equal(f.evidence, "");
	assert_string_equal(finding_word(f.severity), "warn");
	assert_string_equal(finding_run_word(f.severity), "disturbed");
	assert_string_equal(finding_run_word(FINDING_BAD), "invalid");
	assert_string_equal(finding_run_word(FINDING_NOTE), "note");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_says_what_it_has_to),
		cmocka_unit_test(codes_are_unique),
		cmocka_unit_test(a_finding_has_the_words_of_its_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
