/* --enghelp and `fathom engines`: what is built in, and what this kernel offers. */
#include "cmd/cmd.h"
#include "base/names.h"
#include "conf/help.h"
#include "engine/registry.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void engines_list(struct str *out)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);

	str_add(out, "Available IO engines:\n");
	for (unsigned i = 0; i < n; i++) {
		struct err err = {0};
		char found[256] = "";
		int ret = list[i]->probe(found, sizeof(found), &err);
		str_printf(out, "\t%-12s %s\n", list[i]->name, list[i]->help);
		if (ret < 0)
			str_printf(out, "\t%-12s   not usable here: %s\n", "", err.text);
		else if (found[0])
			str_printf(out, "\t%-12s   this kernel: %s\n", "", found);
	}
}

static int engines_unknown_engine(const char *name, struct str *out)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);
	const char *words[64];

	for (unsigned i = 0; i < n && i < 64; i++)
		words[i] = list[i]->name;
	int near = names_nearest(name, words, n < 64 ? n : 64);
	str_printf(out, "fathom: error: unknown engine '%s'", name);
	if (engine_not_built(name))
		str_add(out, ": fio has it, Fathom does not yet");
	else if (near >= 0)
		str_printf(out, "; did you mean '%s'?", words[near]);
	str_add(out, "\n");
	return -EINVAL;
}

int cmd_engine_help(const char *what, struct str *out)
{
	char name[64];
	const char *comma;

	if (!what || !*what) {
		engines_list(out);
		return 0;
	}
	comma = strchr(what, ',');
	snprintf(name, sizeof(name), "%.*s", (int)(comma ? comma - what : (long)strlen(what)),
		 what);
	const struct engine_ops *ops = engine_find(name);
	if (!ops)
		return engines_unknown_engine(name, out);
	if (!comma)
		help_rows(ops->rows, ops->rows_n, out);
	for (unsigned i = 0; comma && i < ops->rows_n; i++) {
		if (!strcmp(comma + 1, ops->rows[i].name)) {
			help_row(&ops->rows[i], out);
			return 0;
		}
	}
	if (comma) {
		str_printf(out, "fathom: error: engine '%s' has no option '%s'\n", name, comma + 1);
		return -EINVAL;
	}
	if (!ops->rows_n)
		str_printf(out, "Engine %s has no options of its own.\n", name);
	return 0;
}

int cmd_engines(int argc, char **argv)
{
	struct str text;
	int ret;

	str_init(&text, 1 << 20);
	ret = cmd_engine_help(argc > 1 ? argv[1] : NULL, &text);
	return cmd_print(&text, ret < 0 ? stderr : stdout, ret < 0);
}
