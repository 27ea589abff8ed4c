/* Regions and amounts (compatibility 5.4 to 5.8, 5.10, 5.11): where in each file a worker does I/O,
 * and when it has done enough. */
#include "plan/sizes.h"
#include "plan/say.h"
#include "base/rng.h"
#include "base/units.h"
#include <assert.h>
#include <stdio.h>

/* Offsets are signed 64-bit numbers in the kernel. */
#define OFFSET_MAX ((uint64_t)INT64_MAX)

/* What is known of one file before its region is chosen. */
struct extent_of {
	uint64_t have; /* bytes that exist, or will once earlier jobs were laid out */
	bool fixed;    /* cannot grow: a device */
	bool known;    /* `have` means something */
	bool there;    /* the file exists, or the engine has none */
	uint64_t want; /* filesize for it, 0 not given */
	uint64_t base; /* what percentages are of; 0 unknown */
};

static void size_text(uint64_t bytes, char *buf, size_t size)
{
	units_print(bytes, 1, 4, true, UNITS_BYTES, buf, size);
}

static uint64_t sizes_percent_of(double percent, uint64_t whole)
{
	assert(percent >= 0);
	if (percent >= 100)
		return whole;
	return (uint64_t)((long double)whole * (long double)percent / 100);
}

/* Equal shares that are not rounded to blocks; whole blocks of the remainder go to the first files
 * (5.4). */
static uint64_t sizes_share_of_size(const struct draft *d, const struct plan_job *pj, unsigned i)
{
	uint64_t size = d->o->size.bytes, n = pj->files_n;
	uint64_t share = size / n, extra = (size - share * n) / d->min_block;
	return share + (i < extra ? d->min_block : 0);
}

/* filesize: fixed, or drawn in whole blocks; a file that is in the range already keeps its size
 * (5.6). */
static uint64_t sizes_draw_filesize(const struct draft *d, const struct plan_job *pj, unsigned i,
				    uint64_t have, bool known)
{
	uint64_t lo = d->o->filesize.lo, hi = d->o->filesize.hi, v;
	struct rng r;

	if (lo == hi)
		return lo;
	if (known && have >= lo && have <= hi)
		return have;
	rng_seed(&r, rng_derive(pj->seed[SEED_FILE_SIZE], i, 0));
	v = lo + rng_below(&r, hi - lo + 1);
	v -= v % d->min_block;
	return v < lo ? lo : v;
}

static struct extent_of sizes_extent_look(const struct draft *d, const struct plan_job *pj,
					  unsigned i)
{
	const struct plan_target *pt = &d->b->plan->targets[pj->files[i].target];
	const struct build_target *t = &d->b->targets[pj->files[i].target];
	struct extent_of e = {0};

	if (t->virtual) {
		uint64_t capacity = d->engine->capacity(d->engine_options);
		e.have = capacity ? capacity : t->info.size;
		e.fixed = capacity || t->info.kind == TARGET_BLOCK;
	} else {
		e.have = t->planned;
		e.fixed = pt->kind == PLAN_BLOCK;
	}
	e.known = e.have > 0;
	if (d->o->filesize.hi && pt->kind != PLAN_CHAR) {
		e.want = sizes_draw_filesize(d, pj, i, e.have, e.known && !e.fixed);
		if (e.fixed && e.want > e.have)
			e.want = e.have;
	}
	/* Not what clones before this one add to the file. */
	e.there = pt->exists || t->virtual;
	e.base = e.want && !e.fixed ? e.want : pt->exists && !t->virtual ? pt->size_now : e.have;
	if (!e.base && t->virtual && d->o->size.kind == OPT_SIZE_BYTES)
		e.base = sizes_share_of_size(d, pj, i);
	return e;
}

