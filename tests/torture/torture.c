/* Calls that fail when a test wants: linked into `fathom-torture` with `-Wl,--wrap=NAME` for each
 * NAME below, so that calls made by the program's own objects come here first. See
 * tests/torture/run.
 *
 * FATHOM_TORTURE="N MODE ERRNO" makes call number N (counted from 1, all functions and threads
 * together) fail: once   that call alone same   that call and all later ones of its kind (memory,
 * files opened, writes, ...) rest   that call and every later one ERRNO 0 is a transfer of half the
 * bytes, where a call transfers any. FATHOM_TORTURE_LOG=PATH receives a line for each call, or for
 * the failed ones alone when there are any: number, kind, name and the stack as offsets into the
 * program.
 *
 * Standard error never fails: it has to say what went wrong.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum mode { MODE_COUNT, MODE_ONCE, MODE_SAME, MODE_REST };

enum kind { KIND_MEMORY, KIND_OPEN, KIND_READ, KIND_WRITE, KIND_OTHER };

static struct {
	enum mode mode;
	unsigned long at;
	int error;
	int log;
	atomic_ulong calls;
	atomic_int kind; /* of call number `at`, -1 before */
} torture = {.log = -1, .kind = -1};

extern const char __executable_start[];

int __real_open64(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *buf, size_t n);
int __real_close(int fd);
int __real_fcntl64(int fd, int op, ...);

/* jansson takes the program's allocator, if the program has jansson. */
void json_set_alloc_funcs(void *(*get)(size_t), void (*put)(void *)) __attribute__((weak));
void *__wrap_malloc(size_t n);

__attribute__((constructor)) static void torture_begin(void)
{
	const char *spec = getenv("FATHOM_TORTURE");
	const char *path = getenv("FATHOM_TORTURE_LOG");
	char mode[8] = "";

	if (path)
		torture.log = __real_open64(
			path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	if (torture.log >= 0 && torture.log < 100) {
		/* Out of the way: numbers of descriptors shall be those of the program itself. */
		int high = __real_fcntl64(torture.log, F_DUPFD_CLOEXEC, 200);

		__real_close(torture.log);
		torture.log = high;
	}
	if (json_set_alloc_funcs)
		json_set_alloc_funcs(__wrap_malloc, free);
	if (!spec || sscanf(spec, "%lu %7s %d", &torture.at, mode, &torture.error) != 3)
		return;
	torture.mode = !strcmp(mode, "once")   ? MODE_ONCE
		       : !strcmp(mode, "same") ? MODE_SAME
					       : MODE_REST;
}

/* A word of this process that may not be there. */
static bool peek(const uintptr_t *from, uintptr_t to[2])
{
	struct iovec here = {to, 2 * sizeof(*to)}, there = {(void *)from, 2 * sizeof(*to)};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)(2 * sizeof(*to));
}

__attribute__((no_sanitize("address", "undefined"))) static void
say_call(unsigned long number, enum kind kind, const char *name)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "%lu %d %s", number, kind, name);
	uintptr_t *frame = __builtin_frame_address(0), pair[2];

	/* Three frames are this file's own. */
	for (unsigned depth = 0; depth < 12 && peek(frame, pair); depth++) {
		if (depth >= 2)
			n += snprintf(line + n, sizeof(line) - (size_t)n, " %lx",
				      (unsigned long)(pair[1] - (uintptr_t)__executable_start));
		if (pair[0] <= (uintptr_t)frame)
			break;
		frame = (uintptr_t *)pair[0]; /* NOLINT */
	}
	line[n++] = '\n';
	(void)__real_write(torture.log, line, (size_t)n);
}

/* Shall this call fail? */
static bool __attribute__((noinline)) fails(enum kind kind, const char *name)
{
	int saved = errno;
	unsigned long number = atomic_fetch_add(&torture.calls, 1) + 1;
	bool bad = false;

	if (torture.mode != MODE_COUNT && number >= torture.at) {
		if (number == torture.at)
			atomic_store(&torture.kind, (int)kind);
		bad = number == torture.at || torture.mode == MODE_REST ||
		      (torture.mode == MODE_SAME && atomic_load(&torture.kind) == (int)kind);
	}
	if (torture.log >= 0 && (bad || torture.mode == MODE_COUNT))
		say_call(number, kind, name);
	errno = bad ? torture.error : saved;
	return bad;
}

static bool __attribute__((noinline)) stream_fails(FILE *f, const char *name)
{
	if (f == stderr || !fails(KIND_WRITE, name))
		return false;
	if (!errno)
		errno = EIO;
	f->_flags |= 0x20; /* what ferror() looks at */
	return true;
}

