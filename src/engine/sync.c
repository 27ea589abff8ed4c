/* sync: read and write at the file's own position, moved by lseek when it is not there already. */
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"

struct sync_ctx {
	struct completed done;
	uint64_t position; /* of the file below, UINT64_MAX: not known */
	unsigned file;	   /* the one used last; the others are sought anew */
};

static int sync_open(struct engine *e, struct err *err)
{
	struct sync_ctx *c = e->ctx;

	c->position = UINT64_MAX;
	return completed_open(e, err);
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
		r = rawsys_lseek(fd, io->offset);
		if (r < 0) {
			c->position = UINT64_MAX;
			return r;
		}
		c->file = io->file;
	}
	r = io->op == IO_READ ? rawsys_read(fd, io->buf, io->len)
			      : rawsys_write(fd, io->buf, io->len);
	c->position = r < 0 ? UINT64_MAX : io->offset + (uint64_t)r;
	return r;
}

static void sync_perform(struct engine *e, struct io *io)
{
	io->result = io->op <= IO_WRITE ? (int32_t)sync_transfer(e, io) : fileop_run(e, io);
}

const struct engine_ops engine_sync = {
	.name = "sync",
	.help = "lseek(2) with read(2) and write(2), one I/O at a time",
	.caps = ENGINE_SYNC | ENGINE_TRIM,
	.ctx_size = sizeof(struct sync_ctx),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = default_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = sync_open,
	.attach = default_attach,
	.detach = sync_detach,
	.submit = completed_submit,
	.perform = sync_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
