#include "cmd/print.h"
#include "base/err.h"
#include <string.h>

int cmd_output_failed(int error)
{
	fprintf(stderr, "fathom: error: cannot write to standard output: %s\n", strerror(error));
	return err_exit_code(ERR_IO);
}

int cmd_print(struct str *text, FILE *to, int status)
{
	bool bad = text->bad;

	fputs(text->s, to);
	str_release(text);
	if (!bad || status)
		return status;
	fputs("fathom: error: out of memory\n", stderr);
	return err_exit_code(ERR_SETUP);
}
