/* JSON reports: no text breaks the reader, and what it accepts can be compared with itself. */
#include "judge/compare.h"
#include "judge/record_json.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct comparison *c)
{
	for (unsigned i = 0; i < c->flows_n; i++)
		for (unsigned k = 0; k < c->flow[i].n; k++)
			if (c->flow[i].row[k].verdict == COMPARE_SLOWER ||
			    c->flow[i].row[k].verdict == COMPARE_FASTER)
				abort();
	if (c->options_n || c->hosts_n)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct record_list list;
	struct comparison c;
	struct compare_options o = {.seed = 1, .reps = 49};

	arena_init(&a, 64 << 20);
	if (record_parse((const char *)data, size, "x", &a, &list, NULL) == 0 && list.n == 1) {
		const struct record *run = &list.v[0];
		struct compare_side side = {.label = "x", .run = &run, .n = 1};
		if (compare(&side, &side, &o, &a, &c, NULL) == 0)
			check(&c);
	}
	arena_release(&a);
	return 0;
}
