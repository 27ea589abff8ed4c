/* One failure: what went wrong, where it was asked for, and what would be right.
 *
 * Functions that can fail for the user's or the machine's fault return 0 or -errno and, when they
 * take a `struct err *`, put the words there. Outputs are untouched on failure. A NULL `err` is
 * allowed everywhere.
 */
#ifndef FATHOM_BASE_ERR_H
#define FATHOM_BASE_ERR_H

/* Which of the documented exit codes a failure leads to (docs/exit-codes.md). */
enum err_class {
	ERR_NONE = 0,
	ERR_USAGE,	/* job file, option or command line is wrong: exit 1 */
	ERR_SETUP,	/* target, engine or machine cannot do it: exit 2 */
	ERR_IO,		/* an I/O failed: exit 3 */
	ERR_VERIFY,	/* data read back differ: exit 4 */
	ERR_LIMIT,	/* a limit the job set was missed (rate_min, max_latency, ...): exit 5 */
	ERR_INTERRUPTED /* SIGINT or SIGTERM: exit 128 */
};

/* A place in what the user wrote. file is a path, "-" or "command line"; line and column count from
 * 1; on the command line `line` is 0 and `col` the index of the argument. line 0 and col 0: no
 * place. The text is not owned. */
struct place {
	const char *file;
	unsigned line, col;
};

struct err {
	enum err_class cls;
	int sys; /* positive errno, 0 when none fits */
	struct place at;
	char text[512];	  /* what is wrong, without place, without full stop or newline */
	char remedy[256]; /* what would be right, may be empty */
};

/* Fill e (when not NULL) and return -sys, or -EINVAL when sys is 0. */
int err_set(struct err *e, enum err_class cls, int sys, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Add the remedy; returns e. */
struct err *err_remedy(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void err_clear(struct err *e);
/* The process exit status of a class. */
int err_exit_code(enum err_class cls);
/* A stable symbolic name ("EIO") of a positive errno, or NULL; and back (0 when unknown). */
const char *err_sys_name(int sys);
int err_sys_number(const char *name);

#endif
