/* The system calls of the hot path without the C library's cancellation points and errno: a result
 * is what the kernel returned, bytes or -errno. With threads, pread() of glibc costs two atomic
 * operations more than the call itself.
 */
#ifndef FATHOM_ENGINE_RAWSYS_H
#define FATHOM_ENGINE_RAWSYS_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(long) == 8, "offsets are passed in one register");

#ifdef FATHOM_TORTURE
/* Makes calls fail on demand (tests/torture); only objects built for that test know it. */
long torture_sysc6(long nr, long a, long b, long c, long d, long e, long f);
#endif

static inline long rawsys6(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined(FATHOM_TORTURE)
	return torture_sysc6(nr, a, b, c, d, e, f);
#elif defined(__x86_64__)
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
	long ret = syscall(nr, a, b, c, d, e, f);

	return ret < 0 ? -errno : ret;
#endif
}

static inline long rawsys_pread(int fd, void *buf, size_t len, uint64_t at)
{
	return rawsys6(SYS_pread64, fd, (long)buf, (long)len, (long)at, 0, 0);
}

static inline long rawsys_pwrite(int fd, const void *buf, size_t len, uint64_t at)
{
	return rawsys6(SYS_pwrite64, fd, (long)buf, (long)len, (long)at, 0, 0);
}

static inline long rawsys_read(int fd, void *buf, size_t len)
{
	return rawsys6(SYS_read, fd, (long)buf, (long)len, 0, 0, 0);
}

static inline long rawsys_write(int fd, const void *buf, size_t len)
{
	return rawsys6(SYS_write, fd, (long)buf, (long)len, 0, 0, 0);
}

static inline long rawsys_readv(int fd, const struct iovec *v, unsigned n)
{
	return rawsys6(SYS_readv, fd, (long)v, (long)n, 0, 0, 0);
}

static inline long rawsys_writev(int fd, const struct iovec *v, unsigned n)
{
	return rawsys6(SYS_writev, fd, (long)v, (long)n, 0, 0, 0);
}

static inline long rawsys_lseek(int fd, uint64_t at)
{
	return rawsys6(SYS_lseek, fd, (long)at, SEEK_SET, 0, 0, 0);
}

/* preadv and pwritev: the offset is split in two words, of which the second is unused where long
 * has 64 bits. */
static inline long rawsys_preadv(int fd, const struct iovec *v, unsigned n, uint64_t at)
{
	return rawsys6(SYS_preadv, fd, (long)v, (long)n, (long)at, 0, 0);
}

static inline long rawsys_pwritev(int fd, const struct iovec *v, unsigned n, uint64_t at)
{
	return rawsys6(SYS_pwritev, fd, (long)v, (long)n, (long)at, 0, 0);
}

static inline long rawsys_preadv2(int fd, const struct iovec *v, unsigned n, uint64_t at,
				  unsigned flags)
{
	return rawsys6(SYS_preadv2, fd, (long)v, (long)n, (long)at, 0, (long)flags);
}

static inline long rawsys_pwritev2(int fd, const struct iovec *v, unsigned n, uint64_t at,
				   unsigned flags)
{
	return rawsys6(SYS_pwritev2, fd, (long)v, (long)n, (long)at, 0, (long)flags);
}

/* Flags of preadv2 and friends, which older kernel headers lack (values of the kernel's interface).
 */
enum {
	RAWSYS_RWF_HIPRI = 0x01,
	RAWSYS_RWF_NOWAIT = 0x08,
	RAWSYS_RWF_ATOMIC = 0x40,   /* Linux 6.11 */
	RAWSYS_RWF_DONTCACHE = 0x80 /* Linux 6.14 */
};

#endif
