#include "rig.h"
#include "workload/noise.h"

static struct noise *noise;

static void a_seed_gives_the_same_bytes_at_any_length(void **state)
{
	static const size_t lens[] = {0, 1, 31, 32, 33, 127, 128, 129, 511, 512, 4096, 4099};
	uint8_t all[4100], part[4101];
	noise_seed(noise, RIG_SEED);
	noise_fill(noise, all, sizeof(all));
	for (unsigned i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		memset(part, 0xee, sizeof(part));
		noise_seed(noise, RIG_SEED);
		noise_fill(noise, part + 1, lens[i]); /* unaligned on purpose */
		assert_memory_equal(part + 1, all, lens[i]);
		assert_int_equal(part[0], 0xee);
		if (lens[i] + 1 < sizeof(part))
			assert_int_equal(part[lens[i] + 1], 0xee);
	}
}

static void bytes_are_uniform(void **state)
{
	enum { N = 1 << 20 };
	uint8_t *b = malloc(N);
	unsigned count[256] = {0};
	double chi = 0;
	noise_seed(noise, RIG_SEED);
	noise_fill(noise, b, N);
	for (unsigned i = 0; i < N; i++)
		count[b[i]]++;
	for (unsigned i = 0; i < 256; i++)
		chi += (count[i] - N / 256.0) * (count[i] - N / 256.0) / (N / 256.0);
	assert_true(chi > 170 && chi < 350); /* 255 degrees of freedom, four sigma */
	free(b);
}

static void the_mask_undoes_itself_and_stays_within(void **state)
{
	static const uint64_t key[4] = {0x0123456789abcdef, 2, 0xffffffffffffffff, 1};
	for (size_t len = 0; len < 300; len++) {
		uint8_t a[302], b[302];
		noise_seed(noise, len);
		noise_fill(noise, a, sizeof(a));
		memcpy(b, a, sizeof(a));
		noise_mask(noise, b + 1, len, key);
		assert_int_equal(b[0], a[0]);
		assert_int_equal(b[len + 1], a[len + 1]);
		if (len > 8)
			assert_memory_not_equal(b + 1, a + 1, len);
		noise_mask(noise, b + 1, len, key);
		assert_memory_equal(a, b, sizeof(a));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seed_gives_the_same_bytes_at_any_length),
		cmocka_unit_test(bytes_are_uniform),
		cmocka_unit_test(the_mask_undoes_itself_and_stays_within),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	noise = aligned_alloc(64, (sizeof(*noise) + 63) / 64 * 64);
	noise_init(noise, RIG_SEED);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	free(noise);
	return rc;
}
