/* pvsync: one preadv or pwritev a submit. */
#include "engine/cold.h"
#include "engine/done.h"
#include "engine/plain.h"
#include "engine/sysc.h"
#include "engine/tables.h"

static void pvsync_perform(struct engine *e, struct io *io)
{
	struct iovec v = {io->buf, io->len};
	int fd = e->files[io->file].fd;

	if (io->op == IO_READ)
		io->result = (int32_t)sysc_preadv(fd, &v, 1, io->offset);
	else if (io->op == IO_WRITE)
		io->result = (int32_t)sysc_pwritev(fd, &v, 1, io->offset);
	else
		io->result = cold_do(e, io);
}

const struct engine_ops engine_pvsync = {
	.name = "pvsync",
	.help = "preadv(2) and pwritev(2), one I/O at a time",
	.caps = ENGINE_SYNC | ENGINE_TRIM,
	.ctx_size = sizeof(struct done),
	.io_size = sizeof(struct io *),
	.probe = plain_probe,
	.check = plain_check,
	.caps_with = plain_caps,
	.traits = plain_traits,
	.capacity = plain_capacity,
	.open = done_open,
	.attach = plain_attach,
	.detach = plain_detach,
	.submit = done_submit,
	.perform = pvsync_perform,
	.reap = done_reap,
	.next = plain_next,
	.cancel = plain_cancel,
	.close = plain_close,
};
