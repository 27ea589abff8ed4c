/* The list of output formats. */
#include "report/format.h"

static const struct format *const formats[] = {
#define FORMAT(ID, object, word) &format_##object,
#define FORMAT_ALIAS(ID, word)
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
};

const struct format *const *format_list(unsigned *n)
{
	*n = sizeof(formats) / sizeof(formats[0]);
	return formats;
}
