/* What stands on a device or image: a file system, a partition table, a member of something. */
#ifndef FATHOM_TARGET_SIGNATURE_H
#define FATHOM_TARGET_SIGNATURE_H

#include "target/sys.h"
#include <stdbool.h>

/* A signature on a device or image. */
struct guard_signature {
	char name[64];	/* "ext4 file system", "LVM2_member", "GPT partition table" */
	char label[64]; /* printable; "" none or not known */
	char uuid[64];
	bool table; /* it is a partition table */
};

/* What the device or image holds: by libblkid where the program is built with it, by our own table
 * where not, or where libblkid fails. False: nothing that is known. */
bool guard_signature(const struct sys_ops *sys, int fd, struct guard_signature *out);
/* Our own table; NULL: nothing. */
const char *guard_signature_table(const struct sys_ops *sys, int fd, bool *table);

#endif
