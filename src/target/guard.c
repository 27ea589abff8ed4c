#include "target/guard.h"
#include "target/signature.h"

#include "host/blockdev.h"
#include "host/blocktree.h"
#include "host/mounts.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* What a check carries around. */
struct check {
	const struct host *h;
	const char *shown;
	unsigned allow, allow_signature;
	struct arena arena;
	struct mounts mounts;
	struct guard_report *report;
};

static bool guard_has(const struct guard_report *r, enum guard_kind kind)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->v[i].kind == kind)
			return true;
	return false;
}

__attribute__((format(printf, 4, 5))) static void
guard_find(struct guard_report *r, enum guard_kind kind, bool refused, const char *fmt, ...)
{
	if (r->n == GUARD_FINDINGS) {
		r->more++;
		return;
	}
	struct guard_finding *f = &r->v[r->n++];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	f->kind = kind;
	f->refused = refused;
}

/* "dm-0 (vg-root)" for device mapper, else the name. */
static void guard_full_name(const struct host *h, const char *name, char *buf, size_t size)
{
	char dm[128];
	if (host_read_text(h, dm, sizeof(dm), "/sys/class/block/%s/dm/name", name))
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%s (%s)", name, dm);
}

/* Is the device mounted, or swap? what: how it relates to the one asked for, "" or "partition sda2
 * ". */
static void guard_check_use(struct check *c, const struct blockdev *b, const char *what)
{
	const char *colon = what[0] ? ": " : " ";
	const struct mount *m = mounts_find_device(c->h, &c->mounts, b->major, b->minor, b->name);
	if (m)
		guard_find(c->report, GUARD_MOUNTED, !c->allow, "%s%s%sis mounted on %s (%s)",
			   c->shown, colon, what, m->point, m->fstype);
	if (mounts_is_swap(c->h, &c->mounts, b->major, b->minor, b->name))
		guard_find(c->report, GUARD_SWAP, !c->allow, "%s%s%sis used as swap", c->shown,
			   colon, what);
}

/* btrfs names only the first of its devices in the mount table; all are listed here while it is
 * mounted. */
static void guard_check_btrfs(struct check *c, const struct blockdev *b, const char *what)
{
	struct host_names sets = {0};
	if (guard_has(c->report, GUARD_MOUNTED) ||
	    host_list_dir(c->h, &c->arena, &sets, "/sys/fs/btrfs"))
		return;
	for (unsigned i = 0; i < sets.n; i++)
		if (host_exists(c->h, "/sys/fs/btrfs/%s/devices/%s", sets.v[i], b->name))
			guard_find(c->report, GUARD_HELD, !c->allow,
				   "%s%s%sbelongs to a mounted btrfs (%s)", c->shown,
				   what[0] ? ": " : " ", what, sets.v[i]);
}

/* The device and, upwards, whatever is built on it. */
static int guard_check_holders(struct check *c, const char *name, const char *what)
{
	struct host_names up = {0};
	int ret = blockdev_holders(c->h, name, &c->arena, &up);
	unsigned direct = up.n;
	for (unsigned i = 0; !ret && i < up.n; i++) {
		struct blockdev b;
		char full[224], on_top[320];
		guard_full_name(c->h, up.v[i], full, sizeof(full));
		if (i < direct)
			guard_find(c->report, GUARD_HELD, !c->allow, "%s%s%sis held by %s",
				   c->shown, what[0] ? ": " : " ", what, full);
		snprintf(on_top, sizeof(on_top), "%s, which stands on it, ", full);
		if (!blockdev_of_name(c->h, up.v[i], &b))
			guard_check_use(c, &b, on_top);
		ret = blockdev_holders(c->h, up.v[i], &c->arena, &up);
		if (ret == -ENOENT)
			ret = 0;
	}
	return ret;
}

static int guard_check_one(struct check *c, const char *name, const char *what)
{
	struct blockdev b;
	int ret = blockdev_of_name(c->h, name, &b);
	if (ret)
		return ret;
	guard_check_use(c, &b, what);
	guard_check_btrfs(c, &b, what);
	return guard_check_holders(c, name, what);
}

