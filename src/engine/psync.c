/* psync: one pread or pwrite a submit. */
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"

static void psync_perform(struct engine *e, struct io *io)
{
	int fd = e->files[io->file].fd;

	if (io->op == IO_READ)
		io->result = (int32_t)rawsys_pread(fd, io->buf, io->len, io->offset);
	else if (io->op == IO_WRITE)
		io->result = (int32_t)rawsys_pwrite(fd, io->buf, io->len, io->offset);
	else
		io->result = fileop_run(e, io);
}

const struct engine_ops engine_psync = {
	.name = "psync",
	.help = "pread(2) and pwrite(2), one I/O at a time",
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
	.perform = psync_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
