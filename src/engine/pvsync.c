/* pvsync: one preadv or pwritev a submit. */
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"

static void pvsync_perform(struct engine *e, struct io *io)
{
	struct iovec v = {io->buf, io->len};
	int fd = e->files[io->file].fd;

	if (io->op == IO_READ)
		io->result = (int32_t)rawsys_preadv(fd, &v, 1, io->offset);
	else if (io->op == IO_WRITE)
		io->result = (int32_t)rawsys_pwritev(fd, &v, 1, io->offset);
	else
		io->result = fileop_run(e, io);
}

const struct engine_ops engine_pvsync = {
	.name = "pvsync",
	.help = "preadv(2) and pwritev(2), one I/O at a time",
	.caps = ENGINE_SYNC | ENGINE_TRIM,
	.ctx_size = sizeof(struct completed),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = default_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = completed_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = completed_submit,
	.perform = pvsync_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
