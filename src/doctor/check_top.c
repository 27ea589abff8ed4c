/* Checks of a device as it is used: what it is built of, what is on it. */
#include "doctor/check.h"
#include "host/blocktree.h"
#include "host/cgroup.h"
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

/* "md0 (raid5, recover, lacks 1 disk)" */
static const char *check_top_layer_text(struct check *c, const struct stack_layer *l)
{
	static const char *const words[] = {
		[STACK_DISK] = "",    [STACK_PARTITION] = "partition", [STACK_CRYPT] = "dm-crypt",
		[STACK_LVM] = "LVM",  [STACK_MULTIPATH] = "multipath", [STACK_DM] = "device mapper",
		[STACK_MD] = "array", [STACK_LOOP] = "loop device",    [STACK_RAM] = "memory",
	};
	const char *kind = l->kind == STACK_MD && l->detail[0] ? l->detail : words[l->kind];
	const char *busy = l->action[0] && strcmp(l->action, "idle") ? l->action : "";
	const char *text = l->degraded > 0 ? arena_printf(c->a, "%s (%s%s%s, %d disk%s missing)",
							  l->name, kind, busy[0] ? ", " : "", busy,
							  l->degraded, l->degraded > 1 ? "s" : "")
			   : kind[0]	   ? arena_printf(c->a, "%s (%s%s%s)", l->name, kind,
							  busy[0] ? ", " : "", busy)
					   : arena_strdup(c->a, l->name);
	return text ? text : "";
}

static enum finding_severity check_top_layer_state(const struct check *c,
						   const struct stack_layer *l)
{
	switch (l->kind) {
	case STACK_CRYPT:
	case STACK_LOOP:
	case STACK_RAM:
		return FINDING_WARN;
	case STACK_MD:
		if (l->degraded > 0 || (l->action[0] && strcmp(l->action, "idle")))
			return FINDING_BAD;
		return c->top->use.writes && !strncmp(l->detail, "raid", 4) &&
				       strspn(l->detail + 4, "456")
			       ? FINDING_WARN
			       : FINDING_NOTE;
	case STACK_LVM:
	case STACK_MULTIPATH:
	case STACK_DM:
		return FINDING_NOTE;
	default:
		return FINDING_OK;
	}
}

static void check_top_fix_layer(struct check *c, const struct stack_layer *l)
{
	if (l->kind == STACK_CRYPT)
		check_fix(c,
			  "measure the device below, or: cryptsetup refresh "
			  "--perf-no_read_workqueue --perf-no_write_workqueue %s",
			  l->detail[0] ? l->detail : l->name);
	else if (l->kind == STACK_MD && l->action[0] && strcmp(l->action, "idle"))
		check_fix(c, "mdadm --wait /dev/%s", l->name);
	else if (l->kind == STACK_LOOP)
		check_fix(c, "measure the file or the disk below it");
}

static void check_stack(struct check *c)
{
	struct host_names below = {0}, all = {0};
	enum finding_severity worst = FINDING_OK;
	const char *text = "";
	const char *name = c->top->dev.name;
	if (host_names_add(&all, c->a, name) || blockdev_below(c->h, name, c->a, &below))
		return;
	for (unsigned i = 0; i < below.n; i++)
		if (host_names_add(&all, c->a, below.v[i]))
			return;
	for (unsigned i = 0; i < all.n; i++) {
		struct blockdev b;
		struct stack_layer l;
		if (blockdev_of_name(c->h, all.v[i], &b))
			continue;
		queue_layer(c->h, &b, &l);
		enum finding_severity s = check_top_layer_state(c, &l);
		worst = s > worst ? s : worst;
		text = arena_printf(c->a, "%s%s%s", text,
				    i > 1 ? ", "
				    : i	  ? " over "
					  : "",
				    check_top_layer_text(c, &l));
		if (!text)
			return;
		check_top_fix_layer(c, &l);
	}
	check_say(c, worst, "%s", text);
}

static void check_misalignment(struct check *c, const struct blockdev *b)
{
	struct queue q;
	queue_read(c->h, b, &q);
	if (q.misalignment > 0)
		check_say(c, FINDING_BAD, "%s is off by %lld bytes", b->name,
			  (long long)q.misalignment);
	if (b->partition && b->start % b->physical) {
		check_say(c, FINDING_BAD,
			  "%s starts at byte %llu, not a multiple of the physical block of %u",
			  b->name, (unsigned long long)b->start, b->physical);
		check_fix(c, "recreate the partition at a multiple of 1 MiB (parted -a optimal)");
	} else if (b->partition && b->start % (1 << 20)) {
		check_say(c, FINDING_NOTE, "%s starts at byte %llu, not a multiple of 1 MiB",
			  b->name, (unsigned long long)b->start);
	}
}

