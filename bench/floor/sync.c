/* Depth 1: pread, preadv2 (-v), or preadv2 with RWF_HIPRI (-p). The clock is read once in 64 turns.
 */
#include "floor.h"
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TURNS = 64 };

static void read_plain(struct floor *f)
{
	for (int i = 0; i < TURNS; i++) {
		if (pread(f->fd, f->buffers, f->block_bytes, (off_t)floor_offset(f)) !=
		    (ssize_t)f->block_bytes)
			floor_fail("pread", errno);
	}
}

static void read_vectored(struct floor *f)
{
	int flags = f->hipri ? RWF_HIPRI : 0;
	struct iovec v = {.iov_base = f->buffers, .iov_len = f->block_bytes};

	for (int i = 0; i < TURNS; i++) {
		if (preadv2(f->fd, &v, 1, (off_t)floor_offset(f), flags) != (ssize_t)f->block_bytes)
			floor_fail("preadv2", errno);
	}
}

int main(int argc, char **argv)
{
	struct floor f;
	uint64_t start, ios = 0;

	floor_init(&f, argc, argv);
	start = floor_start(&f);
	while (floor_now() < f.end_ns) {
		if (f.hipri || f.vectored)
			read_vectored(&f);
		else
			read_plain(&f);
		ios += TURNS;
	}
	floor_report(&f, start, ios);
	return 0;
}
