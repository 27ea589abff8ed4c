/* The tables as text: --help, --cmdhelp, the reference and the completion words. Everything is
 * appended to a struct str; only cmd prints. */
#ifndef FATHOM_CONF_HELP_H
#define FATHOM_CONF_HELP_H

#include "base/str.h"
#include "conf/schema.h"

/* --help: how to call `program`, and its own options. */
void help_usage(const char *program, struct str *out);
/* --cmdhelp: all job options, one line each, by category. */
void help_options(struct str *out);
/* --cmdhelp=NAME: all there is to say about one option (or an alias, or an option of an engine).
 * False, and the nearest name in words, when it is unknown. */
bool help_option(const struct conf_schema *schema, const char *name, struct str *out);
/* All there is to say about a row; for --enghelp=ENGINE,OPTION as well. */
void help_row(const struct opt_row *row, struct str *out);
/* One line a row; for --enghelp=ENGINE as well. */
void help_rows(const struct opt_row *rows, unsigned n, struct str *out);

enum help_markup { HELP_MARKDOWN, HELP_SCDOC };
/* The reference of all job options by category, and of the engines' options. */
void help_reference(const struct conf_schema *schema, enum help_markup markup, struct str *out);
/* The program's own options as a section of the same markup. */
void help_cli_reference(enum help_markup markup, struct str *out);
/* "--name=" or "--name" of everything the command line knows and this build can do, one a line, for
 * completion; then for options with fixed words a line "--name=word" each. */
void help_completion(const struct conf_schema *schema, struct str *out);

#endif
