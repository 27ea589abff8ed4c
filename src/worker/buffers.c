#include "worker/buffers.h"
#include "worker/worker.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PAGE 4096u

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static int map_shm(struct worker *w, size_t bytes, bool huge)
{
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600 | (huge ? SHM_HUGETLB : 0));

	if (id < 0)
		return -errno;
	void *p = shmat(id, NULL, 0);
	int rc = p == (void *)-1 ? -errno : 0;
	shmctl(id, IPC_RMID, NULL); /* goes away with the last detach */
	if (!rc)
		w->buffers.memory = p;
	return rc;
}

/* A file that this made is gone as soon as it is mapped. With `huge` it has to be of huge pages. */
static int map_file(struct worker *w, size_t bytes, const char *path, bool shared, bool huge)
{
	struct statfs fs;
	struct stat st;
	bool made;
	int fd;

	do { /* again when another worker has just made it */
		fd = open(path, O_RDWR | O_CLOEXEC);
		made = fd < 0 && errno == ENOENT;
		if (made)
			fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	} while (fd < 0 && made && errno == EEXIST);
	if (fd < 0)
		return -errno;
	int rc = fstat(fd, &st) ? -errno : 0;
	if (!rc && huge && (fstatfs(fd, &fs) || fs.f_type != HUGETLBFS_MAGIC))
		rc = -ENOTSUP;
	if (!rc && S_ISREG(st.st_mode) && (size_t)st.st_size < bytes && ftruncate(fd, (off_t)bytes))
		rc = -errno;
	void *p = rc ? MAP_FAILED
		     : mmap(NULL, bytes, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE,
			    fd, 0);
	if (!rc && p == MAP_FAILED)
		rc = -errno;
	close(fd);
	if (made)
		unlink(path);
	if (!rc)
		w->buffers.memory = p;
	return rc;
}

static int map_anonymous(struct worker *w, size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	w->buffers.memory = p;
	return 0;
}

/* Each page is there before the first I/O needs it. */
static void touch(struct worker *w)
{
	volatile char *p = w->buffers.memory;

	for (size_t i = 0; i < w->buffers.memory_bytes; i += PAGE) {
		char same = p[i];
		p[i] = same;
	}
}

int memory_get(struct worker *w, struct err *err)
{
	const struct job_opts *o = w->pj->o;
	bool huge = o->mem.value == MEM_SHMHUGE || o->mem.value == MEM_MMAPHUGE;
	size_t page = huge ? (size_t)o->hugepage_size : PAGE;
	size_t stride = round_up(w->pj->max_len ? w->pj->max_len : 1, PAGE);
	size_t bytes = round_up(stride * w->depth + (size_t)o->iomem_align, page);
	int rc;

	if (o->mem.arg && o->mem.value != MEM_SHM && o->mem.value != MEM_SHMHUGE)
		rc = map_file(w, bytes, o->mem.arg, o->mem.value == MEM_MMAPSHARED, huge);
	else if (o->mem.value == MEM_SHM || o->mem.value == MEM_SHMHUGE)
		rc = map_shm(w, bytes, huge);
	else if (o->mem.value == MEM_MMAPHUGE)
		rc = map_anonymous(w, bytes, MAP_PRIVATE | MAP_HUGETLB);
	else
		rc = map_anonymous(w, bytes,
				   o->mem.value == MEM_MMAPSHARED ? MAP_SHARED : MAP_PRIVATE);
	if (rc < 0) {
		err_set(err, ERR_SETUP, -rc, "no %zu bytes of memory for the I/O buffers: %s",
			bytes, strerror(-rc));
		if (rc == -ENOTSUP)
			err_remedy(err, "'%s' has to be below a mount of hugetlbfs", o->mem.arg);
		else if (huge)
			err_remedy(err, "reserve huge pages in /proc/sys/vm/nr_hugepages, or use "
					"mem=malloc");
		else
			err_remedy(err,
				   "make iodepth, bs or numjobs smaller, or raise 'ulimit -v'");
		return rc;
	}
	w->buffers.memory_bytes = bytes;
	w->buffers.memory_shm = (o->mem.value == MEM_SHM || o->mem.value == MEM_SHMHUGE);
	w->buffers.start = (char *)w->buffers.memory + o->iomem_align;
	w->buffers.stride = stride;
	w->buffers.bytes = stride * w->depth;
	if (w->pj->isolate)
		touch(w);
	return 0;
}

void memory_put(struct worker *w)
{
	if (!w->buffers.memory)
		return;
	if (w->buffers.memory_shm)
		shmdt(w->buffers.memory);
	else
		munmap(w->buffers.memory, w->buffers.memory_bytes);
	w->buffers.memory = NULL;
	if (w->buffers.locked)
		munmap(w->buffers.locked, (size_t)w->pj->o->lockmem);
	w->buffers.locked = NULL;
}
