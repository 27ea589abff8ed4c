/* Random offsets by distribution, and by a map when sizes vary. Inside of workload. */
#ifndef FATHOM_WORKLOAD_SPREAD_H
#define FATHOM_WORKLOAD_SPREAD_H

#include "base/must_check.h"
#include "workload/inner.h"

MUST_CHECK int spread_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
			   struct err *err);
bool spread_draw(struct workload *l, uint16_t file, unsigned table, uint64_t *at, uint32_t *len);
bool spread_draw_map(struct workload *l, uint16_t file, unsigned table, uint64_t *at,
		     uint32_t *len);

#endif
