#include "conf/jobfile.h"
#include "conf/expand.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX	 (16u << 20)
#define INCLUDE_DEPTH	 16
#define INCLUDES_MAX	 1000
#define SECTION_NAME_MAX 255

struct reader {
	struct build *b;
	unsigned file;
	bool any_job;	   /* a job section of this file was kept */
	bool open;	   /* inside a section */
	bool skipped;	   /* ... that --section does not want */
	bool outside_said; /* "options before the first section" */
	bool no_text;	   /* a NUL byte was met: the rest is not looked at */
	unsigned depth, includes;
	struct build_section section;
};

/* One line of one file; text is trimmed, without comment, and starts at column col. */
struct line {
	const char *path;
	unsigned number, col;
	char *text;
};

static struct place jobfile_place_of(const struct line *l, unsigned col)
{
	return (struct place){.file = l->path, .line = l->number, .col = col};
}

static bool jobfile_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void jobfile_end_section(struct reader *r)
{
	if (r->open && !r->skipped) {
		r->any_job |= !r->section.global;
		build_section_end(r->b, &r->section);
	}
	r->open = false;
}

static void jobfile_section_header(struct reader *r, const struct line *l)
{
	struct place at = jobfile_place_of(l, l->col);
	size_t n = strlen(l->text);
	char *name;

	jobfile_end_section(r);
	r->open = true;
	r->skipped = true;
	if (l->text[n - 1] != ']') {
		build_fault(r->b, "section", &at, "end the line with ']'",
			    "section header '%.100s' does not end with ']'", l->text);
		return;
	}
	if (n == 2) {
		build_fault(r->b, "section", &at, "write [NAME]", "missing section name");
		return;
	}
	if (n - 2 > SECTION_NAME_MAX) {
		build_fault(r->b, "section", &at, "at most 255 bytes",
			    "the section name '%.40s...' is too long", l->text + 1);
		return;
	}
	name = arena_strndup(r->b->arena, l->text + 1, n - 2);
	if (!name)
		return;
	r->section = (struct build_section){
		.name = name,
		.global = strncmp(name, "global", 6) == 0,
		.from_file = true,
		.file = r->file,
		.at = at,
	};
	r->section.first_of_file = r->file > 0 && !r->any_job && !r->section.global;
	r->skipped = !r->section.global && !build_wants(r->b, name);
}

/* Split "key = value" (expanded text) and add it. The columns are those of the line as written:
 * exact without ${...}, else the column behind the '=' that stands in the line, or the key's. */
static void jobfile_add_option(struct reader *r, const struct line *l, char *text,
			       const char *unset)
{
	struct build_item item = {.key = text, .at = jobfile_place_of(l, l->col)};
	char *eq = strchr(text, '=');
	const char *raw = strchr(l->text, '=');

	item.value_at = item.at;
	if (raw) {
		for (raw++; jobfile_is_blank(*raw); raw++)
			;
		item.value_at.col = l->col + (unsigned)(raw - l->text);
	}
	if (eq) {
		char *end = eq;
		while (end > text && jobfile_is_blank(end[-1]))
			end--;
		*end = '\0';
		for (eq++; jobfile_is_blank(*eq); eq++)
			;
		item.text = eq;
	}
	if (unset)
		diag_add(r->b->diag, DIAG_WARNING, ERR_USAGE, "env-unset", &item.value_at, -1,
			 "set it, or write the value",
			 "environment variable %.100s is not set; using an empty string", unset);
	if (!*item.key && !eq)
		return; /* only variables, all empty */
	if (!*item.key)
		build_fault(r->b, "option-unknown", &item.at, "write KEY=VALUE",
			    "missing name before '='");
	else
		build_item_add(r->b, &r->section, &item);
}

