/* What a worker does to its targets, and whether it may: layout, permissions, guarded devices,
 * alignment, holes, cache. Everything is found out by stat and by opening for reading. */
#include "plan/targets.h"
#include "plan/say.h"
#include "base/units.h"
#include "host/blockdev.h"
#include "target/extent.h"
#include "target/guard.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The place of whatever named the target. */
static enum job_opt targets_naming_option(const struct draft *d)
{
	return d->job->o.filename.n ? OPT_filename : OPT_COUNT;
}

static void targets_size_text(uint64_t bytes, char *buf, size_t size)
{
	snprintf(buf, size, "%llu bytes", (unsigned long long)bytes);
}

static bool targets_may_not_create(struct draft *d, const char *path, uint64_t need, uint64_t have,
				   bool missing)
{
	char want[40], found[40];
	targets_size_text(need, want, sizeof(want));
	targets_size_text(have, found, sizeof(found));
	if (!d->o->allow_file_create || d->b->po->readonly) {
		const char *why = d->o->allow_file_create ? "--readonly" : "allow_file_create=0";
		enum job_opt opt =
			d->o->allow_file_create ? targets_naming_option(d) : OPT_allow_file_create;
		if (missing)
			draft_error(d, ERR_SETUP, "no-create", opt, "create the file first",
				    "%s does not exist, and %s does not allow to create it", path,
				    why);
		else
			draft_error(
				d, ERR_SETUP, "no-create", opt,
				"reduce size, or extend the file first",
				"%s has %s, the job needs %s, and %s does not allow to extend it",
				path, found, want, why);
		return true;
	}
	return false;
}

static bool targets_may_not_access(struct draft *d, const struct plan_target *pt, bool write,
				   bool extend)
{
	if (!pt->exists || d->b->host.root[0])
		return false;
	if (faccessat(AT_FDCWD, pt->path, write ? W_OK : R_OK, AT_EACCESS) == 0)
		return false;
	draft_error(d, ERR_SETUP, "access", targets_naming_option(d),
		    "check the owner, mode and mount options of the file", "%s cannot be %s: %s",
		    pt->path,
		    extend  ? "extended"
		    : write ? "written"
			    : "read",
		    strerror(errno));
	return true;
}

/* The file has to grow: beyond its old end only, by layout before the run or by the job when it
 * opens it. */
static void targets_use_growing(struct draft *d, struct plan_target *pt, struct build_target *t,
				const struct plan_job *pj, uint64_t need)
{
	bool missing = !pt->exists && !t->planned;

	if (targets_may_not_create(d, pt->path, need, t->planned, missing) ||
	    targets_may_not_access(d, pt, true, true))
		return;
	if (d->o->create_on_open) {
		if (d->reads || d->caps & ENGINE_MAPS) {
			draft_error(d, ERR_USAGE, "create-on-open", OPT_create_on_open,
				    "remove create_on_open",
				    "%s has %llu bytes, but create_on_open creates it empty, with "
				    "no data to %s",
				    pt->path, (unsigned long long)t->planned,
				    d->reads ? "read" : "map");
			return;
		}
		pt->create_on_open = true;
		return;
	}
	pt->lay_out = true;
	/* A mapping cannot make a file longer. */
	pt->fill |= d->reads || d->o->overwrite || (d->caps & ENGINE_MAPS) != 0;
	pt->fallocate = (enum opt_fallocate)d->o->fallocate;
	pt->create_fsync &= d->o->create_fsync;
	t->planned = need;
	t->stage = pj->stage;
}

static void targets_guard_say(struct draft *d, const struct guard_report *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!r->v[i].refused)
			draft_warn(d, "device-in-use", targets_naming_option(d), "", "%s",
				   r->v[i].text);
}

/* Mounted, held, partitioned, with a signature: asked before anything is touched. `explain` tells
 * instead of refusing. False after a refusal. */
static bool targets_guard_allows(struct draft *d, const struct plan_target *pt,
				 struct build_target *t)
{
	struct guard_report report;
	struct err err;
	unsigned allow = (d->o->allow_mounted_write ? GUARD_ALLOW_USED : 0) |
			 (d->o->allow_signature_write ? GUARD_ALLOW_SIGNATURE : 0);

	if (t->guarded[allow])
		return true;
	t->guarded[allow] = true;
	memset(&report, 0, sizeof(report));
	err_clear(&err);
	int ret = guard_check(&d->b->host, NULL, pt->path, allow, &report, &err);
	targets_guard_say(d, &report);
	if (ret && d->b->po->no_device_access)
		draft_warn(d, "device-in-use", targets_naming_option(d), err.remedy, "%s",
			   err.text);
	else if (ret)
		draft_err(d, "device-in-use", targets_naming_option(d), &err);
	return !ret;
}

