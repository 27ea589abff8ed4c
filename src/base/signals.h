/* The signals by which somebody ends a run: it stops, and still reports. */
#ifndef FATHOM_BASE_SIGNALS_H
#define FATHOM_BASE_SIGNALS_H

#include <signal.h>

/* SIGINT, SIGTERM, SIGHUP, and SIGXCPU (`ulimit -t`: the hard limit ends us a little later). */
void signals_ending(sigset_t *set);
/* One of them that is blocked and waits to be taken, 0: none. */
int signals_pending(void);

#endif
