/* fio's job line (compatibility 18.1): what was declared, not what the rules made of it. */
#include "plan/build.h"
#include "plan/blocks.h"
#include "plan/jobline.h"
#include "base/units.h"
#include <string.h>

static const char *jobline_rw_word(unsigned bits)
{
	bool random = bits & RW_RANDOM;
	if (bits & RW_TRIMWRITE)
		return random ? "randtrimwrite" : "trimwrite";
	switch (bits & (RW_READ | RW_WRITE | RW_TRIM)) {
	case RW_READ | RW_WRITE:
		return random ? "randrw" : "rw";
	case RW_WRITE:
		return random ? "randwrite" : "write";
	case RW_TRIM:
		return random ? "randtrim" : "trim";
	default:
		return random ? "randread" : "read";
	}
}

static void jobline_add_range(const struct job_opts *o, unsigned dir, struct str *out)
{
	static const char mark[DIRS] = {'R', 'W', 'T'};
	uint64_t lo, hi;
	char a[40], b[40];
	bool pow2 = o->kb_base != 1000;
	unsigned digits = o->significant_figures ? (unsigned)o->significant_figures : 4;

	blocks_declared(o, dir, &lo, &hi);
	units_print(lo, 1, digits, pow2, UNITS_BYTES, a, sizeof(a));
	units_print(hi, 1, digits, pow2, UNITS_BYTES, b, sizeof(b));
	str_printf(out, "(%c) %s-%s, ", mark[dir], a, b);
}

void explain_job_line(const struct plan_job *pj, struct str *out)
{
	const struct job_opts *o = &pj->job->o;

	str_printf(out, "%s: (g=%u): rw=%s, bs=", pj->name, pj->group, jobline_rw_word(o->rw.bits));
	jobline_add_range(o, DIR_READ, out);
	jobline_add_range(o, DIR_WRITE, out);
	if (o->bs_is_seq_rand)
		str_add(out, "bs_is_seq_rand, ");
	else
		jobline_add_range(o, DIR_TRIM, out);
	str_printf(out, "ioengine=%s, iodepth=%llu", o->ioengine, (unsigned long long)o->iodepth);
}
