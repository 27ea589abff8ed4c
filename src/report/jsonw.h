/* A streaming JSON writer in fio's style: two blanks of indent, "key" : value, floats with six
 * decimals. What it writes is valid JSON whatever the texts hold: control characters are escaped,
 * bytes that are no UTF-8 become U+FFFD. */
#ifndef FATHOM_REPORT_JSONW_H
#define FATHOM_REPORT_JSONW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSONW_DEPTH 16

struct jsonw {
	FILE *to;
	bool compact;	 /* everything on one line */
	unsigned indent; /* levels of indent outside of what is written here */
	unsigned depth;
	unsigned line;		  /* depth of the array on one line, 0: none */
	bool filled[JSONW_DEPTH]; /* the open object or array has a member */
	char closing[JSONW_DEPTH];
};

void jsonw_init(struct jsonw *w, FILE *to, bool compact, unsigned indent);
/* key is NULL in arrays and at the root. */
void jsonw_object(struct jsonw *w, const char *key);
void jsonw_array(struct jsonw *w, const char *key);
/* An array that stands on one line, for numbers. */
void jsonw_numbers(struct jsonw *w, const char *key);
void jsonw_close(struct jsonw *w); /* the innermost object or array */
void jsonw_string(struct jsonw *w, const char *key, const char *value); /* NULL: "" */
/* An array of the lines of a text, cut after 1023 bytes each. */
void jsonw_lines(struct jsonw *w, const char *key, const char *text);
void jsonw_uint(struct jsonw *w, const char *key, uint64_t value);
void jsonw_int(struct jsonw *w, const char *key, int64_t value);
void jsonw_float(struct jsonw *w, const char *key,
		 double value); /* 0 for what JSON cannot say (NaN, infinity) */
void jsonw_null(struct jsonw *w, const char *key);
void jsonw_bool(struct jsonw *w, const char *key, bool value);
/* Begin a member whose value the caller writes to the stream: one JSON value, indented as asked at
 * its init. */
void jsonw_raw(struct jsonw *w, const char *key);

#endif
