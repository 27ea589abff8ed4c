/* Sockets for whoever follows a run: one that connects, one that listens. */
#ifndef FATHOM_LIVE_SOCKETS_H
#define FATHOM_LIVE_SOCKETS_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/endpoint.h"

/* Connect to a listening stream socket (UNIX or TCP), at most five seconds an address. A descriptor
 * that does not block and is not inherited, or -errno with words. */
MUST_CHECK int socket_connect(const struct endpoint *to, struct err *err);
/* Listen; *port is the one that was chosen for port 0. A unix socket that nobody listens on any
 * more is replaced. A descriptor as above, or -errno with words. */
MUST_CHECK int socket_listen(const struct endpoint *at, unsigned *port, struct err *err);

#endif
