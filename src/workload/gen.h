/* The fill function for everything; the contract is that of workload_fill(). Inside of workload. */
#ifndef FATHOM_WORKLOAD_GEN_H
#define FATHOM_WORKLOAD_GEN_H

#include "workload/inner.h"

void gen_fill(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios, unsigned want,
	      struct workload_fill *out);

#endif
