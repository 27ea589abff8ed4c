#include "host/system_disks.h"
#include "host/blocktree.h"

#include "host/mounts.h"
#include <errno.h>
#include <string.h>

static int system_disks_add_stack(const struct host *h, const char *name, struct arena *a,
				  struct host_names *out)
{
	int ret = host_names_add(out, a, name);
	if (!ret)
		ret = blockdev_below(h, name, a, out);
	return ret == -ENOENT ? 0 : ret;
}

/* The mount table names one disk of a btrfs only. */
static int system_disks_add_btrfs(const struct host *h, const char *name, struct arena *a,
				  struct host_names *out)
{
	struct host_names all = {0};
	int ret = host_list_dir(h, a, &all, "/sys/fs/btrfs");
	for (unsigned i = 0; !ret && i < all.n; i++) {
		struct host_names devices = {0};
		if (host_list_dir(h, a, &devices, "/sys/fs/btrfs/%s/devices", all.v[i]) ||
		    !host_names_has(&devices, name))
			continue;
		for (unsigned k = 0; !ret && k < devices.n; k++)
			ret = system_disks_add_stack(h, devices.v[k], a, out);
	}
	return ret == -ENOENT ? 0 : ret;
}

/* What a mount lies on. Nothing is added for memory, network and other file systems without a disk
 * of ours. */
static int system_disks_add_mount(const struct host *h, const struct mount *m, struct arena *a,
				  struct host_names *out)
{
	struct blockdev b;
	if ((!m->major || blockdev_of_number(h, m->major, m->minor, &b)) &&
	    blockdev_of_source(h, m->source, &b))
		return 0;
	int ret = system_disks_add_stack(h, b.name, a, out);
	if (!ret && !strcmp(m->fstype, "btrfs"))
		ret = system_disks_add_btrfs(h, b.name, a, out);
	return ret;
}

static int system_disks_add_swap(const struct host *h, const struct mounts *m, const char *path,
				 struct arena *a, struct host_names *out)
{
	struct blockdev b;
	if (!blockdev_of_source(h, path, &b))
		return system_disks_add_stack(h, b.name, a, out);
	const struct mount *on = mounts_find_path(m, 0, path);
	return on ? system_disks_add_mount(h, on, a, out) : 0;
}

int system_disks_read(const struct host *h, struct arena *a, struct system_disks *out)
{
	struct system_disks v = {0};
	struct mounts m;
	int ret = mounts_read(h, a, &m);
	if (ret == -ENOMEM)
		return ret;
	v.known = !ret;
	for (unsigned i = 0; v.known && i < m.n; i++) {
		if (strcmp(m.v[i].point, "/") != 0)
			continue;
		if (!strcmp(m.v[i].fstype, "zfs"))
			v.known = false;
		else if ((ret = system_disks_add_mount(h, &m.v[i], a, &v.root)))
			return ret;
	}
	for (unsigned i = 0; v.known && i < m.swaps; i++)
		if ((ret = system_disks_add_swap(h, &m, m.swap[i], a, &v.swap)))
			return ret;
	*out = v;
	return 0;
}

const char *system_disks_use(const struct system_disks *v, const char *disk)
{
	if (host_names_has(&v->root, disk))
		return "the root file system";
	return host_names_has(&v->swap, disk) ? "swap space" : NULL;
}