static int guard_check_partitions(struct check *c, const char *disk)
{
	struct host_names parts = {0};
	char what[BLOCKDEV_NAME + 16], all[96] = "";
	int ret = blockdev_partitions(c->h, disk, &c->arena, &parts);
	for (unsigned i = 0; !ret && i < parts.n; i++) {
		size_t at = strlen(all);
		snprintf(what, sizeof(what), "partition %s ", parts.v[i]);
		snprintf(all + at, sizeof(all) - at, "%s%s", i ? ", " : "", parts.v[i]);
		ret = guard_check_one(c, parts.v[i], what);
	}
	if (!ret && parts.n)
		guard_find(c->report, GUARD_PARTITIONED, !c->allow_signature,
			   "%s has %u partition%s (%s)", c->shown, parts.n, parts.n == 1 ? "" : "s",
			   all);
	return ret;
}

static int guard_look(struct check *c, const char *name)
{
	struct blockdev b;
	char what[BLOCKDEV_NAME + 24];
	int ret = blockdev_of_name(c->h, name, &b);
	if (!ret)
		ret = mounts_read(c->h, &c->arena, &c->mounts);
	if (ret)
		return ret;
	if (b.read_only)
		guard_find(c->report, GUARD_READ_ONLY, true, "%s is read-only", c->shown);
	ret = guard_check_one(c, name, "");
	if (!ret && !b.partition)
		ret = guard_check_partitions(c, name);
	if (!ret && b.partition) {
		snprintf(what, sizeof(what), "its whole disk %s ", b.disk);
		ret = guard_check_one(c, b.disk, what);
	}
	return ret;
}

/* Words for the first refusal. */
static int guard_decide(const struct guard_report *r, struct err *err)
{
	const struct guard_finding *first = NULL;
	unsigned refusals = r->more;
	bool content = !r->more; /* only what nobody uses would be lost */
	for (unsigned i = 0; i < r->n; i++) {
		refusals += r->v[i].refused;
		if (r->v[i].refused && r->v[i].kind != GUARD_PARTITIONED &&
		    r->v[i].kind != GUARD_SIGNATURE)
			content = false;
		if (r->v[i].refused && (!first || r->v[i].kind == GUARD_READ_ONLY))
			first = &r->v[i];
	}
	if (!first)
		return 0;
	if (first->kind == GUARD_READ_ONLY) {
		int ret =
			err_set(err, ERR_SETUP, EROFS, "%s: it cannot be written to", first->text);
		err_remedy(err, "unset it (blockdev --setrw), or use another device");
		return ret;
	}
	char more[48] = "";
	if (refusals > 1)
		snprintf(more, sizeof(more), " (and %u more reason%s)", refusals - 1,
			 refusals == 2 ? "" : "s");
	int ret = err_set(err, ERR_SETUP, EBUSY, "%s%s: writing would destroy what is there",
			  first->text, more);
	err_remedy(err, "use another device, or, if its content may go, %s",
		   content ? "set allow_signature_write=1 (--force: for all jobs)"
			   : "set allow_mounted_write=1");
	return ret;
}

static int guard_check_into(const struct host *h, const char *name, const char *shown,
			    unsigned allow, struct guard_report *r)
{
	struct check c = {.h = h,
			  .shown = shown,
			  .allow = allow & GUARD_ALLOW_USED,
			  .allow_signature = allow != 0,
			  .report = r};
	arena_init(&c.arena, 0);
	int ret = guard_look(&c, name);
	arena_release(&c.arena);
	return ret;
}

int guard_check_name(const struct host *h, const char *name, const char *shown, unsigned allow,
		     struct guard_report *out, struct err *err)
{
	assert(h && name && shown && out);
	struct guard_report r;
	memset(&r, 0, sizeof(r));
	int ret = guard_check_into(h, name, shown, allow, &r);
	if (ret)
		return err_set(err, ERR_SETUP, -ret, "cannot tell what '%s' (%s) is used for: %s",
			       shown, name, strerror(-ret));
	*out = r;
	return guard_decide(&r, err);
}

/* ": label 'home', UUID 1234-ABCD", as far as known. */
static void guard_signature_words(const struct guard_signature *s, char *buf, size_t size)
{
	char label[80] = "", uuid[80] = "";
	if (s->label[0])
		snprintf(label, sizeof(label), "label '%s'", s->label);
	if (s->uuid[0])
		snprintf(uuid, sizeof(uuid), "UUID %s", s->uuid);
	snprintf(buf, size, "%s%s%s%s%s", label[0] || uuid[0] ? " (" : "", label,
		 label[0] && uuid[0] ? ", " : "", uuid, label[0] || uuid[0] ? ")" : "");
}

