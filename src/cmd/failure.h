/* What is left to do when nothing could be run. */
#ifndef FATHOM_CMD_FAILURE_H
#define FATHOM_CMD_FAILURE_H

#include "cmd/output.h"

/* Was JSON, in any form, asked for? */
bool cmd_wants_document(const struct session *s);
/* With JSON there is a document whatever happens: here it holds the messages. Whoever follows the
 * run is told that it is over. `opened` is NULL when the output is not open yet; it stays open
 * otherwise. Returns the exit status of the errors said so far, `least` when there are none. */
int cmd_fail(struct session *s, struct output *opened, int least);

#endif
