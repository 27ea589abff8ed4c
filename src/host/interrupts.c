#include "host/interrupts.h"

#include "host/blockdev.h"
#include "host/blocktree.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which lines of /proc/interrupts belong to a disk: by the names of their actions or by number. */
struct vectors {
	struct host_names nvme;	  /* "nvme0q": followed by a number from 1 on */
	struct host_names virtio; /* "virtio2": that alone or followed by "-req" */
	struct host_names irqs;	  /* "36" */
};

static int interrupts_nvme_add(struct vectors *v, struct arena *a, unsigned controller)
{
	char word[32];
	snprintf(word, sizeof(word), "nvme%uq", controller);
	return host_names_add(&v->nvme, a, word);
}

/* The number in nvmeN of an NVMe disk is a controller only when the disk is not a multipath one. */
static int interrupts_find_nvme(const struct host *h, const char *disk, struct arena *a,
				struct vectors *v)
{
	unsigned x, controller, space;
	char end, above[64] = "";
	if (sscanf(disk, "nvme%uc%un%u%c", &x, &controller, &space, &end) == 3)
		return interrupts_nvme_add(v, a, controller);
	if (sscanf(disk, "nvme%un%u%c", &x, &space, &end) != 2)
		return -ENOENT;
	struct host_names paths = {0};
	if (!blockdev_slaves(h, disk, a, &paths) && paths.n) {
		int ret = 0;
		for (unsigned i = 0; !ret && i < paths.n; i++)
			ret = interrupts_find_nvme(h, paths.v[i], a, v);
		return ret;
	}
	if (!host_read_link(h, above, sizeof(above), "/sys/class/block/%s/device", disk) &&
	    sscanf(above, "nvme%u%c", &controller, &end) == 1)
		return interrupts_nvme_add(v, a, controller);
	return interrupts_nvme_add(v, a, x);
}

/* Numbers of the vectors of the nearest PCI device above. */
static int interrupts_find_pci(const struct host *h, const char *disk, struct arena *a,
			       struct vectors *v)
{
	char path[HOST_PATH_MAX], irq[32], *slash;
	int ret = host_path(h, path, sizeof(path), "/sys/class/block/%s/device", disk);
	char *real = ret ? NULL : realpath(path, NULL);
	size_t top = strlen(h->root) + strlen("/sys/devices");
	if (!real)
		return ret ? ret : -ENOENT;
	ret = -ENOENT;
	while (ret == -ENOENT && strlen(real) > top) {
		ret = host_list_dir(&host_here, a, &v->irqs, "%s/msi_irqs", real);
		if (ret == -ENOENT && host_exists(&host_here, "%s/vendor", real) &&
		    !host_read_text(&host_here, irq, sizeof(irq), "%s/irq", real) &&
		    strcmp(irq, "0"))
			ret = host_names_add(&v->irqs, a, irq);
		if (!(slash = strrchr(real, '/')))
			break;
		*slash = '\0';
	}
	free(real);
	return ret;
}

static int interrupts_find_vectors(const struct host *h, const char *disk, struct arena *a,
				   struct vectors *v)
{
	char above[64];
	int ret = interrupts_find_nvme(h, disk, a, v);
	if (ret != -ENOENT)
		return ret;
	if (!host_read_link(h, above, sizeof(above), "/sys/class/block/%s/device", disk) &&
	    !strncmp(above, "virtio", 6))
		return host_names_add(&v->virtio, a, above);
	return interrupts_find_pci(h, disk, a, v);
}

static bool interrupts_word_belongs(const struct vectors *v, const char *word, size_t len)
{
	for (unsigned i = 0; i < v->nvme.n; i++) {
		size_t n = strlen(v->nvme.v[i]);
		if (len > n && !strncmp(word, v->nvme.v[i], n) && word[n] >= '1' && word[n] <= '9')
			return true;
	}
	for (unsigned i = 0; i < v->virtio.n; i++) {
		size_t n = strlen(v->virtio.v[i]);
		if (len >= n && !strncmp(word, v->virtio.v[i], n) &&
		    (len == n || (len >= n + 4 && !strncmp(word + n, "-req", 4))))
			return true;
	}
	return false;
}

