/* Expansion of options.def: struct job_opts, one typed field per option, and enum job_opt, one
 * constant per option. Included by conf/job.h; include that. */
#ifndef FATHOM_CONF_JOB_OPTS_H
#define FATHOM_CONF_JOB_OPTS_H

#include "conf/value.h"

#define OPT_C_FLAG(f)	   bool f
#define OPT_C_BOOL(f)	   bool f
#define OPT_C_INT(f)	   int64_t f
#define OPT_C_COUNT(f)	   uint64_t f
#define OPT_C_SIZE(f)	   uint64_t f
#define OPT_C_SIZEPCT(f)   struct opt_size f
#define OPT_C_TIME(f)	   uint64_t f
#define OPT_C_TIMERANGE(f) struct opt_range f
#define OPT_C_PERCENT(f)   double f
#define OPT_C_FLOAT(f)	   double f
#define OPT_C_FLOATS(f)	   struct opt_floats f
#define OPT_C_ENUM(f)	   int f
#define OPT_C_ENUMARG(f)   struct opt_enum_arg f
#define OPT_C_BITS(f)	   unsigned f
#define OPT_C_STR(f)	   const char *f
#define OPT_C_STRS(f)	   struct opt_strings f
#define OPT_C_INT3(f)	   int64_t f[DIRS]
#define OPT_C_SIZE3(f)	   uint64_t f[DIRS]
#define OPT_C_TIME3(f)	   uint64_t f[DIRS]
#define OPT_C_PERCENT3(f)  double f[DIRS]
#define OPT_C_RANGE(f)	   struct opt_range f
#define OPT_C_RANGE3(f)	   struct opt_range f[DIRS]
#define OPT_C_SPLIT3(f)	   struct opt_split f[DIRS]
#define OPT_C_CPUS(f)	   struct cpuset f
#define OPT_C_PATTERN(f)   struct opt_pattern f
#define OPT_C_ERRORS3(f)   struct opt_errors f[DIRS]
#define OPT_C_RW(f)	   struct opt_rw f
#define OPT_C_DIST(f)	   struct opt_dist f
#define OPT_C_SFR(f)	   struct opt_enum_arg f

struct job_opts {
#define OPT(field, name, aliases, type, status, def, min, max, unit, choices, category, help)      \
	OPT_C_##type(field);
#include "conf/options.def"
#undef OPT
};

enum job_opt {
#define OPT(field, name, aliases, type, status, def, min, max, unit, choices, category, help)      \
	OPT_##field,
#include "conf/options.def"
#undef OPT
	OPT_COUNT
};

#endif
