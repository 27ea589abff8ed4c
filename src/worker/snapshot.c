#include "worker/snapshot.h"
#include "result/merge.h"
#include "worker/collect.h"
#include <errno.h>
#include <sys/mman.h>

int snapshot_open(struct worker *w)
{
	struct snapshots *s = &w->snapshots;
	size_t bytes = (collect_bytes(w) + 4095) & ~(size_t)4095;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (w->env->periodic ? MAP_POPULATE : 0);

	if (w->plan->virtual_clock)
		return 0;
	char *p = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	s->memory = p;
	s->bytes = bytes;
	return 0;
}

void snapshot_close(struct worker *w)
{
	if (w->snapshots.memory)
		munmap(w->snapshots.memory, 2 * w->snapshots.bytes);
	w->snapshots.memory = NULL;
}

/* Either the reader sees that there is a newer copy than the one it wants to read, and tries again,
 * or the worker sees that it is being read: that takes one order of all four accesses, which is
 * what the sequentially consistent ones are for. */
void snapshot_take(struct worker *w, uint64_t now)
{
	struct snapshots *s = &w->snapshots;
	unsigned taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
	unsigned to = (taken + 1) % 2;

	if (!s->memory || atomic_load(&s->reading) == to + 1)
		return;
	worker_collect(w, now, s->memory + to * s->bytes, &s->job[to]);
	atomic_store(&s->taken, taken + 1);
}

unsigned snapshot_count(const struct worker *w)
{
	return atomic_load_explicit(&w->snapshots.taken, memory_order_acquire);
}

int snapshot_read(struct worker *w, struct result_job *out)
{
	struct snapshots *s = &w->snapshots;
	unsigned taken = atomic_load(&s->taken), seen;

	if (!taken)
		return -ENOENT;
	do {
		seen = taken;
		atomic_store(&s->reading, 1 + seen % 2);
		taken = atomic_load(&s->taken);
	} while (taken != seen);
	int ret = result_job_copy(out, &s->job[seen % 2]);
	atomic_store(&s->reading, 0);
	return ret;
}
