/* The common case: one file, one block size, no rate, pause, sync or other trimming. Decisions are
 * made once per stretch of I/Os, the loops inside do nothing but fill in.
 */
#include "load/inner.h"

bool fast_can(const struct load *l)
{
	if (l->files_n != 1 || !l->fixed || l->pair || l->pace.on || l->think.on || l->syncs.on ||
	    l->flights || l->hole || l->burst || l->service.restarts)
		return false;
	if (!l->random)
		return true;
	return (l->draw == DRAW_PERMUTE || l->draw == DRAW_FREE) && !l->partly[DIR_READ] &&
	       !l->partly[DIR_WRITE] && !l->partly[DIR_TRIM] && l->align[l->dir] == l->block;
}

static inline void fill_in(const struct load *l, struct io *io, uint64_t offset)
{
	io->offset = offset;
	io->len = io->len_asked = l->block;
	io->file = 0;
	io->flags = 0;
	io->prio = 0;
	io->intended = 0;
}

static void set_ops(struct load *l, struct io **ios, unsigned n)
{
	unsigned reads = 0;

	if (!l->mixed) {
		for (unsigned i = 0; i < n; i++)
			ios[i]->op = l->dir;
		l->counts.issued_ios[l->dir] += n;
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned dir = mix_draw(&l->mix);
		mix_took(&l->mix, dir);
		reads += dir == DIR_READ;
		ios[i]->op = (uint8_t)dir;
	}
	l->counts.issued_ios[DIR_READ] += reads;
	l->counts.issued_ios[DIR_WRITE] += n - reads;
}

static void place_sequential(struct load *l, struct io **ios, unsigned n)
{
	struct load_file *f = l->files;
	uint64_t at = f->begin + f->next[l->dir];

	for (unsigned i = 0; i < n; i++, at += l->block)
		fill_in(l, ios[i], at);
	f->next[l->dir] = at - f->begin;
}

static void place_sequential_mixed(struct load *l, struct io **ios, unsigned n)
{
	struct load_file *f = l->files;

	for (unsigned i = 0; i < n; i++) {
		fill_in(l, ios[i], f->begin + f->next[ios[i]->op]);
		f->next[ios[i]->op] += l->block;
	}
}

static void place_permuted(struct load *l, struct io **ios, unsigned n)
{
	struct load_file *f = l->files;

	for (unsigned i = 0; i < n; i++) {
		if (__builtin_expect(l->ahead_at == l->ahead_n, 0)) {
			l->ahead_n = permute_next(l->perms, &f->index, l->ahead);
			l->ahead_at = 0;
		}
		fill_in(l, ios[i], f->begin + l->ahead[l->ahead_at++] * l->block);
	}
}

static void place_free(struct load *l, struct io **ios, unsigned n)
{
	const struct load_file *f = l->files;

	for (unsigned i = 0; i < n; i++)
		fill_in(l, ios[i], f->begin + rng_below(&l->offset_rng, f->blocks) * l->block);
}

/* I/Os until something has to be decided; 0: out->state says what holds. */
static uint64_t decide(struct load *l, struct load_fill *out)
{
	struct load_file *f = l->files;

	if (load_spent(l)) {
		load_say_spent(l, out);
		return 0;
	}
	if (place_full(l, f) && !load_pass_over(l, out))
		return 0;
	uint64_t n = (f->bytes - f->used) / l->block;
	if (!l->counting)
		return n;
	if (l->limit_ios && l->limit_ios - l->total_ios < n)
		n = l->limit_ios - l->total_ios;
	if (l->limit_bytes) {
		uint64_t left = l->limit_bytes - l->loop_bytes;
		uint64_t blocks = left / l->block + (left % l->block != 0);
		n = blocks < n ? blocks : n;
	}
	return n;
}

static void fast_fill(struct load *l, uint64_t now, unsigned in_flight, struct io **ios,
		      unsigned want, struct load_fill *out)
{
	unsigned n = 0;

	out->state = LOAD_MORE;
	while (n < want) {
		if (__builtin_expect(!l->stretch, 0) && !(l->stretch = decide(l, out)))
			break;
		unsigned k = l->stretch < want - n ? (unsigned)l->stretch : want - n;
		uint64_t bytes = (uint64_t)k * l->block;
		set_ops(l, ios + n, k);
		l->place(l, ios + n, k);
		l->files->used += bytes;
		l->loop_bytes += bytes;
		l->total_ios += k;
		l->stretch -= k;
		n += k;
	}
	data_batch(&l->data, ios, n, now);
	out->n = n;
}

void fast_init(struct load *l)
{
	l->fill = fast_fill;
	if (l->random)
		l->place = l->draw == DRAW_PERMUTE ? place_permuted : place_free;
	else
		l->place = l->mixed ? place_sequential_mixed : place_sequential;
}
