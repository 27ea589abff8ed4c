/* Finished I/Os that are not plain: of the ramp, syncs, trims, short transfers, errors; and the
 * extra counting that only some jobs want. */
#include "worker/slow_path.h"
#include "worker/account.h"
#include "worker/events.h"
#include "worker/messages.h"
#include "worker/seconds.h"
#include "worker/state.h"
#include "worker/worker.h"
#include "base/check.h"
#include <errno.h>
#include <string.h>

static const char *const op_words[IO_OPS] = {"read",  "write",	   "trim",
					     "fsync", "fdatasync", "sync_file_range"};

/* Which class of continue_on_error an operation belongs to: 0 read, 1 write (write, trim, syncs).
 */
static unsigned slow_path_error_kind(const struct io *io)
{
	return io->op == IO_READ ? 0 : 1;
}

static bool slow_path_tolerated(const struct worker *w, const struct io *io, int error)
{
	const struct job_opts *o = w->pj->o;
	unsigned kind = slow_path_error_kind(io);
	const struct opt_errors *list = &o->ignore_error[kind];
	unsigned bit = kind ? CONTINUE_WRITE : CONTINUE_READ;

	if (list->n) {
		for (unsigned i = 0; i < list->n; i++)
			if (list->v[i] == error)
				return true;
		return false;
	}
	return ((unsigned)o->continue_on_error & bit) && (error == EIO || error == EILSEQ);
}

static void slow_path_explain_error(struct worker *w, const struct io *io, int error, bool go_on)
{
	const char *remedy = "";

	if (error == EINVAL && w->setup.direct)
		remedy = "direct I/O needs bs, offset and memory aligned to the device's block "
			 "size; set bs accordingly or direct=0";
	else if (error == ENOTTY && io->op == IO_TRIM)
		remedy = "only block devices can be trimmed";
	else if (error == EAGAIN)
		remedy = "nowait=1 lets an I/O fail instead of waiting; add "
			 "ignore_error=EAGAIN,EAGAIN to count and go on";
	else if (error == EOPNOTSUPP)
		remedy = "the device or file system cannot do this operation in the way asked "
			 "(polling, atomic, uncached, nowait)";
	else if (error == EIO && io->op == IO_READ && !io->result)
		remedy = "nothing could be read there: the target ends before; was it made shorter "
			 "during the run?";
	else if (error == EFBIG)
		remedy = "the file may not become that large: see 'ulimit -f' and the limit of the "
			 "file system";
	else if (error == ENOSPC)
		remedy = "the target is full; fill_device=1 makes that the end of the job";
	worker_io_error(w, error, go_on, remedy, "%s of %u bytes at offset %llu of %s failed: %s",
			op_words[io->op], io->len, (unsigned long long)io->offset,
			w->pj->files_n ? w->pj->files[io->file].path : "(none)", strerror(error));
}

/* Send the rest of an I/O from where it stopped. Its slot was just put back on the free stack. */
static void slow_path_again(struct worker *w, struct io *io, uint32_t done)
{
	hot_assert(w->free_n && w->free[w->free_n - 1] == io && w->pending_n < w->depth);
	hot_assert(done <= io->len && io->op <= IO_TRIM);
	io->offset += done;
	io->buf = (char *)io->buf + done;
	io->len -= done;
	io->flags |= IO_REQUEUED;
	w->free_n--;
	w->pending[w->pending_n++] = io;
}

static void slow_path_restore(struct io *io)
{
	uint32_t done = io->len_asked - io->len;

	hot_assert(io->len <= io->len_asked && io->flags & IO_REQUEUED);
	io->offset -= done;
	io->buf = (char *)io->buf - done;
	io->len = io->len_asked;
	io->result = (int32_t)io->len_asked;
	io->flags &= (uint8_t)~IO_REQUEUED;
}

static void slow_path_on_error(struct worker *w, struct io *io, int error)
{
	const struct job_opts *o = w->pj->o;

	hot_assert(error > 0);
	if (error == EINTR) {
		/* The supervisor wanted attention; the I/O has not happened. */
		if (w->state == WORKER_RUN)
			slow_path_again(w, io, 0);
		return;
	}
	if (o->fill_device && io->op == IO_WRITE && (error == ENOSPC || error == EDQUOT)) {
		worker_stop(w, END_FULL);
		return;
	}
	bool go_on = slow_path_tolerated(w, io, error);
	w->outcome.total_err++;
	if (io->op <= IO_TRIM)
		w->outcome.errors[io->op]++;
	if (!w->outcome.first_error)
		w->outcome.first_error = error;
	if (!go_on || o->error_dump)
		slow_path_explain_error(w, io, error, go_on);
	if (!go_on)
		worker_fail(w, error, ERR_IO, NULL);
	else if (io->op <= IO_TRIM)
		w->stats[io->op].drop_ios++;
}

