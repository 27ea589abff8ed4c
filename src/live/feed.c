#include "live/feed.h"
#include "live/sockets.h"
#include "live/threads.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINES	   16u
#define PATIENT_MS 5000u
#define STUCK_MS   100u
#define CHUNK	   4096u /* PIPE_BUF: a pipe that polls as writable takes so much without blocking */

struct line {
	char *text;
	size_t n;
};

struct feed {
	int fd, wake; /* wake: something is new for the thread */
	bool socket, patient;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a line went out, or the thread is done */
	struct line queue[LINES];
	unsigned first, n;
	uint64_t dropped;
	int error;
	bool closing; /* end once the queue is empty */
	bool abandon; /* end now */
	bool done;
};

static int feed_open_path(const char *path, struct err *err)
{
	struct stat st;
	int flags = O_WRONLY | O_CREAT | O_TRUNC, fd;

	if (!stat(path, &st)) {
		if (S_ISBLK(st.st_mode) || S_ISDIR(st.st_mode) || S_ISSOCK(st.st_mode)) {
			err_set(err, ERR_SETUP, EINVAL, "--live: %s is no file that can hold lines",
				path);
			err_remedy(err, "%s",
				   S_ISSOCK(st.st_mode) ? "write unix:PATH for a socket"
							: "name a file or a fifo");
			return -EINVAL;
		}
		/* Also for reading, so that opening does not wait for a reader, and none that
		 * leaves ends the stream for the next. */
		if (S_ISFIFO(st.st_mode))
			flags = O_RDWR | O_NONBLOCK;
	}
	fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0644);
	if (fd < 0)
		return err_set(err, ERR_SETUP, errno, "--live: %s cannot be opened: %s", path,
			       strerror(errno));
	return fd;
}

/* Its flags are shared with whoever gave it to us and stay as they are. */
static int feed_open_fd(int fd, struct err *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return err_set(err, ERR_SETUP, EBADF, "--live: fd:%d is not open for writing", fd);
	return fd;
}

static int feed_open_endpoint(const struct endpoint *to, struct err *err)
{
	switch (to->kind) {
	case ENDPOINT_FD:
		return feed_open_fd(to->fd, err);
	case ENDPOINT_PATH:
		return feed_open_path(to->path, err);
	default:
		return socket_connect(to, err);
	}
}

static void feed_wake(struct feed *f)
{
	uint64_t one = 1;
	ssize_t n = write(f->wake, &one, sizeof(one));

	(void)n; /* a full counter wakes as well */
}

/* With the lock: the oldest line is no longer needed. */
static void feed_pop(struct feed *f)
{
	assert(f->n);
	free(f->queue[f->first].text);
	f->queue[f->first] = (struct line){0};
	f->first = (f->first + 1) % LINES;
	f->n--;
	pthread_cond_broadcast(&f->moved);
}

