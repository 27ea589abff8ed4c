/* Distributions, and coverage with sizes that vary. */
#include "rig.h"

static struct rig r;

/* Every unit of 4 KiB exactly once, whatever the sizes. */
static void covers_units(uint64_t units)
{
	uint8_t *seen = calloc(units, 1);
	uint64_t total = 0;
	for (unsigned i = 0; i < r.n; i++)
		for (uint64_t k = 0; k < r.log[i].len / (4 * KI); k++) {
			uint64_t u = r.log[i].offset / (4 * KI) + k;
			assert_true(u < units);
			assert_int_equal(seen[u]++, 0);
			total++;
		}
	assert_int_equal(total, units);
	free(seen);
}

static void ranges_cover_every_unit_once(void **state)
{
	rig_init(&r, RW_READ | RW_RANDOM, 16 * MI + 777, 4 * KI);
	for (unsigned d = 0; d < DIRS; d++)
		r.o->bsrange[d] = (struct opt_range){4 * KI, 64 * KI};
	rig_start(&r);
	rig_run(&r, 100000);
	assert_int_equal(r.loops, 1);
	covers_units(4096);
	rig_end(&r);
}

static void unequal_directions_cover_every_unit_once(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 16 * MI, 4 * KI);
	r.o->bs[DIR_WRITE] = 16 * KI;
	rig_start(&r);
	rig_run(&r, 100000);
	covers_units(4096);
	rig_end(&r);
}

static void split_sizes_stay_those_asked_for(void **state)
{
	static __typeof__(*((struct opt_split *)0)->v) v[] = {{4 * KI, 60}, {64 * KI, 40}};
	unsigned large = 0;
	rig_init(&r, RW_WRITE | RW_RANDOM, 64 * MI, 4 * KI);
	r.o->bssplit[DIR_WRITE].v = v;
	r.o->bssplit[DIR_WRITE].n = 2;
	rig_start(&r);
	rig_run(&r, 200); /* the early part of the pass has room for all */
	for (unsigned i = 0; i < r.n; i++)
		large += r.log[i].len == 64 * KI;
	assert_in_range(large, 60, 100);
	rig_run(&r, 100000);
	for (unsigned i = 0; i < r.n; i++)
		assert_true(r.log[i].len == 4 * KI || r.log[i].len == 64 * KI);
	covers_units(16384);
	rig_end(&r);
}

static int by_count(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

static void zipf_has_its_shape(void **state)
{
	unsigned count[1024] = {0}, top = 0;
	rig_init(&r, RW_READ | RW_RANDOM, 4 * MI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_ZIPF;
	r.o->random_distribution.param = 1.2;
	r.pj.limit_bytes = 256 * MI;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100000), 65536);
	for (unsigned i = 0; i < r.n; i++)
		count[r.log[i].offset / (4 * KI)]++;
	/* Popular blocks are no neighbours. */
	unsigned hot = 0;
	for (unsigned i = 1; i < 1024; i++)
		hot = count[i] > count[hot] ? i : hot;
	assert_true(!hot || count[hot - 1] < 3000);
	qsort(count, 1024, sizeof(count[0]), by_count);
	for (unsigned i = 0; i < 10; i++)
		top += count[i];
	assert_near(count[0] / 65536.0, 0.2303, 0.006);
	assert_near(top / 65536.0, 0.5684, 0.008);
	rig_end(&r);
}

static void larger_blocks_stay_within_the_region(void **state)
{
	static const enum opt_dist_kind kinds[] = {OPT_DIST_ZIPF, OPT_DIST_PARETO, OPT_DIST_NORMAL};
	static const double params[] = {0.8, 0.2, 30};
	for (unsigned k = 0; k < 3; k++) {
		rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 1 * MI + 100, 4 * KI);
		r.o->bs[DIR_WRITE] = 48 * KI;
		r.o->random_distribution.kind = kinds[k];
		r.o->random_distribution.param = params[k];
		r.pj.limit_bytes = 0;
		rig_start(&r);
		assert_int_equal(rig_run(&r, 5000), 5000);
		for (unsigned i = 0; i < r.n; i++) {
			assert_true(r.log[i].offset + r.log[i].len <= 1 * MI + 100);
			assert_int_equal(r.log[i].offset % (4 * KI), 0);
		}
		rig_end(&r);
	}
}