static void check_alignment(struct check *c)
{
	struct host_names below = {0};
	const struct blockdev *dev = &c->top->dev;
	const struct check_use *use = &c->top->use;
	int ret = blockdev_below(c->h, dev->name, c->a, &below);
	if (ret || !dev->physical)
		return;
	check_misalignment(c, dev);
	for (unsigned i = 0; i < below.n; i++) {
		struct blockdev b;
		if (!blockdev_of_name(c->h, below.v[i], &b))
			check_misalignment(c, &b);
	}
	if (use->min_len && use->min_len < dev->physical && use->writes) {
		check_say(c, FINDING_WARN, "writes of %u bytes on physical blocks of %u",
			  use->min_len, dev->physical);
		check_fix(c, "bs=%u or a multiple of it", dev->physical);
	}
	check_say(c, FINDING_OK, "blocks of %u bytes, physical %u", dev->logical, dev->physical);
}

static bool check_top_has_option(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (!strncmp(p, word, n) && (p[n] == ',' || p[n] == '\0' || p[n] == '='))
			return true;
	return false;
}

static void check_file_system(struct check *c)
{
	static const struct {
		const char *word, *effect;
		enum finding_severity state;
	} options[] = {
		{"sync", "every write waits for the disk", FINDING_WARN},
		{"dirsync", "changes of directories wait for the disk", FINDING_NOTE},
		{"strictatime", "every read writes an inode", FINDING_WARN},
		{"discard", "deleting a file trims at once", FINDING_NOTE},
		{"data=journal", "data are written twice, and direct I/O is not direct",
		 FINDING_WARN},
		{"compress", "what is measured depends on the data", FINDING_WARN},
		{"compress-force", "what is measured depends on the data", FINDING_WARN},
		{"barrier=0", "fsync does not reach the medium", FINDING_WARN},
		{"nobarrier", "fsync does not reach the medium", FINDING_WARN},
	};
	const struct mount *m = c->top->mount;
	if (!c->top->path) {
		check_say(c, FINDING_OK, "none: the device itself");
		return;
	}
	if (!m)
		return;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (check_top_has_option(m->options, options[i].word) ||
		    check_top_has_option(m->super, options[i].word)) {
			check_say(c, options[i].state, "%s on %s with %s: %s", m->fstype, m->point,
				  options[i].word, options[i].effect);
			check_fix(c, "mount without %s", options[i].word);
		}
	if (!strcmp(m->fstype, "btrfs") || !strcmp(m->fstype, "zfs") ||
	    !strcmp(m->fstype, "bcachefs")) {
		check_say(c, c->top->use.writes ? FINDING_WARN : FINDING_NOTE,
			  "%s on %s copies on write", m->fstype, m->point);
		check_fix(c,
			  "measure the device, or make the file with chattr +C in a new directory");
	}
	if (!strcmp(m->fstype, "overlay") || !strncmp(m->fstype, "fuse", 4)) {
		check_say(c, FINDING_WARN, "%s on %s is a layer above the disk's file system",
			  m->fstype, m->point);
		check_fix(c, "use a volume or bind mount of the disk's own file system");
	}
	check_say(c, FINDING_OK, "%s on %s (%s)", m->fstype, m->point, m->options);
}

/* Others may use what is mounted: the numbers hold their I/O too. */
static void check_in_use(struct check *c)
{
	struct host_names holders = {0}, parts = {0};
	const struct blockdev *dev = &c->top->dev;
	const struct mount *m = c->top->mount;
	if (c->top->path) {
		check_say(c, FINDING_OK, "a file on it is used");
		return;
	}
	if (!c->d->mounts_known)
		return;
	if (m) {
		check_say(c, FINDING_WARN, "%s is mounted on %s", dev->name, m->point);
		check_fix(c,
			  strcmp(m->point, "/") ? "umount %s"
						: "measure a file on it, or another device",
			  m->point);
	}
	if (!dev->partition && !blockdev_partitions(c->h, dev->name, c->a, &parts))
		for (unsigned i = 0; i < parts.n; i++) {
			struct blockdev b;
			if (blockdev_of_name(c->h, parts.v[i], &b))
				continue;
			m = mounts_find_device(c->h, &c->d->mounts, b.major, b.minor, b.name);
			if (m)
				check_say(c, FINDING_WARN, "partition %s is mounted on %s", b.name,
					  m->point);
			if (blockdev_holders(c->h, b.name, c->a, &holders))
				continue;
		}
	if (!blockdev_holders(c->h, dev->name, c->a, &holders) && holders.n)
		check_say(c, FINDING_WARN, "%s is stacked on it", holders.v[0]);
	if (mounts_is_swap(c->h, &c->d->mounts, dev->major, dev->minor, dev->name)) {
		check_say(c, FINDING_WARN, "%s is swap space", dev->name);
		check_fix(c, "swapoff /dev/%s", dev->name);
	}
	check_say(c, FINDING_OK, "neither mounted nor held");
}

