/* Any text as an expression: the first byte picks the kind. */
#include "conf/expr.h"
#include <stddef.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[1024];
	struct expr_value v;
	struct err err;

	if (size < 1 || size > sizeof(text))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	err_clear(&err);
	if (expr_eval(text, (enum expr_kind)(data[0] % 3), data[0] & 64 ? 1000 : 1024, &v, &err) &&
	    !err.text[0])
		__builtin_trap();
	return 0;
}