static bool sizes_no_zones(struct draft *d)
{
	static const struct {
		enum job_opt opt;
		const char *name;
	} zoned[] = {{OPT_size, "size"},
		     {OPT_io_size, "io_size"},
		     {OPT_offset, "offset"},
		     {OPT_offset_increment, "offset_increment"}};
	const struct opt_size *v[] = {&d->o->size, &d->o->io_size, &d->o->offset,
				      &d->o->offset_increment};
	bool ok = true;
	for (unsigned i = 0; i < 4; i++) {
		if (v[i]->kind != OPT_SIZE_ZONES)
			continue;
		draft_error(d, ERR_USAGE, "zones", zoned[i].opt, "use bytes or percent",
			    "%s in zones is not supported", zoned[i].name);
		ok = false;
	}
	return ok;
}

static bool sizes_need_base(struct draft *d, enum job_opt opt, const char *name, const char *path,
			    const struct extent_of *e)
{
	if (e->base)
		return true;
	draft_error(d, ERR_USAGE, "percent-missing", opt, "use bytes, or set filesize",
		    "%s in percent requires a file of known size, but %s %s", name, path,
		    e->there ? "has none" : "does not exist");
	return false;
}

/* The start of the region: offset plus clone number times offset_increment; percentages are rounded
 * up (5.7). */
static bool sizes_region_start(struct draft *d, const struct plan_job *pj, const char *path,
			       const struct extent_of *e, uint64_t *start)
{
	const struct opt_size *off = &d->o->offset, *inc = &d->o->offset_increment;
	uint64_t align = d->o->offset_align ? d->o->offset_align : d->min_block;
	uint64_t at = off->kind == OPT_SIZE_BYTES ? off->bytes : 0, step = 0;
	bool round = false;

	if (off->kind == OPT_SIZE_PERCENT && off->percent > 0) {
		if (!sizes_need_base(d, OPT_offset, "offset", path, e))
			return false;
		at = sizes_percent_of(off->percent, e->base);
		round = true;
	}
	if (inc->kind == OPT_SIZE_BYTES) {
		step = inc->bytes;
	} else if (inc->kind == OPT_SIZE_PERCENT && inc->percent > 0 && pj->clone) {
		if (!sizes_need_base(d, OPT_offset_increment, "offset_increment", path, e))
			return false;
		step = (uint64_t)((long double)e->base * (long double)inc->percent / 100);
		round = true;
	}
	if (at > OFFSET_MAX) {
		draft_error(d, ERR_USAGE, "offset", OPT_offset, "use a smaller offset",
			    "offset %llu exceeds the maximum file size", (unsigned long long)at);
		return false;
	}
	if (step && pj->clone > (OFFSET_MAX - at) / step) {
		draft_error(d, ERR_USAGE, "offset", OPT_offset_increment, "",
			    "the offset of clone %u exceeds the maximum file size", pj->clone);
		return false;
	}
	at += step * pj->clone;
	if (round && at % align)
		at += align - at % align;
	*start = at;
	return true;
}

static uint64_t sizes_whole_blocks(const struct draft *d, uint64_t bytes)
{
	return bytes - bytes % d->min_block;
}

static bool sizes_need_size(struct draft *d, const char *path, const struct extent_of *e)
{
	if (e->known)
		return true;
	draft_error(d, ERR_USAGE, "need-size", OPT_filename,
		    "add size=BYTES or filesize=BYTES, e.g. size=1g",
		    "%s %s: specify how large to %s", path,
		    e->there ? "has no known size" : "does not exist",
		    e->there ? "treat it" : "create it");
	return false;
}

/* The length of the region before it is cut at the end of a device. */
static bool sizes_region_length(struct draft *d, const struct plan_job *pj, unsigned i,
				const struct extent_of *e, uint64_t start, uint64_t *len)
{
	const struct opt_size *size = &d->o->size;
	const char *path = pj->files[i].path;
	uint64_t end = e->want ? e->want : e->have;

	if (d->o->fill_device && size->kind == OPT_SIZE_UNSET && !e->want && !e->fixed) {
		*len = OFFSET_MAX - start;
		*len -= *len % d->max_block;
		return true;
	}
	if (size->kind == OPT_SIZE_BYTES && !e->want) {
		*len = sizes_share_of_size(d, pj, i);
		return true;
	}
	if (size->kind == OPT_SIZE_PERCENT && !sizes_need_base(d, OPT_size, "size", path, e))
		return false;
	if (size->kind != OPT_SIZE_PERCENT && !e->want && !sizes_need_size(d, path, e))
		return false;
	if (size->kind == OPT_SIZE_PERCENT && !e->want)
		end = e->base;
	*len = end > start ? end - start : 0;
	if (size->kind == OPT_SIZE_PERCENT && size->percent < 100) {
		uint64_t part = sizes_whole_blocks(d, sizes_percent_of(size->percent, e->base));
		if (part < *len)
			*len = part;
	}
	return true;
}