static void targets_use_block(struct draft *d, struct plan_target *pt, struct build_target *t,
			      uint64_t need)
{
	if (need > pt->size_needed)
		pt->size_needed = need;
	if (!d->writes && !d->trims)
		targets_may_not_access(d, pt, false, false);
	else if (targets_guard_allows(d, pt, t))
		targets_may_not_access(d, pt, true, false);
}

static void targets_use_regular(struct draft *d, struct plan_target *pt, struct build_target *t,
				const struct plan_job *pj, uint64_t need)
{
	if (d->trims) {
		draft_error(d, ERR_USAGE, "trim-file", OPT_rw,
			    "use a block device, or rw=write or rw=randwrite",
			    "%s is a regular file: only block devices support trim", pt->path);
		return;
	}
	/* The image of a loop device is guarded as the device is. */
	if (d->writes && pt->exists && !targets_guard_allows(d, pt, t))
		return;
	if (d->o->fill_device && need >= (uint64_t)INT64_MAX / 2) {
		if (!pt->exists && targets_may_not_create(d, pt->path, need, 0, true))
			return;
		pt->create_on_open |= !pt->exists;
		targets_may_not_access(d, pt, true, false);
		return;
	}
	if (need > t->planned)
		targets_use_growing(d, pt, t, pj, need);
	else if (!pt->exists || t->planned > pt->size_now)
		/* Laid out by an earlier job. Read at the same time it must hold data. */
		pt->fill |= d->reads && pj->stage <= t->stage;
	if (d->writes)
		targets_may_not_access(d, pt, true, false);
	if (d->reads)
		targets_may_not_access(d, pt, false, false);
	if (need > pt->size_needed)
		pt->size_needed = need;
}

/* Direct I/O wants offsets and lengths in units of the device or file system. */
static void targets_check_alignment(struct draft *d, const struct plan_target *pt,
				    const struct build_target *t, const struct plan_file *f)
{
	uint64_t unit =
		d->random && d->o->norandommap ? d->o->ba[d->reads ? DIR_READ : DIR_WRITE] : 0;
	struct err err;

	if (!d->o->direct || d->caps & ENGINE_MAPS || pt->kind == PLAN_CHAR)
		return;
	for (unsigned dir = 0; dir < DIRS; dir++) {
		const struct opt_split *split = &d->o->bssplit[dir];
		unsigned n = split->n ? split->n : 2;
		for (unsigned k = 0; d->lo[dir] && k < n; k++) {
			uint64_t v = split->n ? split->v[k].size : k ? d->hi[dir] : d->lo[dir];
			err_clear(&err);
			if (target_check_direct(&t->info, v, &err)) {
				draft_err(d, "alignment", OPT_bs, &err);
				return;
			}
		}
	}
	if (!pt->alignment || pt->alignment == 1)
		return;
	if (f->begin % pt->alignment)
		draft_error(d, ERR_SETUP, "alignment", OPT_offset,
			    "use an offset that is a multiple of it, or direct=0",
			    "offset %llu is not a multiple of %u, the alignment required for "
			    "direct I/O on %s",
			    (unsigned long long)f->begin, pt->alignment, pt->path);
	else if (unit % pt->alignment)
		draft_error(d, ERR_SETUP, "alignment", OPT_ba, "use a multiple of it, or direct=0",
			    "ba=%llu is not a multiple of %u, the alignment required for direct "
			    "I/O on %s",
			    (unsigned long long)unit, pt->alignment, pt->path);
	else if (d->o->bs_unaligned && d->min_block != d->max_block)
		draft_error(d, ERR_SETUP, "alignment", OPT_bs_unaligned,
			    "remove bs_unaligned, or use direct=0",
			    "bs_unaligned allows block sizes that direct I/O on %s rejects: it "
			    "requires multiples of %u",
			    pt->path, pt->alignment);
}

/* Bytes of the part of the region that exists already which were never written. */
static uint64_t targets_measure_holes(struct draft *d, const struct plan_target *pt,
				      struct build_target *t, const struct plan_file *f)
{
	uint64_t end = f->end < pt->size_now ? f->end : pt->size_now;
	struct extent_share share;