static void check_free_space(struct check *c)
{
	struct statvfs s;
	if (!c->top->path) {
		check_say(c, FINDING_OK, "no file system to fill");
		return;
	}
	/* Free space of a recorded machine is not in its tree. */
	if (c->h->root[0] || !c->top->mount || statvfs(c->top->mount->point, &s) || !s.f_blocks)
		return;
	uint64_t free_bytes = (uint64_t)s.f_bavail * s.f_frsize;
	double percent = (double)s.f_bavail * 100 / (double)s.f_blocks;
	unsigned long long mib = free_bytes >> 20;
	if (c->top->needs > free_bytes) {
		check_say(c, FINDING_BAD, "the jobs lay out %llu MiB and %llu MiB are free",
			  (unsigned long long)c->top->needs >> 20, mib);
		check_fix(c, "a smaller size, or another directory");
	} else if (percent < 10) {
		check_say(c, FINDING_WARN, "%.1f %% (%llu MiB) free on %s", percent, mib,
			  c->top->mount->point);
		check_fix(c, "free space, then fstrim %s", c->top->mount->point);
	} else {
		check_say(c, FINDING_OK, "%.0f %% (%llu MiB) free on %s", percent, mib,
			  c->top->mount->point);
	}
}

static void check_read_ahead(struct check *c)
{
	struct queue q;
	const struct check_use *use = &c->top->use;
	queue_read(c->h, &c->top->dev, &q);
	if (q.read_ahead < 0)
		return;
	long long kib = (long long)q.read_ahead / 1024;
	if (!use->any || !use->reads || !use->buffered) {
		check_say(c, FINDING_OK, "%lld KiB; %s", kib,
			  use->any ? "no job reads through the page cache" : "buffered reads only");
	} else if (use->random && q.read_ahead > 0) {
		check_say(c, FINDING_NOTE,
			  "%lld KiB, and jobs read at random through the page cache", kib);
		check_fix(c, "echo 0 > /sys/class/block/%s/queue/read_ahead_kb", c->top->dev.disk);
	} else if (use->sequential && q.read_ahead < 128 * 1024) {
		check_say(c, FINDING_WARN, "%lld KiB, little for sequential buffered reads", kib);
		check_fix(c, "echo 128 > /sys/class/block/%s/queue/read_ahead_kb",
			  c->top->dev.disk);
	} else {
		check_say(c, FINDING_OK, "%lld KiB", kib);
	}
}

static void check_io_limit(struct check *c)
{
	struct cgroup_io io;
	struct blockdev disk;
	const struct blockdev *dev = &c->top->dev;
	if (blockdev_of_name(c->h, dev->disk, &disk))
		return;
	int ret = cgroup_io_limits(c->h, disk.major, disk.minor, &io);
	if (ret) {
		check_say(c, FINDING_UNKNOWN, "no io controller found for our cgroup");
		return;
	}
	if (!io.bytes[0] && !io.bytes[1] && !io.ios[0] && !io.ios[1]) {
		check_say(c, FINDING_OK, "none on %u:%u", disk.major, disk.minor);
		return;
	}
	const char *text = "";
	static const char *const words[] = {"reads", "writes"};
	for (unsigned i = 0; i < 2 && text; i++) {
		const char *comma = text[0] ? ", " : "";
		if (io.bytes[i])
			text = arena_printf(c->a, "%s%s%s %.1f MiB/s", text, comma, words[i],
					    (double)io.bytes[i] / (1 << 20));
		comma = text && text[0] ? ", " : "";
		if (text && io.ios[i])
			text = arena_printf(c->a, "%s%s%s %llu IOPS", text, comma, words[i],
					    (unsigned long long)io.ios[i]);
	}
	bool hits = !c->top->use.any || (c->top->use.reads && (io.bytes[0] || io.ios[0])) ||
		    (c->top->use.writes && (io.bytes[1] || io.ios[1]));
	check_say(c, hits ? FINDING_BAD : FINDING_NOTE, "%s", text ? text : "there is one");
	check_fix(c, "run outside of the cgroup, or lift io.max (blkio.throttle) of %u:%u",
		  disk.major, disk.minor);
}

const struct check_row check_top_rows[] = {
	{"device-stack", check_stack},	    {"alignment", check_alignment},
	{"file-system", check_file_system}, {"device-in-use", check_in_use},
	{"free-space", check_free_space},   {"read-ahead", check_read_ahead},
	{"io-limit", check_io_limit},	    {NULL, NULL},
};
