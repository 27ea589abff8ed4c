/* The plan as text for people: one block per job, its clones summarised, no line beyond 100
 * columns.
 */
#include "plan/explain.h"
#include "plan/build.h"
#include "plan/blocks.h"
#include "base/units.h"
#include "conf/schema.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  100
#define INDENT 12 /* of the text behind a label */
#define ALIKE  8  /* how many workers or files are listed one by one */

/* "  Label     text", wrapped between words. */
static void explain_row(struct str *out, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void explain_row(struct str *out, const char *label, const char *fmt, ...)
{
	char text[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	str_printf(out, "  %-*s", INDENT - 2, label);
	size_t col = INDENT;
	for (const char *s = text; *s;) {
		size_t n = strcspn(s, " ");
		if (col > INDENT && col + 1 + n > WIDTH) {
			str_printf(out, "\n%*s", INDENT, "");
			col = INDENT;
		} else if (col > INDENT) {
			str_addc(out, ' ');
			col++;
		}
		str_addn(out, s, n);
		col += n;
		s += n;
		while (*s == ' ')
			s++;
	}
	str_addc(out, '\n');
}

struct text {
	char s[64];
};

static struct text explain_bytes_text(uint64_t v)
{
	struct text t;
	units_print(v, 1, 4, true, UNITS_BYTES, t.s, sizeof(t.s));
	return t;
}

static struct text explain_time_text(uint64_t ns)
{
	struct text t;
	units_print_time(ns, t.s, sizeof(t.s));
	return t;
}

static struct text explain_percent_text(double v)
{
	struct text t;
	snprintf(t.s, sizeof(t.s), "%g%%", v);
	return t;
}

static const char *explain_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static const char *explain_work_word(unsigned bits)
{
	if (bits & RW_TRIMWRITE)
		return "trims, each followed by a write to the same block";
	switch (bits & (RW_READ | RW_WRITE | RW_TRIM)) {
	case RW_READ | RW_WRITE:
		return "reads and writes";
	case RW_WRITE:
		return "writes";
	case RW_TRIM:
		return "trims";
	default:
		return "reads";
	}
}

static void explain_add_blocks(const struct plan_job *pj, struct str *s)
{
	static const char *const word[DIRS] = {"reads", "writes", "trims"};
	bool does[DIRS] = {pj->reads, pj->writes, pj->trims};
	const char *comma = "";
	if (pj->o->bs_is_seq_rand) {
		str_printf(s, "blocks of %s (sequential) or %s (random)",
			   explain_bytes_text(pj->o->bs[DIR_READ]).s,
			   explain_bytes_text(pj->o->bs[DIR_WRITE]).s);
		return;
	}
	str_add(s, "blocks of ");
	for (unsigned d = 0; d < DIRS; d++) {
		uint64_t lo, hi;
		if (!does[d])
			continue;
		blocks_declared(pj->o, d, &lo, &hi);
		str_printf(s, "%s%s", comma, explain_bytes_text(lo).s);
		if (hi != lo)
			str_printf(s, " to %s%s", explain_bytes_text(hi).s,
				   pj->o->bssplit[d].n ? " (bssplit)" : "");
		if (pj->fixed_size)
			break;
		str_printf(s, " for %s", word[d]);
		comma = ", ";
	}
}

static const char *explain_distribution(const struct job_opts *o)
{
	switch (o->random_distribution.kind) {
	case OPT_DIST_ZIPF:
		return "zipf";
	case OPT_DIST_PARETO:
		return "pareto";
	case OPT_DIST_NORMAL:
		return "normal";
	case OPT_DIST_ZONED:
	case OPT_DIST_ZONED_ABS:
		return "zoned";
	case OPT_DIST_SEQUENCE:
		return "listed";
	default:
		return "uniform";
	}
}

static void explain_work(const struct plan_job *pj, struct str *out)
{
	const struct job_opts *o = pj->o;
	bool random = o->rw.bits & RW_RANDOM;
	struct str s;

	str_init(&s, 2048);
	str_printf(&s, "%s %s, ", random ? "random" : "sequential", explain_work_word(o->rw.bits));
	explain_add_blocks(pj, &s);
	if (pj->reads && pj->writes)
		str_printf(&s, ", %s reads", explain_percent_text(o->rwmixread).s);
	if (random && pj->cover)
		str_add(&s, ", full coverage (each block once per pass)");
	else if (random)
		str_printf(&s, ", %s distribution without full coverage", explain_distribution(o));
	if (random && o->rw.has_modifier)
		str_printf(&s, ", new random offset every %lld I/Os", (long long)o->rw.modifier);
	else if (o->rw.has_modifier)
		str_printf(&s, ", skips %lld bytes after each I/O", (long long)o->rw.modifier);
	for (unsigned d = 0; random && d < DIRS; d++) {
		if (pj->min_len[d] && o->percentage_random[d] < 100) {
			str_printf(&s, ", %s of them random",
				   explain_percent_text(o->percentage_random[d]).s);
			break;
		}
	}
	explain_row(out, "Work", "%s", s.s);
	str_release(&s);
}

static const char *explain_kind_word(enum plan_target_kind k)
{
	switch (k) {
	case PLAN_REGULAR:
		return "file";
	case PLAN_BLOCK:
		return "block device";
	case PLAN_CHAR:
		return "character device";
	case PLAN_NONE:
		return "synthetic";
	default:
		return "special file";
	}
}

static void explain_file(const struct plan *p, const struct plan_file *f, const char *who,
			 struct str *out)
{
	const struct plan_target *t = &p->targets[f->target];
	struct str s;

	str_init(&s, 8192);
	str_printf(&s, "%s%s (%s", who, f->path, explain_kind_word(t->kind));
	if (t->kind == PLAN_NONE)
		str_add(&s, ", no file is opened");
	else if (t->kind == PLAN_REGULAR && !t->exists)
		str_add(&s, ", does not exist yet");
	else if (t->kind == PLAN_REGULAR || t->kind == PLAN_BLOCK)
		str_printf(&s, ", has %s", explain_bytes_text(t->size_now).s);
	if (f->end >= (uint64_t)INT64_MAX / 2)
		str_printf(&s, "): from byte %llu to the end of the device",
			   (unsigned long long)f->begin);
	else
		str_printf(&s, "): bytes %llu to %llu, %s", (unsigned long long)f->begin,
			   (unsigned long long)f->end, explain_bytes_text(f->end - f->begin).s);
	if (f->unwritten)
		str_printf(&s, ", of which %s were never written",
			   explain_bytes_text(f->unwritten).s);
	explain_row(out, "", "%s", s.s);
	str_release(&s);
}

static bool explain_same_files(const struct plan_job *a, const struct plan_job *b)
{
	if (a->files_n != b->files_n)
		return false;
	for (unsigned i = 0; i < a->files_n; i++)
		if (a->files[i].target != b->files[i].target ||
		    a->files[i].begin != b->files[i].begin || a->files[i].end != b->files[i].end)
			return false;
	return true;
}

static void explain_worker_files(const struct plan *p, const struct plan_job *pj, bool number,
				 struct str *out)
{
	char who[32] = "";
	if (number)
		snprintf(who, sizeof(who), "worker %u: ", pj->number);
	for (unsigned i = 0; i < pj->files_n && i < ALIKE; i++)
		explain_file(p, &pj->files[i], who, out);
	if (pj->files_n > ALIKE)
		explain_row(out, "", "%s... and %u more files like these", who,
			    pj->files_n - ALIKE);
}

static void explain_layout(const struct plan *p, const struct plan_job *pj, unsigned n,
			   struct str *out)
{
	uint64_t bytes = 0;
	unsigned files = 0, filled = 0, on_open = 0;
	for (unsigned w = 0; w < n; w++) {
		for (unsigned i = 0; i < pj[w].files_n; i++) {
			const struct plan_target *t = &p->targets[pj[w].files[i].target];
			if (t->first_job != pj[w].number)
				continue;
			on_open += t->create_on_open;
			if (!t->lay_out)
				continue;
			files++;
			filled += t->fill;
			bytes += t->size_needed - t->size_now;
		}
	}
	if (files)
		explain_row(out, "Layout", "%u file%s created or extended by %s before the run, %s",
			    files, explain_plural(files), explain_bytes_text(bytes).s,
			    filled ? "filled with random data"
				   : "space allocated, no data written");
	if (on_open)
		explain_row(out, "Layout", "%u file%s created when opened", on_open,
			    explain_plural(on_open));
}

static const char *explain_cache_words(const struct plan_job *pj)
{
	if (pj->caps & ENGINE_NO_FILES)
		return "";
	return pj->o->direct && !(pj->caps & ENGINE_MAPS) ? ", direct I/O (direct=1)"
							  : ", buffered I/O (direct=0)";
}

static void explain_targets(const struct plan *p, const struct plan_job *pj, unsigned n,
			    struct str *out)
{
	bool same = true;
	for (unsigned w = 1; w < n && same; w++)
		same = explain_same_files(&pj[0], &pj[w]);
	explain_row(out, "Targets", "%s opens %u file%s%s%s%s",
		    n > 1 ? "each worker" : "the worker", pj->files_n, explain_plural(pj->files_n),
		    n > 1 && same ? ", the same for all" : "",
		    pj->open_files < pj->files_n ? ", not all open at the same time" : "",
		    explain_cache_words(pj));
	if (same) {
		explain_worker_files(p, pj, false, out);
	} else {
		unsigned shown = pj->files_n > 1 ? 2 : ALIKE;
		for (unsigned w = 0; w < n && w < shown; w++)
			explain_worker_files(p, &pj[w], true, out);
		if (n > shown)
			explain_row(out, "", "... and %u more workers like these", n - shown);
	}
	explain_layout(p, pj, n, out);
}

static void explain_depth(const struct plan_job *pj, struct str *out)
{
	uint64_t asked = pj->job->o.iodepth;
	explain_row(
		out, "Engine", "%s: %s", pj->engine->name,
		pj->is_async
			? "asynchronous, submission and completion latency are measured separately"
			: "synchronous, an I/O completes when the system call returns");
	if (pj->depth != asked)
		explain_row(out, "Depth", "%u (requested: %llu)", pj->depth,
			    (unsigned long long)asked);
	else if (pj->depth > 1)
		explain_row(
			out, "Depth",
			"iodepth %u: submit batch %u%s, refill threshold %u, reap min %u, max %u",
			pj->depth, pj->batch_part,
			pj->batch_part < pj->batch ? " (whole queue if completions are inline)"
						   : "",
			pj->depth_low, pj->reap_min, pj->reap_max);
	else
		explain_row(out, "Depth", "1: one I/O at a time");
}

static void explain_add_amount(const struct plan_job *pj, struct str *s)
{
	if (pj->expect_ios == UINT64_MAX)
		return;
	str_printf(s, "%s%llu I/O%s, %s", pj->fixed_size ? "" : "about ",
		   (unsigned long long)pj->expect_ios, explain_plural(pj->expect_ios),
		   explain_bytes_text(pj->expect_bytes).s);
	if (pj->loops > 1)
		str_printf(s, " in %u loops", pj->loops);
}

static const char *explain_size_option(const struct plan_job *pj)
{
	if (pj->o->io_size.kind != OPT_SIZE_UNSET)
		return "io_size";
	return pj->o->size.kind != OPT_SIZE_UNSET ? "size"
	       : pj->o->filesize.hi		  ? "filesize"
						  : "the size of the target";
}

static void explain_end(const struct plan_job *pj, struct str *out)
{
	struct str s;
	str_init(&s, 1024);
	switch (pj->ends_by) {
	case PLAN_END_TIME:
		str_printf(&s, "by runtime, after %s", explain_time_text(pj->run_ns).s);
		if (pj->time_based)
			str_add(&s, " (time_based), regardless of the amount of I/O");
		else
			str_add(&s, ", before the whole amount is transferred at the given rate: ");
		break;
	case PLAN_END_COUNT:
		str_add(&s, "by number_ios, after ");
		break;
	case PLAN_END_FULL:
		str_add(&s, "when the device is full (fill_device)");
		break;
	default:
		str_printf(&s, "by %s, after ", explain_size_option(pj));
	}
	if (pj->ends_by != PLAN_END_FULL)
		explain_add_amount(pj, &s);
	if (pj->ends_by != PLAN_END_TIME && pj->run_ns)
		str_printf(&s, "; or by runtime after %s, whichever comes first",
			   explain_time_text(pj->run_ns).s);
	explain_row(out, "Ends", "%s", s.s);
	str_release(&s);
}

static void explain_pace(const struct plan_job *pj, struct str *out)
{
	static const char *const word[DIRS] = {"reads", "writes", "trims"};
	for (unsigned d = 0; d < DIRS; d++) {
		if (!pj->min_len[d])
			continue;
		if (pj->o->rate[d])
			explain_row(out, "Rate", "%s limited to %s per second", word[d],
				    explain_bytes_text(pj->o->rate[d]).s);
		if (pj->o->rate_iops[d])
			explain_row(out, "Rate", "%s limited to %lld I/Os per second", word[d],
				    (long long)pj->o->rate_iops[d]);
		if (pj->o->rate_min[d])
			explain_row(out, "Rate", "fails if %s fall below %s per second", word[d],
				    explain_bytes_text(pj->o->rate_min[d]).s);
		if (pj->o->rate_iops_min[d])
			explain_row(out, "Rate", "fails if %s fall below %lld I/Os per second",
				    word[d], (long long)pj->o->rate_iops_min[d]);
	}
	if (pj->o->thinktime && pj->o->thinktime_blocks != UINT64_MAX)
		explain_row(out, "Pauses", "%s after every %llu I/O%s",
			    explain_time_text(pj->o->thinktime).s,
			    (unsigned long long)pj->o->thinktime_blocks,
			    explain_plural(pj->o->thinktime_blocks));
	else if (pj->o->thinktime)
		explain_row(out, "Pauses", "%s after every %s of I/O",
			    explain_time_text(pj->o->thinktime).s,
			    explain_time_text(pj->o->thinktime_iotime).s);
}

static void explain_sync(const struct plan_job *pj, struct str *out)
{
	const struct job_opts *o = pj->o;
	if (!pj->writes)
		return;
	if (o->fsync)
		explain_row(out, "Flushes", "fsync after every %llu write%s",
			    (unsigned long long)o->fsync, explain_plural(o->fsync));
	if (o->fdatasync)
		explain_row(out, "Flushes", "fdatasync after every %llu write%s",
			    (unsigned long long)o->fdatasync, explain_plural(o->fdatasync));
	if (o->end_fsync || o->fsync_on_close)
		explain_row(out, "Flushes", "fsync at the end, included in the runtime");
	if (o->sync != SYNC_NONE)
		explain_row(out, "Flushes", "every write is durable when it returns (%s)",
			    o->sync == SYNC_SYNC ? "O_SYNC" : "O_DSYNC");
}

static void explain_start(const struct plan *p, const struct plan_job *pj, unsigned n,
			  struct str *out)
{
	uint64_t lo = pj->delay_ns, hi = pj->delay_ns;
	struct str s;

	for (unsigned w = 1; w < n; w++) {
		lo = pj[w].delay_ns < lo ? pj[w].delay_ns : lo;
		hi = pj[w].delay_ns > hi ? pj[w].delay_ns : hi;
	}
	str_init(&s, 1024);
	if (pj->stage)
		str_printf(&s, "in stage %u, after all workers of stage %u have ended", pj->stage,
			   pj->stage - 1);
	else
		str_add(&s, "immediately");
	if (pj->wait_n)
		str_printf(&s, ", and after %s has ended", p->jobs[pj->wait_first].name);
	if (hi && lo == hi)
		str_printf(&s, ", not before %s", explain_time_text(hi).s);
	else if (hi)
		str_printf(&s, ", not before %s to %s", explain_time_text(lo).s,
			   explain_time_text(hi).s);
	if (pj->ramp_ns)
		str_printf(&s, "; the first %s are excluded from the results (ramp_time)",
			   explain_time_text(pj->ramp_ns).s);
	if (pj->ramp_bytes)
		str_printf(&s, "; the first %s are excluded from the results (ramp_size)",
			   explain_bytes_text(pj->ramp_bytes).s);
	explain_row(out, "Starts", "%s", s.s);
	str_release(&s);
}

static void explain_add_cpus(const struct cpuset *cpus, struct str *s)
{
	for (unsigned i = 0; i < cpus->n; i++) {
		unsigned k = i;
		while (k + 1 < cpus->n && cpus->cpu[k + 1] == cpus->cpu[k] + 1)
			k++;
		str_printf(s, "%s%u", i ? ", " : "", cpus->cpu[i]);
		if (k > i)
			str_printf(s, "-%u", cpus->cpu[k]);
		i = k;
	}
}

static bool explain_same_cpus(const struct plan_job *a, const struct plan_job *b)
{
	return a->cpus.n == b->cpus.n &&
	       !memcmp(a->cpus.cpu, b->cpus.cpu, a->cpus.n * sizeof(*a->cpus.cpu));
}

static void explain_cpus(const struct plan_job *pj, unsigned n, struct str *out)
{
	bool same = pj->o->cpus_allowed_policy != CPUS_SPLIT, one = true;
	struct str s;

	if (!pj->cpus.n)
		return;
	for (unsigned w = 0; w < n; w++) {
		same = same && explain_same_cpus(&pj[0], &pj[w]);
		one = one && pj[w].cpus.n == 1;
	}
	str_init(&s, 1024);
	if (same) {
		explain_add_cpus(&pj->cpus, &s);
	} else {
		str_add(&s, one ? "one CPU each:" : "for each worker:");
		for (unsigned w = 0; w < n && w < 2 * ALIKE; w++) {
			str_add(&s, one || !w ? " " : "; ");
			explain_add_cpus(&pj[w].cpus, &s);
		}
		if (n > 2 * ALIKE)
			str_add(&s, " ...");
	}
	explain_row(out, "CPUs", "%s", s.s);
	str_release(&s);
}

static void explain_isolation(const struct plan *p, const struct plan_job *pj, unsigned n,
			      struct str *out)
{
	const struct plan_isolation *iso = p->isolation;
	unsigned in = 0, own = 0;
	struct str s;

	for (unsigned w = 0; w < n; w++) {
		in += pj[w].isolate;
		own += pj[w].own_cpus;
	}
	if (!in)
		return;
	str_init(&s, 1024);
	if (own < in)
		str_printf(&s, "%u worker%s share CPUs; ", in - own, explain_plural(in - own));
	str_add(&s, "CPU ");
	explain_add_cpus(&iso->cpus, &s);
	str_add(&s, iso->cpus.n == 1 ? " is" : " are");
	str_add(&s, " reserved for the workers during the run");
	if (iso->idle.n) {
		str_add(&s, " (");
		explain_add_cpus(&iso->idle, &s);
		str_add(&s, " kept idle as SMT siblings)");
	}
	str_add(&s, ", CPU ");
	explain_add_cpus(&iso->rest, &s);
	str_add(&s, " left for other tasks; subject to privileges");
	explain_row(out, "Isolated", "%s", s.s);
	str_release(&s);
}

static void explain_seed(const struct plan_job *pj, struct str *out)
{
	const struct job_opts *o = pj->o;
	if (job_given(pj->job, OPT_randseed))
		explain_row(out, "Seed",
			    "%lld and the worker number: runs are reproducible, loops differ",
			    (long long)o->randseed);
	else if (o->randrepeat)
		explain_row(out, "Seed",
			    "%lld (default) and the worker number: runs are reproducible",
			    (long long)o->randseed);
	else
		explain_row(out, "Seed", "from the system (randrepeat=0): each run differs");
}

static void explain_reasons(const struct plan_job *pj, struct str *out)
{
	for (unsigned i = 0; i < pj->reasons_n; i++) {
		const struct plan_reason *r = &pj->reasons[i];
		const char *name = r->option < OPT_COUNT ? job_rows[r->option].name : "job";
		explain_row(out, i ? "" : "Changed", "%s: %s", name, r->text);
	}
}

static void explain_job(const struct plan *p, const struct plan_job *pj, unsigned n,
			struct str *out)
{
	const struct plan_entry *e = &p->entries[pj->entry];
	str_printf(out, "\n%s: ", pj->name);
	if (n > 1)
		str_printf(out, "%u workers, numbers %u to %u\n", n, pj->number,
			   pj->number + n - 1);
	else
		str_printf(out, "1 worker, number %u\n", pj->number);
	if (pj->description)
		explain_row(out, "About", "%s", pj->description);
	explain_work(pj, out);
	explain_targets(p, pj, n, out);
	explain_depth(pj, out);
	explain_end(pj, out);
	explain_pace(pj, out);
	explain_sync(pj, out);
	explain_start(p, pj, n, out);
	explain_cpus(pj, n, out);
	explain_isolation(p, pj, n, out);
	explain_seed(pj, out);
	explain_row(out, "Report", "group %u%s%s", pj->group,
		    !pj->o->stats ? ", excluded from all reports (stats=0)"
		    : e->n > 1	  ? ", aggregated with the other jobs of the group"
		    : n > 1	  ? ", one section per worker"
				  : "",
		    p->exitall ? "; when it ends, the other jobs are stopped (exitall)" : "");
	explain_row(out, "Memory", "%s of I/O buffers%s", explain_bytes_text(pj->buffer_bytes).s,
		    n > 1 ? " per worker" : "");
	explain_reasons(pj, out);
}

void explain_plan(const struct plan *p, struct str *out)
{
	str_printf(out, "%u worker%s in %u stage%s, %u group%s; about %s of memory%s\n", p->jobs_n,
		   explain_plural(p->jobs_n), p->stages_n, explain_plural(p->stages_n), p->groups_n,
		   explain_plural(p->groups_n), explain_bytes_text(p->memory_bytes).s,
		   p->virtual_clock ? "; simulated on a virtual clock" : "");
	for (unsigned i = 0; i < p->jobs_n;) {
		unsigned n = 1;
		while (i + n < p->jobs_n && p->jobs[i + n].job == p->jobs[i].job)
			n++;
		explain_job(p, &p->jobs[i], n, out);
		i += n;
	}
}
