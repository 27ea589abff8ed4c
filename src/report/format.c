/* The list of output formats. */
#include "report/format.h"
#include <string.h>

static const struct format *const formats[] = {
	&format_terse, &format_json, &format_json_plus, &format_jsonl, &format_normal,
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *const *format_list(unsigned *n)
{
	*n = FORMATS;
	return formats;
}

const struct format *format_find(const char *name)
{
	if (strcmp(name, "minimal") == 0 || strcmp(name, "csv") == 0)
		return &format_terse;
	for (unsigned i = 0; i < FORMATS; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
