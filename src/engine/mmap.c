/* mmap: copies from and to a shared mapping of each file; msync for syncs. A page that cannot be
 * read or written raises SIGBUS, which becomes EIO of the I/O that touched it.
 *
 * This file has the only variables of the engines that are not in a context: signal handlers belong
 * to the process.
 */
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/tables.h"
#include "base/check.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mmap_opts {
	int64_t thp;
};

/* What is mapped of a file: all of it, or as much as the address space allows. */
struct mmap_window {
	char *base; /* NULL: nothing */
	uint64_t at, len;
	uint64_t want; /* bytes to map at once */
	uint64_t size; /* of the file */
};

struct mmap_ctx {
	struct completed done;
	struct mmap_window *windows; /* [setup->files] */
	uint64_t page;
};

/* A batch in work. `at` is read after a jump out of a copy, hence volatile. */
struct mmap_batch {
	struct engine *e;
	struct io **ios;
	unsigned n;
	volatile unsigned at;
};

static const struct opt_row mmap_rows[] = {
	{"thp", "", OPT_T_INT, OPT_LIVE, offsetof(struct mmap_opts, thp), "0", 0, 0, 0, NULL,
	 "engine", "Asks for transparent huge pages for the mapping when not 0."},
};

/* The handler of SIGBUS is one per process and gets no argument, so what it needs is static: the
 * action to fall back on, set once under the lock before the first copy, and the place where each
 * thread goes on. */
static pthread_mutex_t mmap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction mmap_old;
static _Thread_local sigjmp_buf
	*volatile mmap_guard; /* where this thread goes on; NULL: not copying */

static void mmap_on_sigbus(int sig, siginfo_t *info, void *context)
{
	if (mmap_guard)
		siglongjmp(*mmap_guard, 1);
	/* Not ours: what would have happened without us. Returning repeats the access. */
	if (mmap_old.sa_flags & SA_SIGINFO)
		mmap_old.sa_sigaction(sig, info, context);
	else if (mmap_old.sa_handler == SIG_DFL || mmap_old.sa_handler == SIG_IGN)
		sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	else
		mmap_old.sa_handler(sig);
}

/* Stays for the life of the process; again only when somebody replaced it. */
static void mmap_install(void)
{
	struct sigaction sa = {.sa_sigaction = mmap_on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER};
	struct sigaction now;

	sigemptyset(&sa.sa_mask);
	pthread_mutex_lock(&mmap_lock);
	if (!sigaction(SIGBUS, NULL, &now) && now.sa_sigaction != mmap_on_sigbus) {
		mmap_old = now;
		sigaction(SIGBUS, &sa, NULL);
	}
	pthread_mutex_unlock(&mmap_lock);
}

static int mmap_open(struct engine *e, struct err *err)
{
	struct mmap_ctx *c = e->ctx;
	int ret = completed_open(e, err);

	if (ret)
		return ret;
	c->page = (uint64_t)sysconf(_SC_PAGESIZE);
	c->windows = calloc(e->setup->files ? e->setup->files : 1, sizeof(*c->windows));
	if (!c->windows)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for %u mappings",
			       e->setup->files);
	mmap_install();
	return 0;
}

static void mmap_close(struct engine *e)
{
	struct mmap_ctx *c = e->ctx;

	free(c->windows);
}

static void mmap_drop(struct mmap_window *w)
{
	if (w->base)
		munmap(w->base, w->len);
	w->base = NULL;
	w->len = 0;
}

static int mmap_place(struct engine *e, unsigned file, uint64_t at, uint64_t len)
{
	const struct mmap_opts *o = e->setup->options;
	struct mmap_ctx *c = e->ctx;
	struct mmap_window *w = &c->windows[file];
	int prot = PROT_READ | (e->setup->writes ? PROT_WRITE : 0);
	void *p;

	p = mmap(NULL, len, prot, MAP_SHARED, e->files[file].fd, (off_t)at);
	if (p == MAP_FAILED)
		return -errno;
	if (o->thp && madvise(p, len, MADV_HUGEPAGE)) {
		int ret = -errno;

		munmap(p, len);
		return ret;
	}
	w->base = p;
	w->at = at;
	w->len = len;
	return 0;
}

/* Make the window hold [offset, offset + len); smaller windows when the address space is short. */
static int mmap_cover(struct engine *e, unsigned file, uint64_t offset, uint64_t len)
{
	struct mmap_ctx *c = e->ctx;
	struct mmap_window *w = &c->windows[file];
	uint64_t at = 0, least;
	int ret;

	if (w->base && offset >= w->at && offset + len <= w->at + w->len)
		return 0;
	mmap_drop(w);
	for (;;) {
		if (w->want < w->size)
			at = offset & ~(c->page - 1);
		least = offset + len - at;
		if (w->want < least)
			w->want = least;
		ret = mmap_place(e, file, at, w->want < w->size - at ? w->want : w->size - at);
		if (ret != -ENOMEM || w->want == least)
			return ret;
		w->want /= 2;
	}
}

