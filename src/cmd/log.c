/* `fathom log [--text=KIND] FILE...`: binary logs (log_format=binary) as percentiles, or as the
 * text that the log of that kind would be. Memory does not depend on the length of the log. */
#include "base/hist.h"
#include "base/runstat.h"
#include "cmd/cmd.h"
#include "log/binlog.h"
#include "log/logkind.h"

#include "base/direction.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 20, TEXT_BYTES = 1 << 18, LAT_LOGS = 3 };

static const char usage[] = "usage: fathom log [--text=lat|clat|slat|bw|iops] FILE...\n";
struct log_reader {
	int fd;
	const char *path;
	struct binlog_header head;
	char *buf; /* [READ_BYTES] */
	size_t used, at;
};

/* What a log says about one direction. */
struct log_stats {
	struct runstat lat[LAT_LOGS]; /* by kind - LOGK_SLAT */
	struct hist hist[LAT_LOGS];
	uint64_t bytes;
};

static int log_complain(const char *path, const char *words)
{
	fprintf(stderr, "fathom: error: %s: %s\n", path, words);
	return -1;
}

/* Fill the buffer behind what is left in it; the number of bytes there, -1 on failure. */
static ssize_t log_refill(struct log_reader *r)
{
	memmove(r->buf, r->buf + r->at, r->used - r->at);
	r->used -= r->at;
	r->at = 0;
	while (r->used < READ_BYTES) {
		ssize_t n = read(r->fd, r->buf + r->used, READ_BYTES - r->used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return log_complain(r->path, strerror(errno));
		if (!n)
			break;
		r->used += (size_t)n;
	}
	return (ssize_t)r->used;
}

static int log_reader_open(struct log_reader *r, const char *path)
{
	struct err err = {0};

	r->path = path;
	r->used = r->at = 0;
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return log_complain(path, strerror(errno));
	if (log_refill(r) < 0)
		return -1;
	if (r->used < sizeof(r->head))
		return log_complain(path, "too short for a binary log");
	memcpy(&r->head, r->buf, sizeof(r->head));
	r->at = sizeof(r->head);
	if (binlog_header_check(&r->head, &err) < 0)
		return log_complain(path, err.text);
	return 0;
}

/* The next block, NULL at the end or after a failure (*rc). A piece of a slot at the end, which a
 * run that was killed leaves, is passed over. */
static const struct log_block *log_reader_next(struct log_reader *r, int *rc)
{
	if (__builtin_expect(r->used - r->at < LOGB_BYTES, 0) && log_refill(r) < 0) {
		*rc = -1;
		return NULL;
	}
	struct log_block *b = (struct log_block *)(void *)(r->buf + r->at);
	size_t n = binlog_block(b, r->used - r->at);
	if (!n && r->used - r->at >= LOGB_HEAD)
		*rc = log_complain(r->path, "is damaged: a block was expected where there is none");
	r->at += n;
	return n ? b : NULL;
}

static int log_flush_text(const char *text, const char *to)
{
	size_t n = (size_t)(to - text);

	return fwrite(text, 1, n, stdout) == n ? 0
					       : log_complain("standard output", strerror(errno));
}

static int log_write_text(struct log_reader *r, unsigned kind)
{
	struct logline_io io = {0};
	struct logline_style style;
	const struct log_block *b;
	char *text = malloc(TEXT_BYTES), *to = text;
	int ret = text ? 0 : log_complain(r->path, strerror(ENOMEM));

	binlog_style(&r->head, &style);
	while (!ret && (b = log_reader_next(r, &ret))) {
		for (unsigned at = 0; at < b->slots;) {
			struct log_rec line;
			logb_get(b, &at, &line);
			if (style.issue) {
				line.kind = (uint8_t)kind;
				line.value = logrec_value(&line, kind);
				to = logline_record(to, &style, &line);
			} else {
				logline_io_set(&io, &style, &line);
				to = logline_io_put(to, &io, &style, &line, kind);
			}
		}
		if (text + TEXT_BYTES - to < LOGB_SLOTS * LOGLINE_MAX) {
			ret = log_flush_text(text, to);
			to = text;
		}
	}
	if (text && !ret)
		ret = log_flush_text(text, to);
	free(text);
	return ret;
}

static void log_count(struct log_stats *s, const struct log_rec *r)
{
	const uint64_t v[LAT_LOGS] = {r->max, r->value, r->max + r->value};

	s->bytes += r->len;
	for (unsigned k = 0; k < LAT_LOGS; k++) {
		runstat_add(&s->lat[k], v[k]);
		hist_add(&s->hist[k], v[k]);
	}
}

static void log_print_row(const struct log_stats *s, unsigned kinds, const char *name,
			  double percent)
{
	printf("  %-8s", name);
	for (unsigned k = 0; k < LAT_LOGS; k++)
		if (kinds >> (LOGK_SLAT + k) & 1)
			printf(" %14llu",
			       (unsigned long long)hist_percentile(&s->hist[k], percent,
								   s->lat[k].min, s->lat[k].max));
	putchar('\n');
}

static void log_print_stats(const struct log_reader *r, const struct log_stats *s,
			    const char *direction)
{
	static const struct {
		const char *name;
		double percent;
	} rows[] = {{"1", 1},	      {"5", 5},		  {"10", 10},	  {"25", 25},
		    {"50", 50},	      {"75", 75},	  {"90", 90},	  {"95", 95},
		    {"99", 99},	      {"99.5", 99.5},	  {"99.9", 99.9}, {"99.95", 99.95},
		    {"99.99", 99.99}, {"99.999", 99.999}, {"max", 100}};
	unsigned kinds = r->head.kinds;

	if (!(kinds & (1u << LOGK_SLAT | 1u << LOGK_CLAT | 1u << LOGK_LAT)))
		kinds |= 1u << LOGK_CLAT;
	printf("%s: %s: %llu I/Os, %llu bytes\n  %-8s", r->head.name, direction,
	       (unsigned long long)s->lat[0].n, (unsigned long long)s->bytes,
	       logkinds[LOGK_CLAT].unit);
	for (unsigned k = 0; k < LAT_LOGS; k++)
		if (kinds >> (LOGK_SLAT + k) & 1)
			printf(" %14s", logkinds[LOGK_SLAT + k].word);
	printf("\n  %-8s", "mean");
	for (unsigned k = 0; k < LAT_LOGS; k++)
		if (kinds >> (LOGK_SLAT + k) & 1)
			printf(" %14.2f", runstat_mean(&s->lat[k]));
	printf("\n  %-8s", "min");
	for (unsigned k = 0; k < LAT_LOGS; k++)
		if (kinds >> (LOGK_SLAT + k) & 1)
			printf(" %14llu", (unsigned long long)runstat_min(&s->lat[k]));
	putchar('\n');
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		log_print_row(s, kinds, rows[i].name, rows[i].percent);
}

static int log_write_stats(struct log_reader *r)
{
	struct log_stats *s = calloc(DIRS, sizeof(*s));
	const struct log_block *b;
	int ret = s ? 0 : log_complain(r->path, strerror(ENOMEM));

	for (unsigned d = 0; s && d < DIRS; d++)
		for (unsigned k = 0; k < LAT_LOGS; k++)
			runstat_init(&s[d].lat[k]);
	while (!ret && (b = log_reader_next(r, &ret))) {
		for (unsigned at = 0; at < b->slots;) {
			struct log_rec rec;
			logb_get(b, &at, &rec);
			log_count(&s[rec.dir < DIRS ? rec.dir : 0], &rec);
		}
	}
	for (unsigned d = 0; s && !ret && d < DIRS; d++)
		if (s[d].lat[0].n)
			log_print_stats(r, &s[d], direction_name[d]);
	free(s);
	return ret;
}

static int log_kind_of(const char *word)
{
	for (unsigned k = LOGK_BW; k <= LOGK_LAT; k++)
		if (!strcmp(word, logkinds[k].word))
			return (int)k;
	return -1;
}

int cmd_log(int argc, char **argv)
{
	struct log_reader r = {.fd = -1, .buf = aligned_alloc(8, READ_BYTES)};
	int kind = -1, at = 1, ret = 0;

	if (argc > 1 && !strncmp(argv[1], "--text=", 7)) {
		kind = log_kind_of(argv[1] + 7);
		at = kind < 0 ? argc : 2;
	}
	if (at >= argc || argv[at][0] == '-' || !r.buf) {
		fputs(usage, stderr);
		free(r.buf);
		return 1;
	}
	for (; at < argc && !ret; at++) {
		ret = log_reader_open(&r, argv[at]);
		if (!ret)
			ret = kind < 0 ? log_write_stats(&r) : log_write_text(&r, (unsigned)kind);
		if (r.fd >= 0)
			(void)close(r.fd);
		r.fd = -1;
	}
	free(r.buf);
	if (fflush(stdout) && !ret)
		ret = log_complain("standard output", strerror(errno));
	return ret ? 1 : 0;
}
