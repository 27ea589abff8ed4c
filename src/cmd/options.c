/* `fathom options [--markdown|--scdoc|--completion|NAME]`: the tables as text; manual and
 * completion are made from it. */
#include "cmd/cmd.h"
#include "conf/help.h"
#include <stdio.h>
#include <string.h>

/* The commands, one a line, for completion. */
static void options_commands(struct str *out)
{
#define COMMAND(word, function) str_add(out, #word "\n");
#include "cmd/commands.def"
#undef COMMAND
}

int cmd_options(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct arena arena;
	struct str text;
	int status = 0;

	arena_init(&arena, 0);
	str_init(&text, 8 << 20);
	const struct conf_schema *schema = cmd_schema(&arena);
	if (!schema) {
		text.bad = true;
	} else if (!strcmp(what, "--markdown") || !strcmp(what, "--scdoc")) {
		enum help_markup markup = what[2] == 'm' ? HELP_MARKDOWN : HELP_SCDOC;
		help_cli_reference(markup, &text);
		help_reference(schema, markup, &text);
	} else if (!strcmp(what, "--completion")) {
		options_commands(&text);
		help_completion(schema, &text);
	} else if (*what) {
		status = !help_option(schema, what, &text);
	} else {
		help_options(&text);
	}
	arena_release(&arena);
	return cmd_print(&text, status ? stderr : stdout, status);
}
