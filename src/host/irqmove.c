#include "host/irqmove.h"

#include "host/irq.h"
#include "host/list.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST "/proc/irq/%u/smp_affinity_list"

struct mover {
	const struct host *h;
	struct journal *j;
	const struct cpuset *from, *rest;
	const char *actions; /* text of /proc/interrupts */
	struct arena a;
	int ret; /* of the first that failed */
};

/* Numbers without a handler have folders too; nothing ever comes from them. */
static bool irqmove_is_used(const char *actions, unsigned irq)
{
	char want[24];
	size_t n = (size_t)snprintf(want, sizeof(want), "%u:", irq);
	for (const char *l = actions; *l; l += strcspn(l, "\n"), l += *l == '\n')
		if (!strncmp(l + strspn(l, " "), want, n))
			return true;
	return false;
}

static int irqmove_list(struct mover *m, unsigned irq, const char *file, struct cpuset *out)
{
	*out = (struct cpuset){NULL, 0};
	int ret = cpu_list_read(m->h, &m->a, out, "/proc/irq/%u/%s", irq, file);
	return ret == -ENOMEM ? ret : 0;
}

/* The kernel says EIO for what cannot be moved, and some controllers EINVAL for the CPUs left. */
static void irqmove_count(struct mover *m, int ret, const struct err *e, struct irq_moved *out,
			  struct err *err)
{
	if (!ret) {
		out->moved++;
	} else if (ret == -EIO || ret == -EINVAL || ret == -EPERM) {
		out->fixed++;
	} else {
		out->failed++;
		if (!m->ret) {
			m->ret = ret;
			*err = *e;
		}
	}
}

static int irqmove_move(struct mover *m, unsigned irq, bool keep, struct irq_moved *out,
			struct err *err)
{
	struct irq_vector v = {.irq = irq};
	struct cpuset hit, left;
	char list[4096], path[64];
	struct err e = {0};
	int ret = irqmove_list(m, irq, "smp_affinity_list", &v.allowed);
	if (!ret)
		ret = irqmove_list(m, irq, "effective_affinity_list", &v.effective);
	/* A new setting may wait for the next interrupt: until then the old place is told. */
	if (!ret)
		ret = cpuset_both(&v.effective, &v.allowed, &m->a, &hit);
	if (!ret && !hit.n)
		v.effective.n = 0;
	if (!ret)
		ret = cpuset_both(irq_where(&v), m->from, &m->a, &hit);
	if (ret || !hit.n)
		return ret;
	if (keep) {
		out->kept++;
		return 0;
	}
	ret = cpuset_without(&v.allowed, m->from, &m->a, &left);
	if (ret)
		return ret;
	cpuset_print(left.n ? &left : m->rest, list, sizeof(list));
	snprintf(path, sizeof(path), LIST, irq);
	irqmove_count(m, journal_write(m->j, path, list, &e), &e, out, err);
	return 0;
}

int irq_move_away(const struct host *h, struct journal *j, const struct cpuset *from,
		  const struct cpuset *rest, const unsigned *keep, unsigned keep_n,
		  struct irq_moved *out, struct err *err)
{
	assert(from && rest && rest->n);
	struct mover m = {.h = h, .j = j, .from = from, .rest = rest};
	struct host_names list = {0};
	char *actions = NULL;
	memset(out, 0, sizeof(*out));
	arena_init(&m.a, 0);
	int ret = host_list_dir(h, &m.a, &list, "/proc/irq");
	if (!ret)
		ret = host_read_all(h, &actions, NULL, "/proc/interrupts");
	for (unsigned i = 0; i < list.n && !ret; i++) {
		char *end;
		unsigned irq = (unsigned)strtoul(list.v[i], &end, 10);
		bool mine = false;
		if (*end || !irqmove_is_used(actions, irq))
			continue;
		for (unsigned k = 0; k < keep_n; k++)
			mine |= keep[k] == irq;
		ret = irqmove_move(&m, irq, mine, out, err);
	}
	free(actions);
	arena_release(&m.a);
	if (ret == -ENOENT)
		return err_set(err, ERR_SETUP, ENOENT,
			       "the interrupts of this machine are unknown");
	if (ret)
		return err_set(err, ERR_SETUP, -ret, "the interrupts cannot be looked at: %s",
			       strerror(-ret));
	return out->moved ? 0 : m.ret;
}
