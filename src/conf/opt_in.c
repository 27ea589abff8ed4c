#include "conf/opt_in.h"
#include "conf/opt_describe.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

int opt_bad(const struct opt_in *in, const char *text, const char *what)
{
	char allowed[256];
	int ret = err_set(in->err, ERR_USAGE, EINVAL, "option '%s': '%.200s' is not %s",
			  in->row->name, text, what);

	assert(in->row && text && what);
	opt_describe(in->row, allowed, sizeof(allowed));
	err_remedy(in->err, "allowed: %.240s", allowed);
	return ret;
}

int opt_out_of_range(const struct opt_in *in, const char *text)
{
	char allowed[256];
	int ret = err_set(in->err, ERR_USAGE, ERANGE, "option '%s': '%.200s' is out of range",
			  in->row->name, text);

	assert(in->row && text);
	opt_describe(in->row, allowed, sizeof(allowed));
	err_remedy(in->err, "allowed: %.240s", allowed);
	return ret;
}

int opt_no_memory(const struct opt_in *in)
{
	return err_set(in->err, ERR_USAGE, ENOMEM, "option '%s': the value needs too much memory",
		       in->row->name);
}

bool opt_in_range(const struct opt_row *row, double v)
{
	if (row->min == 0 && row->max == 0)
		return true;
	return v >= row->min && (row->max < row->min || v <= row->max);
}

/* Blanks around a member of a list mean nothing. */
static const char *opt_in_trimmed(struct arena *a, const char *from, const char *to)
{
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	return arena_strndup(a, from, (size_t)(to - from));
}

int opt_split(const struct opt_in *in, const char *text, const char *seps, const char **members,
	      unsigned max)
{
	const char *from = text;
	unsigned n = 0;
	int depth = 0;

	assert(seps && members && max);
	for (const char *p = text;; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		bool sep = *p && depth == 0 && strchr(seps, *p);
		if (*p == '-' && p == from)
			sep = false;
		if (*p && !sep)
			continue;
		if (n == max) {
			err_set(in->err, ERR_USAGE, E2BIG,
				"option '%s': '%.200s' has more than %u members", in->row->name,
				text, max);
			err_remedy(in->err, "write at most %u", max);
			return -E2BIG;
		}
		members[n] = opt_in_trimmed(in->ctx->arena, from, p);
		if (!members[n++])
			return opt_no_memory(in);
		if (!*p)
			return (int)n;
		from = p + 1;
	}
}

int opt_fill3(const struct opt_in *in, const char *seps, void *field, size_t size,
	      int (*set)(const struct opt_in *in, const char *member, void *element))
{
	const char *members[DIRS] = {"", "", ""};
	_Alignas(16) char copy[DIRS * 64];
	int n = opt_split(in, in->text, seps, members, DIRS);

	assert(size && size <= 64 && set);
	if (n < 1)
		return n;
	if (n > 1 && !strchr(in->text, ','))
		in->ctx->notes |= OPT_NOTE_DASH;
	memcpy(copy, field, DIRS * size);
	for (int i = 0; i < DIRS; i++) {
		const char *member = i < n ? members[i] : members[n - 1];
		int ret = *member ? set(in, member, copy + (size_t)i * size) : 0;
		if (ret)
			return ret;
	}
	memcpy(field, copy, DIRS * size);
	return 0;
}