/* rest: what follows the counts, chip and actions. The word that belongs to the disk, *len its
 * length; the last word when the line belongs by its number; NULL when it does not belong. */
static const char *interrupts_line_belongs(const struct vectors *v, const char *irq,
					   const char *rest, size_t *len)
{
	const char *last = "";
	*len = 0;
	for (const char *p = rest; *p;) {
		size_t n = strcspn(p, " \t,");
		if (n) {
			last = p;
			*len = n;
		}
		if (n && interrupts_word_belongs(v, p, n))
			return p;
		p += n;
		p += strspn(p, " \t,");
	}
	return host_names_has(&v->irqs, irq) ? last : NULL;
}

struct counts {
	uint64_t total;
	unsigned columns;
	bool found;
	struct arena *arena; /* collect the lines, NULL: only count */
	struct interrupt_lines lines;
	unsigned lines_room;
	int ret;
};

static void interrupts_keep_line(struct counts *c, const char *irq, const char *name, size_t len)
{
	struct interrupt_lines *l = &c->lines;
	char *end;
	unsigned long number = strtoul(irq, &end, 10);
	if (*end || end == irq || number > UINT32_MAX)
		return;
	if (l->n == c->lines_room) {
		unsigned room = l->n ? l->n * 2 : 16;
		struct interrupt_line *v = arena_new(c->arena, struct interrupt_line, room);
		if (v && l->n)
			memcpy(v, l->v, l->n * sizeof(*v));
		if (!v) {
			c->ret = -ENOMEM;
			return;
		}
		l->v = v;
		c->lines_room = room;
	}
	const char *copy = arena_strndup(c->arena, name, len);
	if (!copy) {
		c->ret = -ENOMEM;
		return;
	}
	l->v[l->n++] = (struct interrupt_line){(unsigned)number, copy};
}

static void interrupts_read_heading(const char *line, struct counts *c)
{
	for (const char *p = line; (p = strstr(p, "CPU")); p += 3)
		c->columns++;
}

static void interrupts_read_line(char *line, const struct vectors *v, struct counts *c)
{
	char *irq = line + strspn(line, " "), *colon = strchr(irq, ':');
	if (!colon)
		return;
	*colon = '\0';
	char *first = colon + 1, *p = first;
	for (unsigned k = 0; k < c->columns; k++) {
		p += strspn(p, " ");
		p += strspn(p, "0123456789");
	}
	size_t len;
	const char *name = interrupts_line_belongs(v, irq, p, &len);
	if (!name)
		return;
	c->found = true;
	if (c->arena)
		interrupts_keep_line(c, irq, name, len);
	p = first;
	for (unsigned k = 0; k < c->columns; k++)
		c->total += strtoull(p, &p, 10);
}

static int interrupts_count(const struct host *h, const char *disk, struct counts *c)
{
	struct arena a;
	struct vectors v;
	struct blockdev b;
	char *text, *save = NULL;
	memset(&v, 0, sizeof(v));
	arena_init(&a, 0);
	int ret = interrupts_find_vectors(h, blockdev_of_name(h, disk, &b) ? disk : b.disk, &a, &v);
	if (!ret)
		ret = host_read_all(h, &text, NULL, "/proc/interrupts");
	if (!ret) {
		char *line = strtok_r(text, "\n", &save);
		if (line)
			interrupts_read_heading(line, c);
		while ((line = strtok_r(NULL, "\n", &save)))
			interrupts_read_line(line, &v, c);
		free(text);
		ret = c->ret ? c->ret : c->found ? 0 : -ENOENT;
	}
	arena_release(&a);
	return ret;
}

int interrupts_of_disk(const struct host *h, const char *disk, uint64_t *out)
{
	struct counts c = {0};
	int ret = interrupts_count(h, disk, &c);
	if (!ret)
		*out = c.total;
	return ret;
}

int interrupts_lines(const struct host *h, const char *disk, struct arena *a,
		     struct interrupt_lines *out)
{
	struct counts c = {.arena = a};
	int ret = interrupts_count(h, disk, &c);
	if (!ret && !c.lines.n)
		ret = -ENOENT;
	if (!ret)
		*out = c.lines;
	return ret;
}
