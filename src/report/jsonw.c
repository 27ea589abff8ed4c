#include "report/jsonw.h"
#include "report/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void jsonw_init(struct jsonw *w, FILE *to, bool compact, unsigned indent)
{
	assert(to);
	memset(w, 0, sizeof(*w));
	w->to = to;
	w->compact = compact;
	w->indent = indent;
}

static void jsonw_control(FILE *to, unsigned char c)
{
	switch (c) {
	case '\n':
		fputs("\\n", to);
		break;
	case '\t':
		fputs("\\t", to);
		break;
	case '\r':
		fputs("\\r", to);
		break;
	default:
		fprintf(to, "\\u%04x", c);
	}
}

static void jsonw_quoted(FILE *to, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', to);
	while (*s) {
		unsigned n = text_utf8((const char *)s);

		if (n == 0) {
			fputs("\\ufffd", to);
			n = 1;
		} else if (*s < ' ' || *s == 0x7f) {
			jsonw_control(to, *s);
		} else {
			if (*s == '"' || *s == '\\')
				fputc('\\', to);
			fwrite(s, 1, n, to);
		}
		s += n;
	}
	fputc('"', to);
}

static void jsonw_new_line(struct jsonw *w)
{
	if (w->compact || w->line)
		return;
	fprintf(w->to, "\n%*s", (int)(2 * (w->depth + w->indent)), "");
}

/* Comma, line and key of the next member. */
static void jsonw_member(struct jsonw *w, const char *key)
{
	assert(w->depth <= JSONW_DEPTH);
	assert(!w->depth || (key != NULL) == (w->closing[w->depth - 1] == '}'));
	if (w->depth) {
		if (w->filled[w->depth - 1])
			fputc(',', w->to);
		w->filled[w->depth - 1] = true;
		jsonw_new_line(w);
	}
	if (key) {
		jsonw_quoted(w->to, key);
		fputs(w->compact ? ":" : " : ", w->to);
	}
}

static void jsonw_open(struct jsonw *w, const char *key, char opening, char closing)
{
	jsonw_member(w, key);
	fputc(opening, w->to);
	assert(w->depth < JSONW_DEPTH);
	w->filled[w->depth] = false;
	w->closing[w->depth++] = closing;
}

void jsonw_object(struct jsonw *w, const char *key)
{
	jsonw_open(w, key, '{', '}');
}

void jsonw_array(struct jsonw *w, const char *key)
{
	jsonw_open(w, key, '[', ']');
}

void jsonw_numbers(struct jsonw *w, const char *key)
{
	assert(!w->line);
	jsonw_array(w, key);
	w->line = w->depth;
}

void jsonw_close(struct jsonw *w)
{
	assert(w->depth > 0);
	w->depth--;
	jsonw_new_line(w);
	if (w->line > w->depth)
		w->line = 0;
	fputc(w->closing[w->depth], w->to);
}

void jsonw_string(struct jsonw *w, const char *key, const char *value)
{
	jsonw_member(w, key);
	jsonw_quoted(w->to, value ? value : "");
}

void jsonw_lines(struct jsonw *w, const char *key, const char *text)
{
	char line[1024];

	assert(text);
	jsonw_array(w, key);
	while (*text) {
		size_t n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		jsonw_string(w, NULL, line);
		text += n;
		text += *text == '\n';
	}
	jsonw_close(w);
}

void jsonw_uint(struct jsonw *w, const char *key, uint64_t value)
{
	jsonw_member(w, key);
	fprintf(w->to, "%" PRIu64, value);
}

void jsonw_int(struct jsonw *w, const char *key, int64_t value)
{
	jsonw_member(w, key);
	fprintf(w->to, "%" PRId64, value);
}

void jsonw_float(struct jsonw *w, const char *key, double value)
{
	jsonw_member(w, key);
	fprintf(w->to, "%f", isfinite(value) ? value : 0.0);
}

void jsonw_bool(struct jsonw *w, const char *key, bool value)
{
	jsonw_member(w, key);
	fputs(value ? "true" : "false", w->to);
}

void jsonw_null(struct jsonw *w, const char *key)
{
	jsonw_member(w, key);
	fputs("null", w->to);
}

void jsonw_raw(struct jsonw *w, const char *key)
{
	jsonw_member(w, key);
}
