#include "base/time.h"
#include "report/text.h"
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

void text_plain(FILE *to, const char *s, const char *also)
{
	assert(to && s);
	if (!s)
		return;
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		fputc(c < ' ' || c == 0x7f || strchr(also, c) ? ' ' : c, to);
	}
}

void text_time(uint64_t wall_ns, char *buf, size_t size)
{
	assert(buf && size);
	time_t t = (time_t)(wall_ns / NS_PER_SEC);
	struct tm tm;

	if (!localtime_r(&t, &tm) || strftime(buf, size, "%a %b %e %T %Y", &tm) == 0)
		buf[0] = '\0';
}

const char *text_errno(int sys, char *buf, size_t size)
{
	return strerror_r(sys, buf, size);
}

int text_flush(FILE *to)
{
	/* An error of an earlier write has lost its number. */
	if (fflush(to))
		return -errno;
	return ferror(to) ? -EIO : 0;
}

bool text_overridden(const struct job_text *t, unsigned n, unsigned i)
{
	assert(i < n);
	for (unsigned k = i + 1; k < n; k++)
		if (strcmp(t[k].name, t[i].name) == 0)
			return true;
	return false;
}

enum lat_kind text_main_kind(const struct result_style *s)
{
	return s->lat_percentiles ? LAT_TOTAL : LAT_COMPLETE;
}

bool text_percentiles_on(const struct result_style *s, enum lat_kind kind)
{
	switch (kind) {
	case LAT_SUBMIT:
		return s->slat_percentiles;
	case LAT_COMPLETE:
		return s->clat_percentiles;
	case LAT_TOTAL:
		return s->lat_percentiles;
	default:
		return true;
	}
}

/* Overlong forms, surrogates and values beyond U+10FFFF are none (RFC 3629, section 4). */
unsigned text_utf8(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned n, low = 0x80, high = 0xbf;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (unsigned i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}
