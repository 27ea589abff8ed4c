/* Words: flags, choices, texts, rw, sync_file_range. */
#include "base/names.h"
#include "base/units.h"
#include "conf/opt_word.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

static int opt_word_parse_01(const struct opt_in *in, bool *out)
{
	if (strcmp(in->text, "0") == 0 || strcmp(in->text, "1") == 0) {
		*out = in->text[0] == '1';
		return 0;
	}
	err_set(in->err, ERR_USAGE, EINVAL, "option '%s': '%.200s' is neither 0 nor 1",
		in->row->name, in->text);
	if (strcmp(in->text, "true") == 0 || strcmp(in->text, "yes") == 0 ||
	    strcmp(in->text, "on") == 0)
		err_remedy(in->err, "use 1");
	else if (strcmp(in->text, "false") == 0 || strcmp(in->text, "no") == 0 ||
		 strcmp(in->text, "off") == 0)
		err_remedy(in->err, "use 0");
	else
		err_remedy(in->err, "use 0 or 1");
	return -EINVAL;
}

int opt_flag_parse(const struct opt_in *in, void *field)
{
	if (!*in->text) {
		*(bool *)field = true;
		return 0;
	}
	return opt_word_parse_01(in, field);
}

int opt_bool_parse(const struct opt_in *in, void *field)
{
	return opt_word_parse_01(in, field);
}

void opt_bool_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_out_printf(o, "%d", *(const bool *)field);
}

/* The choice named by the n bytes at word; NULL without. */
static const struct opt_choice *opt_word_choice(const struct opt_row *row, const char *word,
						size_t n)
{
	for (const struct opt_choice *c = row->choices; c && c->word; c++)
		if (strlen(c->word) == n && memcmp(c->word, word, n) == 0)
			return c;
	return NULL;
}

static int opt_word_no_choice(const struct opt_in *in, const char *word, size_t n)
{
	const char *words[64];
	char text[64], allowed[240];
	struct opt_out o = {.buf = allowed, .size = sizeof(allowed)};
	unsigned count = 0;
	int near;

	allowed[0] = '\0';
	for (const struct opt_choice *c = in->row->choices; c && c->word && count < 64; c++) {
		words[count] = c->word;
		opt_out_printf(&o, "%s%s", count++ ? ", " : "", c->word);
	}
	opt_out_printf(&(struct opt_out){.buf = text, .size = sizeof(text)}, "%.*s",
		       n < sizeof(text) ? (int)n : (int)sizeof(text) - 1, word);
	err_set(in->err, ERR_USAGE, EINVAL, "option '%s': invalid value '%s'", in->row->name, text);
	near = names_nearest(text, words, count);
	if (near >= 0)
		err_remedy(in->err, "did you mean '%s'? allowed: %s", words[near], allowed);
	else
		err_remedy(in->err, "allowed: %s", allowed);
	return -EINVAL;
}

int opt_enum_parse(const struct opt_in *in, void *field)
{
	const struct opt_choice *c = opt_word_choice(in->row, in->text, strlen(in->text));

	if (!c)
		return opt_word_no_choice(in, in->text, strlen(in->text));
	*(int *)field = c->value;
	return 0;
}

static const char *opt_word_choice_word(const struct opt_row *row, int value)
{
	for (const struct opt_choice *c = row->choices; c && c->word; c++)
		if (c->value == value)
			return c->word;
	return "";
}

void opt_enum_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_out_printf(o, "%s", opt_word_choice_word(row, *(const int *)field));
}

int opt_enumarg_parse(const struct opt_in *in, void *field)
{
	size_t n = strcspn(in->text, ":");
	const struct opt_choice *c = opt_word_choice(in->row, in->text, n);
	struct opt_enum_arg v = {0};

	if (!c)
		return opt_word_no_choice(in, in->text, n);
	v.value = c->value;
	if (in->text[n] == ':') {
		if (!in->text[n + 1])
			return opt_bad(in, in->text, "complete: text is missing behind ':'");
		v.arg = arena_strdup(in->ctx->arena, in->text + n + 1);
		if (!v.arg)
			return opt_no_memory(in);
	}
	*(struct opt_enum_arg *)field = v;
	return 0;
}

void opt_enumarg_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_enum_arg *v = field;

	opt_out_printf(o, "%s%s%s", opt_word_choice_word(row, v->value), v->arg ? ":" : "",
		       v->arg ? v->arg : "");
}

static bool opt_word_text_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool opt_enumarg_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_enum_arg *x = a, *y = b;

	return x->value == y->value && opt_word_text_equal(x->arg, y->arg);
}

static int opt_word_parse_bits(const struct opt_in *in, size_t len, unsigned *out)
{
	unsigned bits = 0;

	for (const char *p = in->text;; p++) {
		size_t rest = (size_t)(in->text + len - p), n = strcspn(p, ",");
		if (n > rest)
			n = rest;
		const struct opt_choice *c = opt_word_choice(in->row, p, n);
		if (!c)
			return opt_word_no_choice(in, p, n);
		bits |= (unsigned)c->value;
		p += n;
		if (p == in->text + len)
			break;
	}
	*out = bits;
	return 0;
}

int opt_bits_parse(const struct opt_in *in, void *field)
{
	return opt_word_parse_bits(in, strlen(in->text), field);
}

static void opt_word_print_bits(const struct opt_row *row, unsigned bits, struct opt_out *o)
{
	const char *sep = "";

	for (const struct opt_choice *c = row->choices; c && c->word; c++) {
		unsigned bit = (unsigned)c->value;
		if (!bit || (bits & bit) != bit)
			continue;
		opt_out_printf(o, "%s%s", sep, c->word);
		bits &= ~bit;
		sep = ",";
	}
}

