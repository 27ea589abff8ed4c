#include "conf/showcmd.h"
#include <assert.h>
#include <string.h>

/* Append text as one word of a POSIX shell. */
static void showcmd_quote(const char *text, struct str *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_@%+=:,./-";

	assert(text && out);
	if (*text && text[strspn(text, plain)] == '\0') {
		str_add(out, text);
		return;
	}
	str_addc(out, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			str_add(out, "'\\''");
		else
			str_addc(out, *p);
	}
	str_addc(out, '\'');
}

/* " --key" or " --key=value". A text without value keeps its '=', so that nothing behind it is
 * taken for one. */
static void showcmd_add_option(const char *key, const char *text, struct str *out)
{
	int opt = schema_job_option(key);
	bool is_text = opt >= 0 && job_rows[opt].type == OPT_T_STR;

	str_printf(out, " --%s", key);
	if (!*text && !is_text)
		return;
	str_addc(out, '=');
	if (*text)
		showcmd_quote(text, out);
}

static const char *showcmd_text_of(const struct job_section *s, const char *name)
{
	const char *text = NULL;

	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->texts[i].name, name) == 0)
			text = s->texts[i].text;
	return text;
}

/* A job file can give a section another name for reports; on a command line the name is the
 * section, so the names of generated files need saying. */
static void showcmd_add_job(const struct job_section *s, bool files_named, struct str *out)
{
	const char *name = showcmd_text_of(s, "name");

	str_add(out, " --name=");
	showcmd_quote(name ? name : s->name, out);
	if (name && s->from_file && strcmp(name, s->name) != 0 && !files_named &&
	    !showcmd_text_of(s, "filename") && !showcmd_text_of(s, "filename_format")) {
		struct str format;
		str_init(&format, 1024);
		str_printf(&format, "%s.$jobnum.$filenum", s->name);
		str_add(out, " --filename_format=");
		showcmd_quote(format.s, out);
		str_release(&format);
	}
}

static void showcmd_add_section(const struct job_section *s, bool first_in_line, bool files_named,
				struct str *out)
{
	if (!s->global)
		showcmd_add_job(s, files_named, out);
	else if (!first_in_line)
		str_add(out, " --name=global");
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->texts[i].name, "name") != 0)
			showcmd_add_option(s->texts[i].name, s->texts[i].text, out);
}

static void showcmd_end_line(const struct cmdline *c, struct str *out)
{
	for (unsigned i = 0; i < c->sets_n; i++) {
		const struct conf_set *set = &c->sets[i];
		struct str word;
		str_init(&word, OPT_TEXT_MAX * 2);
		str_printf(&word, "%s%s%s", set->option, set->value ? "=" : "",
			   set->value ? set->value : "");
		str_add(out, " --set ");
		showcmd_quote(word.s, out);
		str_release(&word);
	}
	str_addc(out, '\n');
}

void showcmd(const struct cmdline *c, const struct job_list *jobs, struct str *out)
{
	bool files_named = false, first = true;
	unsigned file = 0;

	assert(c && jobs && out);
	if (jobs->sections_n == 0)
		return;
	showcmd_quote(c->program, out);
	for (unsigned i = 0; i < jobs->sections_n; i++) {
		const struct job_section *s = &jobs->sections[i];
		if (s->file != file) {
			showcmd_end_line(c, out);
			showcmd_quote(c->program, out);
			file = s->file;
			files_named = false;
			first = true;
		}
		showcmd_add_section(s, first, files_named, out);
		if (s->global)
			files_named |= showcmd_text_of(s, "filename") ||
				       showcmd_text_of(s, "filename_format");
		first = false;
	}
	showcmd_end_line(c, out);
}
