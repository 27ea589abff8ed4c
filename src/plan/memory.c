/* How much memory the run will need, said before it starts when that is much, refused when the
 * machine does not have it. What a worker keeps is counted, not what the kernel does. */
#include "plan/memory.h"
#include "base/hist.h"
#include "base/units.h"
#include "engine/io.h"
#include "host/memory.h"
#include <assert.h>
#include <stdio.h>

#define GIB	    (1ull << 30)
#define WORKER_BASE (64u * 1024) /* stack, arena, timeline */

enum part { PART_BUFFERS, PART_LOCKED, PART_SLOTS, PART_MAP, PART_COUNTERS, PARTS };

static bool memory_while_running(unsigned part)
{
	return part == PART_BUFFERS || part == PART_LOCKED;
}

static uint64_t memory_map_bytes(const struct plan_job *pj)
{
	uint64_t lo = UINT64_MAX;

	if (!pj->cover || pj->fixed_size)
		return 0;
	for (unsigned i = 0; i < DIRS; i++)
		if (pj->min_len[i] && pj->min_len[i] < lo)
			lo = pj->min_len[i];
	return pj->region / lo / 8;
}

static void memory_parts_of(const struct plan_job *pj, uint64_t parts[PARTS])
{
	unsigned dirs = pj->reads + pj->writes + pj->trims;

	parts[PART_BUFFERS] = pj->buffer_bytes;
	parts[PART_LOCKED] = pj->o->lockmem;
	parts[PART_SLOTS] = (uint64_t)pj->depth * (sizeof(struct io) + pj->engine->io_size + 64) +
			    pj->engine->ctx_size;
	parts[PART_MAP] = memory_map_bytes(pj);
	parts[PART_COUNTERS] = (uint64_t)(dirs * 4 + 2) * sizeof(struct hist) + WORKER_BASE;
}

static uint64_t memory_add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* Buffers live as long as their worker runs, and stages do not overlap. */
static uint64_t memory_estimate(const struct plan *p)
{
	uint64_t kept = 0, stage = 0, most = 0;
	unsigned now = UINT32_MAX;

	for (unsigned i = 0; i < p->jobs_n; i++) {
		uint64_t parts[PARTS];
		if (p->jobs[i].stage != now)
			stage = 0;
		now = p->jobs[i].stage;
		memory_parts_of(&p->jobs[i], parts);
		for (unsigned k = 0; k < PARTS; k++) {
			if (memory_while_running(k))
				stage = memory_add(stage, parts[k]);
			else
				kept = memory_add(kept, parts[k]);
		}
		most = stage > most ? stage : most;
	}
	return memory_add(kept, most);
}

/* The job and the part of it, over all its clones, that take most. */
static const struct plan_job *memory_greatest(const struct plan *p, unsigned *part, uint64_t *bytes)
{
	const struct plan_job *who = NULL;

	*bytes = 0;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		const struct plan_job *pj = &p->jobs[i];
		uint64_t parts[PARTS];
		if (pj->clone)
			continue;
		memory_parts_of(pj, parts);
		for (unsigned k = 0; k < PARTS; k++) {
			unsigned __int128 all = (unsigned __int128)parts[k] * pj->clones;
			uint64_t sum = all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
			if (sum <= *bytes)
				continue;
			*bytes = sum;
			*part = k;
			who = pj;
		}
	}
	return who;
}

struct driver {
	enum job_opt option;
	const char *what, *remedy;
};

/* What the user could make smaller: of factors the largest. */
static struct driver memory_driver_of(const struct plan_job *pj, unsigned part)
{
	static const struct driver by_part[PARTS] = {
		[PART_LOCKED] = {OPT_lockmem, "locked memory", "reduce lockmem"},
		[PART_SLOTS] = {OPT_iodepth, "I/Os in flight", "reduce iodepth"},
		[PART_MAP] = {OPT_size, "the random map for several block sizes",
			      "use a single block size, norandommap=1, or a smaller size"},
		[PART_COUNTERS] = {OPT_numjobs, "worker statistics", "reduce numjobs"},
	};
	static const struct driver depth = {OPT_iodepth, "I/O buffers", "reduce iodepth"};
	static const struct driver block = {OPT_bs, "I/O buffers", "reduce bs"};
	static const struct driver jobs = {OPT_numjobs, "I/O buffers", "reduce numjobs"};
	uint64_t pages = pj->max_len / 4096;

	assert(part < PARTS && pj->depth);
	if (part != PART_BUFFERS)
		return by_part[part];
	if (pages >= pj->depth && pages >= pj->clones)
		return block;
	return pj->depth >= pj->clones ? depth : jobs;
}

static const char *memory_size_text(uint64_t bytes, char buf[32])
{
	units_print(bytes, 1, 4, true, UNITS_BYTES, buf, 32);
	return buf;
}

static void memory_say(struct builder *b, bool refuse, const char *than)
{
	char all[32], part[32];
	const struct plan *p = b->plan;
	uint64_t bytes;
	unsigned which = PART_BUFFERS;
	const struct plan_job *pj = memory_greatest(p, &which, &bytes);

	if (!pj)
		return;
	struct driver d = memory_driver_of(pj, which);
	diag_add(b->diag, refuse ? DIAG_ERROR : DIAG_WARNING, refuse ? ERR_SETUP : ERR_NONE,
		 "memory", job_given(pj->job, d.option) ? &pj->job->place[d.option] : &pj->job->at,
		 (int)pj->number, d.remedy,
		 "the run needs about %s of memory, %s; %s of it for %s of %s "
		 "(iodepth=%u, blocks up to %u bytes, numjobs=%u)",
		 memory_size_text(p->memory_bytes, all), than, memory_size_text(bytes, part),
		 d.what, pj->name, pj->depth, pj->max_len, pj->clones);
}

void memory_check(struct builder *b)
{
	char than[80], size[32];
	struct memory m;

	memory_read(&b->host, &m);
	uint64_t need = b->plan->memory_bytes = memory_estimate(b->plan);
	bool too_much = m.total && need > m.total;
	if (!too_much && need <= GIB && (!m.available || need <= m.available / 4))
		return;
	if (m.available || m.total)
		(void)snprintf(than, sizeof(than), "the machine has %s%s",
			       memory_size_text(too_much ? m.total : m.available, size),
			       too_much ? "" : " available");
	else
		(void)snprintf(than, sizeof(than), "and the available memory is unknown");
	memory_say(b, too_much && !b->po->no_device_access, than);
}