void opt_bits_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_word_print_bits(row, *(const unsigned *)field, o);
}

int opt_sfr_parse(const struct opt_in *in, void *field)
{
	size_t n = strcspn(in->text, ":");
	struct opt_enum_arg v = {.arg = "1"};
	unsigned bits = 0;
	int ret = opt_word_parse_bits(in, n, &bits);

	if (ret)
		return ret;
	if (in->text[n] == ':') {
		uint64_t every = 0;
		ret = units_parse_size(in->text + n + 1, in->ctx->kb_base, &every, NULL);
		if (ret || every == 0)
			return opt_bad(in, in->text + n + 1, "a number of writes of at least 1");
		v.arg = arena_printf(in->ctx->arena, "%" PRIu64, every);
		if (!v.arg)
			return opt_no_memory(in);
	}
	v.value = (int)bits;
	*(struct opt_enum_arg *)field = v;
	return 0;
}

void opt_sfr_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_enum_arg *v = field;

	opt_word_print_bits(row, (unsigned)v->value, o);
	if (v->value)
		opt_out_printf(o, ":%s", v->arg ? v->arg : "1");
}

int opt_str_parse(const struct opt_in *in, void *field)
{
	size_t max = in->row->max > 0 ? (size_t)in->row->max : OPT_TEXT_MAX;
	const char *v;

	if (strlen(in->text) > max) {
		err_set(in->err, ERR_USAGE, ERANGE, "option '%s': '%.60s...' is too long",
			in->row->name, in->text);
		err_remedy(in->err, "at most %zu bytes", max);
		return -ERANGE;
	}
	v = arena_strdup(in->ctx->arena, in->text);
	if (!v)
		return opt_no_memory(in);
	*(const char **)field = v;
	return 0;
}

void opt_str_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const char *v = *(const char *const *)field;

	opt_out_printf(o, "%s", v ? v : "");
}

bool opt_str_equal(const struct opt_row *row, const void *a, const void *b)
{
	return opt_word_text_equal(*(const char *const *)a, *(const char *const *)b);
}

/* One member of a list of paths: up to a ':' that no '\' precedes. Returns its end. */
static const char *opt_word_path_end(const char *p)
{
	while (*p && *p != ':')
		p += p[0] == '\\' && p[1] == ':' ? 2 : 1;
	return p;
}

static char *opt_word_path_copy(struct arena *a, const char *from, const char *to)
{
	char *copy = arena_strndup(a, from, (size_t)(to - from)), *out = copy;

	if (!copy)
		return NULL;
	for (const char *p = copy; *p; p++) {
		if (p[0] == '\\' && p[1] == ':')
			p++;
		*out++ = *p;
	}
	*out = '\0';
	return copy;
}

int opt_strs_parse(const struct opt_in *in, void *field)
{
	struct opt_strings v = {0};
	unsigned n = 0;

	for (const char *p = in->text; *p; p += *p == ':') {
		const char *end = opt_word_path_end(p);
		n += end > p;
		p = end;
	}
	if (n == 0)
		return opt_bad(in, in->text, "a list of names");
	v.v = arena_new(in->ctx->arena, const char *, n);
	if (!v.v)
		return opt_no_memory(in);
	for (const char *p = in->text; *p; p += *p == ':') {
		const char *end = opt_word_path_end(p);
		if (end > p) {
			v.v[v.n] = opt_word_path_copy(in->ctx->arena, p, end);
			if (!v.v[v.n++])
				return opt_no_memory(in);
		}
		p = end;
	}
	*(struct opt_strings *)field = v;
	return 0;
}

void opt_strs_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_strings *v = field;

	for (unsigned i = 0; i < v->n; i++) {
		opt_out_printf(o, i ? ":" : "");
		for (const char *p = v->v[i]; *p; p++)
			opt_out_printf(o, *p == ':' ? "\\%c" : "%c", *p);
	}
}

bool opt_strs_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_strings *x = a, *y = b;

	if (x->n != y->n)
		return false;
	for (unsigned i = 0; i < x->n; i++)
		if (strcmp(x->v[i], y->v[i]) != 0)
			return false;
	return true;
}

int opt_rw_parse(const struct opt_in *in, void *field)
{
	size_t n = strcspn(in->text, ":");
	const struct opt_choice *c = opt_word_choice(in->row, in->text, n);
	struct opt_rw v = {0};
	unsigned notes = 0;

	if (!c)
		return opt_word_no_choice(in, in->text, n);
	v.bits = (unsigned)c->value;
	if (in->text[n] == ':') {
		const char *arg = in->text + n + 1;
		if (units_parse_int(arg, in->ctx->kb_base, &v.modifier, &notes))
			return opt_bad(in, arg, "a whole number behind ':'");
		if ((v.bits & RW_RANDOM) && v.modifier < 1)
			return opt_bad(in, arg, "a count of at least 1 for random I/O");
		v.has_modifier = v.modifier != 0;
		in->ctx->notes |= notes;
	}
	*(struct opt_rw *)field = v;
	return 0;
}

void opt_rw_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_rw *v = field;

	for (const struct opt_choice *c = row->choices; c->word; c++) {
		if (c->value != (int)v->bits)
			continue;
		opt_out_printf(o, "%s", c->word);
		if (v->has_modifier)
			opt_out_printf(o, ":%" PRId64, v->modifier);
		return;
	}
}

bool opt_rw_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_rw *x = a, *y = b;

	return x->bits == y->bits && x->has_modifier == y->has_modifier &&
	       (!x->has_modifier || x->modifier == y->modifier);
}