static void jobfile_option_line(struct reader *r, const struct line *l)
{
	struct place at = jobfile_place_of(l, l->col);
	const char *unset = NULL;
	struct str env, all;
	char *text = NULL;

	if (r->open && r->skipped)
		return;
	if (!r->open) {
		if (!r->outside_said)
			build_fault(r->b, "section", &at, "open a section first: [NAME]",
				    "option before the first section");
		r->outside_said = true;
		return;
	}
	str_init(&env, OPT_TEXT_MAX + 1);
	str_init(&all, OPT_TEXT_MAX + 1);
	expand_env(l->text, &env, r->b->arena, &unset);
	expand_keywords(env.s, &all);
	/* arithmetic belongs to the value alone, so expand key and value separately */
	if (!env.bad && strchr(env.s, '=')) {
		char *eq = strchr(env.s, '=');
		str_clear(&all);
		str_addn(&all, env.s, (size_t)(eq - env.s) + 1);
		for (eq++; jobfile_is_blank(*eq); eq++)
			;
		expand_keywords(eq, &all);
	}
	if (env.bad || all.bad)
		build_fault(r->b, "line-length", &at, "at most 8192 bytes",
			    "the line is too long after expanding its variables");
	else
		text = arena_strdup(r->b->arena, all.s);
	str_release(&env);
	str_release(&all);
	if (text)
		jobfile_add_option(r, l, text, unset);
}

static void jobfile_parse_text(struct reader *r, const char *path, const char *text, size_t n);

/* The whole file, terminated; NULL and *sys set on failure. *n gets its size. */
static char *jobfile_read_fd(int fd, size_t *n, int *sys)
{
	size_t room = 65536, len = 0;
	char *text = malloc(room + 1);

	while (text) {
		ssize_t got = read(fd, text + len, room - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			*sys = got < 0 ? errno : 0;
			break;
		}
		len += (size_t)got;
		if (len > FILE_MAX) {
			*sys = EFBIG;
			break;
		}
		if (len == room) {
			char *more = realloc(text, room * 2 + 1);
			if (!more) {
				*sys = ENOMEM;
				break;
			}
			text = more;
			room *= 2;
		}
	}
	if (!text)
		*sys = ENOMEM;
	if (!text || *sys) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	*n = len;
	return text;
}

static char *jobfile_read_file(const char *path, size_t *n, int *sys)
{
	struct stat st;
	char *text;
	int fd;

	*sys = 0;
	if (strcmp(path, "-") == 0)
		return jobfile_read_fd(STDIN_FILENO, n, sys);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		*sys = errno;
		return NULL;
	}
	/* a device is named by mistake, or an option's value: reading it would take long or disturb
	 * it */
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode)) {
		*sys = ENOTSUP;
		close(fd);
		return NULL;
	}
	text = jobfile_read_fd(fd, n, sys);
	close(fd);
	return text;
}

/* Relative to the working directory, then to the folder of the including file. */
static char *jobfile_read_include(struct reader *r, const struct line *l, const char *path,
				  const char **found, size_t *n, int *sys)
{
	const char *slash = strrchr(l->path, '/');
	char *text;

	*found = path;
	text = jobfile_read_file(path, n, sys);
	if (text || path[0] == '/' || !slash)
		return text;
	path = arena_printf(r->b->arena, "%.*s/%s", (int)(slash - l->path), l->path, path);
	if (!path)
		return NULL;
	*found = path;
	return jobfile_read_file(path, n, sys);
}