	(void)d;
	if (f->begin >= end)
		return 0;
	if (t->holes_known && t->holes_begin == f->begin && t->holes_end == end)
		return t->holes;
	t->holes_begin = f->begin;
	t->holes_end = end;
	t->holes = 0;
	t->holes_known = true;
	int fd = open(pt->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	memset(&share, 0, sizeof(share));
	if (extent_measure(NULL, fd, f->begin, end - f->begin, true, &share) == 0)
		t->holes = share.hole + share.unwritten;
	close(fd);
	return t->holes;
}

static bool targets_cached_reads(const struct draft *d, const struct plan_target *pt)
{
	if (!d->reads || d->o->pre_read || (d->o->direct && !(d->caps & ENGINE_MAPS)))
		return false;
	return pt->kind == PLAN_BLOCK ||
	       (pt->kind == PLAN_REGULAR && pt->exists && pt->size_now < d->b->ram);
}

static void targets_say_cached(struct draft *d, const struct plan_target *pt)
{
	if (draft_told(d, "page-cache"))
		return;
	draft_warn(d, "page-cache", d->o->direct ? OPT_ioengine : OPT_rw,
		   d->o->direct ? "use another engine to bypass the cache"
				: "add direct=1 to bypass the cache",
		   "reads of %s go through the page cache%s: the result may be memory speed",
		   pt->path, d->o->direct ? "" : " (direct=0)");
}

static void targets_say_unwritten(struct draft *d, const struct plan_job *pj, uint64_t bytes)
{
	assert(!bytes || pj->region);
	if (!bytes || draft_told(d, "unwritten"))
		return;
	double percent = (double)bytes * 100 / (double)pj->region;
	draft_warn(d, "unwritten", targets_naming_option(d),
		   "write the whole file first, or remove it so that it is laid out with data",
		   "%.*f %% of the range to read are holes or unwritten extents (sparse): such "
		   "reads do not "
		   "reach the medium",
		   percent < 1 ? 2 : 0, percent);
}

/* The device a target is or lies on; a file still to be made will lie where its folder does. */
static int targets_device_below(struct draft *d, const struct plan_target *pt, struct blockdev *dev)
{
	const char *slash = strrchr(pt->path, '/');

	if (pt->exists)
		return blockdev_of_file(&d->b->host, pt->path, dev);
	if (!slash)
		return blockdev_of_file(&d->b->host, ".", dev);
	const char *folder = arena_strndup(d->b->arena, pt->path,
					   slash == pt->path ? 1 : (size_t)(slash - pt->path));
	return folder ? blockdev_of_file(&d->b->host, folder, dev) : -ENOMEM;
}

/* An asynchronous engine that polls gets EOPNOTSUPP for every I/O from a device without poll
 * queues: say so before, and what is missing. (Synchronous hipri is ignored by such devices; that
 * is noticed in the run.) */
static void targets_check_polling(struct draft *d, const struct plan_target *pt)
{
	struct blockdev dev;

	if (!d->traits.polls || d->caps & ENGINE_SYNC || draft_told(d, "poll-inactive") ||
	    targets_device_below(d, pt, &dev) < 0 || dev.io_poll != 0)
		return;
	const char *remedy = "configure poll queues in the driver (nvme: module parameter "
			     "poll_queues=N), or remove hipri";
	if (d->b->po->no_device_access)
		draft_warn(d, "poll-inactive", OPT_ioengine, remedy,
			   "%s has no poll queues, which hipri requires", dev.disk);
	else
		draft_error(d, ERR_SETUP, "poll-inactive", OPT_ioengine, remedy,
			    "%s has no poll queues, which hipri requires", dev.disk);
}

static void targets_use_one(struct draft *d, struct plan_job *pj, unsigned i, uint64_t *unwritten)
{
	struct plan_file *f = &pj->files[i];
	struct plan_target *pt = &d->b->plan->targets[f->target];
	struct build_target *t = &d->b->targets[f->target];
	bool changes = d->writes || d->trims;

	assert(i < pj->files_n && f->target < d->b->plan->targets_n && f->begin <= f->end);
	if (!t->virtual && d->reads && pt->kind == PLAN_REGULAR && pt->exists &&
	    !((pt->written || pt->trimmed) && t->write_stage < pj->stage)) {
		f->unwritten = targets_measure_holes(d, pt, t, f);
		*unwritten += f->unwritten;
	}
	if (changes && !pt->written && !pt->trimmed)
		t->write_stage = pj->stage;
	pt->read |= d->reads;
	pt->written |= d->writes;
	pt->trimmed |= d->trims;
	pt->may_create &= d->o->allow_file_create && !d->b->po->readonly;
	if (changes)
		pt->may_write_mounted &= d->o->allow_mounted_write;
	if (t->virtual) {
		if (f->end > pt->size_needed)
			pt->size_needed = f->end;
		return;
	}
	if (targets_cached_reads(d, pt))
		targets_say_cached(d, pt);
	targets_check_alignment(d, pt, t, f);
	targets_check_polling(d, pt);
	if (pt->kind == PLAN_REGULAR)
		targets_use_regular(d, pt, t, pj, f->end);
	else if (pt->kind == PLAN_BLOCK)
		targets_use_block(d, pt, t, f->end);
	else
		targets_may_not_access(d, pt, changes, false);
	/* Layout is allowed when the job that needs it may; others only find the file there. */
	pt->may_create |= pt->lay_out;
	/* The next loop has to make it anew. */
	pt->create_on_open |= pt->kind == PLAN_REGULAR && d->o->unlink_each_loop && pj->loops > 1;
}

void targets_use(struct draft *d, struct plan_job *pj)
{
	uint64_t unwritten = 0;
	for (unsigned i = 0; i < pj->files_n; i++)
		targets_use_one(d, pj, i, &unwritten);
	targets_say_unwritten(d, pj, unwritten);
}
