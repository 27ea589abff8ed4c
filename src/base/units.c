#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef unsigned __int128 u128;

/* Fraction digits that are kept. 10^22 x 1024^5 still fits 128 bits, and 1024^-5 of a unit is
 * beyond use. */
#define FRACTION_DIGITS 22u

/* A number as written: (whole + fraction / 10^digits), before its suffix. */
struct number {
	bool negative, hex;
	bool huge;    /* whole does not fit 64 bits */
	bool inexact; /* non-zero digits were left out of the fraction */
	uint64_t whole;
	u128 fraction, scale; /* scale: 10^digits */
	const char *rest;     /* what follows the number */
};

static int units_digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

static const char *units_read_whole(struct number *n, const char *t, unsigned base)
{
	for (; units_digit_value(*t) < (int)base; t++)
		if (__builtin_mul_overflow(n->whole, (uint64_t)base, &n->whole) ||
		    __builtin_add_overflow(n->whole, (uint64_t)units_digit_value(*t), &n->whole))
			n->huge = true;
	return t;
}

static const char *units_read_fraction(struct number *n, const char *t)
{
	unsigned digits = 0;

	for (; units_digit_value(*t) < 10; t++) {
		if (digits < FRACTION_DIGITS) {
			n->fraction = n->fraction * 10 + (unsigned)units_digit_value(*t);
			n->scale *= 10;
			digits++;
		} else if (*t != '0') {
			n->inexact = true;
		}
	}
	return t;
}

static int units_number_read(struct number *n, const char *t)
{
	memset(n, 0, sizeof(*n));
	n->scale = 1;
	if (*t == '-' || *t == '+')
		n->negative = *t++ == '-';
	if (t[0] == '0' && (t[1] == 'x' || t[1] == 'X')) {
		n->hex = true;
		if (units_digit_value(t[2]) > 15)
			return -EINVAL;
		n->rest = units_read_whole(n, t + 2, 16);
		return 0;
	}
	const char *start = t;
	t = units_read_whole(n, t, 10);
	bool any = t != start;
	if (*t == '.') {
		if (units_digit_value(t[1]) > 9)
			return -EINVAL;
		t = units_read_fraction(n, t + 1);
		any = true;
	}
	n->rest = t;
	return any ? 0 : -EINVAL;
}

/* The magnitude times mult. exact: must be whole; otherwise rounded half up, but never from
 * something to nothing. */
static int units_number_scale(const struct number *n, uint64_t mult, bool exact, uint64_t *out)
{
	if (n->huge)
		return -ERANGE;
	u128 part = n->fraction * mult;
	u128 value = (u128)n->whole * mult + part / n->scale, left = part % n->scale;
	if (exact && (left || n->inexact))
		return -EINVAL;
	if (left * 2 >= n->scale)
		value++;
	if (value == 0 && (n->fraction || n->inexact))
		return -EINVAL;
	if (value > UINT64_MAX)
		return -ERANGE;
	*out = (uint64_t)value;
	return 0;
}

static uint64_t units_power(uint64_t base, unsigned exponent)
{
	uint64_t v = 1;

	while (exponent--)
		v *= base;
	return v;
}

/* Compatibility 2.2. Only the spelling with "ib" is swapped against kb_base, as in fio; "ki" always
 * means 1024. */
static int units_size_suffix(const char *s, unsigned kb_base, uint64_t *mult, unsigned *notes)
{
	static const char letters[] = "kmgtp";

	*mult = 1;
	if (s[0] == '\0' || strcasecmp(s, "b") == 0)
		return 0;
	char lower = s[0] >= 'A' && s[0] <= 'Z' ? (char)(s[0] - 'A' + 'a') : s[0];
	const char *at = strchr(letters, lower);
	if (!at)
		return -EINVAL;
	unsigned exponent = (unsigned)(at - letters) + 1;
	s++;
	if (s[0] == '\0' || strcasecmp(s, "b") == 0) {
		*mult = units_power(kb_base, exponent);
	} else if (strcasecmp(s, "i") == 0) {
		*mult = units_power(1024, exponent);
	} else if (strcasecmp(s, "ib") == 0) {
		*mult = units_power(kb_base == 1000 ? 1024 : 1000, exponent);
		if (kb_base != 1000)
			*notes |= UNITS_IEC_SWAPPED;
	} else {
		return -EINVAL;
	}
	return 0;
}

static int units_parse_scaled(const char *text, unsigned kb_base, bool *negative, uint64_t *out,
			      unsigned *notes)
{
	struct number n;
	uint64_t mult;
	unsigned noted = 0;
	int ret = units_number_read(&n, text);

	if (!ret)
		ret = units_size_suffix(n.rest, kb_base, &mult, &noted);
	if (!ret)
		ret = units_number_scale(&n, mult, true, out);
	if (ret)
		return ret;
	*negative = n.negative;
	if (notes)
		*notes = noted;
	return 0;
}

int units_parse_size(const char *text, unsigned kb_base, uint64_t *out, unsigned *notes)
{
	if (text[0] == '-')
		return -EINVAL;
	bool negative;
	return units_parse_scaled(text, kb_base, &negative, out, notes);
}