/* What a call of a certain form returns when it fails. */
#define WRAP(kind, type, name, params, args, bad)                                                  \
	type __real_##name params;                                                                 \
	type __wrap_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		if (fails(kind, #name)) {                                                          \
			if (!errno)                                                                \
				errno = EIO;                                                       \
			return bad;                                                                \
		}                                                                                  \
		return __real_##name args;                                                         \
	}

#define WRAP_TRANSFER(kind, name, params, args, half)                                              \
	ssize_t __real_##name params;                                                              \
	ssize_t __wrap_##name params;                                                              \
	ssize_t __wrap_##name params                                                               \
	{                                                                                          \
		if (fails(kind, #name)) {                                                          \
			if (errno)                                                                 \
				return -1;                                                         \
			return __real_##name half;                                                 \
		}                                                                                  \
		return __real_##name args;                                                         \
	}

WRAP(KIND_MEMORY, void *, malloc, (size_t n), (n), NULL)
WRAP(KIND_MEMORY, void *, calloc, (size_t n, size_t s), (n, s), NULL)
WRAP(KIND_MEMORY, void *, realloc, (void *p, size_t n), (p, n), NULL)
WRAP(KIND_MEMORY, void *, aligned_alloc, (size_t a, size_t n), (a, n), NULL)
WRAP(KIND_MEMORY, char *, strdup, (const char *s), (s), NULL)
WRAP(KIND_MEMORY, char *, strndup, (const char *s, size_t n), (s, n), NULL)
WRAP(KIND_MEMORY, FILE *, open_memstream, (char **p, size_t *n), (p, n), NULL)
WRAP(KIND_MEMORY, void *, mmap64, (void *p, size_t n, int prot, int flags, int fd, off_t at),
     (p, n, prot, flags, fd, at), MAP_FAILED)
WRAP(KIND_MEMORY, int, pthread_create,
     (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *arg), (t, a, f, arg), errno)
WRAP(KIND_MEMORY, int, mlock, (const void *p, size_t n), (p, n), -1)
WRAP(KIND_MEMORY, int, mlockall, (int flags), (flags), -1)
WRAP(KIND_MEMORY, int, shmget, (key_t k, size_t n, int flags), (k, n, flags), -1)
WRAP(KIND_MEMORY, char *, realpath, (const char *p, char *to), (p, to), NULL)

WRAP(KIND_OPEN, FILE *, fopen64, (const char *p, const char *m), (p, m), NULL)
WRAP(KIND_OPEN, FILE *, fdopen, (int fd, const char *m), (fd, m), NULL)
WRAP(KIND_OPEN, DIR *, opendir, (const char *p), (p), NULL)
WRAP(KIND_OPEN, FILE *, tmpfile64, (void), (), NULL)
WRAP(KIND_OPEN, int, mkostemp64, (char *p, int flags), (p, flags), -1)
WRAP(KIND_OPEN, int, eventfd, (unsigned n, int flags), (n, flags), -1)
WRAP(KIND_OPEN, int, signalfd, (int fd, const sigset_t *s, int flags), (fd, s, flags), -1)
WRAP(KIND_OPEN, int, socket, (int d, int t, int p), (d, t, p), -1)
WRAP(KIND_OPEN, int, scandir64,
     (const char *p, struct dirent64 ***l, int (*f)(const struct dirent64 *),
      int (*c)(const struct dirent64 **, const struct dirent64 **)),
     (p, l, f, c), -1)
WRAP(KIND_OPEN, int, glob64, (const char *p, int flags, int (*f)(const char *, int), glob64_t *g),
     (p, flags, f, g), GLOB_NOSPACE)

WRAP_TRANSFER(KIND_READ, read, (int fd, void *buf, size_t n), (fd, buf, n), (fd, buf, n / 2))
WRAP_TRANSFER(KIND_READ, pread64, (int fd, void *buf, size_t n, off_t at), (fd, buf, n, at),
	      (fd, buf, n / 2, at))
WRAP(KIND_READ, size_t, fread, (void *p, size_t s, size_t n, FILE *f), (p, s, n, f),
     (f->_flags |= 0x20, 0))
WRAP(KIND_READ, char *, fgets, (char *p, int n, FILE *f), (p, n, f), (f->_flags |= 0x20, NULL))
WRAP(KIND_READ, struct dirent64 *, readdir64, (DIR * d), (d), NULL)
WRAP(KIND_READ, int, stat64, (const char *p, struct stat64 *st), (p, st), -1)
WRAP(KIND_READ, int, lstat64, (const char *p, struct stat64 *st), (p, st), -1)
WRAP(KIND_READ, int, fstat64, (int fd, struct stat64 *st), (fd, st), -1)
WRAP(KIND_READ, int, statfs64, (const char *p, struct statfs64 *st), (p, st), -1)
WRAP(KIND_READ, int, fstatfs64, (int fd, struct statfs64 *st), (fd, st), -1)
WRAP(KIND_READ, int, statvfs64, (const char *p, struct statvfs64 *st), (p, st), -1)
WRAP(KIND_READ, ssize_t, readlink, (const char *p, char *to, size_t n), (p, to, n), -1)
WRAP(KIND_READ, int, access, (const char *p, int m), (p, m), -1)
WRAP(KIND_READ, int, faccessat, (int d, const char *p, int m, int f), (d, p, m, f), -1)
WRAP(KIND_READ, int, sched_getaffinity, (pid_t p, size_t n, cpu_set_t *s), (p, n, s), -1)
WRAP(KIND_READ, int, getrusage, (int who, struct rusage *u), (who, u), -1)
WRAP(KIND_READ, off_t, lseek64, (int fd, off_t at, int how), (fd, at, how), -1)

WRAP_TRANSFER(KIND_WRITE, write, (int fd, const void *buf, size_t n), (fd, buf, n),
	      (fd, buf, n / 2))
WRAP_TRANSFER(KIND_WRITE, pwrite64, (int fd, const void *buf, size_t n, off_t at), (fd, buf, n, at),
	      (fd, buf, n / 2, at))
WRAP(KIND_WRITE, int, ftruncate64, (int fd, off_t n), (fd, n), -1)
WRAP(KIND_WRITE, int, truncate64, (const char *p, off_t n), (p, n), -1)
WRAP(KIND_WRITE, int, fallocate64, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), -1)
WRAP(KIND_WRITE, int, posix_fallocate64, (int fd, off_t at, off_t n), (fd, at, n), errno)
WRAP(KIND_WRITE, int, fsync, (int fd), (fd), -1)
WRAP(KIND_WRITE, int, fdatasync, (int fd), (fd), -1)
WRAP(KIND_WRITE, int, msync, (void *p, size_t n, int flags), (p, n, flags), -1)
WRAP(KIND_WRITE, int, sync_file_range, (int fd, off_t at, off_t n, unsigned flags),
     (fd, at, n, flags), -1)
