/* The contract of an output format. Formats get values and a stream; they never look at plan or
 * run. */
#ifndef FATHOM_REPORT_FORMAT_H
#define FATHOM_REPORT_FORMAT_H

#include "result/result.h"
#include <stdio.h>

struct snapshots;
struct repeat_summary;
struct comparison;

struct format_options {
	unsigned terse_version; /* 2..5; 0 means 3 */
	bool json_plus;
	/* Where json puts the reports of a running run until the final document, which contains
	 * them (snapshots.h). NULL: a document each, on the stream. */
	struct snapshots *snapshots;
	/* Where json keeps the final documents of repeats; with `more` another one follows,
	 * otherwise the document printed is the last one, with all of them in it. NULL: no repeats.
	 */
	struct snapshots *repeats;
	bool more;
	const struct repeat_summary *summary; /* of the repeats, with the last; NULL: none */
	const struct comparison *comparison;  /* with a baseline, NULL: none */
};

struct format {
	const char *name, *help;
	/* One result; `index` counts snapshots of this run from 0, `final` is in the result. 0, or
	 * -errno when the stream failed or memory is short. The stream is flushed. */
	int (*result)(const struct result *r, const struct format_options *fo, unsigned index,
		      FILE *to);
};

#define FORMAT(ID, object, word) extern const struct format format_##object;
#define FORMAT_ALIAS(ID, word)
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
/* All formats in the order of formats.def, in which several of them are printed. */
const struct format *const *format_list(unsigned *n);

#endif
