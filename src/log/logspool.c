#include "log/logspool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAKE_BLOCKS = 16, FREE_BLOCKS = 256 };

void logspool_init(struct logspool *s)
{
	*s = (struct logspool){.fd = -1};
}

void logspool_release(struct logspool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->part);
	logspool_init(s);
}

/* A file without a name in the folder of `beside`; not every file system can make one. */
static int logspool_nameless(const char *beside)
{
	const char *slash = strrchr(beside, '/');
	int n = slash ? (int)(slash - beside) + 1 : 0, fd;
	char *path;

	if (asprintf(&path, "%.*s.", n, beside) < 0)
		return -1;
	fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(path);
	if (fd >= 0)
		return fd;
	if (asprintf(&path, "%.*sfathom-XXXXXX", n, beside) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static bool logspool_make(struct logspool *s, const char *beside)
{
	s->part = aligned_alloc(LOGB_BYTES, TAKE_BLOCKS * sizeof(*s->part));
	s->fd = s->part && beside ? logspool_nameless(beside) : -1;
	if (s->fd >= 0)
		return true;
	free(s->part);
	s->part = NULL;
	return false;
}

bool logspool_put(struct logspool *s, const char *beside, const struct log_block *b, unsigned n)
{
	size_t bytes = n * sizeof(*b);

	assert(b && n && s->taken <= s->put && s->freed <= s->taken);
	if (s->refused)
		return false;
	if (s->fd < 0)
		s->refused = !logspool_make(s, beside);
	else if (!logspool_blocks(s))
		s->put = s->taken = s->freed = 0;
	/* A piece of it does not count and is written over. */
	if (!s->refused)
		s->refused =
			pwrite(s->fd, b, bytes, (off_t)(s->put * sizeof(*b))) != (ssize_t)bytes;
	if (s->refused)
		return false;
	s->put += n;
	return true;
}

unsigned logspool_take(struct logspool *s, const struct log_block **b)
{
	uint64_t n = logspool_blocks(s);

	assert(s->taken <= s->put && s->freed <= s->taken);
	if (n > TAKE_BLOCKS)
		n = TAKE_BLOCKS;
	if (!n)
		return 0;
	size_t bytes = n * sizeof(**b);
	ssize_t got = pread(s->fd, s->part, bytes, (off_t)(s->taken * sizeof(**b)));
	if (got != (ssize_t)bytes) {
		s->failed = got < 0 ? -errno : -EIO;
		s->taken = s->put;
		return 0;
	}
	s->taken += n;
	if (s->taken - s->freed >= FREE_BLOCKS || s->taken == s->put) {
		/* Only a kindness: where it is not known, the room comes back in the end. */
		(void)fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				(off_t)(s->freed * sizeof(**b)),
				(off_t)((s->taken - s->freed) * sizeof(**b)));
		s->freed = s->taken;
	}
	if (s->taken == s->put)
		s->refused = false;
	*b = s->part;
	return (unsigned)n;
}
