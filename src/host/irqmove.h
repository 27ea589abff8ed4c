/* Interrupts away from CPUs that others need undisturbed. */
#ifndef FATHOM_HOST_IRQMOVE_H
#define FATHOM_HOST_IRQMOVE_H

#include "base/err.h"
#include "base/must_check.h"
#include "host/cpu.h"
#include "host/journal.h"

struct irq_moved {
	unsigned moved;
	unsigned kept;	/* belong to the devices that are measured: left where they are */
	unsigned fixed; /* the kernel does not let them be moved (managed, per CPU) */
	unsigned failed;
};

/* Move each interrupt that runs on a CPU of `from` (as far as known where it does run, else may
 * run) to what it may use besides, or else to `rest`. keep: numbers of interrupts to leave alone.
 * Undone by the journal. -ENOENT: no /proc/irq; -EACCES or another error of the first that failed
 * when none could be moved (err says it); -ENOMEM. */
MUST_CHECK int irq_move_away(const struct host *h, struct journal *j, const struct cpuset *from,
			     const struct cpuset *rest, const unsigned *keep, unsigned keep_n,
			     struct irq_moved *out, struct err *err);

#endif
