/* Assertions. assert() states a contract where it is cheap: entries that run once or rarely. What
 * must hold for every I/O is stated with hot_assert(), which is compiled in only where checks cost
 * nothing that anybody measures: debug and sanitizer builds (FATHOM_CHECKS, see meson.build).
 */
#ifndef FATHOM_BASE_CHECK_H
#define FATHOM_BASE_CHECK_H

#include <assert.h>

#ifdef FATHOM_CHECKS
#define hot_assert(holds) assert(holds)
#else
/* The expression is compiled, so that it cannot rot, and never evaluated. */
#define hot_assert(holds) ((void)sizeof((holds) ? 1 : 0))
#endif

#endif
