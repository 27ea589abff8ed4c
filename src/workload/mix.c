#include "workload/mix.h"
#include <assert.h>

void mix_init(struct mix *m, double read_percent, uint64_t seed)
{
	double share = read_percent / 100;

	assert(read_percent >= 0 && read_percent <= 100);
	*m = (struct mix){0};
	m->share = (int64_t)(share * (double)MIX_ONE + 0.5);
	m->below = share >= 1 ? UINT64_MAX : (uint64_t)(share * 0x1p64);
	rng_seed(&m->rng, seed);
}
