#include "base/finding.h"
#include <stddef.h>
#include <string.h>

static const struct finding_row rows[] = {
#define FINDING(code, title, effect) {code, title, effect},
#include "base/findings.def"
#undef FINDING
};

const struct finding_row *finding_row(const char *code)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].code, code))
			return &rows[i];
	return NULL;
}
