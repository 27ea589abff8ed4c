/* What stands on, in and below a block device; declared in blockdev.h. */
#include "host/blocktree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int blockdev_partitions(const struct host *h, const char *disk, struct arena *a,
			struct host_names *out)
{
	struct host_names all = {0};
	int ret = host_list_dir(h, a, &all, "/sys/class/block/%s", disk);
	for (unsigned i = 0; !ret && i < all.n; i++)
		if (host_exists(h, "/sys/class/block/%s/%s/partition", disk, all.v[i]))
			ret = host_names_add(out, a, all.v[i]);
	return ret;
}

/* A folder of links; its absence in a device that exists means none. */
static int blocktree_list_links(const struct host *h, const char *name, const char *what,
				struct arena *a, struct host_names *out)
{
	if (!host_exists(h, "/sys/class/block/%s", name))
		return -ENOENT;
	int ret = host_list_dir(h, a, out, "/sys/class/block/%s/%s", name, what);
	return ret == -ENOENT ? 0 : ret;
}

/* Does a loop device use it? The kernel lists those nowhere below the device that is used. */
static bool blocktree_loop_uses(const struct host *h, const char *loop, const char *name)
{
	char file[HOST_PATH_MAX];
	const char *p = file + strlen("/dev/");
	if (host_read_text(h, file, sizeof(file), "/sys/class/block/%s/loop/backing_file", loop) ||
	    strncmp(file, "/dev/", strlen("/dev/")))
		return false;
	for (; *p && (*p == *name || (*p == '/' && *name == '!')); p++)
		name++;
	return *p == *name;
}

int blockdev_holders(const struct host *h, const char *name, struct arena *a,
		     struct host_names *out)
{
	struct host_names all = {0};
	int ret = blocktree_list_links(h, name, "holders", a, out);
	if (!ret)
		ret = host_list_dir(h, a, &all, "/sys/class/block");
	for (unsigned i = 0; !ret && i < all.n; i++)
		if (!strncmp(all.v[i], "loop", 4) && blocktree_loop_uses(h, all.v[i], name))
			ret = host_names_add(out, a, all.v[i]);
	return ret;
}

int blockdev_slaves(const struct host *h, const char *name, struct arena *a, struct host_names *out)
{
	unsigned head, space;
	char end;
	int ret = blocktree_list_links(h, name, "slaves", a, out);
	/* nvme0n1 over several controllers: nvme0c0n1, nvme0c1n1. */
	if (!ret && sscanf(name, "nvme%un%u%c", &head, &space, &end) == 2) {
		struct host_names all = {0};
		ret = host_list_dir(h, a, &all, "/sys/class/block");
		for (unsigned i = 0; !ret && i < all.n; i++) {
			unsigned of, controller, s;
			if (sscanf(all.v[i], "nvme%uc%un%u%c", &of, &controller, &s, &end) == 3 &&
			    of == head && s == space)
				ret = host_names_add(out, a, all.v[i]);
		}
		if (ret == -ENOENT)
			ret = 0;
	}
	return ret;
}

int blockdev_below(const struct host *h, const char *name, struct arena *a, struct host_names *out)
{
	struct host_names todo = {0};
	int ret = host_names_add(&todo, a, name);
	if (!ret && !host_exists(h, "/sys/class/block/%s", name))
		return -ENOENT;
	/* The list grows while it is walked: breadth first, parents before what they are built of.
	 */
	for (unsigned i = 0; !ret && i < todo.n; i++) {
		struct blockdev b;
		if (!blockdev_of_name(h, todo.v[i], &b) && b.partition)
			ret = host_names_add(&todo, a, b.disk);
		if (!ret)
			ret = blockdev_slaves(h, todo.v[i], a, &todo);
		if (ret == -ENOENT)
			ret = 0;
		if (!ret && i > 0)
			ret = host_names_add(out, a, todo.v[i]);
	}
	return ret;
}
