/* The common case: one file, one block size, no rate, pause, sync or other trimming. Decisions are
 * made once per stretch of I/Os, the loops inside do nothing but fill in.
 */
#include "base/check.h"
#include "workload/amounts.h"
#include "workload/fast.h"
#include "workload/place.h"

bool fast_can(const struct workload *l)
{
	if (l->files_n != 1 || !l->fixed || l->pair || l->pace.on || l->think.on || l->syncs.on ||
	    l->flights || l->hole || l->burst || l->service.restarts)
		return false;
	if (!l->random)
		return true;
	return (l->draw == DRAW_PERMUTE || l->draw == DRAW_FREE) && !l->partly[DIR_READ] &&
	       !l->partly[DIR_WRITE] && !l->partly[DIR_TRIM] && l->align[l->dir] == l->block;
}

#define INLINE static inline __attribute__((always_inline))

INLINE void fast_fill_in(const struct workload *l, struct io *io, unsigned op, uint64_t offset)
{
	hot_assert(offset >= l->files->begin &&
		   offset + l->block <= l->files->begin + l->files->bytes);
	io->offset = offset;
	io->len = io->len_asked = l->block;
	io->file = 0;
	io->op = (uint8_t)op;
	io->flags = 0;
	io->prio = 0;
	io->intended = 0;
}

INLINE unsigned fast_draw_op(struct workload *l)
{
	unsigned dir = mix_draw(&l->mix);

	mix_took(&l->mix, dir);
	l->counts.issued_ios[dir]++;
	return dir;
}

static __attribute__((noinline)) void fast_draw_ahead(struct workload *l)
{
	l->ahead_next = l->ahead;
	l->ahead_end = l->ahead + permute_next(l->perms, &l->files->index, l->ahead);
}

INLINE uint64_t fast_next_permuted(struct workload *l)
{
	if (__builtin_expect(l->ahead_next == l->ahead_end, 0))
		fast_draw_ahead(l);
	return l->files->begin + *l->ahead_next++ * l->block;
}

INLINE uint64_t fast_next_offset(struct workload *l, unsigned op, enum fast_order order)
{
	struct workload_file *f = l->files;
	uint64_t at;

	if (order == FAST_PERMUTED)
		return fast_next_permuted(l);
	if (order == FAST_FREE)
		return f->begin + rng_below(&l->offset_rng, f->blocks) * l->block;
	at = f->begin + f->next[op];
	f->next[op] += l->block;
	return at;
}

INLINE void fast_place(struct workload *l, struct io **ios, unsigned n, enum fast_order order)
{
	unsigned dir = l->dir;

	if (l->mixed) {
		for (unsigned i = 0; i < n; i++) {
			unsigned op = fast_draw_op(l);
			fast_fill_in(l, ios[i], op, fast_next_offset(l, op, order));
		}
		return;
	}
	for (unsigned i = 0; i < n; i++)
		fast_fill_in(l, ios[i], dir, fast_next_offset(l, dir, order));
}

static void fast_place_many(struct workload *l, struct io **ios, unsigned n, enum fast_order order)
{
	if (order == FAST_PERMUTED)
		fast_place(l, ios, n, FAST_PERMUTED);
	else if (order == FAST_FREE)
		fast_place(l, ios, n, FAST_FREE);
	else
		fast_place(l, ios, n, FAST_SEQUENTIAL);
}

/* I/Os until something has to be decided; 0: out->state says what holds. */
static uint64_t fast_decide(struct workload *l, struct workload_fill *out)
{
	struct workload_file *f = l->files;

	amounts_settle(l);
	if (amounts_spent(l)) {
		amounts_say_spent(l, out);
		return 0;
	}
	if (place_full(l, f) && !amounts_pass_over(l, out))
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

/* A batch that goes beyond the stretch. */
static __attribute__((noinline)) unsigned fast_fill_across(struct workload *l, struct io **ios,
							   unsigned want, struct workload_fill *out)
{
	unsigned n = 0;

	while (n < want) {
		if (!l->stretch && !(l->granted = l->stretch = fast_decide(l, out)))
			break;
		unsigned k = l->stretch < want - n ? (unsigned)l->stretch : want - n;
		fast_place_many(l, ios + n, k, l->order);
		l->stretch -= k;
		n += k;
	}
	return n;
}

static __attribute__((noinline)) void fast_fill_some(struct workload *l, uint64_t now,
						     struct io **ios, unsigned want,
						     struct workload_fill *out)
{
	unsigned n = want;

	out->state = WORKLOAD_MORE;
	if (want <= l->stretch) {
		l->stretch -= n;
		fast_place_many(l, ios, n, l->order);
	} else {
		n = fast_fill_across(l, ios, want, out);
	}
	if (l->data.kind != DATA_NONE)
		data_batch(&l->data, ios, n, now);
	out->n = n;
}

/* What an I/O costs here is the loads and stores of place() and one subtraction: everything else
 * is settled once a stretch. One at a time, the most frequent call, has no loop around it. */
INLINE void fast_fill(struct workload *l, uint64_t now, struct io **ios, unsigned want,
		      struct workload_fill *out, enum fast_order order)
{
	if (__builtin_expect(want != 1 || !l->stretch || !l->single ||
				     (order == FAST_PERMUTED && l->ahead_next == l->ahead_end),
			     0)) {
		fast_fill_some(l, now, ios, want, out);
		return;
	}
	l->stretch--;
	if (order == FAST_PERMUTED) /* no call in here, so that no register has to be saved */
		fast_fill_in(l, *ios, l->dir, l->files->begin + *l->ahead_next++ * l->block);
	else
		fast_fill_in(l, *ios, l->dir, fast_next_offset(l, l->dir, order));
	out->state = WORKLOAD_MORE;
	out->n = 1;
}

static void fast_fill_permuted(struct workload *l, uint64_t now, unsigned in_flight,
			       struct io **ios, unsigned want, struct workload_fill *out)
{
	fast_fill(l, now, ios, want, out, FAST_PERMUTED);
}

static void fast_fill_free(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios,
			   unsigned want, struct workload_fill *out)
{
	fast_fill(l, now, ios, want, out, FAST_FREE);
}

static void fast_fill_sequential(struct workload *l, uint64_t now, unsigned in_flight,
				 struct io **ios, unsigned want, struct workload_fill *out)
{
	fast_fill(l, now, ios, want, out, FAST_SEQUENTIAL);
}

void fast_init(struct workload *l)
{
	l->single = !l->mixed && l->data.kind == DATA_NONE;
	if (!l->random) {
		l->fill = fast_fill_sequential;
		l->order = FAST_SEQUENTIAL;
	} else if (l->draw == DRAW_PERMUTE) {
		l->fill = fast_fill_permuted;
		l->order = FAST_PERMUTED;
	} else {
		l->fill = fast_fill_free;
		l->order = FAST_FREE;
	}
}
