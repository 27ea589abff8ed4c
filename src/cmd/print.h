/* What every command does with its text at the end. */
#ifndef FATHOM_CMD_PRINT_H
#define FATHOM_CMD_PRINT_H

#include "base/str.h"
#include <stdio.h>

/* Says that standard output could not be written (a positive errno); the exit status. */
int cmd_output_failed(int error);
/* Prints and releases a text; one that memory did not suffice for is an error. The exit status,
 * `status` when nothing is wrong. */
int cmd_print(struct str *text, FILE *to, int status);

#endif