/* What of a line was taken, 0 when nothing could be for now, or -errno. */
static ssize_t feed_write_some(const struct feed *f, const char *text, size_t n)
{
	ssize_t done;

	if (f->socket)
		done = send(f->fd, text, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	else
		done = write(f->fd, text, n < CHUNK ? n : CHUNK);
	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

/* False: the thread shall end. Waits for a line to be there. */
static bool feed_next_line(struct feed *f, struct line *line)
{
	for (;;) {
		struct pollfd p = {.fd = f->wake, .events = POLLIN};
		uint64_t n;

		pthread_mutex_lock(&f->lock);
		bool some = f->n > 0, end = f->abandon || (!some && f->closing);
		*line = f->queue[f->first];
		pthread_mutex_unlock(&f->lock);
		if (end || some)
			return !end;
		poll(&p, 1, -1);
		if (read(f->wake, &n, sizeof(n)) < 0 && errno != EAGAIN)
			return false;
	}
}

static bool feed_abandoned(struct feed *f)
{
	pthread_mutex_lock(&f->lock);
	bool abandon = f->abandon;
	pthread_mutex_unlock(&f->lock);
	return abandon;
}

/* 0, or -errno: the reader has gone, or -ECANCELED: it takes too long. */
static int feed_write_line(struct feed *f, const struct line *line)
{
	for (size_t at = 0; at < line->n;) {
		struct pollfd p[2] = {{.fd = f->fd, .events = POLLOUT},
				      {.fd = f->wake, .events = POLLIN}};
		uint64_t n;

		poll(p, 2, -1);
		if (p[1].revents && read(f->wake, &n, sizeof(n)) < 0 && errno != EAGAIN)
			return -errno;
		if (feed_abandoned(f))
			return -ECANCELED;
		if (!p[0].revents)
			continue;
		ssize_t done = feed_write_some(f, line->text + at, line->n - at);
		if (done < 0)
			return (int)done;
		at += (size_t)done;
	}
	return 0;
}

static void *feed_main(void *arg)
{
	struct feed *f = arg;
	struct line line;
	int ret = 0;

	while (!ret && feed_next_line(f, &line)) {
		ret = feed_write_line(f, &line);
		pthread_mutex_lock(&f->lock);
		if (!ret)
			feed_pop(f);
		else if (ret != -ECANCELED)
			f->error = -ret;
		pthread_mutex_unlock(&f->lock);
	}
	pthread_mutex_lock(&f->lock);
	f->done = true;
	pthread_cond_broadcast(&f->moved);
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

static void feed_free(struct feed *f)
{
	while (f->n)
		feed_pop(f);
	if (f->fd >= 0)
		close(f->fd);
	if (f->wake >= 0)
		close(f->wake);
	pthread_cond_destroy(&f->moved);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

int feed_open(const struct endpoint *to, bool patient, struct feed **out, struct err *err)
{
	struct feed *f = calloc(1, sizeof(*f));
	struct stat st;
	int ret;

	assert(to && to->kind && out);
	if (!f)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for live numbers");
	pthread_mutex_init(&f->lock, NULL);
	threads_cond_init(&f->moved);
	f->patient = patient;
	f->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	f->fd = feed_open_endpoint(to, err);
	ret = f->fd < 0 ? f->fd : 0;
	if (!ret && f->wake < 0)
		ret = err_set(err, ERR_SETUP, EMFILE, "no event counter for live numbers");
	if (!ret) {
		f->socket = !fstat(f->fd, &st) && S_ISSOCK(st.st_mode);
		ret = thread_start(&f->thread, feed_main, f);
		if (ret)
			err_set(err, ERR_SETUP, -ret, "no thread for live numbers");
	}
	if (ret)
		feed_free(f);
	else
		*out = f;
	return ret;
}

bool feed_room(struct feed *f)
{
	struct timespec until = threads_in_ms(PATIENT_MS);
	bool room;

	pthread_mutex_lock(&f->lock);
	assert(f->n <= LINES && !f->closing);
	while (f->patient && f->n == LINES && !f->done)
		if (pthread_cond_timedwait(&f->moved, &f->lock, &until) == ETIMEDOUT)
			f->patient = false; /* once is enough */
	room = f->n < LINES && !f->done;
	if (!room)
		f->dropped++;
	pthread_mutex_unlock(&f->lock);
	return room;
}

void feed_put(struct feed *f, char *line, size_t n)
{
	assert(f && line && n);
	pthread_mutex_lock(&f->lock);
	assert(f->n < LINES); /* feed_room() said so */
	f->queue[(f->first + f->n) % LINES] = (struct line){line, n};
	f->n++;
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

uint64_t feed_dropped(struct feed *f)
{
	assert(f);
	pthread_mutex_lock(&f->lock);
	uint64_t n = f->dropped;
	pthread_mutex_unlock(&f->lock);
	return n;
}

int feed_error(struct feed *f)
{
	assert(f);
	pthread_mutex_lock(&f->lock);
	int error = f->error;
	pthread_mutex_unlock(&f->lock);
	return error;
}

/* With the lock: until the thread is done or the time is over. */
static void feed_await_done(struct feed *f, unsigned ms)
{
	struct timespec until = threads_in_ms(ms);

	while (!f->done && pthread_cond_timedwait(&f->moved, &f->lock, &until) != ETIMEDOUT)
		;
}

unsigned feed_close(struct feed *f, unsigned grace_ms)
{
	assert(f && !f->closing);
	pthread_mutex_lock(&f->lock);
	f->closing = true;
	feed_wake(f);
	feed_await_done(f, grace_ms);
	if (!f->done) {
		f->abandon = true;
		feed_wake(f);
		feed_await_done(f, STUCK_MS);
	}
	unsigned left = f->n;
	bool done = f->done;
	pthread_mutex_unlock(&f->lock);
	if (!done) {
		/* It hangs in a write; what it uses goes with the process. */
		pthread_detach(f->thread);
		return left;
	}
	pthread_join(f->thread, NULL);
	if (f->socket)
		shutdown(f->fd, SHUT_WR); /* workers may have copies of the descriptor */
	feed_free(f);
	return left;
}
