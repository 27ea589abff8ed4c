/* MUST_CHECK before a declaration: the result says whether the call failed, and the compiler warns
 * of a caller that does not look at it. A caller that knows better writes (void) and says why; for
 * gcc, which does not take that, there is IGNORE_RESULT. */
#ifndef FATHOM_BASE_MUST_CHECK_H
#define FATHOM_BASE_MUST_CHECK_H

#define MUST_CHECK __attribute__((warn_unused_result))

/* For what is better done than not, but nobody can mend: a hint to the kernel, the second failure
 * of an operation that has failed already. */
#define IGNORE_RESULT(call)                                                                        \
	do {                                                                                       \
		__typeof__(call) ignored = (call);                                                 \
		(void)ignored;                                                                     \
	} while (0)

#endif
