/* Binary logs: whatever bytes come, blocks stay within them and lines within their room. */
#include "log/binlog.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lines_of(const struct log_block *b, const struct logline_style *style)
{
	struct logline_io io = {0};
	char line[LOGLINE_MAX];

	for (unsigned at = 0; at < b->slots;) {
		struct log_rec r;
		logb_get(b, &at, &r);
		logline_io_set(&io, style, &r);
		if (at > b->slots ||
		    logline_io_put(line, &io, style, &r, LOGK_BW) > line + sizeof(line))
			abort();
		r.kind = LOGK_LAT;
		if (logline_record(line, style, &r) > line + sizeof(line))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct logline_style style;
	struct binlog_header h;

	if (size < sizeof(h))
		return 0;
	memcpy(&h, data, sizeof(h));
	if (binlog_header_check(&h, NULL) < 0)
		return 0;
	binlog_style(&h, &style);
	for (size_t at = sizeof(h), n; at < size; at += n) {
		struct log_block b = {0};
		size_t there = size - at < sizeof(b) ? size - at : sizeof(b);
		memcpy(&b, data + at, there);
		n = binlog_block(&b, there);
		if (n > there)
			abort();
		if (!n)
			break;
		lines_of(&b, &style);
	}
	return 0;
}