WRAP(KIND_WRITE, int, syncfs, (int fd), (fd), -1)
WRAP(KIND_WRITE, int, rename, (const char *a, const char *b), (a, b), -1)
WRAP(KIND_WRITE, int, unlink, (const char *p), (p), -1)
WRAP(KIND_WRITE, int, mkdir, (const char *p, mode_t m), (p, m), -1)
WRAP(KIND_WRITE, int, rmdir, (const char *p), (p), -1)

WRAP(KIND_OTHER, int, posix_fadvise64, (int fd, off_t at, off_t n, int how), (fd, at, n, how),
     errno)
WRAP(KIND_OTHER, int, madvise, (void *p, size_t n, int how), (p, n, how), -1)
WRAP(KIND_OTHER, int, mincore, (void *p, size_t n, unsigned char *to), (p, n, to), -1)
WRAP(KIND_OTHER, int, flock, (int fd, int how), (fd, how), -1)
WRAP(KIND_OTHER, int, poll, (struct pollfd * p, nfds_t n, int ms), (p, n, ms), -1)
WRAP(KIND_OTHER, int, ppoll,
     (struct pollfd * p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s), -1)
WRAP(KIND_OTHER, int, sched_setaffinity, (pid_t p, size_t n, const cpu_set_t *s), (p, n, s), -1)
WRAP(KIND_OTHER, int, sched_setscheduler, (pid_t p, int how, const struct sched_param *s),
     (p, how, s), -1)
WRAP(KIND_OTHER, int, setpriority, (int which, id_t who, int prio), (which, who, prio), -1)
WRAP(KIND_OTHER, int, unshare, (int flags), (flags), -1)

