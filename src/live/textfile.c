#include "live/textfile.h"
#include "base/newfile.h"
#include "base/time.h"
#include "live/threads.h"
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct textfile {
	char *path;
	pthread_t thread;
	pthread_mutex_t lock;	/* what follows */
	pthread_cond_t changed; /* a page, closing or done */
	char *page;		/* to be written, owned; NULL: none */
	size_t page_n;
	int error;
	bool closing; /* end when no page is left */
	bool done;
};

static int textfile_write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(fd, text, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		text += done;
		n -= (size_t)done;
	}
	return 0;
}

/* A file that would be written in place is refused: a reader could find half a page. */
static int textfile_create(struct newfile *f, const char *path)
{
	struct stat st;
	int ret;

	/* Opening a FIFO would wait for its reader. */
	if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		return -EINVAL;
	ret = newfile_open(f, path, 0644);
	if (!ret && !f->part) {
		close(f->fd);
		ret = -EACCES;
	}
	return ret;
}

static int textfile_write_page(const char *path, const char *text, size_t n)
{
	struct newfile f;
	int ret = textfile_create(&f, path);

	if (ret)
		return ret;
	ret = textfile_write_all(f.fd, text, n);
	if (close(f.fd) && !ret)
		ret = -errno;
	if (ret)
		newfile_drop(&f);
	else
		ret = newfile_finish(&f, path);
	return ret;
}

static void *textfile_main(void *arg)
{
	struct textfile *t = arg;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (!t->page && !t->closing)
			pthread_cond_wait(&t->changed, &t->lock);
		if (!t->page)
			break;
		char *page = t->page;
		size_t n = t->page_n;
		t->page = NULL;
		pthread_mutex_unlock(&t->lock);
		int ret = textfile_write_page(t->path, page, n);
		free(page);
		pthread_mutex_lock(&t->lock);
		if (ret && !t->error)
			t->error = -ret;
	}
	t->done = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void textfile_free(struct textfile *t)
{
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	free(t->page);
	free(t->path);
	free(t);
}

/* Can pages be written there? Leaves nothing behind. */
static int textfile_probe(const char *path, struct err *err)
{
	struct newfile f;
	int ret = textfile_create(&f, path);

	if (!ret) {
		close(f.fd);
		newfile_drop(&f);
		return 0;
	}
	err_set(err, ERR_SETUP, -ret, "--metrics: %s cannot be replaced: %s", path,
		ret == -EINVAL ? "it is not a regular file" : strerror(-ret));
	err_remedy(err, "name a regular file in a writable directory");
	return ret;
}

int textfile_open(const char *path, struct textfile **out, struct err *err)
{
	struct textfile *t;
	int ret;

	assert(path && *path && out);
	ret = textfile_probe(path, err);
	if (ret)
		return ret;
	t = calloc(1, sizeof(*t));
	if (!t)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for metrics");
	pthread_mutex_init(&t->lock, NULL);
	threads_cond_init(&t->changed);
	t->path = strdup(path);
	ret = t->path ? thread_start(&t->thread, textfile_main, t) : -ENOMEM;
	if (ret) {
		err_set(err, ERR_SETUP, -ret, "no memory or thread for metrics");
		textfile_free(t);
	} else {
		*out = t;
	}
	return ret;
}

void textfile_publish(struct textfile *t, char *text, size_t n)
{
	char *old;

	assert(t && text && !t->closing);
	pthread_mutex_lock(&t->lock);
	old = t->page;
	t->page = text;
	t->page_n = n;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	free(old);
}

int textfile_error(struct textfile *t)
{
	assert(t);
	pthread_mutex_lock(&t->lock);
	int error = t->error;
	pthread_mutex_unlock(&t->lock);
	return error;
}

void textfile_close(struct textfile *t, unsigned grace_ms)
{
	struct timespec until = threads_in_ms(grace_ms);

	assert(t && !t->closing);
	pthread_mutex_lock(&t->lock);
	t->closing = true;
	pthread_cond_broadcast(&t->changed);
	while (!t->done && pthread_cond_timedwait(&t->changed, &t->lock, &until) != ETIMEDOUT)
		;
	bool done = t->done;
	pthread_mutex_unlock(&t->lock);
	if (!done) {
		/* It is stuck in a write; what it uses is freed with the process. */
		pthread_detach(t->thread);
		return;
	}
	pthread_join(t->thread, NULL);
	textfile_free(t);
}
