/* Checks of a job: does this kernel have what it asks for, and can its numbers mean what they are
 * taken for? The codes are those of the verdict after a run. */
#include "doctor/check_job.h"
#include "judge/limits.h"
#include "engine/registry.h"
#include "host/memory.h"
#include <string.h>

bool check_job_polls(const struct plan_job *pj)
{
	return pj->traits.polls;
}

static bool check_job_no_device(struct check *c)
{
	if (!(c->job->caps & ENGINE_NO_FILES))
		return false;
	check_say(c, FINDING_OK, "no device is used");
	return true;
}

static void check_needs(struct check *c, const struct kernel *k)
{
	const struct plan_job *pj = c->job;
	for (unsigned i = 0; i < pj->engine->needs_n; i++) {
		const struct engine_need *n = &pj->engine->needs[i];
		if (kernel_at_least(k, n->major, n->minor) != n->gone ||
		    !engine_need_applies(pj->engine, pj->engine_options, n))
			continue;
		if (n->gone)
			check_say(c, n->severity, "Linux %s %s (since %u.%u)", k->release,
				  n->effect, n->major, n->minor);
		else
			check_say(c, n->severity, "%s%s%s on Linux %s (came with %u.%u): %s",
				  pj->engine->name, n->option[0] ? " with " : "", n->option,
				  k->release, n->major, n->minor, n->effect);
		if (n->remedy[0])
			check_fix(c, "%s", n->remedy);
	}
}

static void check_engine(struct check *c)
{
	const struct plan_job *pj = c->job;
	char found[256] = "";
	if (!c->d->kernel_known)
		return;
	check_needs(c, &c->d->kernel);
	if (pj->caps & ENGINE_IO_URING && kernel_uring_disabled(c->h) == 2) {
		check_say(c, FINDING_BAD, "io_uring is disabled (kernel.io_uring_disabled=2)");
		check_fix(c, "sysctl kernel.io_uring_disabled=0");
	}
	/* The kernel itself is the better witness where it can be asked. */
	if (!c->h->root[0]) {
		struct err err;
		err_clear(&err);
		if (pj->engine->probe(found, sizeof(found), &err)) {
			check_say(c, FINDING_BAD, "%s: %s", pj->engine->name, err.text);
			check_fix(c, "%s", err.remedy[0] ? err.remedy : "ioengine=psync");
		}
	}
	check_say(c, FINDING_OK, "%s on Linux %s%s%s%s", pj->engine->name, c->d->kernel.release,
		  found[0] ? " (" : "", found, found[0] ? ")" : "");
}

static void check_depth(struct check *c)
{
	const struct plan_job *pj = c->job;
	unsigned long long asked = pj->job->o.iodepth;
	if (check_job_no_device(c))
		return;
	if (asked > pj->depth) {
		check_say(c, FINDING_WARN, "iodepth=%llu asked for, %s reaches %u", asked,
			  pj->engine->name, pj->depth);
		check_fix(c, "ioengine=io_uring or libaio with direct=1");
	} else if (pj->depth > 1 && pj->is_async && !pj->o->direct) {
		check_say(c, FINDING_WARN,
			  "buffered I/O completes synchronously: a queue depth of %u is never "
			  "reached",
			  pj->depth);
		check_fix(c, "direct=1");
	} else {
		check_say(c, FINDING_OK, "%u", pj->depth);
	}
}

static void check_page_cache(struct check *c)
{
	const struct plan_job *pj = c->job;
	struct memory m;
	bool cached = !pj->o->direct || pj->caps & ENGINE_MAPS;
	if (check_job_no_device(c))
		return;
	memory_read(c->h, &m);
	if (!pj->reads || !cached) {
		check_say(c, FINDING_OK, pj->reads ? "reads are direct" : "the job does not read");
	} else if (!m.available) {
		check_say(c, FINDING_UNKNOWN,
			  "reads go through the page cache; how much memory is "
			  "available is unknown");
	} else {
		bool fits = pj->region < m.available;
		check_say(c, fits ? FINDING_WARN : FINDING_NOTE,
			  "%llu MiB are read through the page cache, which may hold %llu MiB",
			  (unsigned long long)pj->region >> 20,
			  (unsigned long long)m.available >> 20);
		check_fix(c, "direct=1");
	}
}

static void check_unwritten(struct check *c)
{
	const struct plan_job *pj = c->job;
	uint64_t bytes = 0;
	if (check_job_no_device(c))
		return;
	for (unsigned i = 0; i < pj->files_n; i++)
		bytes += pj->files[i].unwritten;
	if (!pj->reads) {
		check_say(c, FINDING_OK, "the job does not read");
	} else if (bytes && pj->region) {
		check_say(c, FINDING_BAD, "%.1f %% of what is read are holes or unwritten extents",
			  (double)bytes * 100 / (double)pj->region);
		check_fix(c, "write the file through first (rw=write), or remove it so that it is "
			     "laid out with data");
	} else if (c->h->root[0]) {
		check_say(c, FINDING_UNKNOWN, "not known for a recorded machine");
	} else {
		bool raw = false;
		for (unsigned i = 0; i < pj->files_n; i++)
			raw |= c->d->in.plan->targets[pj->files[i].target].kind == PLAN_BLOCK;
		/* What a drive has never been told or was told to forget it need not look up. */
		if (raw)
			check_say(c, FINDING_UNKNOWN,
				  "a drive does not report which blocks were never written");
		else
			check_say(c, FINDING_OK, "no holes");
	}
}

