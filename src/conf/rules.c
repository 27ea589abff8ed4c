/* What an option does to another one, and checks of text inside a value that its type cannot make
 * (compatibility 4.2). */
#include "conf/rules.h"
#include "conf/opt_list.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int rules_bad_argument(struct err *err, const char *name, const char *arg, const char *right)
{
	int ret = err_set(err, ERR_USAGE, EINVAL, "option '%s': '%.200s' is not allowed after ':'",
			  name, arg);

	err_remedy(err, "%s", right);
	return ret;
}

/* random:8 keeps a file for eight I/Os, zipf:1.2:0.5 has a parameter and a center. */
static int rules_check_service(const struct opt_enum_arg *v, struct err *err)
{
	const char *p = v->arg;

	if (!p)
		return 0;
	if (v->value == SERVICE_ROUNDROBIN || v->value == SERVICE_RANDOM ||
	    v->value == SERVICE_SEQUENTIAL) {
		size_t n = strspn(p, "0123456789");
		if (n == 0 || n > 9 || p[n] || strtol(p, NULL, 10) == 0)
			return rules_bad_argument(err, "file_service_type", p,
						  "write a number of I/Os of at least 1");
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		char *end;
		double x = strtod(p, &end);
		if (end == p || strspn(p, "0123456789.") < (size_t)(end - p) || x < 0 ||
		    (i == 1 && x > 1))
			break;
		if (!*end)
			return 0;
		if (*end != ':')
			break;
		p = end + 1;
	}
	return rules_bad_argument(err, "file_service_type", v->arg,
				  "write PARAMETER or PARAMETER:CENTER, the center within 0-1");
}

static int rules_check_mem(const struct opt_enum_arg *v, struct err *err)
{
	if (!v->arg || v->value == MEM_MMAP || v->value == MEM_MMAPSHARED ||
	    v->value == MEM_MMAPHUGE)
		return 0;
	return rules_bad_argument(err, "mem", v->arg, "only the mmap kinds take a file");
}

static int rules_check_nodes(const char *text, struct arena *arena, struct err *err)
{
	struct cpuset nodes;

	if (!text || strcmp(text, "all") == 0 || strcmp(text, "device") == 0)
		return 0;
	return opt_parse_cpus("numa_cpu_nodes", text, 1024, arena, &nodes, err);
}

int rules_option_effects(struct job *job, enum job_opt opt, struct arena *arena, struct err *err)
{
	struct job_opts *o = &job->o;

	switch (opt) {
	case OPT_direct:
		o->buffered = !o->direct;
		return 0;
	case OPT_buffered:
		o->direct = !o->buffered;
		return 0;
	case OPT_rwmixread:
		o->rwmixwrite = 100 - o->rwmixread;
		return 0;
	case OPT_rwmixwrite:
		o->rwmixread = 100 - o->rwmixwrite;
		return 0;
	case OPT_file_service_type:
		return rules_check_service(&o->file_service_type, err);
	case OPT_mem:
		return rules_check_mem(&o->mem, err);
	case OPT_numa_cpu_nodes:
		return rules_check_nodes(o->numa_cpu_nodes, arena, err);
	default:
		return 0;
	}
}