static int mmap_attach(struct engine *e, unsigned file, struct err *err)
{
	const struct engine_file *f = &e->files[file];
	struct mmap_ctx *c = e->ctx;
	struct mmap_window *w = &c->windows[file];
	int mode = fcntl(f->fd, F_GETFL) & O_ACCMODE, ret;
	struct stat st;

	assert(file < e->setup->files);
	if (mode == O_WRONLY || (e->setup->writes && mode != O_RDWR))
		return err_set(err, ERR_SETUP, EACCES, "%s: mmap needs the file open for reading%s",
			       f->path, e->setup->writes ? " and writing" : "");
	*w = (struct mmap_window){.size = f->size};
	if (fstat(f->fd, &st))
		return err_set(err, ERR_SETUP, errno, "%s: cannot be examined", f->path);
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size < w->size) {
		if (e->setup->writes)
			return err_set(err, ERR_SETUP, EINVAL,
				       "%s: has %llu bytes and a mapping cannot make it longer",
				       f->path, (unsigned long long)st.st_size);
		w->size = (uint64_t)st.st_size;
	}
	w->want = w->size;
	if (!w->size)
		return 0;
	ret = mmap_cover(e, file, 0, 1);
	if (ret)
		return err_set(err, ERR_SETUP, -ret, "%s: cannot be mapped", f->path);
	return 0;
}

static void mmap_detach(struct engine *e, unsigned file)
{
	struct mmap_ctx *c = e->ctx;

	mmap_drop(&c->windows[file]);
}

static int32_t mmap_copy(struct engine *e, struct io *io)
{
	struct mmap_ctx *c = e->ctx;
	struct mmap_window *w = &c->windows[io->file];
	uint64_t len = io->len;
	char *p;
	int ret;

	if (io->offset >= w->size)
		return io->op == IO_WRITE ? -ENOSPC : 0;
	if (len > w->size - io->offset)
		len = w->size - io->offset;
	ret = mmap_cover(e, io->file, io->offset, len);
	if (ret)
		return ret;
	assert(w->base);
	p = w->base + (io->offset - w->at);
	if (io->op == IO_READ)
		memcpy(io->buf, p, len);
	else
		memcpy(p, io->buf, len);
	return (int32_t)len;
}

static int32_t mmap_fileop(struct engine *e, struct io *io)
{
	struct mmap_ctx *c = e->ctx;
	struct mmap_window *w = &c->windows[io->file];

	/* Pages outside a partial window are known to the file only. */
	if ((io->op == IO_FSYNC || io->op == IO_FDATASYNC) && w->base && w->len == w->size)
		return msync(w->base, w->len, MS_SYNC) ? -errno : 0;
	return fileop_run(e, io);
}

/* Not inlined: what it keeps in registers is lost in a jump, and the caller must not care. */
static __attribute__((noinline)) void mmap_run(struct mmap_batch *b)
{
	struct mmap_ctx *c = b->e->ctx;

	while (b->at < b->n) {
		struct io *io = b->ios[b->at];

		io->result = io->op <= IO_WRITE ? mmap_copy(b->e, io) : mmap_fileop(b->e, io);
		completed_put(&c->done, io);
		b->at++;
	}
}

static int mmap_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct mmap_batch b = {e, ios, n, 0};
	struct mmap_ctx *c = e->ctx;
	sigjmp_buf here;

	hot_assert(n && n <= e->setup->batch);
	if (sigsetjmp(here, 0)) {
		b.ios[b.at]->result = -EIO;
		completed_put(&c->done, b.ios[b.at]);
		b.at++;
	}
	mmap_guard = &here;
	mmap_run(&b);
	mmap_guard = NULL;
	return (int)n;
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.help = "memcpy(3) from and to a shared mapping",
	.caps = ENGINE_SYNC | ENGINE_MAPS | ENGINE_TRIM,
	.rows = mmap_rows,
	.rows_n = sizeof(mmap_rows) / sizeof(mmap_rows[0]),
	.options_size = sizeof(struct mmap_opts),
	.ctx_size = sizeof(struct mmap_ctx),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = default_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = mmap_open,
	.attach = mmap_attach,
	.detach = mmap_detach,
	.submit = mmap_submit,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = mmap_close,
};