/* A loop device without a file, a zram device without a disksize. */
static bool sizes_region_exists(struct draft *d, const char *path, const struct extent_of *e)
{
	if (!e->fixed || e->have)
		return true;
	draft_error(d, ERR_SETUP, "empty-device", OPT_filename,
		    "set up the device first (losetup, disksize of zram), or use another device",
		    "%s has a size of 0", path);
	return false;
}

static bool sizes_region_cut(struct draft *d, const char *path, const struct extent_of *e,
			     uint64_t start, uint64_t *len)
{
	char a[40], b[40];
	size_text(start, a, sizeof(a));
	size_text(e->have, b, sizeof(b));
	if (e->fixed && start >= e->have) {
		draft_error(d, ERR_USAGE, "offset",
			    draft_given(d, OPT_offset) ? OPT_offset : OPT_offset_increment,
			    "use a smaller offset",
			    "the offset of %s is at or beyond the end of %s, which has %s", a, path,
			    b);
		return false;
	}
	if (e->fixed && *len > e->have - start) {
		uint64_t left = e->have - start;
		size_text(start + *len, a, sizeof(a));
		draft_warn(d, "size-reduced", OPT_size, "use a smaller size, or size=100%",
			   "%s has %s, less than the requested %s: the size is reduced", path, b,
			   a);
		draft_reason(d, OPT_size, "reduced to the size of %s: %s", path, b);
		*len = left;
	}
	if (*len > OFFSET_MAX - start) {
		draft_error(d, ERR_USAGE, "offset", OPT_size, "use a smaller size",
			    "offset plus size exceeds the maximum file size");
		return false;
	}
	return true;
}

/* Every direction must find room for a block; of a split each size must fit, or it would never be
 * issued. */
static bool sizes_region_holds_block(struct draft *d, const struct plan_job *pj, const char *path,
				     uint64_t len)
{
	char a[40], b[40];
	uint64_t need = 0;
	for (unsigned dir = 0; dir < DIRS; dir++) {
		uint64_t v = d->o->bssplit[dir].n ? d->hi[dir] : d->lo[dir];
		if (d->lo[dir] && v > need)
			need = v;
	}
	if (len >= need)
		return true;
	snprintf(a, sizeof(a), "%llu bytes", (unsigned long long)len);
	size_text(need, b, sizeof(b));
	if (pj->files_n > 1 && d->o->size.kind == OPT_SIZE_BYTES && !d->o->filesize.hi)
		draft_error(d, ERR_USAGE, "size-block", OPT_size,
			    "increase size, or reduce nrfiles or bs",
			    "size=%llu divided among %u files leaves %s for %s, less than a block "
			    "of %s",
			    (unsigned long long)d->o->size.bytes, pj->files_n, a, path, b);
	else
		draft_error(d, ERR_USAGE, "size-block", OPT_size, "increase size or reduce bs",
			    "the region of %s has %s, less than a block of %s", path, a, b);
	return false;
}

static bool sizes_file_region(struct draft *d, struct plan_job *pj, unsigned i)
{
	struct plan_file *f = &pj->files[i];
	struct extent_of e = sizes_extent_look(d, pj, i);
	uint64_t start, len;

	if (!sizes_region_exists(d, f->path, &e) || !sizes_region_start(d, pj, f->path, &e, &start))
		return false;
	if (d->o->file_append && !e.fixed)
		start = e.have;
	if (!sizes_region_length(d, pj, i, &e, start, &len) ||
	    !sizes_region_cut(d, f->path, &e, start, &len))
		return false;
	if (!e.fixed && e.known && !len && start >= e.have && !d->o->file_append) {
		draft_error(d, ERR_USAGE, "offset",
			    draft_given(d, OPT_offset) ? OPT_offset : OPT_offset_increment,
			    "use a smaller offset, or set size",
			    "offset %llu is at or beyond the end of %s, which has %llu bytes",
			    (unsigned long long)start, f->path, (unsigned long long)e.have);
		return false;
	}
	if (!sizes_region_holds_block(d, pj, f->path, len))
		return false;
	f->begin = start;
	f->end = start + len;
	return true;
}

