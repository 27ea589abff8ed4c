/* A hint to the processor that the caller spins: it leaves resources to the sibling thread and
 * saves power. Any thread; no effect on memory.
 */
#ifndef FATHOM_BASE_RELAX_H
#define FATHOM_BASE_RELAX_H

static inline void cpu_relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	/* YIELD is a no-op on most cores; ISB waits for the pipeline, about as long as PAUSE. */
	__asm__ volatile("isb" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

#endif
