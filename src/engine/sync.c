/* sync: read and write at the file's own position, moved by lseek when it is not there already. */
#include "engine/cold.h"
#include "engine/done.h"
#include "engine/plain.h"
#include "engine/sysc.h"
#include "engine/tables.h"

struct sync_ctx {
	struct done done;
	uint64_t position; /* of the file below, UINT64_MAX: not known */
	unsigned file;	   /* the one used last; the others are sought anew */
};

static int sync_open(struct engine *e, struct err *err)
{
	struct sync_ctx *c = e->ctx;

	c->position = UINT64_MAX;
	return done_open(e, err);
}

static void sync_detach(struct engine *e, unsigned file)
{
	struct sync_ctx *c = e->ctx;

	if (c->file == file)
		c->position = UINT64_MAX;
}

static long sync_transfer(struct engine *e, struct io *io)
{
	struct sync_ctx *c = e->ctx;
	int fd = e->files[io->file].fd;
	long r;

	if (c->file != io->file || c->position != io->offset) {
		r = sysc_lseek(fd, io->offset);
		if (r < 0) {
			c->position = UINT64_MAX;
			return r;
		}
		c->file = io->file;
	}
	r = io->op == IO_READ ? sysc_read(fd, io->buf, io->len) : sysc_write(fd, io->buf, io->len);
	c->position = r < 0 ? UINT64_MAX : io->offset + (uint64_t)r;
	return r;
}

static void sync_perform(struct engine *e, struct io *io)
{
	io->result = io->op <= IO_WRITE ? (int32_t)sync_transfer(e, io) : cold_do(e, io);
}

const struct engine_ops engine_sync = {
	.name = "sync",
	.help = "lseek(2) with read(2) and write(2), one I/O at a time",
	.caps = ENGINE_SYNC | ENGINE_TRIM,
	.ctx_size = sizeof(struct sync_ctx),
	.io_size = sizeof(struct io *),
	.probe = plain_probe,
	.check = plain_check,
	.caps_with = plain_caps,
	.traits = plain_traits,
	.capacity = plain_capacity,
	.open = sync_open,
	.attach = plain_attach,
	.detach = sync_detach,
	.submit = done_submit,
	.perform = sync_perform,
	.reap = done_reap,
	.next = plain_next,
	.cancel = plain_cancel,
	.close = plain_close,
};
