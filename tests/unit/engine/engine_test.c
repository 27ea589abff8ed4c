/* Random I/O against a copy of the file in memory: what is read is what was written, whatever the
 * engine, its options, the depth and the batch.
 */
#include "base/rng.h"
#include "rig.h"

enum { BLOCK = 4096, BLOCKS = 256, DEPTH = 16, TURNS = 250 };

struct variant {
	const char *engine, *option, *value;
	bool direct, lazy;
	int tolerate; /* an error that says that this machine cannot */
};

static const struct variant variants[] = {
	{"psync", NULL, NULL, false, false, 0},
	{"psync", NULL, NULL, true, false, 0},
	{"sync", NULL, NULL, false, false, 0},
	{"vsync", NULL, NULL, false, false, 0},
	{"vsync", NULL, NULL, true, false, 0},
	{"pvsync", NULL, NULL, false, false, 0},
	{"pvsync2", NULL, NULL, false, false, 0},
	{"pvsync2", "hipri", "1", true, false, 0},
	{"pvsync2", "nowait", "1", true, false, EAGAIN},
	{"pvsync2", "uncached", "1", false, false, EOPNOTSUPP},
	{"mmap", NULL, NULL, false, false, 0},
	{"mmap", "thp", "1", false, false, 0},
	{"posixaio", NULL, NULL, false, false, 0},
	{"libaio", NULL, NULL, false, false, 0},
	{"libaio", NULL, NULL, true, false, 0},
	{"libaio", "userspace_reap", "0", true, false, 0},
	{"libaio", "libaio_vectored", "1", true, false, 0},
	{"libaio", "nowait", "1", true, false, EAGAIN},
	{"io_uring", NULL, NULL, false, false, 0},
	{"io_uring", NULL, NULL, true, false, 0},
	{"io_uring", NULL, NULL, true, true, 0},
	{"io_uring", NULL, NULL, false, true, 0},
	{"io_uring", "hipri", "1", true, false, EOPNOTSUPP},
	{"io_uring", "fixedbufs", "0", true, false, 0},
	{"io_uring", "fixedbufs", "1", true, false, 0},
	{"io_uring", "registerfiles", "0", true, false, 0},
	{"io_uring", "registerfiles", "1", true, false, 0},
	{"io_uring", "nonvectored", "0", true, false, 0},
	{"io_uring", "nonvectored", "1", true, false, 0},
	{"io_uring", "force_async", "3", true, false, 0},
	{"io_uring", "sqthread_poll", "1", true, false, 0},
	{"io_uring", "uncached", "1", false, false, EOPNOTSUPP},
	{"io_uring", "nowait", "1", true, false, EAGAIN},
};

struct model {
	struct rig rig;
	struct rng rng;
	unsigned char *copy; /* BLOCKS x BLOCK */
	bool busy[BLOCKS];
	struct io *idle[DEPTH];
	unsigned idle_n;
	unsigned refused, finished;
};

static void fill(struct model *m, unsigned char *p, size_t n)
{
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint64_t x = rng_next(&m->rng);

		memcpy(p + i, &x, 8);
	}
}

/* One or two blocks that nobody is working on. */
static bool draw(struct model *m, struct io *io)
{
	unsigned at = (unsigned)rng_below(&m->rng, BLOCKS - 1),
		 n = 1 + (unsigned)rng_below(&m->rng, 2);

	for (unsigned i = 0; i < n; i++)
		if (m->busy[at + i])
			return false;
	for (unsigned i = 0; i < n; i++)
		m->busy[at + i] = true;
	rig_io(&m->rig, io->slot, rng_below(&m->rng, 2) ? IO_READ : IO_WRITE, (uint64_t)at * BLOCK,
	       n * BLOCK);
	if (rng_below(&m->rng, 50) == 0)
		io->op = rng_below(&m->rng, 2) ? IO_FSYNC : IO_FDATASYNC;
	else
		fill(m, io->buf, io->len);
	return true;
}

