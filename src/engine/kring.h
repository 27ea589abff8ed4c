/* An io_uring of one thread: set up, shared memory, registration, entering. Ours instead of
 * liburing's: rings without an SQ array are its default since 2.6, but Debian 12 has 2.3, and the
 * loop wants to be in plain sight. Structures and constants are those of <linux/io_uring.h>.
 */
#ifndef FATHOM_ENGINE_KRING_H
#define FATHOM_ENGINE_KRING_H

#include "base/must_check.h"
#include "engine/rawsys.h"
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <stdbool.h>
#include <stddef.h>

/* The names are those of Linux 6.1 (Debian 12); what came later and is used is here. */
#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16) /* Linux 6.6 */
#endif

struct kring {
	/* Submission: entries sq_sent..sq_tail are filled but not handed over yet. */
	unsigned sq_tail, sq_sent, sq_mask, sq_entries;
	struct io_uring_sqe *sqes;
	unsigned *k_sq_head, *k_sq_tail, *k_sq_flags;
	/* Completion. */
	unsigned cq_mask;
	unsigned *k_cq_head, *k_cq_tail;
	struct io_uring_cqe *cqes;
	int enter_fd; /* the descriptor, or its registered index */
	unsigned enter_flags;
	unsigned setup_flags, features;
	int fd;
	void *map[3];
	size_t map_size[3];
};

/* Create a ring of at least `entries` (clamped to what the kernel allows) with exactly these
 * IORING_SETUP_ flags and no others but CLAMP. cpu: of the polling thread with SQ_AFF. 0 or -errno;
 * the ring is untouched on failure. */
MUST_CHECK int kring_open(struct kring *r, unsigned entries, unsigned flags, unsigned cpu);
void kring_close(struct kring *r);
/* io_uring_register on this ring; 0 or more, or -errno. */
MUST_CHECK int kring_register(struct kring *r, unsigned op, const void *arg, unsigned n);
/* Register the ring's own descriptor with this thread, which makes entering cheaper. */
MUST_CHECK int kring_register_self(struct kring *r);
/* Ask the kernel to give up everything in flight; does not wait. */
void kring_cancel_all(struct kring *r);

/* The next free entry or NULL; the caller fills all of it, then calls kring_push. */
static inline struct io_uring_sqe *kring_sqe(struct kring *r)
{
	if (r->sq_tail - __atomic_load_n(r->k_sq_head, __ATOMIC_ACQUIRE) >= r->sq_entries)
		return NULL;
	return &r->sqes[r->sq_tail & r->sq_mask];
}

static inline void kring_push(struct kring *r)
{
	r->sq_tail++;
}

/* Let the kernel see what was pushed. */
static inline void kring_publish(struct kring *r)
{
	__atomic_store_n(r->k_sq_tail, r->sq_tail, __ATOMIC_RELEASE);
}

/* One io_uring_enter: hand over what is published and, with GETEVENTS, wait for `min` completions
 * or timeout_ns (UINT64_MAX: none). Entries taken, or -errno (-ETIME, -EINTR, ...). */
static inline long kring_enter(struct kring *r, unsigned submit, unsigned min, unsigned flags)
{
	return rawsys6(SYS_io_uring_enter, r->enter_fd, submit, min, (long)(flags | r->enter_flags),
		       0, 0);
}

MUST_CHECK long kring_enter_timeout(struct kring *r, unsigned submit, unsigned min, unsigned flags,
				    uint64_t timeout_ns);

static inline unsigned kring_flags(const struct kring *r)
{
	return __atomic_load_n(r->k_sq_flags, __ATOMIC_RELAXED);
}

#endif
