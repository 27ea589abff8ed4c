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

static uint64_t inflate_little(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static int inflate_record(struct inflating *in, const unsigned char *p)
{
	uint32_t dir = (uint32_t)inflate_little(p + 16, 4);
	uint64_t bs = inflate_little(p + 24, 8), time_ms = inflate_little(p, 8);
	struct logline_style style = {.offset = dir & FLAG_OFFSET, .prio = dir & FLAG_PRIO};
	char line[LOGLINE_MAX];

	dir &= ~(FLAG_OFFSET | FLAG_PRIO);
	if (dir > 2 || bs > BLOCK_SIZE_MAX || time_ms > UINT64_MAX / 1000000)
		return err_set(in->err, ERR_USAGE, EINVAL,
			       "\"%s\" holds no records in the layout of fio 3.33", in->path);
	struct log_rec r = {
		.time_ns = time_ms * 1000000,
		.value = inflate_little(p + 8, 8),
		.kind = LOGK_LAT, /* values are printed as they are */
		.dir = (uint8_t)dir,
		.prio = (uint16_t)inflate_little(p + 20, 2),
		.len = (uint32_t)bs,
		.offset = style.offset ? inflate_little(p + 32, 8) : 0,
	};
	char *end = logline_record(line, &style, &r);
	fwrite(line, 1, (size_t)(end - line), in->to);
	return 0;
}

static int inflate_records(struct inflating *in, const unsigned char *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		in->carry[in->carried++] = data[i];
		if (in->carried < RECORD)
			continue;
		bool long_one = inflate_little(in->carry + 16, 4) & FLAG_OFFSET;
		if (in->carried < (long_one ? RECORD_OFFSET : RECORD))
			continue;
		in->carried = 0;
		int ret = inflate_record(in, in->carry);
		if (ret)
			return ret;
	}
	return 0;
}

static int inflate_corrupt(struct inflating *in)
{
	return err_set(in->err, ERR_USAGE, EINVAL, "\"%s\" is no compressed log, or is damaged",
		       in->path);
}

/* One piece of the file; *ended: the last zlib stream is complete. */
static int inflate_piece(struct inflating *in, z_stream *z, bool *ended)
{
	unsigned char out[16384];

	while (z->avail_in) {
		if (*ended && inflateReset(z) != Z_OK)
			return inflate_corrupt(in);
		*ended = false;
		do {
			z->next_out = out;
			z->avail_out = sizeof(out);
			int ret = inflate(z, Z_NO_FLUSH);
			if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR)
				return inflate_corrupt(in);
			*ended = ret == Z_STREAM_END;
			ret = inflate_records(in, out, sizeof(out) - z->avail_out);
			if (ret)
				return ret;
		} while (!*ended && z->avail_out == 0);
	}
	return 0;
}

static int inflate_all(struct inflating *in)
{
	unsigned char buf[16384];
	z_stream z = {0};
	bool ended = true;
	int ret = 0;

	if (inflateInit(&z) != Z_OK)
		return err_set(in->err, ERR_SETUP, ENOMEM, "out of memory for \"%s\"", in->path);
	while (!ret && (z.avail_in = (unsigned)fread(buf, 1, sizeof(buf), in->from)) > 0) {
		z.next_in = buf;
		ret = inflate_piece(in, &z, &ended);
	}
	inflateEnd(&z);
	if (!ret && ferror(in->from))
		ret = err_set(in->err, ERR_SETUP, EIO, "cannot read \"%s\"", in->path);
	if (!ret && (!ended || in->carried))
		ret = inflate_corrupt(in);
	if (!ret && (fflush(in->to) || ferror(in->to)))
		ret = err_set(in->err, ERR_SETUP, EIO, "cannot print \"%s\"", in->path);
	return ret;
}

int inflate_log(const char *path, FILE *to, struct err *err)
{
	struct inflating in = {.path = path, .from = fopen(path, "rbe"), .to = to, .err = err};

	if (!in.from) {
		int sys = errno;
		return err_set(err, ERR_SETUP, sys, "cannot open \"%s\": %s", path, strerror(sys));
	}
	int ret = inflate_all(&in);
	fclose(in.from);
	return ret;
}
