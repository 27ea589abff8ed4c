#include "log/logline.h"

#include "base/hist.h"
#include "engine/io.h"
#include <string.h>

static const char digit_pairs[201] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* Decimal digits of v: from its bits, by the ratio log10(2), and one comparison. */
static unsigned logline_digits(uint64_t v)
{
	static const uint64_t least[] = {0,
					 10,
					 100,
					 1000,
					 10000,
					 100000,
					 1000000,
					 10000000,
					 100000000,
					 1000000000,
					 10000000000,
					 100000000000,
					 1000000000000,
					 10000000000000,
					 100000000000000,
					 1000000000000000,
					 10000000000000000,
					 100000000000000000,
					 1000000000000000000,
					 UINT64_C(10000000000000000000)};
	unsigned n = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= least[n]);
}

static char *logline_put_uint(char *to, uint64_t v)
{
	char *end = to + logline_digits(v), *p = end;

	while (v >= 100) {
		p -= 2;
		memcpy(p, digit_pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(to, digit_pairs + 2 * v, 2);
	else
		*to = (char)('0' + v);
	return end;
}

static char *logline_put_column(char *to, uint64_t v)
{
	*to++ = ',';
	*to++ = ' ';
	return logline_put_uint(to, v);
}

static char *logline_put_prio(char *to, const struct logline_style *s, uint16_t prio)
{
	static const char hex[] = "0123456789abcdef";

	if (!s->prio)
		return logline_put_column(to, prio >> 13 == 1);
	memcpy(to, ", 0x", 4);
	to += 4;
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = hex[prio >> shift & 15];
	return to;
}

/* Latencies in ns, bandwidth in KiB/s, I/Os per second; a single I/O counts 1 in an iops log. */
static uint64_t logline_logged_value(const struct logline_style *s, uint8_t kind, uint64_t v)
{
	switch (kind) {
	case LOGK_BW:
		return v / 1024 + (v % 1024 >= 512);
	case LOGK_IOPS:
		return s->averaged ? v / 1000 + (v % 1000 >= 500) : v;
	default:
		return v;
	}
}

char *logline_record(char *to, const struct logline_style *s, const struct log_rec *r)
{
	bool latency = r->kind != LOGK_BW && r->kind != LOGK_IOPS;

	to = logline_put_uint(to, (r->time_ns + s->epoch_ns) / 1000000);
	to = logline_put_column(to, logline_logged_value(s, r->kind, r->value));
	if (s->max)
		to = logline_put_column(to, logline_logged_value(s, r->kind, r->max));
	to = logline_put_column(to, r->dir);
	to = logline_put_column(to, s->averaged ? 0 : r->len);
	if (s->offset)
		to = logline_put_column(to, s->averaged ? 0 : r->offset);
	to = logline_put_prio(to, s, r->prio);
	if (s->issue)
		to = logline_put_column(to, s->averaged || !latency ? 0 : r->issue_ns);
	*to++ = '\n';
	return to;
}

static unsigned logline_length(const char *from, const char *to)
{
	return (unsigned)(to - from);
}

void logline_io_set(struct logline_io *l, const struct logline_style *s, const struct log_rec *r)
{
	uint64_t ms = (r->time_ns + s->epoch_ns) / 1000000;
	char *to;

	if (!l->known || ms != l->ms) {
		l->ms = ms;
		to = logline_put_uint(l->head, ms);
		memcpy(to, ", ", 2);
		l->head_n = logline_length(l->head, to + 2);
	}
	if (!l->known || r->len != l->len || r->dir != l->dir || r->prio != l->prio) {
		l->len = r->len;
		l->dir = r->dir;
		l->prio = r->prio;
		to = logline_put_column(l->middle, r->dir);
		l->middle_n = logline_length(l->middle, logline_put_column(to, r->len));
		to = logline_put_prio(l->end, s, r->prio);
		*to++ = '\n';
		l->end_n = logline_length(l->end, to);
	}
	l->known = true;
	/* Copies of a fixed length are a move or two; what is too much is overwritten. */
	memcpy(l->tail, l->middle, sizeof(l->middle));
	to = l->tail + l->middle_n;
	if (s->offset)
		to = logline_put_column(to, r->offset);
	memcpy(to, l->end, sizeof(l->end));
	l->tail_n = logline_length(l->tail, to) + l->end_n;
}

char *logline_io_put(char *to, const struct logline_io *l, const struct logline_style *s,
		     const struct log_rec *r, unsigned kind)
{
	memcpy(to, l->head, sizeof(l->head));
	to = logline_put_uint(to + l->head_n,
			      logline_logged_value(s, (uint8_t)kind, logrec_value(r, kind)));
	memcpy(to, l->tail, sizeof(l->tail));
	return to + l->tail_n;
}

char *logline_hist(char *to, const struct logline_style *s, unsigned coarseness, uint64_t time_ns,
		   unsigned dir, uint32_t bs, const uint64_t *counts)
{
	unsigned step = 1u << coarseness;

	to = logline_put_uint(to, (time_ns + s->epoch_ns) / 1000000);
	to = logline_put_column(to, dir);
	to = logline_put_column(to, bs);
	for (unsigned i = 0; i < HIST_FIO_BUCKETS; i += step) {
		unsigned end = i + step < HIST_FIO_BUCKETS ? i + step : HIST_BUCKETS;
		uint64_t sum = 0;

		for (unsigned k = i; k < end; k++)
			sum += counts[k];
		to = logline_put_column(to, sum);
	}
	*to++ = '\n';
	return to;
}

static char *logline_put_text(char *to, const char *text)
{
	size_t n = strlen(text);
	memcpy(to, text, n);
	return to + n;
}

static const char *logline_iolog_action(uint8_t dir)
{
	switch (dir) {
	case IOLOG_ADD:
		return "add";
	case IOLOG_OPEN:
		return "open";
	case IOLOG_CLOSE:
		return "close";
	case IO_READ:
		return "read";
	case IO_WRITE:
		return "write";
	case IO_TRIM:
		return "trim";
	case IO_FDATASYNC:
		return "datasync";
	default:
		return "sync";
	}
}

char *logline_iolog(char *to, const struct log_rec *r, const char *path, size_t path_len)
{
	to = logline_put_uint(to, r->time_ns / 1000);
	*to++ = ' ';
	memcpy(to, path, path_len);
	to += path_len;
	*to++ = ' ';
	to = logline_put_text(to, logline_iolog_action(r->dir));
	if (r->dir < IOLOG_ADD) {
		*to++ = ' ';
		to = logline_put_uint(to, r->offset);
		*to++ = ' ';
		to = logline_put_uint(to, r->len);
	}
	*to++ = '\n';
	return to;
}
