/* A worker reduced to what load needs: a plan made by hand, slots, and a clock that is a number. */
#ifndef FATHOM_TESTS_LOAD_RIG_H
#define FATHOM_TESTS_LOAD_RIG_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "workload/workload.h"

#define KI	 UINT64_C(1024)
#define MI	 (1024 * KI)
#define TI	 (1024 * 1024 * MI)
#define SEC	 UINT64_C(1000000000)
#define MSEC	 UINT64_C(1000000)
#define RIG_SEED UINT64_C(20261130)

#define assert_near(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

enum { RIG_SLOTS = 64, RIG_FILES = 16 };

struct seen {
	uint64_t at, intended, offset;
	uint32_t len;
	uint16_t file;
	uint8_t op;
};

struct rig {
	struct job job;
	struct job_opts *o;
	struct plan_job pj;
	struct plan_file files[RIG_FILES];
	struct arena arena;
	struct workload *load;
	struct io ios[RIG_SLOTS];
	unsigned slots, batch;
	bool stop_at_wrap;
	bool with_buffers;
	uint8_t *buffers;
	uint64_t now, service_ns; /* a batch takes so long */
	struct seen *log;
	unsigned n, room;
	unsigned wraps, loops, swaps, waits, drains;
	uint64_t spin_until; /* of the last wait that had one */
	bool is_open[RIG_FILES];
	bool over; /* WORKLOAD_END, or the last loop was over */
	enum workload_state state;
};

static inline void rig_seed(struct rig *r, uint64_t seed)
{
	for (unsigned i = 0; i < SEED_STREAMS; i++)
		r->pj.seed[i] = rng_derive(seed, 0, i);
}

/* One file of `size` bytes, blocks of bs, defaults of the options that matter here. */
static inline void rig_init(struct rig *r, unsigned rw, uint64_t size, uint64_t bs)
{
	memset(r, 0, sizeof(*r));
	r->o = &r->job.o;
	r->pj.job = &r->job;
	r->pj.o = r->o;
	r->o->rw.bits = rw;
	r->o->rwmixread = 50;
	r->o->scramble_buffers = true;
	r->o->buffer_compress_chunk = 512;
	r->o->thinktime_blocks = 1;
	r->o->random_distribution.center = -1;
	for (unsigned d = 0; d < DIRS; d++) {
		r->o->bs[d] = bs;
		r->o->percentage_random[d] = 100;
		r->pj.min_len[d] = bs;
	}
	r->pj.files = r->files;
	r->pj.files_n = r->pj.open_files = 1;
	r->files[0].end = size;
	r->pj.reads = rw & RW_READ;
	r->pj.writes = rw & RW_WRITE;
	r->pj.trims = rw & RW_TRIM;
	r->pj.max_len = (uint32_t)bs;
	r->pj.limit_bytes = size;
	r->pj.loops = 1;
	r->slots = 1;
	r->batch = 1;
	rig_seed(r, RIG_SEED);
}

/* n files of `size` bytes each. */
static inline void rig_files(struct rig *r, unsigned n, uint64_t size)
{
	for (unsigned i = 0; i < n; i++)
		r->files[i] = (struct plan_file){.target = i, .end = size};
	r->pj.files_n = r->pj.open_files = n;
	r->pj.limit_bytes = n * size;
}

static inline int rig_try(struct rig *r, struct err *err)
{
	struct workload_setup s = {
		.plan = &r->pj, .stop_at_wrap = r->stop_at_wrap, .slots = r->slots};

	s.buffer_stride = (r->pj.max_len + 4095) / 4096 * 4096;
	if (r->with_buffers) {
		assert_int_equal(
			posix_memalign((void **)&r->buffers, 4096, s.buffer_stride * r->slots), 0);
		s.buffers = r->buffers;
	}
	for (unsigned i = 0; i < r->slots; i++) {
		r->ios[i].slot = (uint16_t)i;
		r->ios[i].buf = r->buffers ? r->buffers + i * s.buffer_stride : NULL;
	}
	for (unsigned i = 0; i < r->pj.open_files && i < r->pj.files_n; i++)
		r->is_open[i] = true;
	arena_init(&r->arena, 0);
	return workload_init(&r->load, &s, &r->arena, err);
}

static inline void rig_start(struct rig *r)
{
	struct err err = {0};

	if (rig_try(r, &err))
		fail_msg("workload_init: %s", err.text);
	workload_start(r->load, r->now);
}

static inline void rig_end(struct rig *r)
{
	if (r->load)
		workload_release(r->load);
	arena_release(&r->arena);
	free(r->buffers);
	free(r->log);
	r->load = NULL;
}

