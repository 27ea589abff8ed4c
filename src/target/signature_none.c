/* A build without libblkid; declared in guard.h. */
#include "target/guard.h"
#include "target/signature_blkid.h"
#include "target/signature.h"

#include <errno.h>

int guard_signature_blkid(int fd, struct guard_signature *out)
{
	(void)fd;
	(void)out;
	return -ENOSYS;
}
