#include "host/blockdev.h"

#include "host/mounts.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define CLASS "/sys/class/block/%s"

static unsigned blockdev_read_unsigned(const struct host *h, const char *disk, const char *what,
				       unsigned otherwise)
{
	uint64_t v;
	if (host_read_u64(h, &v, CLASS "/%s", disk, what) || v > UINT32_MAX)
		return otherwise;
	return (unsigned)v;
}

static int blockdev_read_flag(const struct host *h, const char *disk, const char *what)
{
	uint64_t v;
	return host_read_u64(h, &v, CLASS "/%s", disk, what) ? -1 : v != 0;
}

/* The folder of a partition lies in that of its disk. */
static int blockdev_find_disk(const struct host *h, struct blockdev *b)
{
	char path[HOST_PATH_MAX], *slash;
	if (!b->partition) {
		memcpy(b->disk, b->name, sizeof(b->disk));
		return 0;
	}
	int ret = host_path(h, path, sizeof(path), CLASS, b->name);
	if (ret)
		return ret;
	char *real = realpath(path, NULL);
	if (!real)
		return -errno;
	ret = -ENOENT;
	slash = strrchr(real, '/');
	if (slash) {
		*slash = '\0';
		slash = strrchr(real, '/');
	}
	if (slash && (size_t)snprintf(b->disk, sizeof(b->disk), "%s", slash + 1) < sizeof(b->disk))
		ret = 0;
	free(real);
	return ret;
}

/* "mq-deadline [none] kyber" or, with a single choice, "none". */
static void blockdev_read_scheduler(const struct host *h, struct blockdev *b)
{
	char text[256], *from, *to;
	if (host_read_text(h, text, sizeof(text), CLASS "/queue/scheduler", b->disk))
		return;
	if ((from = strchr(text, '[')) && (to = strchr(from, ']'))) {
		from++;
		*to = '\0';
	} else {
		from = text;
	}
	snprintf(b->scheduler, sizeof(b->scheduler), "%.31s", from);
}

static void blockdev_read_zones(const struct host *h, struct blockdev *b)
{
	char text[32];
	if (host_read_text(h, text, sizeof(text), CLASS "/queue/zoned", b->disk))
		return;
	if (!strcmp(text, "host-managed"))
		b->zoned = BLOCKDEV_HOST_MANAGED;
	else if (!strcmp(text, "host-aware"))
		b->zoned = BLOCKDEV_HOST_AWARE;
	if (b->zoned != BLOCKDEV_NOT_ZONED)
		b->zone_bytes =
			512ull * blockdev_read_unsigned(h, b->disk, "queue/chunk_sectors", 0);
}

/* How many queues the driver polls is a parameter of its module. */
static int blockdev_read_poll_queues(const struct host *h, const char *disk)
{
	static const struct {
		const char *prefix, *module;
	} drivers[] = {{"nvme", "nvme"}, {"vd", "virtio_blk"}, {"nullb", "null_blk"}};
	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++) {
		uint64_t v;
		if (strncmp(disk, drivers[i].prefix, strlen(drivers[i].prefix)))
			continue;
		if (host_read_u64(h, &v, "/sys/module/%s/parameters/poll_queues",
				  drivers[i].module) ||
		    v > 65535)
			return -1;
		return (int)v;
	}
	return -1;
}

/* The nearest device above the disk that knows its node. */
static int blockdev_read_node(const struct host *h, const char *disk)
{
	char path[HOST_PATH_MAX];
	int node = -1;
	if (host_path(h, path, sizeof(path), CLASS "/device", disk))
		return -1;
	char *real = realpath(path, NULL), *slash;
	size_t top = strlen(h->root) + strlen("/sys/devices");
	while (real && strlen(real) > top) {
		int64_t v;
		if (!host_read_i64(&host_here, &v, "%s/numa_node", real)) {
			node = v >= 0 && v < 65536 ? (int)v : -1;
			break;
		}
		if (!(slash = strrchr(real, '/')))
			break;
		*slash = '\0';
	}
	free(real);
	return node;
}

static void blockdev_read_queue(const struct host *h, struct blockdev *b)
{
	char text[32];
	b->logical = blockdev_read_unsigned(h, b->disk, "queue/logical_block_size", 512);
	b->physical = blockdev_read_unsigned(h, b->disk, "queue/physical_block_size", b->logical);
	b->rotational = blockdev_read_flag(h, b->disk, "queue/rotational");
	b->io_poll = blockdev_read_flag(h, b->disk, "queue/io_poll");
	b->nr_requests = blockdev_read_unsigned(h, b->disk, "queue/nr_requests", 0);
	b->write_back = -1;
	if (!host_read_text(h, text, sizeof(text), CLASS "/queue/write_cache", b->disk))
		b->write_back = !strcmp(text, "write back");
	b->poll_queues = blockdev_read_poll_queues(h, b->disk);
	b->node = blockdev_read_node(h, b->disk);
	b->hidden = blockdev_read_flag(h, b->disk, "hidden") == 1;
	if (host_read_text(h, b->model, sizeof(b->model), CLASS "/device/model", b->disk))
		b->model[0] = '\0';
	blockdev_read_scheduler(h, b);
	blockdev_read_zones(h, b);
}

