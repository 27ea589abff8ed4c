/* The simulated device: its options and its model. Pure functions of (options, seed, order of
 * I/Os). */
#ifndef FATHOM_ENGINE_SIM_H
#define FATHOM_ENGINE_SIM_H

#include "base/rng.h"
#include "engine/io.h"
#include <stdbool.h>
#include <stdint.h>

enum sim_dist { SIM_CONST, SIM_UNIFORM, SIM_EXP, SIM_LOGNORMAL };

/* Times in ns, sizes in bytes; 0 means what the option's help says. */
struct sim_opts {
	uint64_t latency, write_latency, trim_latency, sync_latency;
	int dist; /* enum sim_dist */
	double sigma;
	uint64_t parallel;
	uint64_t bandwidth; /* bytes per second */
	uint64_t stall_at, stall_every, stall_for;
	uint64_t error_after, error_every;
	const char *error_name;
	uint64_t short_every;
	uint64_t full_after;
	uint64_t capacity;
	uint64_t crash_after;
};

/* A point in virtual time; ordered by due, then by seq. */
struct sim_event {
	uint64_t due, seq;
	uint32_t slot;
};

/* Smallest first. */
struct sim_heap {
	struct sim_event *v;
	unsigned n;
};

void sim_heap_push(struct sim_heap *h, struct sim_event ev);
/* The heap is not empty. */
struct sim_event sim_heap_pop(struct sim_heap *h);

/* Service time of one I/O in ns, at least 1: the distribution around the mean of its kind, plus its
 * transfer time. */
uint64_t sim_service(const struct sim_opts *o, struct rng *r, const struct io *io);
/* When `service` ns of work begun at `start` are done, given that the device stands still during
 * stalls. Those begin at stall_at + k x stall_every on the virtual clock (stall_at 0: the first at
 * stall_every). */
uint64_t sim_finish(const struct sim_opts *o, uint64_t start, uint64_t service);

#endif
