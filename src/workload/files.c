/* Which file receives the next I/O: file_service_type and openfiles (compatibility 5.12). */
#include "base/units.h"
#include "workload/amounts.h"
#include "workload/files.h"
#include "base/check.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void files_begin_one(struct workload *l, unsigned file)
{
	struct workload_file *f = &l->files[file];

	f->used = f->index = 0;
	l->ahead_next = l->ahead_end =
		l->ahead; /* only the fast path, with its one file, draws ahead */
	f->touched = 0;
	memset(f->next, 0, sizeof(f->next));
	memset(f->burst, 0, sizeof(f->burst));
	f->done = f->bytes < l->smallest;
	if (l->perms && f->blocks)
		permute_init(&l->perms[file], f->blocks, rng_next(&l->offset_rng));
	if (l->maps && f->blocks)
		bitmap_clear(&l->maps[file]);
}

/* "roundrobin:N": so many I/Os before another file is chosen. */
static int files_service_every(struct service *s, const char *arg, struct err *err)
{
	uint64_t every = 1;

	if (arg && (units_parse_size(arg, 1024, &every, NULL) < 0 || every == 0))
		return err_set(err, ERR_USAGE, EINVAL,
			       "file_service_type: '%s' is no number of I/Os", arg);
	s->every = every;
	return 0;
}

/* "zipf:1.2": files are drawn from a distribution. */
static int files_service_dist(struct service *s, const struct plan_job *pj, const char *arg,
			      struct err *err)
{
	static const double defaults[] = {
		[DIST_ZIPF] = 1.1, [DIST_PARETO] = 0.2, [DIST_NORMAL] = 0};
	enum dist_kind kind = s->type == SERVICE_ZIPF	  ? DIST_ZIPF
			      : s->type == SERVICE_PARETO ? DIST_PARETO
							  : DIST_NORMAL;
	char *end = NULL;
	double param = arg ? strtod(arg, &end) : defaults[kind];

	s->every = 1;
	s->restarts = true;
	if ((arg && (end == arg || *end)) ||
	    dist_init(&s->dist, kind, pj->files_n, param, -1, pj->seed[SEED_FILE]) < 0)
		return err_set(err, ERR_USAGE, EINVAL,
			       "file_service_type: '%s' is no parameter of that distribution", arg);
	return 0;
}

static int files_service_init(struct service *s, const struct plan_job *pj, struct err *err)
{
	const struct opt_enum_arg *o = &pj->o->file_service_type;
	const char *arg = o->arg && *o->arg ? o->arg : NULL;

	s->type = o->value;
	rng_seed(&s->rng, pj->seed[SEED_FILE]);
	if (s->type == SERVICE_ZIPF || s->type == SERVICE_PARETO || s->type == SERVICE_NORMAL)
		return pj->files_n ? files_service_dist(s, pj, arg, err) : 0;
	return files_service_every(s, arg, err);
}

int files_init(struct workload *l, const struct plan_job *pj, struct arena *arena, struct err *err)
{
	unsigned room =
		pj->open_files && pj->open_files < pj->files_n ? pj->open_files : pj->files_n;

	assert(pj && arena);
	if (pj->files_n >= UINT16_MAX)
		return err_set(err, ERR_SETUP, EINVAL,
			       "%u files in one job; at most %d can be used", pj->files_n,
			       UINT16_MAX - 1);
	l->files_n = pj->files_n;
	l->files = arena_new(arena, struct workload_file, pj->files_n);
	l->service.active = arena_new(arena, uint16_t, room);
	if (pj->files_n && (!l->files || !l->service.active))
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for %u files", pj->files_n);
	for (unsigned i = 0; i < pj->files_n; i++) {
		struct workload_file *f = &l->files[i];
		f->begin = pj->files[i].begin;
		f->bytes = pj->files[i].end > f->begin ? pj->files[i].end - f->begin : 0;
		f->blocks = f->bytes >= l->smallest ? f->bytes / l->unit : 0;
		f->dirty_lo = UINT64_MAX;
		f->open = i < room;
		l->usable += f->bytes >= l->smallest;
	}
	return files_service_init(&l->service, pj, err);
}

