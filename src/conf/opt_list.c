/* Lists: floats, CPUs, bssplit, error classes. */
#include "conf/opt_list.h"
#include "conf/opt_number.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOATS_MAX (sizeof(((struct opt_floats *)0)->v) / sizeof(double))
#define SPLIT_MAX  64
#define ERRORS_MAX 64
#define CPUS_MAX                                                                                   \
	8192 /* well above what Linux is built for; the machine's own limit is checked at planning \
	      */

int opt_floats_parse(const struct opt_in *in, void *field)
{
	const struct opt_row *row = in->row;
	const char *members[FLOATS_MAX];
	struct opt_floats v = {0};
	int n = opt_split(in, in->text, ":", members, FLOATS_MAX), ret;

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		ret = opt_number_float(in, members[i], row->min, row->max > 0 ? row->max : INFINITY,
				       &v.v[i]);
		if (ret)
			return ret;
		if (v.v[i] <= row->min) {
			ret = opt_out_of_range(in, members[i]);
			err_remedy(in->err, "allowed: above %g up to %g", row->min, row->max);
			return ret;
		}
	}
	v.n = (unsigned)n;
	*(struct opt_floats *)field = v;
	return 0;
}

void opt_floats_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_floats *v = field;

	for (unsigned i = 0; i < v->n; i++) {
		opt_out_printf(o, i ? ":" : "");
		opt_out_double(o, v->v[i]);
	}
}

bool opt_floats_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_floats *x = a, *y = b;

	if (x->n != y->n)
		return false;
	for (unsigned i = 0; i < x->n; i++)
		if (x->v[i] != y->v[i])
			return false;
	return true;
}

static int opt_list_cpu_fault(const char *what, const char *text, unsigned limit, struct err *err)
{
	int ret = err_set(err, ERR_USAGE, EINVAL, "option '%s': '%.200s' is not a list of numbers",
			  what, text);

	err_remedy(err, "write numbers and ranges from 0 to %u, such as 0,5,8-15", limit - 1);
	return ret;
}

int opt_parse_cpus(const char *what, const char *text, unsigned limit, struct arena *arena,
		   struct cpuset *out, struct err *err)
{
	struct cpuset v;
	int ret = cpuset_parse(text, arena, &v);

	if (limit > CPUS_MAX)
		limit = CPUS_MAX;
	if (ret == -ENOMEM)
		return err_set(err, ERR_USAGE, ENOMEM, "option '%s' needs too much memory", what);
	/* A stride is the kernel's way to write a list, not fio's. */
	if (ret || !v.n || v.cpu[v.n - 1] >= limit || strchr(text, ':'))
		return opt_list_cpu_fault(what, text, limit, err);
	*out = v;
	return 0;
}

int opt_cpus_parse(const struct opt_in *in, void *field)
{
	return opt_parse_cpus(in->row->name, in->text, CPUS_MAX, in->ctx->arena, field, in->err);
}

void opt_cpus_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct cpuset *v = field;

	for (unsigned i = 0; i < v->n; i++) {
		unsigned first = v->cpu[i];
		while (i + 1 < v->n && v->cpu[i + 1] == v->cpu[i] + 1)
			i++;
		opt_out_printf(o, "%s%u", first == v->cpu[0] ? "" : ",", first);
		if (v->cpu[i] > first)
			opt_out_printf(o, "-%u", v->cpu[i]);
	}
}

bool opt_cpus_equal(const struct opt_row *row, const void *a, const void *b)
{
	return cpuset_equal(a, b);
}

/* One "size/percent" of bssplit; a percentage that is left open comes back as -1. */
static int opt_list_split_entry(const struct opt_in *in, const char *text, uint64_t *size,
				double *percent)
{
	const char *parts[2];
	struct opt_row row = *in->row;
	struct opt_in part = *in;
	int n = opt_split(in, text, "/", parts, 2), ret;

	if (n < 0)
		return n;
	ret = opt_number_size(in, parts[0], size);
	*percent = -1;
	if (ret || n == 1 || !*parts[1])
		return ret;
	row.min = 0;
	row.max = 100;
	part.row = &row;
	return opt_number_percent(&part, parts[1], percent);
}

static int opt_list_split_sum(const struct opt_in *in, const char *member, double sum)
{
	int ret = err_set(in->err, ERR_USAGE, EINVAL,
			  "option '%s': the percentages of '%.200s' add up to %g", in->row->name,
			  member, sum);

	err_remedy(in->err, "make them add up to 100, or leave some empty to share the rest");
	return ret;
}

