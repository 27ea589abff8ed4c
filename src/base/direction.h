/* Directions of I/O: the index of every triple, and their names. Pure constants. */
#ifndef FATHOM_BASE_DIRECTION_H
#define FATHOM_BASE_DIRECTION_H

/* DIRS is also the index of "all directions together" where unified reports have a fourth row. */
enum { DIR_READ, DIR_WRITE, DIR_TRIM, DIRS };

/* "read", "write", "trim", and "mixed" at DIRS. */
extern const char *const direction_name[DIRS + 1];

#endif
