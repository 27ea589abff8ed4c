/* random_distribution (compatibility 6.10). */
#include "conf/opt_dist.h"
#include "conf/opt_number.h"
#include "conf/opt_word.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ZONES_MAX    256
#define SEQUENCE_MAX 64

static int opt_dist_shaped(const struct opt_in *in, const char *args, struct opt_dist *v)
{
	static const struct {
		double def, lo, hi;
	} limit[] = {
		[OPT_DIST_ZIPF] = {1.1, 1e-6, 100},
		[OPT_DIST_PARETO] = {0.2, 1e-6, 1 - 1e-6},
		[OPT_DIST_NORMAL] = {0, 0, 100 - 1e-6},
	};
	const char *parts[2];
	int n, ret = 0;

	v->param = limit[v->kind].def;
	v->center = -1;
	if (!args)
		return 0;
	n = opt_split(in, args, ":", parts, 2);
	if (n < 0)
		return n;
	if (*parts[0])
		ret = opt_number_float(in, parts[0], limit[v->kind].lo, limit[v->kind].hi,
				       &v->param);
	if (ret == 0 && v->kind == OPT_DIST_ZIPF && v->param == 1.0)
		return opt_bad(in, parts[0], "usable: the theta of zipf must differ from 1");
	if (ret == 0 && n == 2)
		ret = opt_number_float(in, parts[1], 0, 1, &v->center);
	return ret;
}

static int opt_dist_zone_entry(const struct opt_in *in, const char *text, enum opt_dist_kind kind,
			       struct opt_zone_share *z)
{
	struct opt_row row = {.name = in->row->name, .type = OPT_T_PERCENT, .max = 100};
	struct opt_in part = *in;
	const char *parts[2];
	int n = opt_split(in, text, "/", parts, 2), ret;

	if (n < 0)
		return n;
	part.row = &row;
	ret = opt_number_percent(&part, parts[0], &z->access);
	z->percent = -1;
	if (ret)
		return ret;
	if (n == 1 || !*parts[1])
		return kind == OPT_DIST_ZONED ? 0 : opt_bad(in, text, "a zone ACCESS/BYTES");
	if (kind == OPT_DIST_ZONED)
		return opt_number_percent(&part, parts[1], &z->percent);
	z->percent = 0;
	row.type = OPT_T_SIZE;
	row.min = 1;
	row.max = -1;
	return opt_number_size(&part, parts[1], &z->bytes);
}

static int opt_dist_zone_sum(const struct opt_in *in, const char *member, const char *what,
			     double sum, const char *right)
{
	int ret = err_set(in->err, ERR_USAGE, EINVAL,
			  "option '%s': the %s shares of '%.160s' add up to %g", in->row->name,
			  what, member, sum);

	err_remedy(in->err, "make them add up to %s", right);
	return ret;
}

/* The zones of one direction; sizes left open share the rest evenly. */
static int opt_dist_zones(const struct opt_in *in, const char *member, struct opt_dist *v, int dir)
{
	const char *entries[ZONES_MAX];
	int n = opt_split(in, member, ":", entries, ZONES_MAX);
	struct opt_zone_share *z;
	double access = 0, size = 0;
	unsigned open = 0;

	if (n < 0)
		return n;
	z = arena_new(in->ctx->arena, struct opt_zone_share, n);
	if (!z)
		return opt_no_memory(in);
	for (int i = 0; i < n; i++) {
		int ret = opt_dist_zone_entry(in, entries[i], v->kind, &z[i]);
		if (ret)
			return ret;
		access += z[i].access;
		open += z[i].percent < 0;
		size += z[i].percent < 0 ? 0 : z[i].percent;
	}
	if (fabs(access - 100) > 1e-6)
		return opt_dist_zone_sum(in, member, "access", access, "100");
	if (size > 100 + 1e-6 || (open && size > 100 - 1e-6))
		return opt_dist_zone_sum(in, member, "size", size,
					 open ? "less than 100" : "100 at most");
	for (int i = 0; i < n; i++)
		if (z[i].percent < 0)
			z[i].percent = (100 - size) / open;
	v->zones[dir].v = z;
	v->zones[dir].n = (unsigned)n;
	return 0;
}

