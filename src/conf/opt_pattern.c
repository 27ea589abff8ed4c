/* Patterns of buffers (compatibility 2.12): 0xHEX, decimal, "text", 'file' and, where allowed, %o,
 * put together. */
#include "conf/opt_pattern.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATTERN_MAX  (128u << 20)
#define OFFSETS_MAX  1024
#define OFFSET_BYTES 8

/* Two passes: the first counts (bytes NULL), the second fills. A file may grow in between, hence
 * max. */
struct pattern_out {
	uint8_t *bytes;
	size_t n, max;
	size_t *offset_at;
	unsigned offsets;
};

static int opt_pattern_bytes(struct pattern_out *out, const void *bytes, size_t n)
{
	if (n > out->max - out->n)
		return -E2BIG;
	if (out->bytes)
		memcpy(out->bytes + out->n, bytes, n);
	out->n += n;
	return 0;
}

static unsigned opt_pattern_hex_digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* Pairs of digits from the left; a last single digit is a byte of its own. */
static const char *opt_pattern_hex(struct pattern_out *out, const char *p, int *rc)
{
	if (!isxdigit((unsigned char)*p))
		*rc = -EINVAL;
	while (*rc == 0 && isxdigit((unsigned char)*p)) {
		uint8_t byte = (uint8_t)opt_pattern_hex_digit(*p++);
		if (isxdigit((unsigned char)*p))
			byte = (uint8_t)(byte << 4 | opt_pattern_hex_digit(*p++));
		*rc = opt_pattern_bytes(out, &byte, 1);
	}
	return p;
}

/* An int, little-endian, in as few bytes as it needs; negative ones take four. */
static const char *opt_pattern_decimal(struct pattern_out *out, const char *p, int *rc)
{
	uint8_t bytes[4];
	size_t n = 0;
	char *end;
	long v;

	errno = 0;
	v = strtol(p, &end, 10);
	if (end == p || errno || v > INT_MAX || v < INT_MIN) {
		*rc = -EINVAL;
		return p;
	}
	uint32_t u = (uint32_t)(int32_t)v;
	do {
		bytes[n++] = (uint8_t)u;
		u >>= 8;
	} while (u);
	*rc = opt_pattern_bytes(out, bytes, n);
	return end;
}

static const char *opt_pattern_text(struct pattern_out *out, const char *p, int *rc)
{
	const char *end = strchr(p, '"');

	if (!end) {
		*rc = -EINVAL;
		return p;
	}
	*rc = opt_pattern_bytes(out, p, (size_t)(end - p));
	return end + 1;
}

static int opt_pattern_read(struct pattern_out *out, int fd)
{
	size_t room = out->max - out->n;
	struct stat st;

	/* a pipe or a terminal would block or never end */
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOTSUP;
	if ((uint64_t)st.st_size < room)
		room = (size_t)st.st_size;
	for (size_t got = 0; out->bytes && got < room;) {
		ssize_t n = read(fd, out->bytes + out->n + got, room - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		got += (size_t)n;
	}
	out->n += room;
	return 0;
}

static const char *opt_pattern_file(const struct opt_in *in, struct pattern_out *out, const char *p,
				    int *rc)
{
	const char *end = strchr(p, '\'');
	char *path;
	int fd;

	if (!end) {
		*rc = -EINVAL;
		return p;
	}
	path = arena_strndup(in->ctx->arena, p, (size_t)(end - p));
	if (!path) {
		*rc = opt_no_memory(in);
		return p;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	*rc = fd < 0 ? -errno : opt_pattern_read(out, fd);
	if (fd >= 0)
		close(fd);
	if (*rc) {
		err_set(in->err, ERR_USAGE, -*rc,
			"option '%s': cannot read pattern file '%.200s': %s", in->row->name, path,
			strerror(-*rc));
		err_remedy(in->err, "name a regular file that can be read");
		*rc = -EIO; /* words are set */
	}
	return end + 1;
}

static int opt_pattern_offset(const struct opt_in *in, struct pattern_out *out)
{
	static const uint8_t zero[OFFSET_BYTES];

	if (in->row->min <= 0)
		return -EINVAL;
	if (out->offsets == OFFSETS_MAX)
		return -E2BIG;
	if (out->offset_at)
		out->offset_at[out->offsets] = out->n;
	out->offsets++;
	return opt_pattern_bytes(out, zero, OFFSET_BYTES);
}

static int opt_pattern_pass(const struct opt_in *in, struct pattern_out *out)
{
	const char *p = in->text;
	int ret = 0;

	while (*p && ret == 0) {
		const char *at = p;
		if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
			p = opt_pattern_hex(out, p + 2, &ret);
		} else if (*p == '"') {
			p = opt_pattern_text(out, p + 1, &ret);
		} else if (*p == '\'') {
			p = opt_pattern_file(in, out, p + 1, &ret);
		} else if (p[0] == '%' && p[1] == 'o') {
			ret = opt_pattern_offset(in, out);
			p += 2;
		} else if (isdigit((unsigned char)*p) || *p == '-') {
			p = opt_pattern_decimal(out, p, &ret);
		} else {
			ret = -EINVAL;
		}
		if (ret == -EINVAL)
			return opt_bad(in, at, "a part of a pattern");
	}
	if (ret == -E2BIG) {
		err_set(in->err, ERR_USAGE, E2BIG, "option '%s': the pattern is too long",
			in->row->name);
		err_remedy(in->err, "at most 128 MiB and %d offsets", OFFSETS_MAX);
	}
	return ret;
}

int opt_pattern_parse(const struct opt_in *in, void *field)
{
	struct pattern_out out = {.max = PATTERN_MAX};
	size_t n;
	int ret = opt_pattern_pass(in, &out);

	if (ret)
		return ret;
	n = out.n;
	if (n == 0)
		return opt_bad(in, in->text, "a pattern: it is empty");
	out.bytes = arena_alloc(in->ctx->arena, n, 1);
	out.offset_at = arena_new(in->ctx->arena, size_t, out.offsets + 1);
	if (!out.bytes || !out.offset_at)
		return opt_no_memory(in);
	out.max = n;
	out.n = out.offsets = 0;
	ret = opt_pattern_pass(in, &out);
	if (ret == 0)
		*(struct opt_pattern *)field = (struct opt_pattern){
			.bytes = out.bytes,
			.n = out.n,
			.offset_at = out.offset_at,
			.offsets = out.offsets,
		};
	return ret;
}

void opt_pattern_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_pattern *v = field;
	unsigned k = 0;
	bool hex = false;

	for (size_t i = 0; i < v->n && o->len + 1 < o->size;) {
		if (k < v->offsets && v->offset_at[k] == i) {
			opt_out_printf(o, "%%o");
			i += OFFSET_BYTES;
			k++;
			hex = false;
			continue;
		}
		opt_out_printf(o, hex ? "%02x" : "0x%02x", v->bytes[i++]);
		hex = true;
	}
}

bool opt_pattern_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_pattern *x = a, *y = b;

	if (x->n != y->n || x->offsets != y->offsets)
		return false;
	if (x->n && memcmp(x->bytes, y->bytes, x->n) != 0)
		return false;
	return x->offsets == 0 ||
	       memcmp(x->offset_at, y->offset_at, x->offsets * sizeof(*x->offset_at)) == 0;
}
