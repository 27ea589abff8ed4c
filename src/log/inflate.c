#include "log/inflate.h"
#include "log/logline.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

/* Layout of a record, found by decoding logs of fio 3.33: time in ms and value (8 bytes each),
 * direction with flags (4), priority (2), 2 unused, block size (8), and the offset (8) if its flag
 * is set. Little endian. */
#define RECORD	       32
#define RECORD_OFFSET  40
#define FLAG_OFFSET    0x80000000u
#define FLAG_PRIO      0x40000000u
#define BLOCK_SIZE_MAX UINT32_MAX

struct inflating {
	const char *path;
	FILE *from, *to;
	struct err *err;
	unsigned char carry[RECORD_OFFSET]; /* the begin of a record */
	size_t carried;
};

static uint64_t little(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static int record(struct inflating *in, const unsigned char *p)
{
	uint32_t dir = (uint32_t)little(p + 16, 4);
	uint64_t bs = little(p + 24, 8), time_ms = little(p, 8);
	struct logline_style style = {.offset = dir & FLAG_OFFSET, .prio = dir & FLAG_PRIO};
	char line[LOGLINE_MAX];

	dir &= ~(FLAG_OFFSET | FLAG_PRIO);
	if (dir > 2 || bs > BLOCK_SIZE_MAX || time_ms > UINT64_MAX / 1000000)
		return err_set(in->err, ERR_USAGE, EINVAL,
			       "\"%s\" holds no records in the layout of fio 3.33", in->path);
	struct log_rec r = {
		.time_ns = time_ms * 1000000,
		.value = little(p + 8, 8),
		.kind = LOGK_LAT, /* values are printed as they are */
		.dir = (uint8_t)dir,
		.prio = (uint16_t)little(p + 20, 2),
		.len = (uint32_t)bs,
		.offset = style.offset ? little(p + 32, 8) : 0,
	};
	char *end = logline_record(line, &style, &r);
	fwrite(line, 1, (size_t)(end - line), in->to);
	return 0;
}

static int records(struct inflating *in, const unsigned char *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		in->carry[in->carried++] = data[i];
		if (in->carried < RECORD)
			continue;
		bool long_one = little(in->carry + 16, 4) & FLAG_OFFSET;
		if (in->carried < (long_one ? RECORD_OFFSET : RECORD))
			continue;
		in->carried = 0;
		int rc = record(in, in->carry);
		if (rc)
			return rc;
	}
	return 0;
}

static int corrupt(struct inflating *in)
{
	return err_set(in->err, ERR_USAGE, EINVAL, "\"%s\" is no compressed log, or is damaged",
		       in->path);
}

/* One piece of the file; *ended: the last zlib stream is complete. */
static int piece(struct inflating *in, z_stream *z, bool *ended)
{
	unsigned char out[16384];

	while (z->avail_in) {
		if (*ended && inflateReset(z) != Z_OK)
			return corrupt(in);
		*ended = false;
		do {
			z->next_out = out;
			z->avail_out = sizeof(out);
			int rc = inflate(z, Z_NO_FLUSH);
			if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
				return corrupt(in);
			*ended = rc == Z_STREAM_END;
			rc = records(in, out, sizeof(out) - z->avail_out);
			if (rc)
				return rc;
		} while (!*ended && z->avail_out == 0);
	}
	return 0;
}

static int all(struct inflating *in)
{
	unsigned char buf[16384];
	z_stream z = {0};
	bool ended = true;
	int rc = 0;

	if (inflateInit(&z) != Z_OK)
		return err_set(in->err, ERR_SETUP, ENOMEM, "out of memory for \"%s\"", in->path);
	while (!rc && (z.avail_in = (unsigned)fread(buf, 1, sizeof(buf), in->from)) > 0) {
		z.next_in = buf;
		rc = piece(in, &z, &ended);
	}
	inflateEnd(&z);
	if (!rc && ferror(in->from))
		rc = err_set(in->err, ERR_SETUP, EIO, "cannot read \"%s\"", in->path);
	if (!rc && (!ended || in->carried))
		rc = corrupt(in);
	if (!rc && (fflush(in->to) || ferror(in->to)))
		rc = err_set(in->err, ERR_SETUP, EIO, "cannot print \"%s\"", in->path);
	return rc;
}

int inflate_log(const char *path, FILE *to, struct err *err)
{
	struct inflating in = {.path = path, .from = fopen(path, "rbe"), .to = to, .err = err};

	if (!in.from) {
		int sys = errno;
		return err_set(err, ERR_SETUP, sys, "cannot open \"%s\": %s", path, strerror(sys));
	}
	int rc = all(&in);
	fclose(in.from);
	return rc;
}
