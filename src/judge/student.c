/* Student's t distribution, by the incomplete beta function (Numerical Recipes, section 6.4,
 * explains the continued fraction; Lentz's method evaluates it). */
#include "judge/student.h"

#include <assert.h>
#include <math.h>

static double student_nudge(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

static double student_beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / student_nudge(1 - (a + b) * x / (a + 1)), h = d;

	for (unsigned m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / student_nudge(1 + even * d);
		c = student_nudge(1 + even / c);
		h *= d * c;
		d = 1 / student_nudge(1 + odd * d);
		c = student_nudge(1 + odd / c);
		h *= d * c;
		if (fabs(d * c - 1) < 1e-13)
			break;
	}
	return h;
}

/* lgamma() writes a global; this variant does not. */
static double student_log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

static double student_beta_share(double a, double b, double x)
{
	assert(a > 0 && b > 0);
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	double front = exp(student_log_gamma(a + b) - student_log_gamma(a) - student_log_gamma(b) +
			   a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * student_beta_fraction(a, b, x) / a;
	return 1 - front * student_beta_fraction(b, a, 1 - x) / b;
}

double stats_student_p(double df, double t0)
{
	assert(df > 0);
	return student_beta_share(df / 2, 0.5, df / (df + t0 * t0));
}

double stats_student(double df, double level)
{
	double low = 0, high = 1;

	assert(df > 0 && level > 0 && level < 1);
	while (stats_student_p(df, high) > 1 - level && high < 1e9)
		high *= 2;
	for (unsigned i = 0; i < 200 && high - low > 1e-10 * high; i++) {
		double mid = (low + high) / 2;
		if (stats_student_p(df, mid) > 1 - level)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}
