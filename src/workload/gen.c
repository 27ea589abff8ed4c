/* The general fill function: everything the specialised ones of fast.c cannot do. */
#include "base/check.h"
#include "workload/amounts.h"
#include "workload/files.h"
#include "workload/gen.h"
#include "workload/place.h"

_Static_assert((int)IO_READ == (int)DIR_READ && (int)IO_WRITE == (int)DIR_WRITE &&
		       (int)IO_TRIM == (int)DIR_TRIM,
	       "a direction is an operation");

static bool gen_say(struct workload_fill *out, enum workload_state state)
{
	out->state = state;
	return false;
}

static bool gen_say_wait(struct workload_fill *out, uint64_t wake)
{
	out->wake = wake;
	out->spin_until = 0;
	return gen_say(out, WORKLOAD_WAIT);
}

/* The sync that is due after a group of writes (compatibility 10.1). */
static void gen_issue_sync(struct workload *l, struct io *io)
{
	struct workload_file *f = &l->files[l->syncs.file];

	hot_assert(l->syncs.due && l->syncs.op > IO_TRIM && l->syncs.file < l->files_n);
	io->op = l->syncs.op;
	io->file = l->syncs.file;
	io->offset = l->syncs.offset;
	io->len = io->len_asked = 0;
	io->flags = 0;
	io->prio = 0;
	io->intended = 0;
	if (io->op == IO_SYNC_RANGE && f->dirty_lo < f->dirty_hi) {
		uint64_t span = f->dirty_hi - f->dirty_lo;
		io->offset = f->dirty_lo;
		io->len = io->len_asked = span <= UINT32_MAX ? (uint32_t)span : 0;
	}
	f->dirty_lo = UINT64_MAX;
	f->dirty_hi = 0;
	l->syncs.due = false;
}

static void gen_note_write(struct workload *l, const struct pick *p)
{
	static const uint8_t ops[3] = {IO_FSYNC, IO_FDATASYNC, IO_SYNC_RANGE};
	struct workload_file *f = &l->files[p->file];
	struct syncs *s = &l->syncs;

	hot_assert(p->dir == DIR_WRITE && p->len);
	if (p->offset < f->dirty_lo)
		f->dirty_lo = p->offset;
	if (p->offset + p->len > f->dirty_hi)
		f->dirty_hi = p->offset + p->len;
	s->writes++;
	/* In this order, and one is enough. */
	for (unsigned i = 0; i < 3; i++) {
		if (!s->every[i] || s->writes % s->every[i])
			continue;
		s->due = true;
		s->op = ops[i];
		s->file = p->file;
		s->offset = p->offset;
		return;
	}
}

static bool gen_overlaps(const struct workload *l, const struct pick *p)
{
	for (unsigned i = 0; i < l->slots; i++) {
		const struct flight *f = &l->flights[i];
		if (f->len && f->file == p->file && p->offset < f->offset + f->len &&
		    f->offset < p->offset + p->len)
			return true;
	}
	return false;
}

static void gen_issue(struct workload *l, struct io *io, const struct pick *p, uint64_t now)
{
	bool second = l->pair_due;

	hot_assert(p->file < l->files_n && p->dir < DIRS && p->len);
	hot_assert(p->offset >= l->files[p->file].begin);
	io->offset = p->offset;
	io->len = io->len_asked = p->len;
	io->op = p->dir;
	io->file = p->file;
	io->flags = 0;
	io->prio = 0;
	io->intended = p->due;

	l->counts.issued_ios[p->dir]++;
	l->counts.issued_bytes[p->dir] += p->len;
	l->total_ios++;
	l->fruitless = 0;
	if (l->pace.on)
		pace_issued(&l->pace, p->dir, p->len, p->due, now);
	if (l->mixed)
		mix_took(&l->mix, p->dir);
	think_issued(&l->think);
	if (l->flights)
		l->flights[io->slot] = (struct flight){p->offset, p->len, p->file};
	if (p->dir == DIR_WRITE && l->syncs.on)
		gen_note_write(l, p);
	l->pair_due = false;
	if (second)
		return;
	l->loop_bytes += p->len;
	if (l->pair) {
		l->pair_due = true;
		l->pair_write = *p;
		l->pair_write.dir = DIR_WRITE;
	}
	if (place_full(l, &l->files[p->file]))
		files_done(l, p->file);
}