/* Zones and block numbers of a distribution must lie in the region (6.10): found now, not when one
 * is drawn. */
static bool sizes_distribution_fits(struct draft *d, const struct plan_job *pj)
{
	const struct opt_dist *dist = &d->o->random_distribution;
	uint64_t smallest = UINT64_MAX;
	for (unsigned i = 0; i < pj->files_n; i++)
		if (pj->files[i].end - pj->files[i].begin < smallest)
			smallest = pj->files[i].end - pj->files[i].begin;
	for (unsigned dir = 0; d->random && dist->kind == OPT_DIST_ZONED_ABS && dir < DIRS; dir++) {
		uint64_t sum = 0;
		for (unsigned z = 0; d->lo[dir] && z < dist->zones[dir].n; z++)
			sum += dist->zones[dir].v[z].bytes;
		if (sum <= smallest)
			continue;
		draft_error(
			d, ERR_USAGE, "zone-beyond", OPT_random_distribution,
			"reduce the zones or increase size",
			"the zones of random_distribution cover %llu bytes, the region has %llu",
			(unsigned long long)sum, (unsigned long long)smallest);
		return false;
	}
	for (unsigned k = 0; d->random && dist->kind == OPT_DIST_SEQUENCE && k < dist->sequence_n;
	     k++) {
		if (dist->sequence[k] < smallest / d->min_block)
			continue;
		draft_error(d, ERR_USAGE, "zone-beyond", OPT_random_distribution,
			    "use block numbers below the number of blocks",
			    "block %llu of random_distribution is beyond the region, which has "
			    "%llu blocks",
			    (unsigned long long)dist->sequence[k],
			    (unsigned long long)(smallest / d->min_block));
		return false;
	}
	return true;
}

static void sizes_short_tail(struct draft *d, const struct plan_job *pj)
{
	uint64_t tail = 0;
	if (d->o->bs_unaligned || pj->clone)
		return;
	for (unsigned i = 0; i < pj->files_n; i++)
		tail += (pj->files[i].end - pj->files[i].begin) % d->min_block;
	if (!tail)
		return;
	draft_warn(d, "short-tail", draft_given(d, OPT_size) ? OPT_size : OPT_bs,
		   "use a size that is a multiple of the block size",
		   "the last %llu byte%s of the region %s skipped: %s not a multiple of the block "
		   "size of %llu",
		   (unsigned long long)tail, tail == 1 ? "" : "s", tail == 1 ? "is" : "are",
		   pj->files_n > 1 ? "the share of a file is" : "it is",
		   (unsigned long long)d->min_block);
}

bool sizes_region(struct draft *d, struct plan_job *pj)
{
	assert(pj->files && pj->files_n);
	if (pj->clone == 0 && !sizes_no_zones(d))
		return false;
	if (d->o->fill_device && d->random && d->o->size.kind == OPT_SIZE_UNSET &&
	    !d->o->filesize.hi) {
		draft_error(d, ERR_USAGE, "fill-device", OPT_fill_device,
			    "add size=, or use rw=write",
			    "fill_device with random offsets requires size");
		return false;
	}
	pj->region = 0;
	for (unsigned i = 0; i < pj->files_n; i++) {
		if (!sizes_file_region(d, pj, i))
			return false;
		uint64_t len = pj->files[i].end - pj->files[i].begin;
		pj->region = len > UINT64_MAX - pj->region ? UINT64_MAX : pj->region + len;
	}
	sizes_short_tail(d, pj);
	return sizes_distribution_fits(d, pj);
}
