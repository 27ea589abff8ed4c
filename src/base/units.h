/* Numbers with units: parse and print. The only place where units are converted.
 *
 * Rules: compatibility 2.1 to 2.5, 18 ("number style"). Inside Fathom everything is bytes
 * and nanoseconds.
 */
#ifndef FATHOM_BASE_UNITS_H
#define FATHOM_BASE_UNITS_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a parse noticed besides the value. */
enum {
	UNITS_IEC_SWAPPED =
		1, /* KiB, MiB, .. read as powers of 1000 as kb_base is 1024: worth a warning */
};

/* A size or plain count: decimal (fractions allowed when the result is whole) or 0x hex, then an
 * optional suffix of 2.2. kb_base 1000 or 1024. The whole text must be consumed: trailing garbage,
 * negative values, overflow give -EINVAL or -ERANGE. A suffix after hex counts too (fio drops it).
 * *notes gets UNITS_* bits (may be NULL). */
MUST_CHECK int units_parse_size(const char *text, unsigned kb_base, uint64_t *out, unsigned *notes);
/* A signed integer with the same suffixes. */
MUST_CHECK int units_parse_int(const char *text, unsigned kb_base, int64_t *out, unsigned *notes);
/* A time: number (fractions allowed) with suffix d h m s ms msec us usec ns nsec sec min hour day;
 * without a suffix the unit is `unit_ns` nanoseconds. Rounded to the nearest nanosecond; -EINVAL on
 * garbage and when something would round to nothing, -ERANGE beyond 584 years. */
MUST_CHECK int units_parse_time(const char *text, uint64_t unit_ns, uint64_t *out_ns);
/* "12", "12%", "12.5%" in 0..max. */
MUST_CHECK int units_parse_percent(const char *text, double max, double *out);

enum units_family { UNITS_NONE, UNITS_BYTES, UNITS_BITS, UNITS_BYTES_SEC, UNITS_BITS_SEC };
/* fio's abbreviated number (compatibility 18): value x mult, `digits` significant figures, powers
 * of 1024 (pow2) or 1000, unit text appended: 1536, pow2, UNITS_BYTES_SEC gives "1536B/s"; 2097152
 * gives "2048KiB/s". UNITS_NONE gives "62.5k". The bit families only name the unit: pass mult 8 to
 * print bytes as bits. */
void units_print(uint64_t value, unsigned mult, unsigned digits, bool pow2,
		 enum units_family family, char *buf, size_t size);
/* A time for people: "250ns", "1.50ms", "2m30s". */
void units_print_time(uint64_t ns, char *buf, size_t size);
/* A size for people and job files, exact: "4k", "1m", "1000". */
void units_print_size(uint64_t bytes, char *buf, size_t size);

#endif