int units_parse_int(const char *text, unsigned kb_base, int64_t *out, unsigned *notes)
{
	uint64_t value;
	bool negative;
	unsigned noted;
	int ret = units_parse_scaled(text, kb_base, &negative, &value, &noted);

	if (ret)
		return ret;
	if (value > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*out = negative ? (int64_t)(0 - value) : (int64_t)value;
	if (notes)
		*notes = noted;
	return 0;
}

int units_parse_time(const char *text, uint64_t unit_ns, uint64_t *out_ns)
{
	static const struct {
		const char *word;
		uint64_t ns;
	} suffixes[] = {
		{"ns", 1},
		{"nsec", 1},
		{"us", 1000},
		{"usec", 1000},
		{"ms", 1000000},
		{"msec", 1000000},
		{"s", 1000000000},
		{"sec", 1000000000},
		{"m", 60000000000},
		{"min", 60000000000},
		{"h", 3600000000000},
		{"hour", 3600000000000},
		{"d", 86400000000000},
		{"day", 86400000000000},
	};
	struct number n;

	if (text[0] == '-' || units_number_read(&n, text))
		return -EINVAL;
	if (n.rest[0] == '\0')
		return units_number_scale(&n, unit_ns, false, out_ns);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcasecmp(n.rest, suffixes[i].word) == 0)
			return units_number_scale(&n, suffixes[i].ns, false, out_ns);
	return -EINVAL;
}

int units_parse_percent(const char *text, double max, double *out)
{
	struct number n;

	if (text[0] == '-' || units_number_read(&n, text) || n.hex)
		return -EINVAL;
	if (n.rest[0] && strcmp(n.rest, "%") != 0)
		return -EINVAL;
	double value = (double)n.whole + (double)n.fraction / (double)n.scale;
	if (n.huge || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

static unsigned units_decimal_digits(u128 v)
{
	unsigned n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

void units_print(uint64_t value, unsigned mult, unsigned digits, bool pow2,
		 enum units_family family, char *buf, size_t size)
{
	static const char *const prefix[2][7] = {
		{"", "k", "M", "G", "T", "P", "E"},
		{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"},
	};
	static const char *const unit[] = {"", "B", "bit", "B/s", "bit/s"};
	unsigned divisor = pow2 ? 1024 : 1000, left = 0, step = 0;
	u128 v = (u128)value * mult;
	char fraction[32] = "";

	while (step < 6 && units_decimal_digits(v) > digits) {
		left = (unsigned)(v % divisor);
		v /= divisor;
		step++;
	}
	unsigned used = units_decimal_digits(v), places = used < digits ? digits - used : 0;
	if (step && places > 1) {
		/* The fraction is rounded on its own, ties of binary fractions to even; what it
		 * carries may add a digit ("10.00KiB"), as fio has it. */
		(void)snprintf(fraction, sizeof(fraction), "%.*f", (int)(places - 1),
			       (double)left / divisor);
		v += fraction[0] == '1';
	} else if (2 * left >= divisor) {
		v++;
	}
	(void)snprintf(buf, size, "%" PRIu64 "%s%s%s", (uint64_t)v, fraction[0] ? fraction + 1 : "",
		       prefix[pow2][step], unit[family]);
}

void units_print_time(uint64_t ns, char *buf, size_t size)
{
	static const struct {
		uint64_t below, ns;
		const char *word;
	} small[] = {
		{1000000, 1000, "us"},
		{1000000000, 1000000, "ms"},
		{60000000000, 1000000000, "s"},
	};
	const uint64_t second = 1000000000;

	if (ns < 1000) {
		(void)snprintf(buf, size, "%" PRIu64 "ns", ns);
		return;
	}
	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		/* Rounded first: what would print as "1000.00us" belongs to the next unit. */
		uint64_t hundredths = (ns + small[i].ns / 200) / (small[i].ns / 100);
		if (hundredths < small[i].below / (small[i].ns / 100)) {
			(void)snprintf(buf, size, "%" PRIu64 ".%02u%s", hundredths / 100,
				       (unsigned)(hundredths % 100), small[i].word);
			return;
		}
	}
	uint64_t s = ns / second + (ns % second >= second / 2);
	if (s < 3600)
		(void)snprintf(buf, size, "%" PRIu64 "m%02us", s / 60, (unsigned)(s % 60));
	else if (s < 86400)
		(void)snprintf(buf, size, "%" PRIu64 "h%02um", s / 3600, (unsigned)(s / 60 % 60));
	else
		(void)snprintf(buf, size, "%" PRIu64 "d%02uh", s / 86400,
			       (unsigned)(s / 3600 % 24));
}

void units_print_size(uint64_t bytes, char *buf, size_t size)
{
	static const char letters[] = "kmgtp";
	unsigned step = 0;

	while (bytes && bytes % 1024 == 0 && step < 5) {
		bytes /= 1024;
		step++;
	}
	if (step)
		(void)snprintf(buf, size, "%" PRIu64 "%c", bytes, letters[step - 1]);
	else
		(void)snprintf(buf, size, "%" PRIu64, bytes);
}
