#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ERR_SYS_LAST 4095 /* the kernel's MAX_ERRNO */

int err_set(struct err *e, enum err_class cls, int sys, const char *fmt, ...)
{
	int result = sys ? -sys : -EINVAL;
	struct err fresh = {.cls = cls, .sys = sys};
	va_list ap;

	if (!e)
		return result;
	/* Formatted aside first: the arguments may point into *e, to wrap an earlier failure. */
	va_start(ap, fmt);
	(void)vsnprintf(fresh.text, sizeof(fresh.text), fmt, ap);
	va_end(ap);
	*e = fresh;
	return result;
}

struct err *err_remedy(struct err *e, const char *fmt, ...)
{
	char text[sizeof(e->remedy)];
	va_list ap;

	if (!e)
		return NULL;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memcpy(e->remedy, text, sizeof(text));
	return e;
}

void err_clear(struct err *e)
{
	if (e)
		memset(e, 0, sizeof(*e));
}

int err_exit_code(enum err_class cls)
{
	switch (cls) {
	case ERR_NONE:
		return 0;
	case ERR_USAGE:
		return 1;
	case ERR_SETUP:
		return 2;
	case ERR_IO:
		return 3;
	case ERR_VERIFY:
		return 4;
	case ERR_LIMIT:
		return 5;
	case ERR_INTERRUPTED:
		return 128;
	}
	return 2;
}

const char *err_sys_name(int sys)
{
	return sys > 0 ? strerrorname_np(sys) : NULL;
}

int err_sys_number(const char *name)
{
	/* The second names of Linux, which the C library does not list. */
	static const struct {
		const char *name;
		int sys;
	} aliases[] = {
		{"EWOULDBLOCK", EWOULDBLOCK},
		{"EDEADLOCK", EDEADLOCK},
		{"EOPNOTSUPP", EOPNOTSUPP},
		{"ENOTSUP", ENOTSUP},
	};

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcmp(name, aliases[i].name) == 0)
			return aliases[i].sys;
	for (int sys = 1; sys <= ERR_SYS_LAST; sys++) {
		const char *known = err_sys_name(sys);
		if (known && strcmp(known, name) == 0)
			return sys;
	}
	return 0;
}
