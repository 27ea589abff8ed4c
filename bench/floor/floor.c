#include "floor.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void floor_fail(const char *what, int error)
{
	fprintf(stderr, "floor: %s: %s\n", what, strerror(error));
	exit(1);
}

uint64_t floor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double percent_of(struct timeval from, struct timeval to, uint64_t ns)
{
	double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_usec - from.tv_usec);

	return us * 1e5 / (double)ns;
}

uint64_t floor_start(struct floor *f)
{
	uint64_t now = floor_now();

	getrusage(RUSAGE_SELF, &f->usage);
	f->end_ns = now + (uint64_t)(f->seconds * 1e9);
	return now;
}

void floor_report(const struct floor *f, uint64_t start_ns, uint64_t ios)
{
	uint64_t ns = floor_now() - start_ns;
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	printf("{\"jobs\": [{\"read\": {\"iops\": %.3f, \"total_ios\": %llu}, \"job_runtime\": "
	       "%.6f, "
	       "\"usr_cpu\": %.6f, \"sys_cpu\": %.6f}]}\n",
	       (double)ios * 1e9 / (double)ns, (unsigned long long)ios, (double)ns / 1e6,
	       percent_of(f->usage.ru_utime, u.ru_utime, ns),
	       percent_of(f->usage.ru_stime, u.ru_stime, ns));
}

static uint64_t size_of(const struct floor *f)
{
	struct stat s;
	uint64_t bytes = 0;

	if (fstat(f->fd, &s))
		floor_fail(f->path, errno);
	if (!S_ISBLK(s.st_mode))
		return (uint64_t)s.st_size;
	if (ioctl(f->fd, BLKGETSIZE64, &bytes))
		floor_fail(f->path, errno);
	return bytes;
}

static void floor_usage(void)
{
	fprintf(stderr,
		"usage: floor-ENGINE [-d DEPTH] [-B BATCH] [-b BYTES] [-t SECONDS] [-c] "
		"[-m] [-p] [-v] [-n] FILE\n"
		"  -c  through the page cache   -p  polled (hipri)   -v  preadv2 "
		"instead of pread\n  -n  nothing registered (io_uring), clock reads only (null)\n"
		"  -m  no more than BATCH completions a turn\n");
	exit(2);
}

void floor_parse(struct floor *f, int argc, char **argv)
{
	int o;

	*f = (struct floor){.depth = 1,
			    .block_bytes = 4096,
			    .seconds = 3,
			    .direct = true,
			    .seed = 0x9e3779b97f4a7c15ull};
	while ((o = getopt(argc, argv, "d:B:b:t:cmpvn")) != -1) {
		switch (o) {
		case 'd':
			f->depth = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'B':
			f->batch = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 'b':
			f->block_bytes = strtoull(optarg, NULL, 10);
			break;
		case 't':
			f->seconds = strtod(optarg, NULL);
			break;
		case 'c':
			f->direct = false;
			break;
		case 'p':
			f->hipri = true;
			break;
		case 'm':
			f->cap = true;
			break;
		case 'v':
			f->vectored = true;
			break;
		case 'n':
			f->plain = true;
			break;
		default:
			floor_usage();
		}
	}
	if (optind != argc - 1 || !f->depth || !f->block_bytes)
		floor_usage();
	f->path = argv[optind];
	if (!f->batch || f->batch > f->depth)
		f->batch = f->depth;
}

void floor_init(struct floor *f, int argc, char **argv)
{
	size_t bytes;

	floor_parse(f, argc, argv);
	f->fd = open(f->path, O_RDONLY | O_CLOEXEC | (f->direct ? O_DIRECT : 0));
	if (f->fd < 0)
		floor_fail(f->path, errno);
	f->blocks = size_of(f) / f->block_bytes;
	if (!f->blocks)
		floor_fail(f->path, ENODATA);
	bytes = f->depth * f->block_bytes;
	f->buffers = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (f->buffers == MAP_FAILED)
		floor_fail("buffers", errno);
}
