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

static size_t buffers_round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static int buffers_map_shm(struct worker *w, size_t bytes, bool huge)
{
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600 | (huge ? SHM_HUGETLB : 0));

	if (id < 0)
		return -errno;
	void *p = shmat(id, NULL, 0);
	int ret = p == (void *)-1 ? -errno : 0;
	shmctl(id, IPC_RMID, NULL); /* goes away with the last detach */
	if (!ret)
		w->buffers.memory = p;
	return ret;
}

/* A file that this made is gone as soon as it is mapped. With `huge` it has to be of huge pages. */
static int buffers_map_file(struct worker *w, size_t bytes, const char *path, bool shared,
			    bool huge)
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
	int ret = fstat(fd, &st) ? -errno : 0;
	if (!ret && huge && (fstatfs(fd, &fs) || fs.f_type != HUGETLBFS_MAGIC))
		ret = -ENOTSUP;
	if (!ret && S_ISREG(st.st_mode) && (size_t)st.st_size < bytes &&
	    ftruncate(fd, (off_t)bytes))
		ret = -errno;
	void *p = ret ? MAP_FAILED
		      : mmap(NULL, bytes, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE,
			     fd, 0);
	if (!ret && p == MAP_FAILED)
		ret = -errno;
	close(fd);
	if (made)
		unlink(path);
	if (!ret)
		w->buffers.memory = p;
	return ret;
}

static int buffers_map_anonymous(struct worker *w, size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	w->buffers.memory = p;
	return 0;
}

/* Each page is there before the first I/O needs it. */
static void buffers_touch(struct worker *w)
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
	size_t stride = buffers_round_up(w->pj->max_len ? w->pj->max_len : 1, PAGE);
	size_t bytes = buffers_round_up(stride * w->depth + (size_t)o->iomem_align, page);
	int ret;

	if (o->mem.arg && o->mem.value != MEM_SHM && o->mem.value != MEM_SHMHUGE)
		ret = buffers_map_file(w, bytes, o->mem.arg, o->mem.value == MEM_MMAPSHARED, huge);
	else if (o->mem.value == MEM_SHM || o->mem.value == MEM_SHMHUGE)
		ret = buffers_map_shm(w, bytes, huge);
	else if (o->mem.value == MEM_MMAPHUGE)
		ret = buffers_map_anonymous(w, bytes, MAP_PRIVATE | MAP_HUGETLB);
	else
		ret = buffers_map_anonymous(
			w, bytes, o->mem.value == MEM_MMAPSHARED ? MAP_SHARED : MAP_PRIVATE);
	if (ret < 0) {
		err_set(err, ERR_SETUP, -ret, "no %zu bytes of memory for the I/O buffers: %s",
			bytes, strerror(-ret));
		if (ret == -ENOTSUP)
			err_remedy(err, "'%s' has to be below a mount of hugetlbfs", o->mem.arg);
		else if (huge)
			err_remedy(err, "reserve huge pages in /proc/sys/vm/nr_hugepages, or use "
					"mem=malloc");
		else
			err_remedy(err,
				   "make iodepth, bs or numjobs smaller, or raise 'ulimit -v'");
		return ret;
	}
	w->buffers.memory_bytes = bytes;
	w->buffers.memory_shm = (o->mem.value == MEM_SHM || o->mem.value == MEM_SHMHUGE);
	w->buffers.start = (char *)w->buffers.memory + o->iomem_align;
	w->buffers.stride = stride;
	w->buffers.bytes = stride * w->depth;
	if (w->pj->isolate)
		buffers_touch(w);
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
