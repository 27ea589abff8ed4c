/* Where the facts of the machine are read: /proc and /sys below a root folder.
 *
 * In production the root is ""; tests point it at a folder they have built or recorded. All
 * functions of this folder only read, keep nothing between calls and may be called from any thread
 * (not from a worker's loop).
 */
#ifndef FATHOM_HOST_HOST_H
#define FATHOM_HOST_HOST_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	const char *root; /* prefix of every path, without trailing slash; "" for this machine; not
			     owned */
};
/* This machine: no root before its paths. */
extern const struct host host_here;

/* The longest path these helpers build; longer ones give -ENAMETOOLONG. */
#define HOST_PATH_MAX 4096

/* root + formatted path ("/sys/block/%s/size") into buf. -ENAMETOOLONG. */
MUST_CHECK int host_path(const struct host *h, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The text of a small file without white space at its ends, cut at size - 1 bytes. -errno (-ENOENT:
 * the fact is unknown here); buf is untouched then. */
MUST_CHECK int host_read_text(const struct host *h, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A whole file of any size, terminated by 0; *text is malloc'ed, the caller frees it. len may be
 * NULL. */
MUST_CHECK int host_read_all(const struct host *h, char **text, size_t *len, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The number a file begins with, in decimal or 0x hex. -errno, -EINVAL when there is no number;
 * *out untouched. */
MUST_CHECK int host_read_u64(const struct host *h, uint64_t *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
MUST_CHECK int host_read_i64(const struct host *h, int64_t *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The last component of what a symbolic link points to ("../../bus/pci/drivers/nvme": "nvme"). */
MUST_CHECK int host_read_link(const struct host *h, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool host_exists(const struct host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
