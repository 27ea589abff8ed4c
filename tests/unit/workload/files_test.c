/* file_service_type and openfiles. */
#include "rig.h"

static struct rig r;

static void service(int type, const char *arg, unsigned files, uint64_t size)
{
	rig_init(&r, RW_READ, size, 4 * KI);
	rig_files(&r, files, size);
	r.o->file_service_type.value = type;
	r.o->file_service_type.arg = arg;
}

/* "0:0 1:0": file and offset in KiB. */
static void expect(const char *text)
{
	char got[2048] = "";
	rig_run(&r, 1000);
	for (unsigned i = 0; i < r.n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u:%llu", i ? " " : "",
			 r.log[i].file, (unsigned long long)(r.log[i].offset / KI));
	assert_string_equal(got, text);
	rig_end(&r);
}

static void round_robin(void **state)
{
	service(SERVICE_ROUNDROBIN, NULL, 3, 8 * KI);
	rig_start(&r);
	expect("0:0 1:0 2:0 0:4 1:4 2:4");
	service(SERVICE_ROUNDROBIN, "2", 2, 16 * KI);
	rig_start(&r);
	expect("0:0 0:4 1:0 1:4 0:8 0:12 1:8 1:12");
}

static void round_robin_goes_on_when_a_file_is_done(void **state)
{
	service(SERVICE_ROUNDROBIN, NULL, 3, 8 * KI);
	r.files[1].end = 4 * KI;
	r.files[2].end = 16 * KI;
	r.pj.limit_bytes = 28 * KI;
	rig_start(&r);
	expect("0:0 1:0 2:0 0:4 2:4 2:8 2:12");
}

static void sequential_finishes_a_file_first(void **state)
{
	service(SERVICE_SEQUENTIAL, NULL, 3, 8 * KI);
	rig_start(&r);
	expect("0:0 0:4 1:0 1:4 2:0 2:4");
}

static void a_share_below_a_block_is_left_out(void **state)
{
	service(SERVICE_ROUNDROBIN, NULL, 3, 6826);
	rig_start(&r);
	expect("0:0 1:0 2:0");
	service(SERVICE_ROUNDROBIN, NULL, 3, 8 * KI);
	r.files[0].end = 100;
	r.pj.limit_bytes = 16 * KI + 100;
	rig_start(&r);
	expect("1:0 2:0 1:4 2:4");
}

static void random_covers_all_files(void **state)
{
	uint8_t seen[8][64] = {{0}};
	unsigned same = 0;
	service(SERVICE_RANDOM, NULL, 8, 256 * KI);
	r.o->rw.bits = RW_READ | RW_RANDOM;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 10000), 512);
	for (unsigned i = 0; i < r.n; i++) {
		assert_int_equal(seen[r.log[i].file][r.log[i].offset / (4 * KI)]++, 0);
		same += i && r.log[i].file == r.log[i - 1].file;
	}
	assert_in_range(same, 30, 110);
	rig_end(&r);
}

static void few_files_are_open_at_once(void **state)
{
	static const int types[] = {SERVICE_ROUNDROBIN, SERVICE_SEQUENTIAL, SERVICE_RANDOM};
	for (unsigned t = 0; t < 3; t++)
		for (unsigned open = 1; open < 7; open++) {
			uint64_t bytes[7] = {0};
			service(types[t], NULL, 7, 20 * KI);
			r.pj.open_files = open;
			r.pj.limit_bytes =
				2 * 7 * 20 * KI; /* a second pass begins with what is open */
			r.files[2].begin = r.files[2].end; /* nothing to do there */
			rig_start(&r);
			rig_run(&r, 60);
			assert_int_equal(r.n, 60);
			for (unsigned i = 0; i < r.n; i++)
				bytes[r.log[i].file] += r.log[i].len;
			for (unsigned i = 0; i < 7; i++)
				assert_int_equal(bytes[i], i == 2 ? 0 : 40 * KI);
			assert_true(r.swaps > 0);
			rig_end(&r);
		}
}

static void sequential_keeps_its_order_with_few_open(void **state)
{
	service(SERVICE_SEQUENTIAL, NULL, 4, 4 * KI);
	r.pj.open_files = 2;
	rig_start(&r);
	expect("0:0 1:0 2:0 3:0");
}

/* zipf, pareto and normal: files are never done, they begin anew (compatibility 5.12). */
static void files_by_distribution(void **state)
{
	static const int types[] = {SERVICE_ZIPF, SERVICE_PARETO, SERVICE_NORMAL};
	static const char *const args[] = {"1.2", "0.2", "20"};
	for (unsigned t = 0; t < 3; t++)
		for (unsigned open = 3; open <= 10; open += 7) {
			unsigned n[10] = {0}, most = 0;
			service(types[t], args[t], 10, 16 * KI);
			r.pj.open_files = open;
			r.pj.limit_bytes = 0;
			rig_start(&r);
			assert_int_equal(rig_run(&r, 5000), 5000);
			for (unsigned i = 0; i < r.n; i++)
				n[r.log[i].file]++;
			for (unsigned i = 0; i < 10; i++)
				most = n[i] > most ? n[i] : most;
			assert_true(most > 900);
			rig_end(&r);
		}
}

static void each_file_has_an_order_of_its_own(void **state)
{
	uint64_t order[2][256];
	unsigned n[2] = {0}, same = 0;
	service(SERVICE_ROUNDROBIN, NULL, 2, 1 * MI);
	r.o->rw.bits = RW_READ | RW_RANDOM;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 1000), 512);
	for (unsigned i = 0; i < r.n; i++)
		order[r.log[i].file][n[r.log[i].file]++] = r.log[i].offset;
	for (unsigned i = 0; i < 256; i++)
		same += order[0][i] == order[1][i];
	assert_true(same < 26);
	rig_end(&r);
}

static void bad_arguments_are_refused(void **state)
{
	static const struct {
		int type;
		const char *arg;
	} bad[] = {{SERVICE_ROUNDROBIN, "x"},
		   {SERVICE_RANDOM, "0"},
		   {SERVICE_ZIPF, "1.2y"},
		   {SERVICE_PARETO, "2"},
		   {SERVICE_NORMAL, "-1"}};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = {0};
		service(bad[i].type, bad[i].arg, 2, 8 * KI);
		assert_int_equal(rig_try(&r, &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i].arg));
		rig_end(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_robin),
		cmocka_unit_test(round_robin_goes_on_when_a_file_is_done),
		cmocka_unit_test(sequential_finishes_a_file_first),
		cmocka_unit_test(a_share_below_a_block_is_left_out),
		cmocka_unit_test(random_covers_all_files),
		cmocka_unit_test(few_files_are_open_at_once),
		cmocka_unit_test(sequential_keeps_its_order_with_few_open),
		cmocka_unit_test(files_by_distribution),
		cmocka_unit_test(each_file_has_an_order_of_its_own),
		cmocka_unit_test(bad_arguments_are_refused),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
