/* Priorities of single I/Os: the cmdprio options that libaio and io_uring share. */
#ifndef FATHOM_ENGINE_CMDPRIO_H
#define FATHOM_ENGINE_CMDPRIO_H

#include "base/must_check.h"
#include "base/rng.h"
#include "engine/engine.h"

/* Per direction; trims have none. hint and bssplit are known names without effect yet: the parser
 * refuses them. */
struct cmdprio_opts {
	int64_t percentage[DIRS];
	int64_t class[DIRS]; /* 1 real time, 2 best effort, 3 idle */
	int64_t level[DIRS];
	int64_t hint[DIRS];
	const char *bssplit;
};

struct cmdprio {
	bool on;
	unsigned percentage[2]; /* read, write */
	uint16_t prio[2];
	struct rng rng;
};

/* The rows, for an options struct of type `type` with a member `struct cmdprio_opts cmdprio`. */
#define CMDPRIO_AT(type, field) (offsetof(type, cmdprio) + offsetof(struct cmdprio_opts, field))
#define CMDPRIO_ROWS(type)                                                                           \
	{"cmdprio_percentage",                                                                       \
	 "",                                                                                         \
	 OPT_T_INT3,                                                                                 \
	 OPT_LIVE,                                                                                   \
	 CMDPRIO_AT(type, percentage),                                                               \
	 "0",                                                                                        \
	 0,                                                                                          \
	 100,                                                                                        \
	 0,                                                                                          \
	 NULL,                                                                                       \
	 "engine",                                                                                   \
	 "Share of the reads and writes that carry the priority of cmdprio_class and cmdprio."},     \
		{"cmdprio_class",                                                                    \
		 "",                                                                                 \
		 OPT_T_INT3,                                                                         \
		 OPT_LIVE,                                                                           \
		 CMDPRIO_AT(type, class),                                                            \
		 "1",                                                                                \
		 1,                                                                                  \
		 3,                                                                                  \
		 0,                                                                                  \
		 NULL,                                                                               \
		 "engine",                                                                           \
		 "Priority class of those I/Os: 1 real time, 2 best effort, 3 idle."},               \
		{"cmdprio",                                                                          \
		 "",                                                                                 \
		 OPT_T_INT3,                                                                         \
		 OPT_LIVE,                                                                           \
		 CMDPRIO_AT(type, level),                                                            \
		 "0",                                                                                \
		 0,                                                                                  \
		 7,                                                                                  \
		 0,                                                                                  \
		 NULL,                                                                               \
		 "engine",                                                                           \
		 "Priority level of those I/Os within the class, 0 the highest."},                   \
		{"cmdprio_hint", "", OPT_T_INT3, OPT_PENDING, CMDPRIO_AT(type, hint),	     "0", 0, \
		 1023,		 0,  NULL,	 "engine",    "Priority hint of those I/Os."},       \
	{                                                                                            \
		"cmdprio_bssplit", "", OPT_T_STR, OPT_PENDING, CMDPRIO_AT(type, bssplit), NULL, 0,   \
			0, 0, NULL, "engine", "Share of I/Os with a priority per block size."        \
	}

/* Refuses a class or level that no I/O would carry. */
MUST_CHECK int cmdprio_check(const struct cmdprio_opts *o, struct err *err);
/* Does any I/O carry a priority of its own? */
bool cmdprio_any(const struct cmdprio_opts *o);
void cmdprio_init(struct cmdprio *c, const struct cmdprio_opts *o, uint64_t seed);

/* Draw whether this I/O (a read or a write) carries the priority; sets IO_PRIO and prio so that
 * statistics know. */
static inline void cmdprio_draw(struct cmdprio *c, struct io *io)
{
	io->flags &= (uint8_t)~IO_PRIO;
	if (rng_below(&c->rng, 100) < c->percentage[io->op]) {
		io->flags |= IO_PRIO;
		io->prio = c->prio[io->op];
	}
}

#endif
