/* Built without zlib. */
#include "log/inflate.h"
#include <errno.h>

int inflate_log(const char *path, FILE *to, struct err *err)
{
	int rc = err_set(err, ERR_SETUP, ENOTSUP, "cannot read \"%s\": built without zlib", path);

	err_remedy(err, "install zlib1g-dev and build again");
	return rc;
}