static void jobfile_include_line(struct reader *r, const struct line *l, const char *name)
{
	struct place at = jobfile_place_of(l, l->col + (unsigned)(name - l->text));
	const char *found, *unset = NULL;
	char *text, *path;
	struct str env;
	size_t n = 0;
	int sys = 0;

	if (r->open && r->skipped)
		return;
	if (r->depth >= INCLUDE_DEPTH || ++r->includes > INCLUDES_MAX) {
		build_fault(r->b, "include", &at, "check for a file that includes itself",
			    "too many files are included");
		return;
	}
	str_init(&env, OPT_TEXT_MAX);
	expand_env(name, &env, r->b->arena, &unset);
	path = env.bad ? NULL : arena_strdup(r->b->arena, env.s);
	str_release(&env);
	if (!path || !*path || strcmp(path, "-") == 0) {
		build_fault(r->b, "include", &at, "write include FILE", "missing file name");
		return;
	}
	text = jobfile_read_include(r, l, path, &found, &n, &sys);
	if (!text) {
		build_fault(r->b, "include", &at,
			    "names are relative to the working directory or to this file",
			    "cannot read '%.200s': %s", path, strerror(sys));
		return;
	}
	r->depth++;
	jobfile_parse_text(r, found, text, n);
	r->depth--;
	free(text);
}

static void jobfile_parse_line(struct reader *r, const struct line *l)
{
	struct place at = jobfile_place_of(l, l->col);
	size_t n;

	if (l->text[0] == '[') {
		if (r->depth == 0) {
			jobfile_section_header(r, l);
			return;
		}
		build_fault(r->b, "include", &at, "move the section header to the including file",
			    "an included file cannot open a section");
		return;
	}
	n = strcspn(l->text, " \t=");
	if (n == 7 && strncmp(l->text, "include", 7) == 0) {
		const char *name = l->text + n;
		while (jobfile_is_blank(*name))
			name++;
		if (*name != '=') {
			jobfile_include_line(r, l, name);
			return;
		}
	}
	jobfile_option_line(r, l);
}

/* One raw line: cut the comment, trim both ends. */
static void jobfile_raw_line(struct reader *r, const char *path, unsigned number, const char *p,
			     size_t n)
{
	struct line l = {.path = path, .number = number, .col = 1};
	const char *start = p;
	struct place at;

	for (size_t i = 0; i < n; i++)
		if (p[i] == ';' || p[i] == '#')
			n = i;
	while (n && jobfile_is_blank(*p)) {
		p++;
		n--;
	}
	while (n && jobfile_is_blank(p[n - 1]))
		n--;
	if (n == 0)
		return;
	l.col = (unsigned)(p - start) + 1;
	at = jobfile_place_of(&l, l.col);
	if (n > OPT_TEXT_MAX) {
		build_fault(r->b, "line-length", &at, "at most 8192 bytes",
			    "the line has %zu bytes", n);
		return;
	}
	if (memchr(p, '\0', n)) {
		build_fault(r->b, "line-text", &at, "is this a job file?",
			    "the line has a NUL byte");
		r->no_text = true;
		return;
	}
	l.text = arena_strndup(r->b->arena, p, n);
	if (l.text)
		jobfile_parse_line(r, &l);
}

static void jobfile_parse_text(struct reader *r, const char *path, const char *text, size_t n)
{
	unsigned number = 1;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		n -= 3;
	}
	for (; n && !r->no_text; number++) {
		const char *eol = memchr(text, '\n', n);
		size_t len = eol ? (size_t)(eol - text) : n;
		jobfile_raw_line(r, path, number, text, len);
		len += eol != NULL;
		text += len;
		n -= len;
	}
}

void jobfile_parse(struct build *b, const char *path, const char *text, size_t n, unsigned file)
{
	struct reader r = {.b = b, .file = file};

	assert(b && path && (text || !n));
	path = arena_strdup(b->arena, path);
	if (!path)
		return;
	build_next_file(b, file > 0);
	jobfile_parse_text(&r, path, text, n);
	jobfile_end_section(&r);
}

void jobfile_load(struct build *b, const char *path, unsigned file, const struct place *named_at)
{
	size_t n = 0;
	int sys = 0;
	char *text = jobfile_read_file(path, &n, &sys);

	assert(b);
	if (!text) {
		build_fault(b, "jobfile", named_at,
			    "name a file that can be read, or - for standard input",
			    "cannot read job file '%.200s': %s", path, strerror(sys));
		return;
	}
	jobfile_parse(b, path, text, n, file);
	free(text);
}
