/* Checks of the CPUs the jobs may use. */
#include "doctor/check.h"
#include "host/governor.h"
#include "host/idle.h"
#include "host/isolation.h"
#include "host/smt.h"
#include <stdio.h>
#include <string.h>

#define CPUFREQ "/sys/devices/system/cpu/cpu%u/cpufreq/"

static void check_kernel(struct check *c)
{
	if (c->d->kernel_known)
		check_say(c, FINDING_OK, "Linux %s", c->d->kernel.release);
}

static bool check_cpu_cpus_unknown(struct check *c)
{
	if (c->d->cpus.n)
		return false;
	check_say(c, FINDING_UNKNOWN, "the online CPUs cannot be read");
	return true;
}

/* CPUs that answer something else than wanted are collected for the message. */
struct dir_stats {
	struct cpuset odd;
	unsigned known;
	char word[32]; /* of the first odd one */
};

static void check_cpu_count_init(struct check *c, struct dir_stats *t)
{
	memset(t, 0, sizeof(*t));
	t->odd.cpu = arena_new(c->a, unsigned, c->d->advised.n + 1);
}

static void check_cpu_count_add(struct dir_stats *t, unsigned cpu, const char *word, bool good)
{
	t->known++;
	if (good || !t->odd.cpu)
		return;
	if (!t->odd.n)
		snprintf(t->word, sizeof(t->word), "%s", word);
	t->odd.cpu[t->odd.n++] = cpu;
}

static void check_cpu_say_no_cpufreq(struct check *c)
{
	check_say(c, FINDING_UNKNOWN,
		  c->d->virt.guest == 1 ? "no cpufreq: the hypervisor controls the frequency"
					: "no cpufreq for CPU %s",
		  check_cpus(c, &c->d->cpus));
}

/* The CPUs that answered otherwise, where their driver has the word. */
static void check_cpu_set_all(struct check *c, const struct dir_stats *t, const char *attribute,
			      const char *choices)
{
	char all[256];
	for (unsigned i = 0; i < t->odd.n; i++)
		if (host_read_text(c->h, all, sizeof(all), CPUFREQ "%s", t->odd.cpu[i], choices) ||
		    strstr(all, "performance"))
			check_setting(c, "performance", CPUFREQ "%s", t->odd.cpu[i], attribute);
}

static void check_governor(struct check *c)
{
	struct dir_stats t;
	struct governor g, first = {0};
	if (check_cpu_cpus_unknown(c))
		return;
	check_cpu_count_init(c, &t);
	for (unsigned i = 0; i < c->d->advised.n; i++) {
		unsigned cpu = c->d->advised.cpu[i];
		if (governor_of_cpu(c->h, cpu, &g) || !g.name[0])
			continue;
		bool good = !strcmp(g.name, "performance");
		if (!good && !t.odd.n)
			first = g;
		check_cpu_count_add(&t, cpu, g.name, good);
	}
	if (!t.known) {
		check_cpu_say_no_cpufreq(c);
		return;
	}
	if (!t.odd.n) {
		check_say(c, FINDING_OK, "performance on CPU %s", check_cpus(c, &c->d->advised));
		return;
	}
	/* Drivers that choose by themselves take powersave as a hint; others stay at the lowest
	 * clock. */
	bool pinned_low = !strcmp(first.name, "powersave") && first.driver[0] &&
			  strncmp(first.driver, "intel_pstate", 12) &&
			  strncmp(first.driver, "amd-pstate", 10) &&
			  strncmp(first.driver, "amd_pstate", 10);
	const char *list = check_cpus(c, &t.odd);
	check_say(c, pinned_low ? FINDING_BAD : FINDING_WARN, "%s on CPU %s%s%s%s", t.word, list,
		  first.driver[0] ? " (driver " : "", first.driver, first.driver[0] ? ")" : "");
	check_fix(c, "cpupower -c %s frequency-set -g performance", list);
	check_cpu_set_all(c, &t, "scaling_governor", "scaling_available_governors");
}

