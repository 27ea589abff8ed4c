#include "worker/iolog.h"

void worker_log_issue(struct worker *w, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct log_rec rec = {
			.time_ns = ios[i]->start - w->start_ns,
			.offset = ios[i]->offset,
			.len = ios[i]->len,
			.file = ios[i]->file,
			.kind = LOGK_IOLOG,
			.dir = ios[i]->op,
		};
		log_port_line(&w->log, &rec);
	}
}

void worker_log_file(struct worker *w, unsigned file, unsigned what)
{
	struct log_rec rec = {
		.time_ns = clock_now(w->clock) - w->start_ns,
		.file = (uint16_t)file,
		.kind = LOGK_IOLOG,
		.dir = (uint8_t)what,
	};

	if (w->log_kinds & (1u << LOGK_IOLOG) && file < w->pj->files_n)
		log_port_line(&w->log, &rec);
}
