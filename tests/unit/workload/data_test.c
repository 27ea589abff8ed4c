/* What is written: incompressible and unique unless asked for otherwise. */
#include "rig.h"

static struct rig r;
static uint8_t *image; /* the data in the order they were written */
static size_t image_n;

enum { IMAGE = 4 << 20 };

/* Run until the image is full; reads leave `left` in the buffers. */
static void record(uint8_t left)
{
	r.with_buffers = true;
	rig_start(&r);
	image_n = 0;
	while (image_n < IMAGE && !r.over) {
		unsigned before = r.n;
		rig_turn(&r, r.batch);
		for (unsigned i = before; i < r.n && image_n < IMAGE; i++) {
			struct io *io = &r.ios[i - before];
			if (io->op == IO_READ) {
				memset(io->buf, left, io->len);
				continue;
			}
			size_t n = io->len < IMAGE - image_n ? io->len : IMAGE - image_n;
			memcpy(image + image_n, io->buf, n);
			image_n += n;
		}
	}
}

static uint64_t word_at(size_t i)
{
	uint64_t w;
	memcpy(&w, image + i, 8);
	return w;
}

/* Share of positions whose next eight bytes occurred before at any distance: what a compressor
 * could use. */
static double repeated(void)
{
	enum { BITS = 22 };
	uint32_t *last = calloc(1 << BITS, sizeof(*last));
	size_t hits = 0;
	for (size_t i = 0; i + 8 <= image_n; i++) {
		uint64_t w = word_at(i);
		uint32_t h = (uint32_t)((w * 0x9e3779b97f4a7c15) >> (64 - BITS));
		hits += last[h] && word_at(last[h] - 1) == w;
		last[h] = (uint32_t)i + 1;
	}
	free(last);
	return (double)hits / (double)image_n;
}

/* Bits per byte if bytes were coded one by one. */
static double entropy(void)
{
	size_t count[256] = {0};
	double bits = 0;
	for (size_t i = 0; i < image_n; i++)
		count[image[i]]++;
	for (unsigned i = 0; i < 256; i++)
		if (count[i])
			bits -= (double)count[i] / (double)image_n *
				log2((double)count[i] / (double)image_n);
	return bits;
}

static int by_content(const void *a, const void *b)
{
	return memcmp(*(uint8_t *const *)a, *(uint8_t *const *)b, 512);
}

static unsigned duplicates(size_t grain)
{
	size_t n = image_n / grain;
	unsigned same = 0;
	uint8_t **at = malloc(n * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		at[i] = image + i * grain;
	qsort(at, n, sizeof(*at), by_content);
	for (size_t i = 1; i < n; i++)
		same += memcmp(at[i - 1], at[i], grain) == 0;
	free(at);
	return same;
}

static void writes(uint64_t bs, unsigned slots)
{
	rig_init(&r, RW_WRITE, 2 * IMAGE, bs);
	r.slots = r.batch = slots;
}

static void by_default_nothing_repeats(void **state)
{
	static const unsigned sizes[] = {512, 4096, 4096, 65536, 1000};
	static const unsigned slots[] = {1, 1, 32, 1, 3};
	for (unsigned i = 0; i < 5; i++) {
		writes(sizes[i], slots[i]);
		record(0);
		assert_true(image_n == IMAGE);
		assert_true(repeated() < 0.0001);
		assert_true(entropy() > 7.999);
		assert_int_equal(duplicates(512), 0);
		rig_end(&r);
	}
}

/* A buffer that was read into holds what the target held. */
static void also_when_reads_go_through_the_same_buffers(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 4 * IMAGE, 4096);
	r.slots = r.batch = 4;
	record(0);
	assert_true(image_n == IMAGE);
	assert_true(repeated() < 0.0001);
	assert_true(entropy() > 7.999);
	rig_end(&r);
}

static void sizes_that_vary(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE, 4 * IMAGE, 4096);
	for (unsigned d = 0; d < DIRS; d++)
		r.o->bsrange[d] = (struct opt_range){512, 16384};
	r.pj.max_len = 16384;
	r.slots = r.batch = 3;
	record(7);
	assert_true(repeated() < 0.0001);
	assert_int_equal(duplicates(512), 0);
	rig_end(&r);
}

/* Another time: other data, so that a repeated job does not write what is there already. The same
 * time: the same. */
static void data_depend_on_seed_and_time_only(void **state)
{
	uint8_t first[3][4096];
	for (unsigned i = 0; i < 3; i++) {
		writes(4096, 1);
		r.now = i < 2 ? 1000 : 1001;
		r.with_buffers = true;
		rig_start(&r);
		rig_run(&r, 1);
		memcpy(first[i], r.buffers, 4096);
		rig_end(&r);
	}
	assert_memory_equal(first[0], first[1], 4096);
	assert_memory_not_equal(first[0], first[2], 512);
}

