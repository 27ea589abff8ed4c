/* Settings that a driver takes when it is loaded: a line for modprobe. */
#ifndef FATHOM_DOCTOR_TUNE_MODPROBE_H
#define FATHOM_DOCTOR_TUNE_MODPROBE_H

#include "base/must_check.h"
#include "doctor/tune.h"

/* Write a line for modprobe to a file of ours (below the root), beside lines for other modules: it
 * is in force once the driver is loaded again. Nothing happens when it is there. -EEXIST: the file
 * is somebody else's; -errno with words. */
MUST_CHECK int tune_write_modprobe(const struct host *h, const char *path,
				   const struct doctor_module *m, struct err *err);

#endif
