#include "host/pcidev.h"

#include "host/list.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Real path of the folder a disk's device link leads to; malloc'ed, NULL when there is none. */
static char *pcidev_device_folder(const struct host *h, const char *disk)
{
	char path[HOST_PATH_MAX];
	if (host_path(h, path, sizeof(path), "/sys/class/block/%s/device", disk))
		return NULL;
	return realpath(path, NULL);
}

/* Cut the path to the nearest folder of a PCI device; false when there is none up to the top. */
static bool pcidev_climb_to_pci(char *path, size_t top)
{
	while (strlen(path) > top) {
		if (host_exists(&host_here, "%s/vendor", path) &&
		    host_exists(&host_here, "%s/class", path))
			return true;
		char *slash = strrchr(path, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	return false;
}

/* "8.0 GT/s PCIe", "8 GT/s", "Unknown" */
static double pcidev_read_speed(const char *folder, const char *what)
{
	char text[64];
	double v;
	if (host_read_text(&host_here, text, sizeof(text), "%s/%s", folder, what) ||
	    sscanf(text, "%lf", &v) != 1 || !(v > 0) || v > 1000)
		return 0;
	return v;
}

static unsigned pcidev_read_width(const char *folder, const char *what)
{
	uint64_t v;
	/* The kernel writes 255 for "cannot be read" and 0 for "no link". */
	if (host_read_u64(&host_here, &v, "%s/%s", folder, what) || v > 64)
		return 0;
	return (unsigned)v;
}

int pcidev_link(const struct host *h, const char *disk, struct pci_link *out)
{
	struct pci_link l;
	char *path = pcidev_device_folder(h, disk), *slash;
	size_t top = strlen(h->root) + strlen("/sys/devices");
	memset(&l, 0, sizeof(l));
	if (!path || !pcidev_climb_to_pci(path, top)) {
		free(path);
		return -ENOENT;
	}
	slash = strrchr(path, '/');
	snprintf(l.address, sizeof(l.address), "%.31s", slash ? slash + 1 : path);
	l.speed = pcidev_read_speed(path, "current_link_speed");
	l.speed_top = pcidev_read_speed(path, "max_link_speed");
	l.width = pcidev_read_width(path, "current_link_width");
	l.width_top = pcidev_read_width(path, "max_link_width");
	if (slash) {
		*slash = '\0';
		l.port_speed = pcidev_read_speed(path, "max_link_speed");
		l.port_width = pcidev_read_width(path, "max_link_width");
	}
	free(path);
	*out = l;
	return 0;
}

static int64_t pcidev_read_mc(const char *folder, const char *what)
{
	int64_t v;
	return host_read_i64(&host_here, &v, "%s/%s", folder, what) ? 0 : v;
}

/* Sensors are hwmonN in a folder. */
static int pcidev_read_sensor(const char *folder, struct temperature *out)
{
	struct arena a;
	struct host_names names = {0};
	struct temperature t;
	int ret = -ENOENT;
	memset(&t, 0, sizeof(t));
	arena_init(&a, 0);
	IGNORE_RESULT(host_list_dir(&host_here, &a, &names, "%s", folder));
	for (unsigned i = 0; i < names.n && ret; i++) {
		char sensor[HOST_PATH_MAX];
		if (strncmp(names.v[i], "hwmon", 5) || !names.v[i][5] ||
		    (size_t)snprintf(sensor, sizeof(sensor), "%s/%s", folder, names.v[i]) >=
			    sizeof(sensor))
			continue;
		ret = host_read_i64(&host_here, &t.now_mc, "%s/temp1_input", sensor);
		if (ret)
			continue;
		IGNORE_RESULT(
			host_read_text(&host_here, t.sensor, sizeof(t.sensor), "%s/name", sensor));
		t.max_mc = pcidev_read_mc(sensor, "temp1_max");
		t.critical_mc = pcidev_read_mc(sensor, "temp1_crit");
	}
	arena_release(&a);
	if (!ret)
		*out = t;
	return ret;
}

int pcidev_temperature(const struct host *h, const char *disk, struct temperature *out)
{
	char below[HOST_PATH_MAX];
	char *path = pcidev_device_folder(h, disk);
	int ret = -ENOENT;
	if (!path)
		return ret;
	/* nvme0/hwmon0 (since 5.5 and 6.0) or device/hwmon/hwmon0. */
	static const char *const where[] = {"", "/hwmon", "/device", "/device/hwmon"};
	for (size_t i = 0; i < sizeof(where) / sizeof(*where) && ret; i++)
		if ((size_t)snprintf(below, sizeof(below), "%s%s", path, where[i]) < sizeof(below))
			ret = pcidev_read_sensor(below, out);
	free(path);
	return ret;
}

/* Drives without a limit answer 65261.85 degrees. */
static bool pcidev_is_limit(int64_t mc)
{
	return mc > 0 && mc < 200000;
}

int64_t temperature_limit(const struct temperature *t)
{
	int64_t warn = pcidev_is_limit(t->max_mc) ? t->max_mc : 0;
	int64_t top = pcidev_is_limit(t->critical_mc) ? t->critical_mc - 5000 : 0;

	return warn && (!top || warn < top) ? warn : top;
}