/* With rates on both the one farthest behind is served; with a rate on one the other fills the time
 * in between. */
static unsigned gen_paced_direction(struct workload *l, uint64_t now)
{
	const struct pace *p = &l->pace;

	if (l->mix.share <= 0 || l->mix.share >= MIX_ONE)
		return l->mix.share > 0 ? DIR_READ : DIR_WRITE;
	if (p->limited[DIR_READ] && p->limited[DIR_WRITE])
		return pace_due(p, DIR_READ) <= pace_due(p, DIR_WRITE) ? DIR_READ : DIR_WRITE;
	if (l->drawn < 0)
		l->drawn = (int)mix_draw(&l->mix);
	unsigned dir = (unsigned)l->drawn;
	return pace_due(p, dir) <= now ? dir : dir == DIR_READ ? DIR_WRITE : DIR_READ;
}

static unsigned gen_direction(struct workload *l, uint64_t now)
{
	if (!l->mixed)
		return l->dir;
	if (l->pace.on)
		return gen_paced_direction(l, now);
	if (l->drawn < 0)
		l->drawn = (int)mix_draw(&l->mix);
	return (unsigned)l->drawn;
}

static bool gen_find_place(struct workload *l, unsigned dir, struct pick *p,
			   struct workload_fill *out)
{
	hot_assert(dir < DIRS && !l->holding);
	/* Every file may be full for this direction, and once more in a fresh pass; then there is
	 * no place at all. */
	while (l->fruitless <= 3 * l->files_n + 4) {
		uint16_t file;
		switch (files_pick(l, &file)) {
		case FILES_SWAP:
			out->close_file = l->service.close_file;
			out->open_file = l->service.open_file;
			return gen_say(out, WORKLOAD_SWAP);
		case FILES_NONE:
			l->fruitless++;
			if (!amounts_pass_over(l, out))
				return false;
			break;
		case FILES_OK:
			if (place_next(l, file, dir, p))
				return true;
			l->fruitless++;
			files_done(l, file);
			break;
		}
	}
	l->ended = true;
	return gen_say(out, WORKLOAD_END);
}

/* Prepare l->held. */
static bool gen_prepare(struct workload *l, uint64_t now, struct workload_fill *out)
{
	struct pick *p = &l->held;
	unsigned dir = l->pair_due ? DIR_WRITE : gen_direction(l, now);
	uint64_t due = pace_due(&l->pace, dir);

	hot_assert(!l->holding);
	if (due > now)
		return gen_say_wait(out, due);
	if (l->pair_due)
		*p = l->pair_write;
	else if (!gen_find_place(l, dir, p, out))
		return false;
	p->due = due ? due : l->pace.limited[dir]; /* 0 would say that there is no schedule */
	l->drawn = -1;
	l->holding = true;
	return true;
}

static bool gen_fill_one(struct workload *l, uint64_t now, unsigned in_flight, struct io *io,
			 struct workload_fill *out)
{
	bool spent = amounts_spent(l);

	/* The last group of writes has no sync. */
	if (l->syncs.due && !spent) {
		gen_issue_sync(l, io);
		return true;
	}
	if (l->think.on) {
		uint64_t paused;
		if (!think_allows(&l->think, now, in_flight, out, &paused))
			return false;
		if (paused && l->shift)
			pace_shift(&l->pace, paused);
	}
	if (spent) {
		amounts_say_spent(l, out);
		return false;
	}
	if (!l->holding && !gen_prepare(l, now, out))
		return false;
	if (l->flights && in_flight && gen_overlaps(l, &l->held))
		return gen_say(out, WORKLOAD_DRAIN);
	l->holding = false;
	gen_issue(l, io, &l->held, now);
	return true;
}

void gen_fill(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios, unsigned want,
	      struct workload_fill *out)
{
	unsigned n = 0;

	hot_assert(want);
	out->state = WORKLOAD_MORE;
	while (n < want && gen_fill_one(l, now, in_flight + n, ios[n], out))
		n++;
	data_batch(&l->data, ios, n, now);
	out->n = n;
}