static void zones_get_their_share(void **state)
{
	static struct opt_zone_share v[] = {{60, 10, 0}, {30, 20, 0}, {8, 30, 0}, {2, 40, 0}};
	unsigned n[4] = {0};
	rig_init(&r, RW_READ | RW_RANDOM, 400 * KI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_ZONED;
	r.o->random_distribution.zones[DIR_READ].v = v;
	r.o->random_distribution.zones[DIR_READ].n = 4;
	r.pj.limit_bytes = 0;
	rig_start(&r);
	rig_run(&r, 20000);
	for (unsigned i = 0; i < r.n; i++) {
		uint64_t k = r.log[i].offset / (4 * KI);
		n[k < 10 ? 0 : k < 30 ? 1 : k < 60 ? 2 : 3]++;
	}
	assert_in_range(n[0], 11700, 12300);
	assert_in_range(n[1], 5750, 6250);
	assert_in_range(n[2], 1450, 1750);
	assert_in_range(n[3], 330, 470);
	rig_end(&r);
}

static void absolute_zones(void **state)
{
	struct opt_zone_share v[] = {{50, 0, 40 * KI}, {50, 0, 80 * KI}};
	unsigned first = 0;
	rig_init(&r, RW_WRITE | RW_RANDOM, 400 * KI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_ZONED_ABS;
	r.o->random_distribution.zones[DIR_WRITE].v = v;
	r.o->random_distribution.zones[DIR_WRITE].n = 2;
	r.pj.limit_bytes = 0;
	rig_start(&r);
	rig_run(&r, 10000);
	for (unsigned i = 0; i < r.n; i++) {
		assert_true(r.log[i].offset < 120 * KI);
		first += r.log[i].offset < 40 * KI;
	}
	assert_in_range(first, 4800, 5200);
	rig_end(&r);
	/* A zone beyond the end is a mistake, not a short job. */
	struct err err = {0};
	rig_init(&r, RW_WRITE | RW_RANDOM, 40 * KI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_ZONED_ABS;
	r.o->random_distribution.zones[DIR_WRITE].v = v;
	r.o->random_distribution.zones[DIR_WRITE].n = 2;
	assert_int_equal(rig_try(&r, &err), -EINVAL);
	assert_non_null(strstr(err.text, "zone 2"));
	rig_end(&r);
}

static void a_sequence_repeats(void **state)
{
	uint64_t list[] = {3, 1, 7};
	rig_init(&r, RW_READ | RW_RANDOM, 32 * KI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_SEQUENCE;
	r.o->random_distribution.sequence = list;
	r.o->random_distribution.sequence_n = 3;
	rig_start(&r);
	rig_expect(&r, 100, "r12 r4 r28 r12 r4 r28 r12 r4");
	rig_end(&r);
	struct err err = {0};
	list[2] = 8;
	rig_init(&r, RW_READ | RW_RANDOM, 32 * KI, 4 * KI);
	r.o->random_distribution.kind = OPT_DIST_SEQUENCE;
	r.o->random_distribution.sequence = list;
	r.o->random_distribution.sequence_n = 3;
	assert_int_equal(rig_try(&r, &err), -EINVAL);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_cover_every_unit_once),
		cmocka_unit_test(unequal_directions_cover_every_unit_once),
		cmocka_unit_test(split_sizes_stay_those_asked_for),
		cmocka_unit_test(zipf_has_its_shape),
		cmocka_unit_test(larger_blocks_stay_within_the_region),
		cmocka_unit_test(zones_get_their_share),
		cmocka_unit_test(absolute_zones),
		cmocka_unit_test(a_sequence_repeats),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
