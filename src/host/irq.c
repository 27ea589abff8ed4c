#include "host/irq.h"

#include "host/blockdev.h"
#include "host/blocktree.h"
#include "host/interrupts.h"
#include "host/list.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IRQ "/proc/irq/%u/%s"

/* A list that cannot be read or understood is unknown, not an error. */
static int irq_list(const struct host *h, unsigned irq, const char *what, struct arena *a,
		    struct cpuset *out)
{
	int ret = cpu_list_read(h, a, out, IRQ, irq, what);
	return ret == -ENOMEM ? ret : 0;
}

static int irq_by_number(const void *x, const void *y)
{
	unsigned a = ((const struct irq_vector *)x)->irq, b = ((const struct irq_vector *)y)->irq;
	return a < b ? -1 : a > b;
}

int irq_of_disk(const struct host *h, const char *disk, struct arena *a, struct irq_vectors *out)
{
	struct interrupt_lines lines = {0};
	struct irq_vectors v = {0};
	int ret = interrupts_lines(h, disk, a, &lines);
	if (ret)
		return ret;
	v.v = arena_new(a, struct irq_vector, lines.n);
	if (!v.v)
		return -ENOMEM;
	for (unsigned i = 0; i < lines.n && !ret; i++) {
		struct irq_vector *one = &v.v[v.n++];
		one->irq = lines.v[i].irq;
		snprintf(one->name, sizeof(one->name), "%s", lines.v[i].name);
		ret = irq_list(h, one->irq, "smp_affinity_list", a, &one->allowed);
		if (!ret)
			ret = irq_list(h, one->irq, "effective_affinity_list", a, &one->effective);
	}
	if (ret)
		return ret;
	qsort(v.v, v.n, sizeof(*v.v), irq_by_number);
	*out = v;
	return 0;
}

static int irq_append(struct irq_vectors *to, const struct irq_vectors *more, struct arena *a)
{
	struct irq_vector *v = arena_new(a, struct irq_vector, to->n + more->n);
	if (!v)
		return -ENOMEM;
	if (to->n)
		memcpy(v, to->v, to->n * sizeof(*v));
	to->v = v;
	/* A partition has the vectors of its disk. */
	for (unsigned i = 0; i < more->n; i++) {
		bool has = false;
		for (unsigned k = 0; k < to->n; k++)
			has |= v[k].irq == more->v[i].irq;
		if (!has)
			v[to->n++] = more->v[i];
	}
	return 0;
}

int irq_of_stack(const struct host *h, const char *name, struct arena *a, struct irq_vectors *out)
{
	struct host_names names = {0};
	struct irq_vectors all = {0};
	int ret = host_names_add(&names, a, name);
	if (!ret)
		ret = blockdev_below(h, name, a, &names);
	if (ret == -ENOENT)
		ret = 0;
	for (unsigned i = 0; i < names.n && !ret; i++) {
		struct irq_vectors one;
		ret = irq_of_disk(h, names.v[i], a, &one);
		if (!ret)
			ret = irq_append(&all, &one, a);
		else if (ret != -ENOMEM)
			ret = 0;
	}
	if (ret)
		return ret;
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), irq_by_number);
	*out = all;
	return 0;
}

const struct cpuset *irq_where(const struct irq_vector *v)
{
	return v->effective.n ? &v->effective : &v->allowed;
}

/* Newer kernels take the right to write away from managed vectors. */
static bool irq_is_sealed(const struct host *h, const struct irq_vectors *v)
{
	for (unsigned i = 0; i < v->n; i++) {
		char path[HOST_PATH_MAX];
		struct stat st;
		if (host_path(h, path, sizeof(path), IRQ, v->v[i].irq, "smp_affinity_list") ||
		    stat(path, &st) || st.st_mode & S_IWUSR)
			return false;
	}
	return v->n > 0;
}

/* Enterprise kernels keep an old number and take in new drivers. */
static bool irq_is_patchwork(const struct kernel *k)
{
	return strstr(k->release, ".el7") || strstr(k->release, ".el6");
}

int irq_managed(const struct host *h, const char *disk, const struct kernel *k,
		const struct irq_vectors *v)
{
	/* Over PCI virtio has a vector a queue, "virtio2-req.0"; over mmio one for all, "virtio2".
	 */
	bool nvme = !strncmp(disk, "nvme", 4);
	bool virtio = !strncmp(disk, "vd", 2) && v->n && strstr(v->v[0].name, "-req");
	if (irq_is_sealed(h, v))
		return 1;
	if (!k || !(nvme || virtio))
		return -1;
	if (nvme ? kernel_at_least(k, 4, 8) : kernel_at_least(k, 4, 12))
		return 1;
	return irq_is_patchwork(k) ? -1 : 0;
}

int irq_balancer(const struct host *h)
{
	struct arena a;
	struct host_names all = {0};
	int found = -1;
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &all, "/proc"))
		for (unsigned i = 0; i < all.n && found < 1; i++) {
			char name[32];
			if (all.v[i][0] < '0' || all.v[i][0] > '9' ||
			    host_read_text(h, name, sizeof(name), "/proc/%s/comm", all.v[i]))
				continue;
			found = !strcmp(name, "irqbalance");
		}
	arena_release(&a);
	return found;
}