/* Entries left open share what the others leave; an explicit 0 means never and drops the entry, so
 * that its size does not count as the smallest one. */
static int opt_list_set_split(const struct opt_in *in, const char *member, void *element)
{
	const char *entries[SPLIT_MAX];
	struct opt_split v = {0}, *out = element;
	int n = opt_split(in, member, ":", entries, SPLIT_MAX);
	unsigned open = 0;
	double sum = 0;

	if (n < 0)
		return n;
	v.v = arena_alloc(in->ctx->arena, sizeof(*v.v) * (size_t)n, 0);
	if (!v.v)
		return opt_no_memory(in);
	for (int i = 0; i < n; i++) {
		uint64_t size = 0;
		double percent;
		int ret = opt_list_split_entry(in, entries[i], &size, &percent);
		if (ret)
			return ret;
		open += percent < 0;
		sum += percent < 0 ? 0 : percent;
		if (percent == 0)
			continue;
		v.v[v.n].size = size;
		v.v[v.n++].percent = percent;
	}
	if (sum > 100 + 1e-6 || (open == 0 && sum < 100 - 1e-6) || (open && sum > 100 - 1e-6))
		return opt_list_split_sum(in, member, sum);
	for (unsigned i = 0; i < v.n; i++)
		if (v.v[i].percent < 0)
			v.v[i].percent = (100 - sum) / open;
	*out = v;
	return 0;
}

int opt_split3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, ",", field, sizeof(struct opt_split), opt_list_set_split);
}

void opt_split3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_split *v = field;

	for (int d = 0; d < DIRS; d++) {
		opt_out_printf(o, d ? "," : "");
		for (unsigned i = 0; i < v[d].n; i++) {
			opt_out_printf(o, "%s%" PRIu64 "/", i ? ":" : "", v[d].v[i].size);
			opt_out_double(o, v[d].v[i].percent);
		}
	}
}

static bool opt_list_split_equal(const struct opt_split *x, const struct opt_split *y)
{
	if (x->n != y->n)
		return false;
	for (unsigned i = 0; i < x->n; i++)
		if (x->v[i].size != y->v[i].size || x->v[i].percent != y->v[i].percent)
			return false;
	return true;
}

bool opt_split3_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_split *x = a, *y = b;

	return opt_list_split_equal(&x[0], &y[0]) && opt_list_split_equal(&x[1], &y[1]) &&
	       opt_list_split_equal(&x[2], &y[2]);
}

static int opt_list_error_number(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (n > 0 && n < 5 && !text[n])
		return (int)strtol(text, NULL, 10);
	return err_sys_number(text);
}

/* READ,WRITE,VERIFY; an empty member leaves its class alone, and the list is not filled up. */
int opt_errors3_parse(const struct opt_in *in, void *field)
{
	const char *classes[DIRS], *names[ERRORS_MAX];
	struct opt_errors v[DIRS] = {{0}};
	int n = opt_split(in, in->text, ",", classes, DIRS), ret;

	if (n < 0)
		return n;
	for (int c = 0; c < n; c++) {
		if (!*classes[c])
			continue;
		int k = opt_split(in, classes[c], ":", names, ERRORS_MAX);
		if (k < 0)
			return k;
		v[c].given = true;
		v[c].v = arena_new(in->ctx->arena, int, k);
		if (!v[c].v)
			return opt_no_memory(in);
		for (int i = 0; i < k; i++) {
			int number = opt_list_error_number(names[i]);
			if (number <= 0) {
				ret = opt_bad(in, names[i], "the name or number of an error");
				err_remedy(in->err, "write names such as EIO, or numbers");
				return ret;
			}
			v[c].v[v[c].n++] = number;
		}
	}
	memcpy(field, v, sizeof(v));
	return 0;
}

void opt_errors3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_errors *v = field;

	for (int c = 0; c < DIRS; c++) {
		opt_out_printf(o, c ? "," : "");
		for (unsigned i = 0; i < v[c].n; i++) {
			const char *name = err_sys_name(v[c].v[i]);
			if (name)
				opt_out_printf(o, "%s%s", i ? ":" : "", name);
			else
				opt_out_printf(o, "%s%d", i ? ":" : "", v[c].v[i]);
		}
	}
}

bool opt_errors3_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_errors *x = a, *y = b;

	for (int c = 0; c < DIRS; c++) {
		if (x[c].n != y[c].n || x[c].given != y[c].given)
			return false;
		if (x[c].n && memcmp(x[c].v, y[c].v, x[c].n * sizeof(*x[c].v)) != 0)
			return false;
	}
	return true;
}
