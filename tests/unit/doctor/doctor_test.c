/* The table of the doctor, and checks that need more than a recorded tree. */
#include "../host/tree.h"

#include "doctor/doctor.h"

/* Each check has a row that says what it reads, and each such row a check. */
static void codes_are_unique_and_in_the_table(void **state)
{
	unsigned rows = 0, n = 0;
	for (; doctor_code(n); n++) {
		const struct finding_row *row = finding_row(doctor_code(n));
		if (!row || !row->before[0])
			fail_msg("no row with a `before` for %s", doctor_code(n));
		for (unsigned k = 0; k < n; k++)
			assert_string_not_equal(doctor_code(n), doctor_code(k));
	}
#define MESSAGE(code, level, meaning)
#define FINDING(code, title, subject, severity, before, after, effect, remedy)                     \
	rows += (before)[0] != 0;
#include "base/findings.def"
#undef FINDING
#undef MESSAGE
	/* "device" is said in place of checks. */
	assert_int_equal(rows, n + 1);
}

static const struct finding *find(const struct doctor_report *r, const char *code)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!strcmp(r->v[i].f.code, code))
			return &r->v[i].f;
	fail_msg("no finding %s", code);
	return NULL;
}

/* All CPU time of the only CPU goes to somebody, who also reads from the disk. */
static void what_goes_on_is_named(void **state)
{
	struct tree t;
	struct arena a;
	struct doctor *d;
	struct doctor_report r;
	tree_init(&t);
	arena_init(&a, 0);
	tree_disk(&t, "pci0/host0", "sda", "8:0\n", 2000000);
	tree_put(&t, "/sys/devices/system/cpu/online", "0\n");
	tree_put(&t, "/proc/stat", "cpu  0 0 0 9 0 0 0 0\ncpu0 0 0 0 9 0 0 0 0\n");
	tree_put(&t, "/sys/devices/pci0/host0/block/sda/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
	struct doctor_input in = {.host = &t.host, .device = "sda", .measure = true};
	assert_int_equal(doctor_begin(&in, &a, &d), 0);
	tree_put(&t, "/proc/stat", "cpu  100 0 0 9 0 0 0 0\ncpu0 100 0 0 9 0 0 0 0\n");
	tree_put(&t, "/proc/9/stat",
		 "9 (java) R 1 1 1 0 -1 0 0 0 0 0 100 0 9 9 20 0 1 0 500 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 0 17 0 0 0\n");
	tree_put(&t, "/proc/9/task/9/io", "rchar: 1\nread_bytes: 10485760\nwrite_bytes: 0\n");
	tree_put(&t, "/sys/devices/pci0/host0/block/sda/stat", "900 0 7200 9 0 0 0 0 0 500 9\n");
	assert_int_equal(doctor_end(d, 1000000000, &r), 0);
	assert_int_equal(find(&r, "cpu-contention")->severity, FINDING_BAD);
	assert_non_null(strstr(find(&r, "cpu-contention")->evidence, "java (9)"));
	assert_int_equal(find(&r, "other-io")->severity, FINDING_BAD);
	assert_non_null(strstr(find(&r, "other-io")->evidence, "java (9) 10.0 MiB/s"));
	arena_release(&a);
	tree_release(&t);
}

/* Whatever is not there is unknown, and nothing of it is claimed to be well but what needs no
 * knowledge. */
static void an_empty_machine_is_unknown(void **state)
{
	struct tree t;
	struct arena a;
	struct doctor *d;
	struct doctor_report r;
	tree_init(&t);
	arena_init(&a, 0);
	struct doctor_input in = {.host = &t.host};
	assert_int_equal(doctor_begin(&in, &a, &d), 0);
	assert_int_equal(doctor_end(d, 0, &r), 0);
	assert_true(r.n > 15);
	assert_int_equal(r.count[FINDING_UNKNOWN], r.n);
	in.device = "sda";
	assert_int_equal(doctor_begin(&in, &a, &d), -ENODEV);
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(codes_are_unique_and_in_the_table), cmocka_unit_test(what_goes_on_is_named),
     cmocka_unit_test(an_empty_machine_is_unknown))