static void check_preference(struct check *c)
{
	struct dir_stats t;
	struct governor g;
	bool any = false;
	if (check_cpu_cpus_unknown(c))
		return;
	check_cpu_count_init(c, &t);
	for (unsigned i = 0; i < c->d->advised.n; i++) {
		if (governor_of_cpu(c->h, c->d->advised.cpu[i], &g))
			continue;
		any = true;
		if (g.preference[0])
			check_cpu_count_add(&t, c->d->advised.cpu[i], g.preference,
					    !strcmp(g.preference, "performance") ||
						    !strcmp(g.preference, "0"));
	}
	if (!t.known) {
		if (any)
			check_say(c, FINDING_OK, "this cpufreq driver has none");
		else
			check_cpu_say_no_cpufreq(c);
		return;
	}
	if (!t.odd.n) {
		check_say(c, FINDING_OK, "performance on CPU %s", check_cpus(c, &c->d->advised));
		return;
	}
	check_say(c, strstr(t.word, "power") ? FINDING_WARN : FINDING_NOTE, "%s on CPU %s", t.word,
		  check_cpus(c, &t.odd));
	check_fix(c, "echo performance | tee "
		     "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference");
	check_cpu_set_all(c, &t, "energy_performance_preference",
			  "energy_performance_available_preferences");
}

static void check_frequency(struct check *c)
{
	struct dir_stats t;
	struct governor g;
	char word[32];
	uint64_t top = 0;
	if (check_cpu_cpus_unknown(c))
		return;
	check_cpu_count_init(c, &t);
	for (unsigned i = 0; i < c->d->advised.n; i++) {
		if (governor_of_cpu(c->h, c->d->advised.cpu[i], &g) || !g.max_khz || !g.top_khz)
			continue;
		top = g.top_khz > top ? g.top_khz : top;
		snprintf(word, sizeof(word), "%.2f of %.2f GHz", (double)g.max_khz / 1e6,
			 (double)g.top_khz / 1e6);
		/* Turbo turned off lowers the one and not always the other. */
		check_cpu_count_add(&t, c->d->advised.cpu[i], word,
				    g.max_khz >= g.top_khz / 10 * 9);
	}
	if (!t.known) {
		check_cpu_say_no_cpufreq(c);
		return;
	}
	if (!t.odd.n) {
		check_say(c, FINDING_OK, "no limit below the maximum of the CPUs");
		return;
	}
	const char *list = check_cpus(c, &t.odd);
	bool no_turbo = governor_turbo(c->h) == 0;
	check_say(c, no_turbo ? FINDING_NOTE : FINDING_WARN, "limited to %s on CPU %s%s", t.word,
		  list, no_turbo ? " (turbo is off)" : "");
	if (!no_turbo)
		check_fix(c, "cpupower -c %s frequency-set -u %llukHz", list,
			  (unsigned long long)top);
}

static void check_turbo(struct check *c)
{
	int turbo = governor_turbo(c->h);
	if (turbo == 0) {
		check_say(c, FINDING_OK, "off: the frequency is stable");
	} else if (turbo == 1) {
		check_say(c, FINDING_NOTE, "on");
		check_fix(c, host_exists(c->h, "/sys/devices/system/cpu/intel_pstate/no_turbo")
				     ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
				     : "echo 0 > /sys/devices/system/cpu/cpufreq/boost");
	} else {
		check_say(c, FINDING_UNKNOWN, "no switch for it found");
	}
}

/* Do workers spin instead of sleeping? Only where the devices can be polled. */
static bool check_cpu_never_sleeps(const struct doctor *d)
{
	for (unsigned i = 0; i < d->leaves; i++)
		if (d->leaf[i].dev.io_poll != 1)
			return false;
	return d->only_polls && d->leaves;
}

static void check_idle(struct check *c)
{
	struct idle d, deepest = {0};
	unsigned known = 0;
	if (check_cpu_cpus_unknown(c))
		return;
	for (unsigned i = 0; i < c->d->advised.n; i++) {
		if (idle_of_cpu(c->h, c->d->advised.cpu[i], &d))
			continue;
		known++;
		if (d.latency_us >= deepest.latency_us)
			deepest = d;
	}
	if (!known) {
		check_say(c, FINDING_UNKNOWN, "no idle states found for CPU %s",
			  check_cpus(c, &c->d->advised));
		return;
	}
	unsigned long long us = deepest.latency_us;
	if (us <= 3) {
		check_say(c, FINDING_OK, "deepest %s, exit %llu us",
			  deepest.deepest[0] ? deepest.deepest : "none", us);
		return;
	}
	if (check_cpu_never_sleeps(c->d)) {
		check_say(c, FINDING_NOTE,
			  "%s, exit %llu us; all jobs poll, so their CPUs should not sleep",
			  deepest.deepest, us);
		return;
	}
	check_say(c, us >= 20 ? FINDING_WARN : FINDING_NOTE, "deepest %s, exit %llu us",
		  deepest.deepest, us);
	check_fix(c, "cpupower -c %s idle-set -D 3", check_cpus(c, &c->d->advised));
}

