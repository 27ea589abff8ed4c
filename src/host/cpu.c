#include "host/cpu.h"

#include "host/list.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A set of CPUs while a list is being read. */
struct cpu_bits {
	uint64_t word[(CPU_MAX + 64) / 64];
};

static int bits_to_list(const struct cpu_bits *b, struct arena *a, struct opt_cpus *out)
{
	unsigned n = 0, k = 0;
	for (unsigned w = 0; w <= CPU_MAX / 64; w++)
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

static int parse_number(const char **text, unsigned *out)
{
	const char *p = *text;
	unsigned long v = 0;
	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (unsigned)(*p - '0');
		if (v > CPU_MAX)
			return -ERANGE;
	}
	*text = p;
	*out = (unsigned)v;
	return 0;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n')
		p++;
	return p;
}

/* One member, "3", "0-7" or "0-7:2". */
static int parse_member(const char **text, struct cpu_bits *b)
{
	unsigned lo, hi, step = 1;
	int ret = parse_number(text, &lo);
	if (ret)
		return ret;
	hi = lo;
	if (**text == '-') {
		(*text)++;
		ret = parse_number(text, &hi);
		if (ret)
			return ret;
		if (**text == ':') {
			(*text)++;
			ret = parse_number(text, &step);
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

int cpu_list_parse(const char *text, struct arena *a, struct opt_cpus *out)
{
	struct cpu_bits b;
	memset(&b, 0, sizeof(b));
	const char *p = skip_blanks(text);
	while (*p) {
		int ret = parse_member(&p, &b);
		if (ret)
			return ret;
		p = skip_blanks(p);
		if (!*p)
			break;
		if (*p != ',')
			return -EINVAL;
		p = skip_blanks(p + 1);
		if (!*p)
			return -EINVAL;
	}
	return bits_to_list(&b, a, out);
}

void cpu_list_print(const struct opt_cpus *l, char *buf, size_t size)
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

bool cpu_list_has(const struct opt_cpus *l, unsigned cpu)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->cpu[i] == cpu)
			return true;
	return false;
}

int cpu_list_both(const struct opt_cpus *x, const struct opt_cpus *y, struct arena *a,
		  struct opt_cpus *out)
{
	struct opt_cpus both = {0};
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

/* A list file of any length. */
static int read_list(const struct host *h, const char *path, struct arena *a, struct opt_cpus *out)
{
	char *text;
	int ret = host_read_all(h, &text, NULL, "%s", path);
	if (ret)
		return ret;
	ret = cpu_list_parse(text, a, out);
	free(text);
	return ret;
}

int cpu_online(const struct host *h, struct arena *a, struct opt_cpus *out)
{
	int ret = read_list(h, "/sys/devices/system/cpu/online", a, out);
	if (ret != -ENOENT || h->root[0])
		return ret;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	char text[32];
	snprintf(text, sizeof(text), "0-%ld", n > 1 ? n - 1 : 0);
	return cpu_list_parse(text, a, out);
}

/* Folders cpu0, cpu1, ... exist for every CPU that is present, with or without gaps. */
unsigned cpu_configured(const struct host *h)
{
	struct arena a;
	struct host_names dirs = {0};
	unsigned n = 0;
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &dirs, "/sys/devices/system/cpu"))
		for (unsigned i = 0; i < dirs.n; i++) {
			const char *digits = dirs.v[i] + 3;
			if (!strncmp(dirs.v[i], "cpu", 3) && *digits &&
			    strspn(digits, "0123456789") == strlen(digits))
				n++;
		}
	arena_release(&a);
	if (!n && !h->root[0]) {
		long conf = sysconf(_SC_NPROCESSORS_CONF);
		n = conf > 0 ? (unsigned)conf : 0;
	}
	return n ? n : 1;
}

int cpu_allowed(struct arena *a, struct opt_cpus *out)
{
	struct cpu_bits b;
	memset(&b, 0, sizeof(b));
	/* The kernel refuses masks smaller than its own; this one holds every CPU that can be. */
	if (sched_getaffinity(0, sizeof(b), (cpu_set_t *)&b) < 0)
		return -errno;
	return bits_to_list(&b, a, out);
}

int cpu_node(const struct host *h, unsigned cpu)
{
	struct arena a;
	struct opt_cpus nodes = {0};
	int node = -1;
	arena_init(&a, 0);
	if (!read_list(h, "/sys/devices/system/node/online", &a, &nodes))
		for (unsigned i = 0; i < nodes.n && node < 0; i++)
			if (host_exists(h, "/sys/devices/system/node/node%u/cpu%u", nodes.cpu[i],
					cpu))
				node = (int)nodes.cpu[i];
	arena_release(&a);
	return node;
}

int cpu_of_node(const struct host *h, unsigned node, struct arena *a, struct opt_cpus *out)
{
	char path[80];
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
	return read_list(h, path, a, out);
}

unsigned cpu_nodes(const struct host *h)
{
	struct arena a;
	struct opt_cpus nodes = {0};
	arena_init(&a, 0);
	/* Nodes are listed in the same form as CPUs. */
	int ret = read_list(h, "/sys/devices/system/node/online", &a, &nodes);
	unsigned n = ret ? 0 : nodes.n;
	arena_release(&a);
	return n ? n : 1;
}
