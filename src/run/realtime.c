/* Real time: workers are threads; this one waits for them, for signals and for the next thing to
 * do. */
#include "base/time.h"
#include "run/realtime.h"
#include "base/signals.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static bool realtime_read_signals(int fd, struct pool *c, struct supervisor *s)
{
	struct signalfd_siginfo si;
	bool any = false;

	while (read(fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		supervisor_signal(s, (int)si.ssi_signo, clock_now(&c->env.clock));
		any = true;
	}
	return any;
}

/* Returns by how much it came back later than asked, ns; 0 when something woke it. */
static uint64_t realtime_wait_until(const struct pool *c, int signals, uint64_t next)
{
	struct pollfd fds[2] = {{.fd = signals, .events = POLLIN},
				{.fd = c->event_fd, .events = POLLIN}};
	struct timespec ts, *timeout = NULL;
	uint64_t now = clock_now(&c->env.clock), n;

	if (next != UINT64_MAX) {
		uint64_t ns = next > now ? next - now : 0;
		ts = time_split(ns);
		timeout = &ts;
	}
	int ready = ppoll(fds, 2, timeout, NULL);
	if (ready > 0 && fds[1].revents & POLLIN)
		while (read(c->event_fd, &n, sizeof(n)) > 0)
			;
	now = clock_now(&c->env.clock);
	return !ready && now > next ? now - next : 0;
}

int realtime_run(struct pool *c, struct supervisor *s)
{
	sigset_t set;
	int fd;

	signals_ending(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCONT);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		uint64_t next = supervisor_step(s, clock_now(&c->env.clock));
		if (supervisor_over(s))
			break;
		uint64_t late = realtime_wait_until(c, fd, next);
		if (!realtime_read_signals(fd, c, s) && late)
			supervisor_late(s, late);
	}
	close(fd);
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->env.workers[i];
		/* Crashed and stuck ones never end; the process takes them along. */
		if (w && !w->abandoned &&
		    atomic_load_explicit(&w->shared.state, memory_order_acquire) == WORKER_DONE)
			pool_join(w);
	}
	return 0;
}