static int opt_dist_zoned(const struct opt_in *in, const char *args, struct opt_dist *v)
{
	const char *members[DIRS];
	int n;

	if (!args)
		return opt_bad(in, in->text, "complete: zones ACCESS/SIZE are missing");
	n = opt_split(in, args, ",", members, DIRS);
	if (n < 0)
		return n;
	for (int d = 0; d < DIRS; d++) {
		const char *member = d < n ? members[d] : members[n - 1];
		int ret = *member ? opt_dist_zones(in, member, v, d) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

static int opt_dist_sequence(const struct opt_in *in, const char *args, struct opt_dist *v)
{
	struct opt_row row = {.name = in->row->name, .type = OPT_T_COUNT};
	const char *members[SEQUENCE_MAX];
	struct opt_in part = *in;
	int n;

	if (!args)
		return opt_bad(in, in->text, "complete: block numbers are missing");
	n = opt_split(in, args, ",", members, SEQUENCE_MAX);
	if (n < 0)
		return n;
	part.row = &row;
	v->sequence = arena_new(in->ctx->arena, uint64_t, n);
	if (!v->sequence)
		return opt_no_memory(in);
	for (int i = 0; i < n; i++) {
		int ret = opt_number_size(&part, members[i], &v->sequence[i]);
		if (ret)
			return ret;
	}
	v->sequence_n = (unsigned)n;
	return 0;
}

int opt_dist_parse(const struct opt_in *in, void *field)
{
	size_t n = strcspn(in->text, ":");
	const char *args = in->text[n] && in->text[n + 1] ? in->text + n + 1 : NULL;
	struct opt_row row = *in->row;
	struct opt_in words = *in;
	char name[32];
	struct opt_out o = {.buf = name, .size = sizeof(name)};
	struct opt_dist v = {.center = -1};
	int kind, ret = 0;

	row.type = OPT_T_ENUM;
	words.row = &row;
	words.text = name;
	name[0] = '\0';
	opt_out_printf(&o, "%.*s", n < sizeof(name) ? (int)n : (int)sizeof(name) - 1, in->text);
	ret = opt_enum_parse(&words, &kind);
	if (ret)
		return ret;
	v.kind = (enum opt_dist_kind)kind;
	switch (v.kind) {
	case OPT_DIST_RANDOM:
		ret = args ? opt_bad(in, in->text, "a distribution: random takes nothing more") : 0;
		break;
	case OPT_DIST_ZIPF:
	case OPT_DIST_PARETO:
	case OPT_DIST_NORMAL:
		ret = opt_dist_shaped(in, args, &v);
		break;
	case OPT_DIST_ZONED:
	case OPT_DIST_ZONED_ABS:
		ret = opt_dist_zoned(in, args, &v);
		break;
	case OPT_DIST_SEQUENCE:
		ret = opt_dist_sequence(in, args, &v);
		break;
	}
	if (ret == 0)
		*(struct opt_dist *)field = v;
	return ret;
}

static void opt_dist_print_zones(const struct opt_dist *v, struct opt_out *o)
{
	for (int d = 0; d < DIRS; d++) {
		opt_out_printf(o, d ? "," : ":");
		for (unsigned i = 0; i < v->zones[d].n; i++) {
			const struct opt_zone_share *z = &v->zones[d].v[i];
			opt_out_printf(o, i ? ":" : "");
			opt_out_double(o, z->access);
			opt_out_printf(o, "/");
			if (v->kind == OPT_DIST_ZONED)
				opt_out_double(o, z->percent);
			else
				opt_out_printf(o, "%" PRIu64, z->bytes);
		}
	}
}

void opt_dist_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_dist *v = field;

	opt_enum_print(row, &(int){(int)v->kind}, o);
	if (v->kind == OPT_DIST_ZIPF || v->kind == OPT_DIST_PARETO || v->kind == OPT_DIST_NORMAL) {
		opt_out_printf(o, ":");
		opt_out_double(o, v->param);
		if (v->center >= 0) {
			opt_out_printf(o, ":");
			opt_out_double(o, v->center);
		}
	} else if (v->kind == OPT_DIST_ZONED || v->kind == OPT_DIST_ZONED_ABS) {
		opt_dist_print_zones(v, o);
	}
	for (unsigned i = 0; i < v->sequence_n; i++)
		opt_out_printf(o, "%c%" PRIu64, i ? ',' : ':', v->sequence[i]);
}

static bool opt_dist_zones_equal(const struct opt_dist *x, const struct opt_dist *y)
{
	for (int d = 0; d < DIRS; d++) {
		if (x->zones[d].n != y->zones[d].n)
			return false;
		for (unsigned i = 0; i < x->zones[d].n; i++) {
			const struct opt_zone_share *p = &x->zones[d].v[i], *q = &y->zones[d].v[i];
			if (p->access != q->access || p->percent != q->percent ||
			    p->bytes != q->bytes)
				return false;
		}
	}
	return true;
}

bool opt_dist_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_dist *x = a, *y = b;

	if (x->kind != y->kind || x->param != y->param || x->center != y->center ||
	    x->sequence_n != y->sequence_n)
		return false;
	if (x->sequence_n &&
	    memcmp(x->sequence, y->sequence, x->sequence_n * sizeof(*x->sequence)) != 0)
		return false;
	return opt_dist_zones_equal(x, y);
}