static void refill_is_fresh_every_time(void **state)
{
	writes(4096, 2);
	r.o->refill_buffers = true;
	record(0);
	assert_true(repeated() < 0.0001);
	rig_end(&r);
}

static void without_scrambling_a_slot_stays_as_it_is(void **state)
{
	writes(4096, 2);
	r.o->scramble_buffers = false;
	record(0);
	assert_memory_equal(image, image + 8192, 8192);
	assert_memory_not_equal(image, image + 4096, 4096); /* slots differ */
	rig_end(&r);
}

static void zeros(void **state)
{
	writes(4096, 1);
	r.o->zero_buffers = true;
	r.o->scramble_buffers = false;
	record(0);
	for (size_t i = 0; i < image_n; i++)
		assert_int_equal(image[i], 0);
	rig_end(&r);
	writes(4096, 1);
	r.o->zero_buffers = true; /* with marks, when asked for */
	record(0);
	assert_int_equal(duplicates(512), 0);
	assert_true(entropy() < 1);
	rig_end(&r);
}

static void pattern_from_the_start_of_each_buffer(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE, 2 * IMAGE, 4096);
	r.o->buffer_pattern.bytes = (const uint8_t *)"abcde";
	r.o->buffer_pattern.n = 5;
	r.o->scramble_buffers = false;
	record('x');
	assert_true(image_n > IMAGE / 2);
	for (size_t i = 0; i < image_n; i++)
		assert_int_equal(image[i], "abcde"[i % 4096 % 5]);
	rig_end(&r);
}

static void compressible_by_the_share_asked_for(void **state)
{
	for (unsigned percent = 25; percent <= 100; percent += 25) {
		size_t zero = 0;
		writes(4096, 1);
		r.o->refill_buffers = true;
		r.o->buffer_compress_percentage = percent;
		record(0);
		for (size_t i = 0; i < image_n; i++)
			zero += image[i] == 0;
		double share = (double)zero / (double)image_n;
		assert_near(share, percent / 100.0, 0.005);
		/* in each 512 bytes, the random part first and ever new */
		for (size_t at = 0; at < image_n; at += 512)
			for (unsigned i = 512 - percent * 512 / 100; i < 512; i++)
				assert_int_equal(image[at + i], 0);
		if (percent < 100)
			assert_int_equal(duplicates(512), 0);
		rig_end(&r);
	}
}

static void a_pattern_fills_the_compressible_part(void **state)
{
	writes(4096, 1);
	r.o->buffer_compress_percentage = 50;
	r.o->buffer_pattern.bytes = (const uint8_t *)"ab";
	r.o->buffer_pattern.n = 2;
	record(0);
	for (size_t at = 0; at < image_n; at += 512)
		assert_memory_equal(image + at + 256, "abababab", 8);
	rig_end(&r);
}

static void duplicates_by_the_share_asked_for(void **state)
{
	for (unsigned percent = 0; percent <= 100; percent += 50) {
		writes(16384, 2);
		r.pj.min_len[DIR_WRITE] = 4096;
		r.o->dedupe_percentage = percent ? percent : 10;
		record(0);
		double share = (double)duplicates(4096) / (IMAGE / 4096);
		assert_near(share, (percent ? percent : 10) / 100.0, 0.04);
		rig_end(&r);
	}
}

static void duplicates_and_compression_together(void **state)
{
	writes(4096, 1);
	r.o->dedupe_percentage = 30;
	r.o->buffer_compress_percentage = 50;
	record(0);
	assert_near((double)duplicates(4096) / (IMAGE / 4096), 0.3, 0.05);
	for (size_t at = 0; at < image_n; at += 512)
		assert_int_equal(image[at + 511], 0);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_nothing_repeats),
		cmocka_unit_test(also_when_reads_go_through_the_same_buffers),
		cmocka_unit_test(sizes_that_vary),
		cmocka_unit_test(data_depend_on_seed_and_time_only),
		cmocka_unit_test(refill_is_fresh_every_time),
		cmocka_unit_test(without_scrambling_a_slot_stays_as_it_is),
		cmocka_unit_test(zeros),
		cmocka_unit_test(pattern_from_the_start_of_each_buffer),
		cmocka_unit_test(compressible_by_the_share_asked_for),
		cmocka_unit_test(a_pattern_fills_the_compressible_part),
		cmocka_unit_test(duplicates_by_the_share_asked_for),
		cmocka_unit_test(duplicates_and_compression_together),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	image = malloc(IMAGE);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	free(image);
	return rc;
}
