#include "engine/defaults.h"
#include <assert.h>
#include <errno.h>

int default_probe(char *found, size_t size, struct err *err)
{
	(void)err;
	if (size)
		found[0] = '\0';
	return 0;
}

int default_check(const struct engine_setup *s, struct err *err)
{
	assert(s && s->depth);
	if (!s->atomic)
		return 0;
	err_set(err, ERR_USAGE, EINVAL, "atomic=1: this engine cannot issue atomic writes");
	err_remedy(err, "use ioengine=pvsync2, libaio or io_uring");
	return -EINVAL;
}

unsigned default_caps(const struct engine_ops *ops, const void *options, unsigned depth)
{
	(void)options;
	(void)depth;
	return ops->caps;
}

void default_traits(const void *options, struct engine_traits *out)
{
	(void)options;
	(void)out;
}

uint64_t default_capacity(const void *options)
{
	(void)options;
	return 0;
}

int default_attach(struct engine *e, unsigned file, struct err *err)
{
	assert(file < e->setup->files);
	(void)e;
	(void)file;
	(void)err;
	return 0;
}

void default_detach(struct engine *e, unsigned file)
{
	assert(file < e->setup->files);
	(void)e;
	(void)file;
}

uint64_t default_next(const struct engine *e)
{
	(void)e;
	return UINT64_MAX;
}

void default_cancel(struct engine *e)
{
	(void)e;
}

void default_close(struct engine *e)
{
	(void)e;
}

int default_check_flags(const struct engine_setup *s, bool hipri, bool uncached, struct err *err)
{
	if (hipri && !s->direct) {
		err_set(err, ERR_USAGE, EINVAL, "hipri=1: the kernel polls only for direct I/O");
		err_remedy(err, "add direct=1 or drop hipri");
		return -EINVAL;
	}
	if (uncached && s->direct) {
		err_set(err, ERR_USAGE, EINVAL,
			"uncached=1 is about buffered I/O, but direct=1 is set");
		err_remedy(err, "drop one of the two");
		return -EINVAL;
	}
	return 0;
}
