/* What a worker would build around an engine, for tests: slots, buffers, files, options from text.
 */
#ifndef FATHOM_TEST_ENGINE_RIG_H
#define FATHOM_TEST_ENGINE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/registry.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct rig {
	const struct engine_ops *ops;
	struct engine e;
	struct engine_setup s;
	struct clock clock;
	struct err err;
	struct arena arena;
	void *options;
};

static inline void *rig_alloc(size_t n)
{
	void *p = NULL;

	n = (n + 4095) / 4096 * 4096;
	assert_int_equal(posix_memalign(&p, 4096, n ? n : 4096), 0);
	return memset(p, 0, n ? n : 4096);
}

static inline void rig_set(struct rig *r, const struct opt_row *row, const char *text)
{
	struct opt_context context = {.arena = &r->arena, .kb_base = 1024};

	if (opt_parse(row, text, &context, (char *)r->options + row->at, &r->err))
		fail_msg("%s: %s", row->name, r->err.text);
}

static inline void rig_option(struct rig *r, const char *name, const char *text)
{
	for (unsigned i = 0; i < r->ops->rows_n; i++) {
		if (strcmp(r->ops->rows[i].name, name))
			continue;
		rig_set(r, &r->ops->rows[i], text);
		r->s.given |= 1ull << i;
		return;
	}
	fail_msg("no option %s", name);
}

static inline uint64_t rig_now(const struct clock *c)
{
	struct timespec ts;

	(void)c;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* An engine with `depth` slots of max_len bytes and room for one file; not open yet. */
static inline void rig_init(struct rig *r, const char *engine, unsigned depth, size_t max_len)
{
	char *buffers = rig_alloc(depth * max_len);
	struct io *ios = rig_alloc(depth * sizeof(*ios));

	memset(r, 0, sizeof(*r));
	arena_init(&r->arena, 0);
	r->ops = engine_find(engine);
	assert_non_null(r->ops);
	r->options = rig_alloc(r->ops->options_size);
	for (unsigned i = 0; i < r->ops->rows_n; i++)
		if (r->ops->rows[i].def)
			rig_set(r, &r->ops->rows[i], r->ops->rows[i].def);
	r->clock.kind = CLOCK_KIND_MONOTONIC;
	r->clock.read = rig_now;
	for (unsigned i = 0; i < depth; i++) {
		ios[i].slot = (uint16_t)i;
		ios[i].buf = buffers + i * max_len;
	}
	r->s = (struct engine_setup){.options = r->options,
				     .clock = &r->clock,
				     .depth = depth,
				     .batch = depth,
				     .files = 1,
				     .reads = true,
				     .writes = true,
				     .trims = true,
				     .ios = ios,
				     .buffers = buffers,
				     .buffer_bytes = depth * max_len,
				     .max_len = max_len,
				     .seed = 7,
				     .sync_range_flags = 2};
	r->e = (struct engine){.ops = r->ops, .setup = &r->s};
	r->e.files = rig_alloc(sizeof(struct engine_file));
	r->e.files[0].fd = -1;
	r->e.ctx = rig_alloc(r->ops->ctx_size);
	r->e.io_data = rig_alloc(depth * r->ops->io_size);
}

static inline void rig_free(struct rig *r)
{
	arena_release(&r->arena);
	free(r->options);
	free(r->s.ios);
	free(r->s.buffers);
	free(r->e.files);
	free(r->e.ctx);
	free(r->e.io_data);
}

static inline void rig_open(struct rig *r)
{
	assert_int_equal(r->ops->check(&r->s, &r->err), 0);
	if (r->ops->open(&r->e, &r->err))
		fail_msg("%s: %s", r->ops->name, r->err.text);
}

static inline void rig_attach(struct rig *r, int fd, uint64_t size)
{
	r->e.files[0] = (struct engine_file){
		.fd = fd, .size = size, .direct = r->s.direct, .alignment = 512, .path = "file"};
	if (r->ops->attach(&r->e, 0, &r->err))
		fail_msg("%s: %s", r->ops->name, r->err.text);
}

static inline void rig_close(struct rig *r)
{
	r->ops->detach(&r->e, 0);
	r->ops->close(&r->e);
	rig_free(r);
}

static inline struct io *rig_io(struct rig *r, unsigned slot, uint8_t op, uint64_t offset,
				uint32_t len)
{
	struct io *io = &r->s.ios[slot];

	io->op = op;
	io->offset = offset;
	io->len = len;
	io->flags = 0;
	io->result = -9999;
	return io;
}

/* One I/O on slot 0, start to end. */
static inline int32_t rig_do(struct rig *r, uint8_t op, uint64_t offset, uint32_t len)
{
	struct io *io = rig_io(r, 0, op, offset, len), *out[1];

	assert_int_equal(r->ops->submit(&r->e, &io, 1), 1);
	assert_int_equal(r->ops->reap(&r->e, out, 1, 1, UINT64_MAX), 1);
	assert_ptr_equal(out[0], io);
	return io->result;
}

/* An unlinked file of `size` zero bytes in the current directory; *direct is cleared when it cannot
 * have O_DIRECT. */
static inline int rig_file(uint64_t size, bool *direct)
{
	char path[] = "engine-test-XXXXXX";
	int fd = mkstemp(path), d = -1;

	assert_true(fd >= 0);
	assert_int_equal(posix_fallocate(fd, 0, size ? (off_t)size : 1), 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	if (direct && *direct)
		d = open(path, O_RDWR | O_DIRECT);
	if (direct)
		*direct = d >= 0;
	unlink(path);
	if (d < 0)
		return fd;
	close(fd);
	return d;
}

#endif