/* The stream gets its error mark; nothing of the text is written. */
#define WRAP_STREAM(type, name, params, args, f, bad)                                              \
	type __real_##name params;                                                                 \
	type __wrap_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		if (stream_fails(f, #name))                                                        \
			return bad;                                                                \
		return __real_##name args;                                                         \
	}

WRAP_STREAM(size_t, fwrite, (const void *p, size_t s, size_t n, FILE *f), (p, s, n, f), f, 0)
WRAP_STREAM(int, fputs, (const char *s, FILE *f), (s, f), f, EOF)
WRAP_STREAM(int, fputc, (int c, FILE *f), (c, f), f, EOF)
WRAP_STREAM(int, putchar, (int c), (c), stdout, EOF)
WRAP_STREAM(int, puts, (const char *s), (s), stdout, EOF)
WRAP_STREAM(int, fflush, (FILE * f), (f), f, EOF)

int __wrap_fprintf(FILE *f, const char *format, ...);
int __wrap_printf(const char *format, ...);
int __wrap_asprintf(char **to, const char *format, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_fcntl64(int fd, int op, ...);
int __wrap_ioctl(int fd, unsigned long op, ...);
int __real_ioctl(int fd, unsigned long op, ...);
int __wrap_prctl(int op, ...);
int __real_prctl(int op, ...);
long __wrap_syscall(long nr, ...);
long __real_syscall(long nr, ...);
int __wrap_close(int fd);
int __wrap_fclose(FILE *f);
int __real_fclose(FILE *f);
int __wrap_closedir(DIR *d);
int __real_closedir(DIR *d);
long torture_sysc6(long nr, long a, long b, long c, long d, long e, long f);

int __wrap_fprintf(FILE *f, const char *format, ...)
{
	va_list ap;

	if (stream_fails(f, "fprintf"))
		return -1;
	va_start(ap, format);
	int ret = vfprintf(f, format, ap);
	va_end(ap);
	return ret;
}

int __wrap_printf(const char *format, ...)
{
	va_list ap;

	if (stream_fails(stdout, "printf"))
		return -1;
	va_start(ap, format);
	int ret = vprintf(format, ap);
	va_end(ap);
	return ret;
}

int __wrap_asprintf(char **to, const char *format, ...)
{
	va_list ap;

	if (fails(KIND_MEMORY, "asprintf"))
		return -1;
	va_start(ap, format);
	int ret = vasprintf(to, format, ap);
	va_end(ap);
	return ret;
}

/* Closed all the same, as Linux does. */
int __wrap_close(int fd)
{
	bool bad = fails(KIND_WRITE, "close");
	int error = errno ? errno : EIO, ret = __real_close(fd);

	if (bad)
		errno = error;
	return bad ? -1 : ret;
}

int __wrap_fclose(FILE *f)
{
	bool bad = fails(KIND_WRITE, "fclose");
	int error = errno ? errno : EIO, ret = __real_fclose(f);

	if (bad)
		errno = error;
	return bad ? EOF : ret;
}

int __wrap_closedir(DIR *d)
{
	bool bad = fails(KIND_OTHER, "closedir");
	int error = errno ? errno : EIO, ret = __real_closedir(d);

	if (bad)
		errno = error;
	return bad ? -1 : ret;
}

#define REGISTER_ARGS(first, n)                                                                    \
	long arg[n];                                                                               \
	va_list ap;                                                                                \
                                                                                                   \
	va_start(ap, first);                                                                       \
	for (unsigned i = 0; i < (n); i++)                                                         \
		arg[i] = va_arg(ap, long);                                                         \
	va_end(ap)

int __wrap_open64(const char *path, int flags, ...)
{
	REGISTER_ARGS(flags, 1);
	if (fails(KIND_OPEN, "open")) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return __real_open64(path, flags, (mode_t)arg[0]);
}

int __wrap_fcntl64(int fd, int op, ...)
{
	REGISTER_ARGS(op, 1);
	if (fails(KIND_OTHER, "fcntl")) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return __real_fcntl64(fd, op, arg[0]);
}

int __wrap_ioctl(int fd, unsigned long op, ...)
{
	REGISTER_ARGS(op, 1);
	if (fails(KIND_OTHER, "ioctl")) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return __real_ioctl(fd, op, arg[0]);
}

int __wrap_prctl(int op, ...)
{
	REGISTER_ARGS(op, 4);
	if (fails(KIND_OTHER, "prctl")) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return __real_prctl(op, arg[0], arg[1], arg[2], arg[3]);
}

long __wrap_syscall(long nr, ...)
{
	REGISTER_ARGS(nr, 6);
	if (nr != SYS_gettid && fails(KIND_OTHER, "syscall")) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return __real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* Direct system calls of the engines (engine/sysc.h). */
long torture_sysc6(long nr, long a, long b, long c, long d, long e, long f)
{
	enum kind kind = nr == SYS_pread64 || nr == SYS_read	 ? KIND_READ
			 : nr == SYS_pwrite64 || nr == SYS_write ? KIND_WRITE
								 : KIND_OTHER;
	bool moves = kind != KIND_OTHER, destroys = nr == SYS_io_destroy;
	char name[24];

	(void)snprintf(name, sizeof(name), "sysc-%ld", nr);
	if (!destroys && fails(kind, name)) {
		if (errno)
			return -errno;
		if (!moves)
			return -EIO;
		c /= 2;
	}
	long ret = __real_syscall(nr, a, b, c, d, e, f);

	return ret < 0 ? -errno : ret;
}