int blockdev_of_name(const struct host *h, const char *name, struct blockdev *out)
{
	assert(h && name && out);
	struct blockdev b;
	char text[32];
	uint64_t v;
	memset(&b, 0, sizeof(b));
	if (!name[0] || name[0] == '.' || strchr(name, '/') || strlen(name) >= sizeof(b.name))
		return -ENOENT;
	memcpy(b.name, name, strlen(name));
	int ret = host_read_text(h, text, sizeof(text), CLASS "/dev", name);
	if (!ret && sscanf(text, "%u:%u", &b.major, &b.minor) != 2)
		ret = -ENOENT;
	/* Hidden paths of multipath devices have no number. */
	if (ret && !host_exists(h, CLASS "/hidden", name))
		return ret;
	b.partno = blockdev_read_unsigned(h, name, "partition", 0);
	b.partition = b.partno != 0;
	ret = blockdev_find_disk(h, &b);
	if (ret)
		return ret;
	if (!host_read_u64(h, &v, CLASS "/size", name))
		b.size = v * 512;
	if (b.partition && !host_read_u64(h, &v, CLASS "/start", name))
		b.start = v * 512;
	b.read_only = blockdev_read_flag(h, name, "ro") == 1;
	blockdev_read_queue(h, &b);
	*out = b;
	return 0;
}

int blockdev_of_number(const struct host *h, unsigned major, unsigned minor, struct blockdev *out)
{
	char name[BLOCKDEV_NAME];
	int ret = host_read_link(h, name, sizeof(name), "/sys/dev/block/%u:%u", major, minor);
	return ret ? ret : blockdev_of_name(h, name, out);
}

int blockdev_of_path(const struct host *h, const char *path, struct blockdev *out)
{
	struct stat st;
	if (stat(path, &st))
		return -errno;
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	return blockdev_of_number(h, major(st.st_rdev), minor(st.st_rdev), out);
}

int blockdev_of_source(const struct host *h, const char *source, struct blockdev *out)
{
	char name[BLOCKDEV_NAME];
	struct stat st;
	if (strncmp(source, "/dev/", 5) || strlen(source + 5) >= sizeof(name))
		return -ENOENT;
	if (!h->root[0] && !stat(source, &st) && S_ISBLK(st.st_mode))
		return blockdev_of_number(h, major(st.st_rdev), minor(st.st_rdev), out);
	if (!strncmp(source, "/dev/mapper/", 12)) {
		struct arena a;
		struct host_names all = {0};
		int ret = -ENOENT;
		arena_init(&a, 0);
		if (!host_list_dir(h, &a, &all, "/sys/class/block"))
			for (unsigned i = 0; i < all.n && ret; i++)
				if (!host_read_text(h, name, sizeof(name),
						    "/sys/class/block/%s/dm/name", all.v[i]) &&
				    !strcmp(name, source + 12))
					ret = blockdev_of_name(h, all.v[i], out);
		arena_release(&a);
		return ret;
	}
	memcpy(name, source + 5, strlen(source + 5) + 1);
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '!';
	return blockdev_of_name(h, name, out);
}

/* The folder an overlay writes to, from its options; false without. */
static bool blockdev_overlay_upper(const struct mount *m, char *path, size_t size)
{
	const char *at = strstr(m->super, "upperdir=");
	if (strcmp(m->fstype, "overlay") || !at)
		return false;
	at += strlen("upperdir=");
	size_t n = strcspn(at, ",");
	if (n >= size)
		return false;
	memcpy(path, at, n);
	path[n] = '\0';
	return true;
}

int blockdev_of_dev(const struct host *h, dev_t dev, uint64_t mount_id, const char *path,
		    struct blockdev *out)
{
	char upper[HOST_PATH_MAX];
	struct arena a;
	struct mounts mounts;
	if (major(dev)) {
		int ret = blockdev_of_number(h, major(dev), minor(dev), out);
		if (ret != -ENOENT)
			return ret;
	}
	arena_init(&a, 0);
	int ret = mounts_read(h, &a, &mounts);
	if (!ret) {
		const struct mount *m =
			mounts_find_path(&mounts, mount_id, path[0] == '/' ? path : NULL);
		if (m && blockdev_overlay_upper(m, upper, sizeof(upper))) {
			const struct mount *below = mounts_find_path(&mounts, 0, upper);
			/* Inside a container the upper folder is a path of the host: it seems to
			 * lie on the overlay. */
			m = below && below != m && strcmp(below->fstype, "overlay") ? below : NULL;
		}
		if (!m)
			ret = -ENOENT;
		else if (m->major && !blockdev_of_number(h, m->major, m->minor, out))
			ret = 0;
		else
			ret = blockdev_of_source(h, m->source, out);
	}
	arena_release(&a);
	return ret;
}

int blockdev_of_file(const struct host *h, const char *path, struct blockdev *out)
{
	struct statx sx;
	if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_MNT_ID, &sx))
		return -errno;
	if (S_ISBLK(sx.stx_mode))
		return blockdev_of_number(h, sx.stx_rdev_major, sx.stx_rdev_minor, out);
	char *real = realpath(path, NULL);
	int ret = blockdev_of_dev(h, makedev(sx.stx_dev_major, sx.stx_dev_minor),
				  sx.stx_mask & STATX_MNT_ID ? sx.stx_mnt_id : 0, real ? real : "",
				  out);
	free(real);
	return ret;
}
