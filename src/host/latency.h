/* How late CPUs may wake up: the PM QoS device (Documentation/power/pm_qos_interface.rst of the
 * kernel). The wish holds as long as the descriptor is open, so a process that ends in whatever way
 * takes it along. */
#ifndef FATHOM_HOST_LATENCY_H
#define FATHOM_HOST_LATENCY_H

#include "base/must_check.h"
#include "host/host.h"

#define LATENCY_DEVICE "/dev/cpu_dma_latency"

/* Ask for at most that many microseconds: 0 keeps all CPUs from sleeping at all. The descriptor, to
 * be closed; -errno (-ENOENT below a root that is not this machine). */
MUST_CHECK int latency_hold(const struct host *h, int us_max);

#endif