static void finish(struct model *m, const struct variant *v, struct io *io)
{
	unsigned char *at = m->copy + io->offset;

	for (unsigned i = 0; i < io->len / BLOCK; i++)
		m->busy[io->offset / BLOCK + i] = false;
	m->idle[m->idle_n++] = io;
	m->finished++;
	if (v->tolerate && io->result == -v->tolerate) {
		m->refused++;
		/* A write that would have blocked may have got as far as it could. */
		return;
	}
	if (io->op > IO_WRITE) {
		assert_int_equal(io->result, 0);
		return;
	}
	assert_int_equal(io->result, io->len);
	if (io->op == IO_WRITE)
		memcpy(at, io->buf, io->len);
	else
		assert_memory_equal(at, io->buf, io->len);
}

static void turn(struct model *m, const struct variant *v, unsigned batch_max)
{
	struct io *batch[DEPTH], *out[DEPTH];
	unsigned n = 0, want = 1 + (unsigned)rng_below(&m->rng, batch_max), flying;
	int r;

	while (n < want && m->idle_n && draw(m, m->idle[m->idle_n - 1]))
		batch[n++] = m->idle[--m->idle_n];
	if (n) {
		r = m->rig.ops->submit(&m->rig.e, batch, n);
		assert_true(r >= 0 && r <= (int)n);
		/* What was not taken goes back. */
		while ((int)n > r) {
			struct io *io = batch[--n];

			for (unsigned i = 0; i < io->len / BLOCK; i++)
				m->busy[io->offset / BLOCK + i] = false;
			m->idle[m->idle_n++] = io;
		}
	}
	flying = DEPTH - m->idle_n;
	want = flying ? (unsigned)rng_below(&m->rng, flying + 1) : 0;
	r = m->rig.ops->reap(&m->rig.e, out, want, DEPTH, UINT64_MAX);
	assert_true(r >= (int)want && r <= (int)flying);
	for (int i = 0; i < r; i++)
		finish(m, v, out[i]);
}

static void run(const struct variant *v, uint64_t seed)
{
	struct model m = {0};
	bool direct = v->direct;
	int fd = rig_file(BLOCKS * BLOCK, &direct);
	unsigned batch;

	rng_seed(&m.rng, seed);
	m.copy = rig_alloc(BLOCKS * BLOCK);
	rig_init(&m.rig, v->engine, DEPTH, 2 * BLOCK);
	m.rig.s.direct = direct;
	m.rig.s.lazy = v->lazy;
	/* Without direct I/O here polling is refused; the variant then is the plain one. */
	if (v->option && (direct || strcmp(v->option, "hipri")))
		rig_option(&m.rig, v->option, v->value);
	rig_open(&m.rig);
	rig_attach(&m.rig, fd, BLOCKS * BLOCK);
	for (unsigned i = 0; i < DEPTH; i++)
		m.idle[m.idle_n++] = &m.rig.s.ios[i];
	batch = 1 + (unsigned)rng_below(&m.rng, DEPTH);
	for (unsigned i = 0; i < TURNS; i++)
		turn(&m, v, batch);
	while (m.idle_n < DEPTH) {
		struct io *out[DEPTH];
		int r = m.rig.ops->reap(&m.rig.e, out, 1, DEPTH, UINT64_MAX);

		assert_true(r > 0);
		while (r--)
			finish(&m, v, out[r]);
	}
	print_message("%s %s=%s direct=%d lazy=%d: %u I/Os, %u refused; %s\n", v->engine,
		      v->option ? v->option : "-", v->value ? v->value : "", direct, v->lazy,
		      m.finished, m.refused, m.rig.e.note);
	assert_true(m.finished > 0);
	rig_close(&m.rig);
	free(m.copy);
	close(fd);
}

static void what_is_read_is_what_was_written(void **state)
{
	uint64_t seed = (uint64_t)getpid() * 2654435761u;

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		print_message("seed %llu\n", (unsigned long long)(seed + i));
		run(&variants[i], seed + i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_read_is_what_was_written)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
