/* Printing a result into memory, comparing with known text, and a strict JSON checker. */
#ifndef FATHOM_TESTS_REPORT_PRINT_H
#define FATHOM_TESTS_REPORT_PRINT_H

#include "report/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* The text a format prints; the caller frees it. Not inline: gcc 12 would take the stream's pointer
 * for dangling. */
__attribute__((noinline, unused)) static char *
print_result(const struct format *f, const struct result *r, const struct format_options *fo)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to || f->result(r, fo, 0, to) || fclose(to))
		abort();
	return text;
}

/* The whole of a text file; NULL when there is none. */
static inline char *read_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

/* tests/golden/report/NAME.txt holds this text; with FATHOM_GOLDEN_UPDATE it does from now on. */
static inline void golden_text(const char *name, const char *text)
{
	const char *root = getenv("FATHOM_ROOT");
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/tests/golden/report/%s.txt", root ? root : "..",
		       name);
	if (getenv("FATHOM_GOLDEN_UPDATE")) {
		FILE *f = fopen(path, "we");
		assert_non_null(f);
		fputs(text, f);
		assert_int_equal(fclose(f), 0);
	}
	char *want = read_file(path);
	assert_non_null(want);
	assert_string_equal(text, want);
	free(want);
}

/* RFC 8259 to the letter, and no key twice in an object. */
struct json_check {
	const unsigned char *p;
	unsigned depth;
};

static inline void json_blank(struct json_check *c)
{
	while (*c->p == ' ' || *c->p == '\n' || *c->p == '\r' || *c->p == '\t')
		c->p++;
}

static inline bool json_utf8(struct json_check *c)
{
	const unsigned char *p = c->p;
	unsigned n = *p < 0x80		       ? 1
		     : *p >= 0xc2 && *p < 0xe0 ? 2
		     : *p >= 0xe0 && *p < 0xf0 ? 3
		     : *p >= 0xf0 && *p < 0xf5 ? 4
					       : 0;
	uint32_t v = n == 1 ? *p : n == 2 ? *p & 0x1f : n == 3 ? *p & 0xf : *p & 7;

	if (!n)
		return false;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return false;
		v = v << 6 | (p[i] & 0x3f);
	}
	if ((n == 3 && v < 0x800) || (n == 4 && v < 0x10000) || v > 0x10ffff ||
	    (v >= 0xd800 && v < 0xe000))
		return false;
	c->p += n;
	return true;
}

static inline bool json_string(struct json_check *c)
{
	if (*c->p++ != '"')
		return false;
	while (*c->p != '"') {
		if (*c->p < ' ')
			return false;
		if (*c->p != '\\') {
			if (!json_utf8(c))
				return false;
			continue;
		}
		c->p++;
		if (*c->p == 'u') {
			for (unsigned i = 0; i < 4; i++)
				if (!*++c->p || !strchr("0123456789abcdefABCDEF", *c->p))
					return false;
		} else if (!*c->p || !strchr("\"\\/bfnrt", *c->p)) {
			return false;
		}
		c->p++;
	}
	c->p++;
	return true;
}

static inline bool json_digits(struct json_check *c)
{
	const unsigned char *start = c->p;

	while (*c->p >= '0' && *c->p <= '9')
		c->p++;
	return c->p > start;
}

static inline bool json_number(struct json_check *c)
{
	if (*c->p == '-')
		c->p++;
	if (*c->p == '0')
		c->p++;
	else if (!json_digits(c))
		return false;
	if (*c->p == '.') {
		c->p++;
		if (!json_digits(c))
			return false;
	}
	return true;
}

static inline bool json_value(struct json_check *c);

static inline bool json_members(struct json_check *c, char closing)
{
	const unsigned char *key[256];
	size_t len[256];
	unsigned keys = 0;

	c->p++;
	json_blank(c);
	if (*c->p == closing) {
		c->p++;
		return true;
	}
	for (;;) {
		if (closing == '}') {
			key[keys] = c->p;
			if (!json_string(c))
				return false;
			len[keys] = (size_t)(c->p - key[keys]);
			for (unsigned i = 0; i < keys; i++)
				if (len[i] == len[keys] && memcmp(key[i], key[keys], len[i]) == 0)
					return false;
			keys += keys < 255;
			json_blank(c);
			if (*c->p++ != ':')
				return false;
			json_blank(c);
		}
		if (!json_value(c))
			return false;
		json_blank(c);
		if (*c->p == closing) {
			c->p++;
			return true;
		}
		if (*c->p++ != ',')
			return false;
		json_blank(c);
	}
}

static inline bool json_value(struct json_check *c)
{
	static const char *const word[] = {"true", "false", "null"};

	if (c->depth++ > 30)
		return false;
	bool ok = false;
	if (*c->p == '{' || *c->p == '[') {
		ok = json_members(c, *c->p == '{' ? '}' : ']');
	} else if (*c->p == '"') {
		ok = json_string(c);
	} else if (*c->p == '-' || (*c->p >= '0' && *c->p <= '9')) {
		ok = json_number(c);
	} else {
		for (unsigned i = 0; i < 3 && !ok; i++) {
			size_t n = strlen(word[i]);
			if (strncmp((const char *)c->p, word[i], n) == 0) {
				c->p += n;
				ok = true;
			}
		}
	}
	c->depth--;
	return ok;
}

/* Exactly one document, with nothing but blanks around. */
static inline bool json_valid(const char *text)
{
	struct json_check c = {.p = (const unsigned char *)text};

	json_blank(&c);
	if (!json_value(&c))
		return false;
	json_blank(&c);
	return *c.p == '\0';
}

#endif
