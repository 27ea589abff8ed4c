#include "base/finding.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>

#define MESSAGE(code, level, meaning)
static const struct finding_row rows[] = {
#define FINDING(code, title, subject, severity, before, after, effect, remedy)                     \
	{code, title, FINDING_##subject, FINDING_##severity, before, after, effect, remedy},
#include "base/findings.def"
#undef FINDING
};
#undef MESSAGE

#define ROWS (sizeof(rows) / sizeof(rows[0]))

const struct finding_row *finding_row(const char *code)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].code, code))
			return &rows[i];
	return NULL;
}

struct finding finding_of(const char *code, const char *subject)
{
	const struct finding_row *row = finding_row(code);

	assert(row);
	return (struct finding){
		.code = row->code,
		.title = row->title,
		.subject = subject,
		.severity = row->severity,
		.evidence = "",
		.effect = row->effect,
		.general = true,
		.seconds = "",
		.remedy = "",
	};
}

const char *finding_word(enum finding_severity s)
{
	static const char *const words[FINDING_SEVERITIES] = {"ok", "unknown", "note", "warn",
							      "bad"};

	assert((unsigned)s < FINDING_SEVERITIES);
	return words[s];
}

const char *finding_run_word(enum finding_severity s)
{
	assert(s >= FINDING_NOTE && s <= FINDING_BAD);
	return s == FINDING_BAD ? "invalid" : s == FINDING_WARN ? "disturbed" : "note";
}
