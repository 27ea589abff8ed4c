#include "base/cpuset.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int cpuset_from_bits(const struct cpuset_bits *b, struct arena *a, struct cpuset *out)
{
	unsigned n = 0, k = 0;
	for (unsigned w = 0; w <= CPUSET_MAX / 64; w++)
		n += (unsigned)__builtin_popcountll(b->word[w]);
	unsigned *cpu = NULL;
	if (n) {
		cpu = arena_new(a, unsigned, n);
		if (!cpu)
			return -ENOMEM;
	}
	for (unsigned c = 0; k < n; c++)
		if (b->word[c / 64] >> (c % 64) & 1)
			cpu[k++] = c;
	out->cpu = cpu;
	out->n = n;
	return 0;
}

static int cpuset_number(const char **text, unsigned *out)
{
	const char *p = *text;
	unsigned long v = 0;
	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (unsigned)(*p - '0');
		if (v > CPUSET_MAX)
			return -ERANGE;
	}
	*text = p;
	*out = (unsigned)v;
	return 0;
}

static const char *cpuset_skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n')
		p++;
	return p;
}

/* One member, "3", "0-7" or "0-7:2". */
static int cpuset_member(const char **text, struct cpuset_bits *b)
{
	unsigned lo, hi, step = 1;
	int ret = cpuset_number(text, &lo);
	if (ret)
		return ret;
	hi = lo;
	*text = cpuset_skip_blanks(*text);
	if (**text == '-') {
		*text = cpuset_skip_blanks(*text + 1);
		ret = cpuset_number(text, &hi);
		if (ret)
			return ret;
		if (**text == ':') {
			(*text)++;
			ret = cpuset_number(text, &step);
			if (ret)
				return ret;
		}
	}
	if (hi < lo || step == 0)
		return -EINVAL;
	for (unsigned c = lo; c <= hi; c += step)
		b->word[c / 64] |= 1ull << (c % 64);
	return 0;
}

int cpuset_parse(const char *text, struct arena *a, struct cpuset *out)
{
	struct cpuset_bits b;
	memset(&b, 0, sizeof(b));
	const char *p = cpuset_skip_blanks(text);
	while (*p) {
		int ret = cpuset_member(&p, &b);
		if (ret)
			return ret;
		p = cpuset_skip_blanks(p);
		if (!*p)
			break;
		if (*p != ',')
			return -EINVAL;
		p = cpuset_skip_blanks(p + 1);
		if (!*p)
			return -EINVAL;
	}
	return cpuset_from_bits(&b, a, out);
}

void cpuset_print(const struct cpuset *l, char *buf, size_t size)
{
	size_t at = 0;
	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < l->n && at < size;) {
		unsigned j = i;
		while (j + 1 < l->n && l->cpu[j + 1] == l->cpu[j] + 1)
			j++;
		int n = snprintf(buf + at, size - at, j > i ? "%s%u-%u" : "%s%u", i ? "," : "",
				 l->cpu[i], l->cpu[j]);
		if (n < 0)
			return;
		at += (size_t)n;
		i = j + 1;
	}
}

bool cpuset_has(const struct cpuset *l, unsigned cpu)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->cpu[i] == cpu)
			return true;
	return false;
}

int cpuset_both(const struct cpuset *x, const struct cpuset *y, struct arena *a, struct cpuset *out)
{
	struct cpuset both = {0};
	if (x->n) {
		both.cpu = arena_new(a, unsigned, x->n);
		if (!both.cpu)
			return -ENOMEM;
	}
	for (unsigned i = 0, j = 0; i < x->n && j < y->n;) {
		if (x->cpu[i] == y->cpu[j]) {
			both.cpu[both.n++] = x->cpu[i++];
			j++;
		} else if (x->cpu[i] < y->cpu[j]) {
			i++;
		} else {
			j++;
		}
	}
	*out = both;
	return 0;
}

bool cpuset_equal(const struct cpuset *x, const struct cpuset *y)
{
	return x->n == y->n && (!x->n || !memcmp(x->cpu, y->cpu, x->n * sizeof(*x->cpu)));
}

int cpuset_without(const struct cpuset *x, const struct cpuset *y, struct arena *a,
		   struct cpuset *out)
{
	struct cpuset rest = {.cpu = arena_new(a, unsigned, x->n ? x->n : 1)};

	if (!rest.cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < x->n; i++)
		if (!cpuset_has(y, x->cpu[i]))
			rest.cpu[rest.n++] = x->cpu[i];
	*out = rest;
	return 0;
}
