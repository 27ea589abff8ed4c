/* Job files (compatibility 1): lines to sections of key and text, with places. Inside of conf. */
#ifndef FATHOM_CONF_JOBFILE_H
#define FATHOM_CONF_JOBFILE_H

#include "conf/build.h"

/* Read a job file ("-": standard input) and hand its sections to b. named_at: where the file was
 * named. All mistakes go to the diag. */
void jobfile_load(struct build *b, const char *path, unsigned file, const struct place *named_at);
/* The same from memory; path is what places say and what includes are relative to. */
void jobfile_parse(struct build *b, const char *path, const char *text, size_t n, unsigned file);

#endif