/* Cores of which the list has more than one CPU. */
static unsigned check_cpu_shared_cores(struct check *c, unsigned *known, unsigned *outside)
{
	const struct cpuset *l = &c->d->cpus;
	unsigned shared = 0;
	for (unsigned i = 0; i < l->n; i++) {
		struct cpuset core = {0};
		unsigned inside = 0;
		if (smt_siblings(c->h, l->cpu[i], c->a, &core))
			continue;
		(*known)++;
		for (unsigned k = 0; k < core.n; k++)
			inside += cpuset_has(l, core.cpu[k]);
		*outside += core.n > inside;
		/* Counted once, at its first member. */
		for (unsigned k = 0; k < core.n; k++)
			if (cpuset_has(l, core.cpu[k])) {
				shared += inside > 1 && core.cpu[k] == l->cpu[i];
				break;
			}
	}
	return shared;
}

static void check_smt(struct check *c)
{
	unsigned known = 0, outside = 0;
	struct cpuset one = {0};
	if (check_cpu_cpus_unknown(c))
		return;
	unsigned shared = check_cpu_shared_cores(c, &known, &outside);
	if (known < c->d->cpus.n) {
		check_say(c, FINDING_UNKNOWN, "siblings of %u of %u CPUs cannot be read",
			  c->d->cpus.n - known, c->d->cpus.n);
		return;
	}
	if (!shared && !outside) {
		check_say(c, FINDING_OK, "no core is shared by CPU %s", check_cpus(c, &c->d->cpus));
		return;
	}
	if (!shared) {
		check_say(c, FINDING_NOTE, "siblings of CPU %s are free for other programs",
			  check_cpus(c, &c->d->cpus));
		return;
	}
	if (smt_one_per_core(c->h, &c->d->cpus, c->a, &one))
		return;
	bool crowded = c->d->workers > 1 && c->d->workers > one.n;
	check_say(c, crowded ? FINDING_WARN : FINDING_NOTE,
		  "both threads of %u cores are in the list%s", shared,
		  crowded ? ", and there are more workers than cores" : "");
	check_fix(c, "cpus_allowed=%s", check_cpus(c, &one));
}

static void check_kinds(struct check *c)
{
	struct cpuset fast, slow, f = {0}, s = {0};
	int kinds = smt_kinds(c->h, c->a, &fast, &slow);
	if (kinds < 0 || check_cpu_cpus_unknown(c))
		return;
	if (!kinds) {
		check_say(c, FINDING_OK, "all cores are alike");
		return;
	}
	if (cpuset_both(&c->d->cpus, &fast, c->a, &f) || cpuset_both(&c->d->cpus, &slow, c->a, &s))
		return;
	if (!s.n) {
		check_say(c, FINDING_OK, "only fast cores are used (%s)", check_cpus(c, &f));
		return;
	}
	check_say(c, FINDING_WARN, "fast cores %s and slow cores %s are used",
		  f.n ? check_cpus(c, &f) : "none", check_cpus(c, &s));
	check_fix(c, "cpus_allowed=%s", check_cpus(c, &fast));
}

static void check_isolation(struct check *c)
{
	struct isolation i;
	struct cpuset both = {0};
	if (isolation_read(c->h, c->a, &i) || !i.isolated_known || check_cpu_cpus_unknown(c))
		return;
	if (!i.isolated.n) {
		check_say(c, FINDING_NOTE, "no CPU is isolated: anything may run on CPU %s",
			  check_cpus(c, &c->d->cpus));
		return;
	}
	if (cpuset_both(&c->d->cpus, &i.isolated, c->a, &both))
		return;
	const char *list = check_cpus(c, &i.isolated);
	if (both.n == c->d->cpus.n) {
		check_say(c, FINDING_OK, "CPU %s are isolated%s", check_cpus(c, &both),
			  i.tickless.n ? " and tickless" : "");
	} else if (both.n && c->d->pinned) {
		check_say(
			c, FINDING_WARN,
			"of CPU %s only %s are isolated; the scheduler does not move workers to or "
			"from those",
			check_cpus(c, &c->d->cpus), check_cpus(c, &both));
		check_fix(c, "cpus_allowed=%s with cpus_allowed_policy=split", list);
	} else {
		check_say(c, FINDING_NOTE, "CPU %s are isolated and not used", list);
		check_fix(c, "cpus_allowed=%s with cpus_allowed_policy=split", list);
	}
}

const struct check_row check_cpu_rows[] = {
	{"kernel", check_kernel},
	{"governor", check_governor},
	{"energy-preference", check_preference},
	{"frequency-limit", check_frequency},
	{"turbo", check_turbo},
	{"idle-states", check_idle},
	{"smt", check_smt},
	{"cpu-kinds", check_kinds},
	{"cpu-isolation", check_isolation},
	{NULL, NULL},
};
