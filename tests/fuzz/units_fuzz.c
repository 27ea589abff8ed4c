/* Numbers with units: no text breaks the parsers, and what is printed exactly reads back as the
 * same number. */
#include "base/units.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void size_round_trip(const char *text, unsigned kb_base)
{
	uint64_t value, again = 0;
	unsigned notes = 0;
	char printed[64];

	if (units_parse_size(text, kb_base, &value, &notes))
		return;
	units_print_size(value, printed, sizeof(printed));
	if (units_parse_size(printed, 1024, &again, NULL) || again != value)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[256], printed[64];
	uint64_t ns;
	int64_t number;
	double percent;
	size_t n = size < sizeof(text) ? size : sizeof(text) - 1;

	if (n)
		memcpy(text, data, n);
	text[n] = 0;
	size_round_trip(text, 1024);
	size_round_trip(text, 1000);
	if (!units_parse_int(text, 1024, &number, NULL))
		units_print((uint64_t)number, 8, 4, true, UNITS_BITS_SEC, printed, sizeof(printed));
	if (!units_parse_time(text, 1000, &ns))
		units_print_time(ns, printed, sizeof(printed));
	if (!units_parse_percent(text, 100, &percent) && !(percent >= 0 && percent <= 100))
		abort();
	return 0;
}
