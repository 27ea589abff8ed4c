#include "base/clock.h"

#include "base/time.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CALIBRATE_NS 9000000u /* between the two ends of the calibration */
#define BRACKETS     200      /* reads an end; the tightest counts */
#define CROSS_CPU_NS_MAX                                                                           \
	20000000u /* the check of the CPUs gives up (without verdict) after so long */
#define CPUS_MAX    8192
#define STEP_READS  5000u   /* readings in search of the smallest step */
#define STEP_NS_MAX 500000u /* or for so long */

static uint64_t clock_id_ns(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return time_joined(t);
}

static uint64_t clock_read_monotonic(const struct clock *c)
{
	return clock_id_ns(CLOCK_MONOTONIC) - c->mono_base;
}

static uint64_t clock_read_virtual(const struct clock *c)
{
	return __atomic_load_n(&c->virtual_now, __ATOMIC_RELAXED);
}

/* One instant on both clocks. */
struct instant {
	uint64_t tsc, mono, gap; /* gap: ticks between the reads around */
};

static uint64_t clock_tsc_ordered(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
	uint64_t t = clock_tsc();
	__builtin_ia32_lfence();
	return t;
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
	uint64_t t = clock_tsc();
	__asm__ volatile("isb" ::: "memory");
	return t;
#else
	return 0;
#endif
}

/* A rate that the processor states, if it states one, has to be the measured one: firmware that
 * sets CNTFRQ_EL0 wrongly also misleads the kernel's clock, and a counter behind an emulator may
 * not tick at all. The calibration itself is good to some 100 ppm. */
static bool clock_rate_plausible(double hz)
{
#if defined(__aarch64__)
	uint64_t stated;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(stated));
	double ratio = hz / (double)(stated & UINT32_MAX);
	if (!(ratio > 0.99 && ratio < 1.01))
		return false;
#endif
	return hz > 1e6 && hz < 1e11;
}

static struct instant clock_instant_read(void)
{
	struct instant best = {.gap = UINT64_MAX};

	for (int i = 0; i < BRACKETS; i++) {
		uint64_t before = clock_tsc_ordered();
		uint64_t mono = clock_id_ns(CLOCK_MONOTONIC);
		uint64_t gap = clock_tsc_ordered() - before;
		if (gap < best.gap)
			best = (struct instant){.tsc = before + gap / 2, .mono = mono, .gap = gap};
	}
	return best;
}

/* The start of a file without its end of line; "" when it cannot be read. */
static void clock_file_head(const char *root, const char *path, char *buf, size_t size)
{
	char full[512];

	buf[0] = '\0';
	(void)snprintf(full, sizeof(full), "%s%s", root, path);
	int fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	size_t len = 0;
	ssize_t got;
	while (len < size - 1 && (got = read(fd, buf + len, size - 1 - len)) > 0)
		len += (size_t)got;
	(void)close(fd);
	buf[len] = '\0';
}

/* What the kernel calls the counter as clock source. The generic timer of arm64 has one rate by its
 * architecture; where an erratum breaks that, the kernel traps the access and corrects it. */
#if defined(__aarch64__)
#define COUNTER_SOURCE "arch_sys_counter\n"
#else
#define COUNTER_SOURCE "tsc\n"
#endif

