/* No plain file below /dev; declared in target.h. */
#include "target/path.h"
#include "target/devguard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool devguard_is_in(const char *path, const char *folder)
{
	size_t n = strlen(folder);
	return !strncmp(path, folder, n) && (path[n] == '/' || path[n] == '\0');
}

int target_guard_dev(const struct sys_ops *sys, const char *path, struct err *err)
{
	struct stat st;
	if (!sys_or_real(sys)->stat(path, &st))
		return 0;
	char *folder = path_existing_folder(path);
	if (!folder)
		return err_set(err, ERR_SETUP, errno, "cannot find the folder of '%s'", path);
	bool bad = devguard_is_in(folder, "/dev") && !devguard_is_in(folder, "/dev/shm") &&
		   !devguard_is_in(folder, "/dev/mqueue") &&
		   !devguard_is_in(folder, "/dev/hugepages");
	free(folder);
	if (!bad)
		return 0;
	int ret = err_set(err, ERR_SETUP, EPERM,
			  "'%s' does not exist, and no plain file is made below /dev: a mistyped "
			  "device name?",
			  path);
	err_remedy(err, "look at the names in /proc/partitions, or give a path outside /dev");
	return ret;
}
