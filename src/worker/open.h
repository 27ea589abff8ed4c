/* Set-up of a worker in its own thread: memory, engine, files, workload. */
#ifndef FATHOM_WORKER_OPEN_H
#define FATHOM_WORKER_OPEN_H

#include "worker/worker.h"

int worker_open(struct worker *w, struct err *err);
void worker_close(struct worker *w);
int worker_open_file(struct worker *w, unsigned file, struct err *err);
int worker_close_file(struct worker *w, unsigned file);

#endif