/* What only opening the device tells; path is how the user called it. */
static int guard_check_content(const struct sys_ops *sys, const char *device, const char *path,
			       unsigned allow, struct guard_report *r, struct err *err)
{
	struct guard_signature s;
	char more[168];
	bool used = r->n > 0;
	int fd = sys->open(device, O_RDONLY | O_EXCL | O_CLOEXEC, 0);
	if (fd < 0 && errno == EBUSY) {
		if (!used)
			guard_find(r, GUARD_CLAIMED, !(allow & GUARD_ALLOW_USED),
				   "%s is claimed by a driver, a mount or another program", path);
		fd = sys->open(device, O_RDONLY | O_CLOEXEC, 0);
	}
	if (fd < 0)
		return err_set(err, ERR_SETUP, errno, "cannot open '%s' to see what it holds: %s",
			       path, strerror(errno));
	bool found = guard_signature(sys, fd, &s);
	sys->close(fd);
	if (!found)
		return 0;
	guard_signature_words(&s, more, sizeof(more));
	if (s.table && !guard_has(r, GUARD_PARTITIONED))
		guard_find(r, GUARD_PARTITIONED, !allow, "%s holds a %s%s", path, s.name, more);
	else if (!s.table && !used)
		guard_find(r, GUARD_SIGNATURE, !allow, "%s holds a signature of %s%s", path, s.name,
			   more);
	return 0;
}

/* The loop device on a regular file, by the device and inode of its backing file. */
static bool guard_loop_on_file(const struct host *h, const struct sys_ops *sys,
			       const struct stat *file, struct blockdev *b)
{
	struct arena arena;
	struct host_names all = {0};
	bool found = false;
	arena_init(&arena, 0);
	if (host_list_dir(h, &arena, &all, "/sys/block"))
		all.n = 0;
	for (unsigned i = 0; i < all.n && !found; i++) {
		char backing[4096];
		struct stat st;
		if (strncmp(all.v[i], "loop", 4) ||
		    host_read_text(h, backing, sizeof(backing), "/sys/block/%s/loop/backing_file",
				   all.v[i]) ||
		    sys->stat(backing, &st))
			continue;
		found = st.st_dev == file->st_dev && st.st_ino == file->st_ino &&
			!blockdev_of_name(h, all.v[i], b);
	}
	arena_release(&arena);
	return found;
}

int guard_check(const struct host *h, const struct sys_ops *sys, const char *path, unsigned allow,
		struct guard_report *out, struct err *err)
{
	assert(h && path && out);
	struct guard_report r;
	struct blockdev b;
	struct stat st;
	memset(&r, 0, sizeof(r));
	sys = sys_or_real(sys);
	/* A device of a recorded machine cannot be opened. */
	if (h->root[0] && !blockdev_of_source(h, path, &b))
		return guard_check_name(h, b.name, path, allow, out, err);
	if (sys->stat(path, &st)) {
		if (errno != ENOENT)
			return err_set(err, ERR_SETUP, errno, "cannot look at '%s': %s", path,
				       strerror(errno));
		st.st_mode = 0;
	}
	char loop[BLOCKDEV_NAME + 8] = "";
	int ret = 0;
	if (S_ISBLK(st.st_mode)) {
		ret = blockdev_of_number(h, major(st.st_rdev), minor(st.st_rdev), &b);
	} else if (!S_ISREG(st.st_mode) || !guard_loop_on_file(h, sys, &st, &b)) {
		*out = r;
		return 0;
	} else {
		/* What was written to the loop device may not have reached the file yet. */
		snprintf(loop, sizeof(loop), "/dev/%s", b.name);
	}
	if (!ret)
		ret = guard_check_into(h, b.name, path, allow, &r);
	if (ret)
		return err_set(err, ERR_SETUP, -ret, "cannot tell what '%s' is used for: %s", path,
			       strerror(-ret));
	/* Refused by name already: leave the device alone, which we may not be allowed to open
	 * anyway. */
	ret = guard_decide(&r, err);
	if (!ret) {
		ret = guard_check_content(sys, loop[0] ? loop : path, path, allow, &r, err);
		if (ret)
			return ret;
		ret = guard_decide(&r, err);
	}
	*out = r;
	return ret;
}
