/* Blocks of logged I/Os that wait in a file without a name until there is time to make text of
 * them: first in, first out. The file lies beside the logs, which need more room than it; what was
 * taken out of it is given back to the file system. */
#ifndef FATHOM_LOG_LOGSPOOL_H
#define FATHOM_LOG_LOGSPOOL_H

#include "result/logblock.h"

struct logspool {
	int fd;			/* -1: not there yet */
	bool refused;		/* it could not be made, or has no room until it is empty */
	uint64_t put, taken;	/* blocks */
	uint64_t freed;		/* of those taken */
	struct log_block *part; /* those taken last */
	int failed;		/* -errno: blocks were lost */
};

void logspool_init(struct logspool *s);
void logspool_release(struct logspool *s);
/* beside: a file in whose folder to wait. False when they could not be put there. */
bool logspool_put(struct logspool *s, const char *beside, const struct log_block *b, unsigned n);
/* The next few, valid until the next call; how many there are, 0: none. */
unsigned logspool_take(struct logspool *s, const struct log_block **b);

static inline uint64_t logspool_blocks(const struct logspool *s)
{
	return s->put - s->taken;
}

#endif
