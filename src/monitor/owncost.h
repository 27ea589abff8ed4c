/* What this program itself needs for an I/O. */
#ifndef FATHOM_MONITOR_OWNCOST_H
#define FATHOM_MONITOR_OWNCOST_H

#include "base/clock.h"

/* ns for an I/O at depth 1: the quickest of some rounds, some 0.2 ms. 0 on the virtual clock. */
uint64_t owncost_measure(const struct clock *clock);

#endif
