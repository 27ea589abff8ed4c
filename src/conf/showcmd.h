/* --showcmd: jobs as a command line that can be pasted into a shell (compatibility 3.6). */
#ifndef FATHOM_CONF_SHOWCMD_H
#define FATHOM_CONF_SHOWCMD_H

#include "base/str.h"
#include "conf/conf.h"

/* One line for the command line and the first job file together, one for each further file (files
 * run one after the other with defaults of their own, which one command line cannot say). Defaults
 * stand where they were written, what
 * --set changes is written as --set, a name of its own keeps the file names of the section. */
void showcmd(const struct cmdline *c, const struct job_list *jobs, struct str *out);

#endif