static void check_span(struct check *c)
{
	const struct plan_job *pj = c->job;
	if (check_job_no_device(c))
		return;
	if (pj->region >= SPAN_SMALL) {
		check_say(c, FINDING_OK, "%llu MiB", (unsigned long long)pj->region >> 20);
		return;
	}
	check_say(c, FINDING_NOTE, "%.1f MiB: caches of the device may hold them",
		  (double)pj->region / (1 << 20));
	check_fix(c, "size=100%% on a device, or a file of several times its cache");
}

static void check_length(struct check *c)
{
	const struct plan_job *pj = c->job;
	double seconds = (double)pj->run_ns / 1e9;
	if (check_job_no_device(c))
		return;
	if (!pj->run_ns) {
		check_say(c, FINDING_OK, "as long as the I/Os take");
		return;
	}
	check_say(c,
		  pj->run_ns < RUN_SHORT_NS ? FINDING_WARN
		  : seconds < 30	    ? FINDING_NOTE
					    : FINDING_OK,
		  "%.4g s", seconds);
	if (seconds < 30)
		check_fix(c, "runtime=60 with time_based");
}

static void check_ramp(struct check *c)
{
	const struct plan_job *pj = c->job;
	if (check_job_no_device(c))
		return;
	if (pj->ramp_ns || pj->ramp_bytes) {
		check_say(c, pj->ramp_ns && pj->ramp_ns < 2000000000 ? FINDING_NOTE : FINDING_OK,
			  "%.4g s", (double)pj->ramp_ns / 1e9);
	} else {
		check_say(
			c, FINDING_NOTE,
			"none: I/Os of the warm-up (cold caches, low CPU frequency) are included");
		check_fix(c, "ramp_time=5");
	}
}

/* Fastest I/O we believe a job can see, to bound how many there can be. */
#define FASTEST_NS 2000.0

static void check_samples(struct check *c)
{
	const struct plan_job *pj = c->job;
	const struct opt_floats *list = &pj->o->percentile_list;
	double top = 0, most = 1e30;
	if (check_job_no_device(c))
		return;
	for (unsigned i = 0; i < list->n; i++)
		if (list->v[i] < 100 && list->v[i] > top)
			top = list->v[i];
	if (pj->expect_ios != UINT64_MAX)
		most = (double)pj->expect_ios;
	if (pj->run_ns && (double)pj->run_ns / FASTEST_NS * pj->depth < most)
		most = (double)pj->run_ns / FASTEST_NS * pj->depth;
	double need = top > 0 ? SAMPLES_BEYOND / (1 - top / 100) : 0;
	if (need > most) {
		check_say(c, FINDING_WARN,
			  "percentile %.10g needs %.2g I/Os, the job can do at most %.2g", top,
			  need, most);
		check_fix(c, "a longer runtime, or leave the last percentiles out of "
			     "percentile_list");
	} else {
		check_say(c, FINDING_OK, "percentile %.10g needs %.2g I/Os", top, need);
	}
}

static void check_sizes(struct check *c)
{
	const struct plan_job *pj = c->job;
	uint64_t least = 0;
	for (unsigned i = 0; i < DIRS; i++)
		if (pj->min_len[i] && (!least || pj->min_len[i] < least))
			least = pj->min_len[i];
	if (least && pj->max_len > least) {
		check_say(c, FINDING_NOTE, "blocks of %llu to %u bytes", (unsigned long long)least,
			  pj->max_len);
		check_fix(c, "one job per block size");
	} else {
		check_say(c, FINDING_OK, "all blocks have %u bytes", pj->max_len);
	}
}

static void check_workers(struct check *c)
{
	const struct plan_job *pj = c->job;
	const struct plan *p = c->d->in.plan;
	const struct cpuset *cpus = pj->cpus.n ? &pj->cpus : &c->d->usable;
	unsigned here = 0;
	bool polls = false;
	if (!cpus->n)
		return;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		const struct plan_job *o = &p->jobs[i];
		struct cpuset both;
		if (o->stage != pj->stage ||
		    (o->cpus.n && (cpuset_both(&o->cpus, cpus, c->a, &both) || !both.n)))
			continue;
		here++;
		polls |= check_job_polls(o);
	}
	if (here <= cpus->n) {
		check_say(c, FINDING_OK, "%u for %u CPUs", here, cpus->n);
		return;
	}
	check_say(c, polls ? FINDING_BAD : FINDING_NOTE, "%u workers share %u CPUs%s", here,
		  cpus->n, polls ? ", and some poll" : "");
	check_fix(c, "numjobs of %u or less, or more CPUs", cpus->n);
}

const struct check_row check_job_rows[] = {
	{"engine", check_engine},
	{"depth-unreached", check_depth},
	{"page-cache", check_page_cache},
	{"unwritten", check_unwritten},
	{"small-span", check_span},
	{"too-short", check_length},
	{"ramp-short", check_ramp},
	{"few-samples", check_samples},
	{"mixed-sizes", check_sizes},
	{"oversubscribed", check_workers},
	{NULL, NULL},
};