/* The lowest file that is neither open nor done, files_n when there is none. */
static unsigned files_next_waiting(struct workload *l)
{
	struct service *s = &l->service;

	while (s->scan < l->files_n && (l->files[s->scan].open || l->files[s->scan].done))
		s->scan++;
	return s->scan;
}

/* Files that are done make room: for one that waits to be opened, else the list gets shorter. */
static void files_settle(struct workload *l)
{
	struct service *s = &l->service;

	for (unsigned i = 0; i < s->active_n && !s->swapping;) {
		if (!l->files[s->active[i]].done) {
			i++;
			continue;
		}
		unsigned w = files_next_waiting(l);
		if (w < l->files_n) {
			s->swapping = true;
			s->close_file = s->active[i];
			s->open_file = (uint16_t)w;
			return;
		}
		s->active_n--;
		memmove(&s->active[i], &s->active[i + 1], (s->active_n - i) * sizeof(s->active[0]));
		if (s->at > i)
			s->at--;
	}
	if (s->active_n == 0 && !amounts_wrap(l))
		l->loop_over = true;
}

void files_begin_pass(struct workload *l)
{
	struct service *s = &l->service;

	/* Which files are open stays as it is. */
	s->active_n = s->at = s->scan = 0;
	s->left = 0;
	s->swapping = false;
	for (unsigned i = 0; i < l->files_n; i++) {
		files_begin_one(l, i);
		if (l->files[i].open)
			s->active[s->active_n++] = (uint16_t)i;
	}
	if (l->usable)
		files_settle(l);
}

void files_done(struct workload *l, uint16_t file)
{
	struct service *s = &l->service;

	hot_assert(file < l->files_n);
	if (s->restarts) {
		files_begin_one(l, file);
		return;
	}
	l->files[file].done = true;
	s->left = 0;
	if (!s->swapping)
		files_settle(l);
}

void files_swapped(struct workload *l)
{
	struct service *s = &l->service;

	if (!s->swapping)
		return;
	s->swapping = false;
	if (s->close_file != UINT16_MAX)
		l->files[s->close_file].open = false;
	l->files[s->open_file].open = true;
	for (unsigned i = 0; i < s->active_n; i++)
		if (s->active[i] == s->close_file)
			s->active[i] = s->open_file;
	files_settle(l);
}

static uint16_t files_lowest_active(const struct workload *l)
{
	const struct service *s = &l->service;
	uint16_t lowest = s->active[0];

	for (unsigned i = 1; i < s->active_n; i++)
		if (s->active[i] < lowest)
			lowest = s->active[i];
	return lowest;
}

/* Any file may be drawn, also a closed one: then one that is open gives way, in turns. */
static enum files_pick files_pick_by_distribution(struct workload *l, uint16_t *file)
{
	struct service *s = &l->service;

	if (s->left == 0) {
		uint64_t i = dist_draw(&s->dist, &s->rng);
		while (l->files[i].bytes < l->smallest)
			i = i + 1 < l->files_n ? i + 1 : 0;
		s->current = (uint16_t)i;
		s->left = 1;
	}
	if (!l->files[s->current].open) {
		s->swapping = true;
		s->evict = s->evict + 1 < s->active_n ? s->evict + 1 : 0;
		s->close_file = s->active[s->evict];
		s->open_file = s->current;
		return FILES_SWAP;
	}
	s->left = 0;
	*file = s->current;
	return FILES_OK;
}

enum files_pick files_pick(struct workload *l, uint16_t *file)
{
	struct service *s = &l->service;

	if (s->swapping)
		return FILES_SWAP;
	if (s->active_n == 0 && !(s->restarts && l->usable))
		return FILES_NONE;
	if (s->restarts)
		return files_pick_by_distribution(l, file);
	if (s->left == 0) {
		switch (s->type) {
		case SERVICE_SEQUENTIAL:
			s->current = files_lowest_active(l);
			break;
		case SERVICE_RANDOM:
			s->current = s->active[rng_below(&s->rng, s->active_n)];
			break;
		default:
			s->at = s->at < s->active_n ? s->at : 0;
			s->current = s->active[s->at++];
			break;
		}
		s->left = s->every;
	}
	s->left--;
	*file = s->current;
	return FILES_OK;
}