static void slow_path_count_sync(struct worker *w, const struct io *io, uint64_t now)
{
	uint64_t lat = now - io->issue;

	hot_assert(io->op > IO_TRIM && now >= io->issue);
	w->phase[PHASE_SYNC].syncs++;
	w->phase[PHASE_SYNC].ns += lat;
	if (io->flags & IO_RAMP)
		return;
	w->syncs++;
	runstat_add(&w->sync_lat, lat);
	if (w->sync_hist)
		hist_add(w->sync_hist, lat);
}

static void slow_path_count_ramp(struct worker *w, const struct io *io, uint64_t now)
{
	struct phase_counts *p = &w->phase[PHASE_RAMP];

	hot_assert(io->op <= IO_TRIM && io->flags & IO_RAMP);
	count_up(&p->ios[io->op], 1);
	count_up(&p->bytes[io->op], io->len_asked);
	if (w->pj->ramp_bytes && w->io_flags & IO_RAMP) {
		if (w->ramp_bytes_left > io->len_asked) {
			w->ramp_bytes_left -= io->len_asked;
		} else {
			/* Now, before the next I/O is issued. */
			w->ramp_bytes_left = 0;
			w->ramp_end = now;
			worker_events(w, now);
		}
	}
}

void worker_account_slow(struct worker *w, struct io *io, uint64_t now)
{
	hot_assert(io->op < IO_OPS && io->len <= io->len_asked);
	if (io->result < 0) {
		if (io->flags & IO_REQUEUED) {
			int32_t error = io->result;
			slow_path_restore(io);
			io->result = error;
		}
		bool interrupted = io->result == -EINTR && w->state == WORKER_RUN;
		slow_path_on_error(w, io, -io->result);
		if (!interrupted)
			io->flags = 0;
		return;
	}
	if (io->op > IO_TRIM) {
		slow_path_count_sync(w, io, now);
		io->flags = 0;
		return;
	}
	if (io->op != IO_TRIM && (uint32_t)io->result < io->len) {
		if (io->result > 0 && !(w->state == WORKER_DRAIN && w->outcome.error)) {
			if (!(io->flags & IO_RAMP))
				w->stats[io->op].short_ios++;
			slow_path_again(w, io, (uint32_t)io->result);
			return;
		}
		/* Nothing came at all: the file ends before its region does. */
		slow_path_on_error(w, io, EIO);
		io->flags = 0;
		return;
	}
	if (io->flags & IO_REQUEUED)
		slow_path_restore(io);
	if (io->flags & IO_RAMP)
		slow_path_count_ramp(w, io, now);
	else
		account_one(w, io, now);
	io->flags = 0;
}

static void slow_path_count_prio(struct worker *w, const struct io *io, uint64_t lat)
{
	uint16_t prio = io->flags & IO_PRIO ? io->prio : w->default_prio;

	hot_assert(w->acct & ACCT_PRIO);
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++) {
		struct prio_stats *p = &w->prio[i];
		if (p->used && (p->prio != prio || p->dir != io->op))
			continue;
		if (!p->used) {
			if (!p->hist)
				return;
			p->used = true;
			p->prio = prio;
			p->dir = io->op;
		}
		runstat_add(&p->lat, lat);
		hist_add(p->hist, lat);
		return;
	}
}

static void slow_path_window_max(struct worker *w, const struct io *io, uint64_t now)
{
	uint64_t *max = w->windows.log_lat.lat_max[io->op];
	uint64_t v[3] = {io->issue - io->start, now - io->issue, now - io->start};

	for (unsigned k = 0; k < 3; k++)
		if (v[k] > max[k])
			max[k] = v[k];
}

/* Counting that only some jobs want; the I/O is whole, measured and successful. */
void worker_account_extra(struct worker *w, struct io *io, uint64_t now)
{
	struct dir_stats *t = &w->stats[io->op];
	unsigned acct = w->acct;

	hot_assert(io->op <= IO_TRIM && now >= io->issue && io->issue >= io->start);
	if (acct & ACCT_SLAT_HIST)
		hist_add(t->hist[LAT_SUBMIT], io->issue - io->start);
	if (acct & ACCT_LAT_HIST)
		hist_add(t->hist[LAT_TOTAL], now - io->start);
	if (acct & ACCT_SCHED && io->intended) {
		uint64_t from = io->intended < io->start ? io->intended : io->start;
		runstat_add(&t->lat[LAT_SCHEDULE], now - from);
		if (t->hist[LAT_SCHEDULE])
			hist_add(t->hist[LAT_SCHEDULE], now - from);
	}
	if (acct & ACCT_PRIO)
		slow_path_count_prio(w, io,
				     acct & ACCT_LAT_HIST ? now - io->start : now - io->issue);
	if (acct & ACCT_LOG_MAX)
		slow_path_window_max(w, io, now);
	if (acct & ACCT_MAX_LAT && now - io->start > w->pj->o->max_latency[io->op])
		worker_fail(w, ETIMEDOUT, ERR_LIMIT, "an I/O took longer than max_latency");
}