static inline void rig_record(struct rig *r, const struct io *io)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 1024;
		r->log = realloc(r->log, r->room * sizeof(r->log[0]));
		assert_non_null(r->log);
	}
	if (io->op <= IO_TRIM)
		assert_true(r->is_open[io->file]);
	r->log[r->n++] = (struct seen){r->now, io->intended, io->offset, io->len, io->file, io->op};
}

static inline void rig_state(struct rig *r, const struct workload_fill *f)
{
	r->state = f->state;
	switch (f->state) {
	case WORKLOAD_WAIT:
		r->waits++;
		assert_true(f->wake > r->now);
		if (f->spin_until)
			r->spin_until = f->spin_until;
		r->now = f->wake;
		break;
	case WORKLOAD_DRAIN:
		r->drains++;
		break;
	case WORKLOAD_WRAP:
		r->wraps++;
		break;
	case WORKLOAD_SWAP:
		r->swaps++;
		assert_true(r->is_open[f->close_file]);
		assert_false(r->is_open[f->open_file]);
		r->is_open[f->close_file] = false;
		r->is_open[f->open_file] = true;
		workload_swapped(r->load);
		break;
	case WORKLOAD_LOOP:
		r->loops++;
		r->over = !workload_next_loop(r->load, r->now);
		break;
	case WORKLOAD_END:
		r->over = true;
		break;
	case WORKLOAD_MORE:
		break;
	}
}

/* One call of workload_fill and the completion of what it gave. */
static inline unsigned rig_turn(struct rig *r, unsigned want)
{
	struct io *ios[RIG_SLOTS];
	struct workload_fill f = {.n = 999};

	for (unsigned i = 0; i < want; i++)
		ios[i] = &r->ios[i];
	workload_fill(r->load, r->now, 0, ios, want, &f);
	assert_true(f.n <= want);
	for (unsigned i = 0; i < f.n; i++)
		rig_record(r, ios[i]);
	if (f.n) {
		r->now += r->service_ns;
		if (workload_wants_completions(r->load))
			workload_completed(r->load, ios, f.n, r->now);
	}
	if (f.n < want)
		assert_int_not_equal(f.state, WORKLOAD_MORE);
	rig_state(r, &f);
	return f.n;
}

/* Go on until `max` I/Os in all are seen or the load is over. Returns how many there are. */
static inline unsigned rig_run(struct rig *r, unsigned max)
{
	unsigned idle = 0;

	while (!r->over && r->n < max) {
		unsigned want = max - r->n < r->batch ? max - r->n : r->batch;
		idle = rig_turn(r, want) ? 0 : idle + 1;
		if (idle > 1000)
			fail_msg("no I/O in 1000 turns, state %d", (int)r->state);
	}
	return r->n;
}

/* "w0 w4 S w8": operation and offset in KiB. */
static inline void rig_text(const struct rig *r, char *to, size_t size)
{
	static const char letters[] = "rwtSDR";

	*to = 0;
	for (unsigned i = 0; i < r->n; i++) {
		size_t at = strlen(to);
		if (r->log[i].op <= IO_TRIM)
			snprintf(to + at, size - at, "%s%c%llu", i ? " " : "",
				 letters[r->log[i].op],
				 (unsigned long long)(r->log[i].offset / KI));
		else
			snprintf(to + at, size - at, "%s%c", i ? " " : "", letters[r->log[i].op]);
	}
}

static inline void rig_expect(struct rig *r, unsigned max, const char *text)
{
	char got[4096];

	rig_run(r, max);
	rig_text(r, got, sizeof(got));
	assert_string_equal(got, text);
}

/* I/Os first..first+n-1 touch each block of size bs in the file's region exactly once. */
static inline void rig_covers(const struct rig *r, unsigned first, uint64_t blocks, uint64_t bs)
{
	uint8_t *seen = calloc(blocks, 1);

	assert_non_null(seen);
	assert_true(r->n >= first + blocks);
	for (uint64_t i = 0; i < blocks; i++) {
		const struct seen *s = &r->log[first + i];
		uint64_t k = (s->offset - r->files[0].begin) / bs;
		assert_int_equal((s->offset - r->files[0].begin) % bs, 0);
		assert_int_equal(s->len, bs);
		assert_true(k < blocks);
		if (seen[k]++)
			fail_msg("block %llu twice, seed %llu", (unsigned long long)k,
				 (unsigned long long)RIG_SEED);
	}
	free(seen);
}

static inline unsigned rig_count(const struct rig *r, unsigned op)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n; i++)
		n += r->log[i].op == op;
	return n;
}

#endif
