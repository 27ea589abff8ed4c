/* The C types of option values; which option has which stands in options.def. Pure data, owned by
 * the job's arena. */
#ifndef FATHOM_CONF_VALUE_H
#define FATHOM_CONF_VALUE_H

#include "base/cpuset.h"
#include "base/direction.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* size, io_size, offset, offset_increment, zoneskip: bytes, N% or Nz. */
enum opt_size_kind { OPT_SIZE_UNSET, OPT_SIZE_BYTES, OPT_SIZE_PERCENT, OPT_SIZE_ZONES };
struct opt_size {
	enum opt_size_kind kind;
	uint64_t bytes; /* BYTES; ZONES: number of zones */
	double percent; /* PERCENT */
};

struct opt_range {
	uint64_t lo, hi; /* both 0: unset; hi == lo for a single value */
};

struct opt_strings {
	const char **v;
	unsigned n;
};

struct opt_enum_arg {
	int value;
	const char *arg; /* text behind the colon, NULL without */
};

struct opt_floats {
	double v[20];
	unsigned n;
};

/* bssplit: sizes with percents that sum to 100 (blanks already shared out). */
struct opt_split {
	struct {
		uint64_t size;
		double percent;
	} * v;
	unsigned n;
};

/* A pattern: bytes, plus the positions of %o (8 byte little-endian offset) for verify_pattern. */
struct opt_pattern {
	const uint8_t *bytes;
	size_t n;
	const size_t *offset_at;
	unsigned offsets;
};

/* ignore_error: per class read, write, verify the positive errnos; given tells an empty member from
 * an absent one. */
struct opt_errors {
	int *v;
	unsigned n;
	bool given;
};

/* random_distribution, per direction for zoned. */
enum opt_dist_kind {
	OPT_DIST_RANDOM,
	OPT_DIST_ZIPF,
	OPT_DIST_PARETO,
	OPT_DIST_NORMAL,
	OPT_DIST_ZONED,
	OPT_DIST_ZONED_ABS,
	OPT_DIST_SEQUENCE
};
struct opt_zone_share {
	double access;	/* percent of the I/Os */
	double percent; /* ZONED: percent of the range */
	uint64_t bytes; /* ZONED_ABS */
};
struct opt_dist {
	enum opt_dist_kind kind;
	double param;  /* theta, h, deviation */
	double center; /* < 0: not given */
	struct {
		struct opt_zone_share *v;
		unsigned n;
	} zones[DIRS];
	uint64_t *sequence;
	unsigned sequence_n;
};

/* rw: bits. */
enum {
	RW_READ = 1,
	RW_WRITE = 2,
	RW_TRIM = 4,
	RW_RANDOM = 8,
	RW_TRIMWRITE = 16 /* with TRIM|WRITE: pairs */
};
struct opt_rw {
	unsigned bits;
	bool has_modifier;
	int64_t modifier; /* rw=read:4k or randread:8 */
};

enum opt_fallocate { FALLOC_NONE, FALLOC_NATIVE, FALLOC_POSIX, FALLOC_KEEP, FALLOC_TRUNCATE };
enum opt_sync { SYNC_NONE, SYNC_SYNC, SYNC_DSYNC };
enum opt_service {
	SERVICE_ROUNDROBIN,
	SERVICE_RANDOM,
	SERVICE_SEQUENTIAL,
	SERVICE_ZIPF,
	SERVICE_PARETO,
	SERVICE_NORMAL
};
enum opt_generator { GENERATOR_TAUSWORTHE, GENERATOR_LFSR, GENERATOR_TAUSWORTHE64 };
enum opt_sequencer { SEQUENCER_SEQUENTIAL, SEQUENCER_IDENTICAL };
enum opt_unified { UNIFIED_NONE, UNIFIED_MIXED, UNIFIED_BOTH };
enum opt_exit_what { EXIT_GROUP, EXIT_STONEWALL, EXIT_ALL };
enum opt_cpus_policy { CPUS_SHARED, CPUS_SPLIT };
enum opt_rate_process { RATE_LINEAR, RATE_POISSON };
enum opt_think_type { THINK_COMPLETE, THINK_ISSUE };
enum opt_log_value { LOG_AVG, LOG_MAX, LOG_BOTH };
enum opt_log_format { LOG_TEXT, LOG_BINARY };
enum { CONTINUE_READ = 1, CONTINUE_WRITE = 2, CONTINUE_VERIFY = 4 }; /* continue_on_error bits */
enum opt_hint { HINT_NONE, HINT_AUTO, HINT_RANDOM, HINT_SEQUENTIAL, HINT_NOREUSE };
enum opt_mem { MEM_MALLOC, MEM_SHM, MEM_SHMHUGE, MEM_MMAP, MEM_MMAPSHARED, MEM_MMAPHUGE };
enum { SFR_WAIT_BEFORE = 1, SFR_WRITE = 2, SFR_WAIT_AFTER = 4 };
enum opt_clocksource {
	CLOCKSOURCE_AUTO,
	CLOCKSOURCE_CPU,
	CLOCKSOURCE_CLOCK_GETTIME,
	CLOCKSOURCE_GETTIMEOFDAY
};

#endif
