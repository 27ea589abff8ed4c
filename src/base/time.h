/* Seconds and nanoseconds: inside the program a time is nanoseconds in 64 bits; the kernel wants
 * them split. Pure. */
#ifndef FATHOM_BASE_TIME_H
#define FATHOM_BASE_TIME_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SEC UINT64_C(1000000000)

static inline struct timespec time_split(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};
}

/* The earlier of two moments. */
static inline uint64_t time_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* t must not lie before 1970 (or, of a monotonic clock, before its start). */
static inline uint64_t time_joined(struct timespec t)
{
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

#endif
