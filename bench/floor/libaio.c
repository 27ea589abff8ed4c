/* Native AIO at depth -d: reap what is there, at least -B of it, and hand the same slots over again
 * in one call; with -m never more than -B of it. */
#include "floor.h"
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct floor f;
	io_context_t context = NULL;
	uint64_t start, ios = 0;

	floor_init(&f, argc, argv);
	struct iocb *cbs = calloc(f.depth, sizeof(*cbs));
	struct iocb **list = calloc(f.depth, sizeof(struct iocb *));
	struct io_event *events = calloc(f.depth, sizeof(*events));
	int ret = io_setup((int)f.depth, &context);
	long ready = f.depth, most = f.cap ? f.batch : f.depth;

	if (!cbs || !list || !events || ret)
		floor_fail("io_setup", ret ? -ret : ENOMEM);
	for (unsigned i = 0; i < f.depth; i++) {
		io_prep_pread(&cbs[i], f.fd, floor_buffer(&f, i), f.block_bytes, 0);
		list[i] = &cbs[i];
	}
	start = floor_start(&f);
	while (floor_now() < f.end_ns) {
		for (long i = 0; i < ready; i++)
			list[i]->u.c.offset = (long long)floor_offset(&f);
		for (long sent = 0; sent < ready;) {
			ret = io_submit(context, ready - sent, list + sent);
			if (ret < 0)
				floor_fail("io_submit", -ret);
			sent += ret;
		}
		ready = io_getevents(context, f.batch, most, events, NULL);
		if (ready < 0)
			floor_fail("io_getevents", (int)-ready);
		for (long i = 0; i < ready; i++) {
			if (events[i].res != f.block_bytes)
				floor_fail("read", (int)-(long)events[i].res);
			list[i] = events[i].obj;
		}
		ios += (uint64_t)ready;
	}
	floor_report(&f, start, ios);
	io_destroy(context);
	return 0;
}