#if defined(__x86_64__)
static bool clock_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += len)
		if ((at == text || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}
#endif

bool clock_tsc_trusted(const char *root)
{
	char text[16384];

	clock_file_head(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			text, sizeof(text));
	if (strcmp(text, COUNTER_SOURCE) != 0)
		return false;
#if defined(__x86_64__)
	clock_file_head(root, "/proc/cpuinfo", text, sizeof(text));
	char *flags = strstr(text, "\nflags");
	if (!flags)
		return false;
	flags++;
	flags[strcspn(flags, "\n")] = '\0';
	return clock_has_word(flags, "constant_tsc") && clock_has_word(flags, "nonstop_tsc");
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

/* Visit the allowed CPUs one after the other, twice: the counter must never be seen to run
 * backwards. The kernel has compared them more closely before it took the TSC as its clock source;
 * this catches what happened since. */
static bool clock_tsc_same_on_all_cpus(void)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *allowed = CPU_ALLOC(CPUS_MAX), *one = CPU_ALLOC(CPUS_MAX);
	uint64_t last = clock_tsc(), until = clock_id_ns(CLOCK_MONOTONIC) + CROSS_CPU_NS_MAX;
	bool ok = true;

	if (allowed && one && sched_getaffinity(0, size, allowed) == 0) {
		for (int visit = 0; ok && visit < 2 * CPUS_MAX; visit++) {
			int cpu = visit % CPUS_MAX;
			if (!CPU_ISSET_S(cpu, size, allowed))
				continue;
			CPU_ZERO_S(size, one);
			CPU_SET_S(cpu, size, one);
			if (sched_setaffinity(0, size, one))
				continue;
			uint64_t now = clock_tsc_ordered();
			ok = now >= last;
			last = now;
			if (clock_id_ns(CLOCK_MONOTONIC) > until)
				break;
		}
		(void)sched_setaffinity(0, size, allowed);
	}
	CPU_FREE(allowed);
	CPU_FREE(one);
	return ok;
}

static bool clock_tsc_calibrate(struct clock *c)
{
	struct instant a = clock_instant_read();
	struct timespec wait = {.tv_nsec = CALIBRATE_NS};

	(void)nanosleep(&wait, NULL);
	struct instant b = clock_instant_read();
	if (b.tsc <= a.tsc || b.mono <= a.mono)
		return false;
	uint64_t ticks = b.tsc - a.tsc, ns = b.mono - a.mono;
	c->mult = (uint64_t)((((unsigned __int128)ns << 32) + ticks / 2) / ticks);
	c->tsc_hz = (double)ticks / (double)ns * NS_PER_SEC;
	return clock_rate_plausible(c->tsc_hz);
}

void clock_restart(struct clock *c)
{
	if (c->kind == CLOCK_KIND_VIRTUAL) {
		c->wall_base += c->virtual_now;
		c->virtual_now = 0;
		return;
	}
	struct instant now = clock_instant_read();
	c->wall_base = clock_id_ns(CLOCK_REALTIME) - (clock_id_ns(CLOCK_MONOTONIC) - now.mono);
	c->mono_base = now.mono;
	c->tsc_base = now.tsc;
}

int clock_init(struct clock *c, int want)
{
	struct clock fresh = {.kind = CLOCK_KIND_MONOTONIC, .read = clock_read_monotonic};

	if (want == CLOCK_KIND_VIRTUAL || want > CLOCK_KIND_VIRTUAL || want < -1)
		return -EINVAL;
	if (want != CLOCK_KIND_MONOTONIC && clock_tsc_trusted("")) {
		fresh.backwards = !clock_tsc_same_on_all_cpus();
		if (!fresh.backwards && clock_tsc_calibrate(&fresh))
			fresh.kind = CLOCK_KIND_TSC;
	}
	clock_restart(&fresh);
	*c = fresh;
	return 0;
}

void clock_init_virtual(struct clock *c, uint64_t wall_base)
{
	*c = (struct clock){
		.kind = CLOCK_KIND_VIRTUAL, .read = clock_read_virtual, .wall_base = wall_base};
}

uint64_t clock_resolution(const struct clock *c)
{
	uint64_t least = UINT64_MAX, last, begin;

	if (c->kind == CLOCK_KIND_VIRTUAL)
		return 1;
	begin = last = clock_now(c);
	for (unsigned i = 0; i < STEP_READS && last - begin < STEP_NS_MAX; i++) {
		uint64_t now = clock_now(c);
		if (now != last && now - last < least)
			least = now - last;
		last = now;
	}
	return least == UINT64_MAX ? 0 : least;
}

double clock_drift_ppm(const struct clock *c)
{
	if (c->kind != CLOCK_KIND_TSC)
		return 0;
	struct instant now = clock_instant_read();
	uint64_t ticks = now.tsc - c->tsc_base, mono = now.mono - c->mono_base;
	double mine = (double)(uint64_t)(((unsigned __int128)ticks * c->mult) >> 32);

	return mono ? (mine - (double)mono) / (double)mono * 1e6 : 0;
}
