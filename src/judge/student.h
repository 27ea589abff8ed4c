/* Student's t distribution. */
#ifndef FATHOM_JUDGE_STUDENT_H
#define FATHOM_JUDGE_STUDENT_H

/* The quantile of Student's t distribution with df >= 1 (not necessarily whole) for a two-sided
 * level in (0, 1): 0.95 and a large df give 1.96. */
double stats_student(double df, double level);
/* P(|t| >= |t0|). */
double stats_student_p(double df, double t0);

#endif
