/* What a seed gives is part of the interface: the same on every processor, with vectors and
 * without. The expected values were written on x86-64 with AVX2. */
#include "rig.h"
#include "base/dist.h"
#include "base/permute.h"
#include "workload/noise.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)

static uint64_t checksum(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ p[i]) * UINT64_C(0x100000001b3);
	return sum;
}

static void expect(const char *what, uint64_t got, uint64_t want)
{
	if (got != want)
		fail_msg("%s: got 0x%016llx", what, (unsigned long long)got);
}

static void permutations_are_the_same(void **state)
{
	static const struct {
		uint64_t n, key, first[4],
			sum; /* sum: of the first 4096 in permute_next()'s order */
	} table[] = {
		/* a table of bytes, 16-bit words, 32-bit words, beyond the vectors */
		{200,
		 1,
		 {UINT64_C(0xae), UINT64_C(0x99), UINT64_C(0x9a), UINT64_C(0x91)},
		 UINT64_C(0x50339cbba4f90dc5)},
		{1000003,
		 2,
		 {UINT64_C(0x4bc02), UINT64_C(0xe8086), UINT64_C(0x8cbed), UINT64_C(0x6ae82)},
		 UINT64_C(0xaa167d4edda4f0e6)},
		{UINT64_C(1) << 40,
		 3,
		 {UINT64_C(0xaee0574d18), UINT64_C(0x539cb04702), UINT64_C(0x60821e3b35),
		  UINT64_C(0x827cc23ee7)},
		 UINT64_C(0x5de4f47bf65e628c)},
		{UINT64_C(1) << 63,
		 4,
		 {UINT64_C(0x2e89d57d3f19a2c4), UINT64_C(0x263f4c0f28bc1b76),
		  UINT64_C(0x7370f728e1810ce5), UINT64_C(0xb0e4dd1b687846c)},
		 UINT64_C(0x67caa7497d8a00c7)},
	};

	for (size_t t = 0; t < sizeof(table) / sizeof(*table); t++) {
		struct permute p;
		uint64_t out[PERMUTE_AHEAD], at = 0, sum = FNV_BASIS;
		char what[64];
		unsigned got, all = 0;

		permute_init(&p, table[t].n, table[t].key);
		while (all < 4096 && (got = permute_next(&p, &at, out))) {
			sum = checksum(sum, out, got * sizeof(*out));
			all += got;
		}
		for (unsigned i = 0; i < 4; i++) {
			(void)snprintf(what, sizeof(what), "permutation %zu, image %u", t, i);
			expect(what, permute_at(&p, i), table[t].first[i]);
		}
		(void)snprintf(what, sizeof(what), "permutation %zu, checksum", t);
		expect(what, sum, table[t].sum);
	}
}

static void distributions_are_the_same(void **state)
{
	static const struct {
		enum dist_kind kind;
		double param;
		uint64_t sum; /* of 4096 draws of 1000003 */
	} table[] = {
		{DIST_ZIPF, 1.2, UINT64_C(0xb6a32e5a41b2e62b)},
		{DIST_PARETO, 0.2, UINT64_C(0x6394b2d268e097b7)},
		{DIST_NORMAL, 10, UINT64_C(0x4b393a5c38d8ceba)},
	};

	for (size_t t = 0; t < sizeof(table) / sizeof(*table); t++) {
		struct dist d;
		struct rng r;
		uint64_t sum = FNV_BASIS;
		char what[64];

		assert_int_equal(
			dist_init(&d, table[t].kind, 1000003, table[t].param, -1, RIG_SEED), 0);
		rng_seed(&r, RIG_SEED);
		for (unsigned i = 0; i < 4096; i++) {
			uint64_t v = dist_draw(&d, &r);
			sum = checksum(sum, &v, sizeof(v));
		}
		(void)snprintf(what, sizeof(what), "distribution %zu", t);
		expect(what, sum, table[t].sum);
	}
}

static void bytes_are_the_same(void **state)
{
	static const uint64_t key[4] = {1, 2, 3, 4};
	uint8_t buf[4099];
	struct noise *n = aligned_alloc(64, (sizeof(*n) + 63) / 64 * 64);

	assert_non_null(n);
	noise_init(n, RIG_SEED);
	noise_fill(n, buf, sizeof(buf));
	expect("noise", checksum(FNV_BASIS, buf, sizeof(buf)), UINT64_C(0xfb3d5630672e475b));
	noise_mask(n, buf, sizeof(buf), key);
	expect("masked noise", checksum(FNV_BASIS, buf, sizeof(buf)), UINT64_C(0xf93a9ef849ec0edc));
	free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(permutations_are_the_same),
		cmocka_unit_test(distributions_are_the_same),
		cmocka_unit_test(bytes_are_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
