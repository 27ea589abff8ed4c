/* A pool around the workers of rig.h, without threads. */
#ifndef TEST_RUN_POOL_RIG_H
#define TEST_RUN_POOL_RIG_H

#include "run/pool.h"

#include "../worker/rig.h"

struct pool_rig {
	struct rig *r;
	struct run_options ro;
	struct run_hooks hooks;
	struct pool pool;
};

static inline struct pool_rig *pool_rig_new(unsigned n)
{
	struct pool_rig *p = calloc(1, sizeof(*p));

	if (!p)
		abort();
	p->r = rig_new(n);
	p->hooks = (struct run_hooks){.ctx = p->r, .log = {.ctx = p->r, .lines = rig_log}};
	p->pool = (struct pool){
		.env = p->r->env, .plan = &p->r->plan, .ro = &p->ro, .hooks = &p->hooks};
	p->pool.log = log_writer_new(&p->hooks.log, n, true);
	if (!p->pool.log)
		abort();
	return p;
}

static inline void pool_rig_free(struct pool_rig *p)
{
	log_writer_free(p->pool.log);
	rig_free(p->r);
	free(p);
}

#endif
