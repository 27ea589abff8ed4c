/* ftruncate: a write sets the size of the file to its offset, as fio's engine of this name does.
 * What is measured is the system call; no data is transferred. */
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/fileop.h"
#include "engine/tables.h"
#include <errno.h>
#include <unistd.h>

static int ftruncate_check(const struct engine_setup *s, struct err *err)
{
	if (s->reads || s->trims) {
		err_set(err, ERR_USAGE, EINVAL, "ioengine=ftruncate can only write");
		err_remedy(err, "use rw=write or rw=randwrite");
		return -EINVAL;
	}
	return default_check(s, err);
}

static int ftruncate_attach(struct engine *e, unsigned file, struct err *err)
{
	if (!e->files[file].block_device)
		return 0;
	err_set(err, ERR_USAGE, EINVAL, "%s: ioengine=ftruncate needs a regular file",
		e->files[file].path);
	return -EINVAL;
}

static void ftruncate_perform(struct engine *e, struct io *io)
{
	if (io->op != IO_WRITE)
		io->result = fileop_run(e, io);
	else if (ftruncate(e->files[io->file].fd, (off_t)io->offset))
		io->result = -errno;
	else
		io->result = (int32_t)io->len;
}

const struct engine_ops engine_ftruncate = {
	.name = "ftruncate",
	.help = "ftruncate(2): a write sets the file size to its offset; transfers no data",
	.caps = ENGINE_SYNC | ENGINE_NO_DISK,
	.ctx_size = sizeof(struct completed),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = ftruncate_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = completed_open,
	.attach = ftruncate_attach,
	.detach = default_detach,
	.submit = completed_submit,
	.perform = ftruncate_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
