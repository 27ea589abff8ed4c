/* The one entry of conf: the argument vector becomes program options and jobs. */
#ifndef FATHOM_CONF_CONF_H
#define FATHOM_CONF_CONF_H

#include "base/must_check.h"
#include "conf/endpoint.h"
#include "conf/schema.h"

/* Output formats (formats.def), in the order in which they are printed. */
enum conf_format {
#define FORMAT(ID, object, word) CONF_FORMAT_##ID,
#define FORMAT_ALIAS(ID, word)
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
	CONF_FORMATS
};
/* Bits of output_formats. */
enum {
#define FORMAT(ID, object, word) CONF_OUT_##ID = 1 << CONF_FORMAT_##ID,
#define FORMAT_ALIAS(ID, word)
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
};
enum conf_fail_on { CONF_FAIL_NEVER, CONF_FAIL_DISTURBED, CONF_FAIL_INVALID };
enum conf_eta { CONF_ETA_AUTO, CONF_ETA_ALWAYS, CONF_ETA_NEVER };

/* --set option=value: overrides an option in every job after parsing. */
struct conf_set {
	const char *option;
	const char *value; /* NULL: a bare flag; "": back to the default */
	struct place at;
};

/* --repeat */
struct conf_repeat {
	unsigned n;	    /* repeats; 0: one run; with automatic the most there are */
	bool automatic;	    /* until the interval of the metric is narrow enough */
	double width;	    /* percent of the mean, half the interval */
	const char *metric; /* "iops", "bw", "lat", "p99", ... */
};
#define CONF_REPEAT_MOST 1000
#define CONF_REPEAT_AUTO 100 /* the most that auto does */

/* The options of the program itself (cli.def). Strings are in the arena or argv. Times in ns, 0:
 * off. */
struct cmdline {
	const char *program;	 /* argv[0], "fathom" without one */
	const char *output;	 /* NULL: standard output */
	unsigned output_formats; /* CONF_OUT_ bits, at least one */
	unsigned terse_version;	 /* 2..5 */
	enum conf_eta eta;
	enum conf_fail_on fail_on;
	uint64_t eta_interval_ns, eta_newline_ns, status_interval_ns;
	struct endpoint live, metrics; /* kind ENDPOINT_NONE: off */
	uint64_t live_interval_ns;     /* of both, never 0 */
	bool showcmd, parse_only, readonly, warnings_fatal, version, help, tune;
	bool append_terse; /* in output_formats, too */
	bool cmdhelp, enghelp;
	const char *cmdhelp_option; /* NULL: the list */
	const char *enghelp_engine; /* "engine" or "engine,option"; NULL: the list */
	const char *bandwidth_log;  /* prefix, NULL: off */
	const char *inflate_log;    /* path, NULL: off */
	struct conf_repeat repeat;
	uint64_t max_time_ns;
	const char *baseline;  /* path, NULL: none */
	const char **sections; /* --section */
	unsigned sections_n;
	struct conf_set *sets;
	unsigned sets_n;
	const char **files; /* job files in order; "-" is standard input */
	unsigned files_n;
};

/* Parse argv[1..argc): program options, command line jobs, then the job files named. Both outputs
 * are filled as far as possible also on failure; all mistakes are in diag. The arena owns
 * everything but argv. 0, or -EINVAL when anything was wrong. A run without jobs is not an error
 * here (--help, --version, ...). */
MUST_CHECK int conf_parse(int argc, char **argv, const struct conf_schema *schema,
			  struct cmdline *cmdline, struct job_list *jobs, struct arena *arena,
			  struct diag *diag);

#endif
