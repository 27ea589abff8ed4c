/* The estimate of memory against what a machine made up for the test has. */
#include "fixture.h"

static struct plan_options machine = {.sysroot = scratch, .os_seed = 1};

static void memory_of(uint64_t total_mib, uint64_t available_mib)
{
	FILE *f;

	assert_true(!mkdir("proc", 0755) || errno == EEXIST);
	f = fopen("proc/meminfo", "w");
	assert_non_null(f);
	fprintf(f, "MemTotal:       %llu kB\nMemFree:        1 kB\nMemAvailable:   %llu kB\n",
		(unsigned long long)total_mib * 1024, (unsigned long long)available_mib * 1024);
	fclose(f);
}

static int tidy_up(void **state)
{
	unlink("proc/meminfo");
	rmdir("proc");
	return scratch_remove(state);
}

/* The one message about memory, NULL when there is none. */
static const struct diag_item *told(const struct fixture *f)
{
	const struct diag_item *found = NULL;

	for (size_t i = 0; i < f->diag.n; i++) {
		if (strcmp(f->diag.items[i].code, "memory") != 0)
			continue;
		assert_null(found);
		found = &f->diag.items[i];
	}
	return found;
}

static void plan_with(struct fixture *f, const char *options, const struct plan_options *po)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "[a]\nioengine=null\nrw=randread\nsize=64m\n%s",
		       options);
	plan_text(f, text, po);
}

static void little_memory_is_not_talked_about(void **state)
{
	struct fixture f;

	memory_of(8192, 400);
	plan_with(&f, "iodepth=64\nbs=1m\n", &machine);
	assert_int_equal(f.rc, 0);
	assert_null(told(&f));
	plan_release(&f);
}

static void a_quarter_of_what_is_available_is_much(void **state)
{
	struct fixture f;

	memory_of(8192, 200);
	plan_with(&f, "iodepth=64\nbs=1m\n", &machine);
	assert_int_equal(f.rc, 0);
	const struct diag_item *m = told(&f);
	assert_non_null(m);
	assert_int_equal(m->level, DIAG_WARNING);
	assert_int_equal(m->at.line, 6); /* bs is the larger factor */
	assert_non_null(strstr(m->text, "I/O buffers of a"));
	assert_non_null(strstr(m->remedy, "bs"));
	plan_release(&f);
}

static void more_than_a_gibibyte_is_much_anywhere(void **state)
{
	struct fixture f;

	memory_of(1 << 20, 1 << 20);
	plan_with(&f, "iodepth=300\nbs=4k\nnumjobs=900\n", &machine);
	const struct diag_item *m = told(&f);
	assert_non_null(m);
	assert_int_equal(m->at.line, 7);
	assert_non_null(strstr(m->remedy, "numjobs"));
	plan_release(&f);
}

static void what_the_machine_does_not_have_is_refused(void **state)
{
	struct plan_options words = machine;
	struct fixture f;

	memory_of(1024, 900);
	plan_with(&f, "iodepth=2048\nbs=1m\n", &machine);
	assert_int_equal(f.rc, -EINVAL);
	const struct diag_item *m = told(&f);
	assert_non_null(m);
	assert_int_equal(m->level, DIAG_ERROR);
	assert_int_equal(m->cls, ERR_SETUP);
	assert_int_equal(m->at.line, 5);
	plan_release(&f);

	words.no_device_access = true;
	plan_with(&f, "iodepth=2048\nbs=1m\n", &words);
	assert_int_equal(f.rc, 0);
	assert_int_equal(told(&f)->level, DIAG_WARNING);
	plan_release(&f);
}

/* Buffers go with their workers, so that jobs one after the other need them once. */
static void waves_do_not_add_up(void **state)
{
	struct fixture one, two;

	memory_of(8192, 8192);
	plan_with(&one, "iodepth=512\nbs=1m\n", &machine);
	plan_with(&two,
		  "iodepth=512\nbs=1m\n[b]\nstonewall\nrw=read\nsize=64m\niodepth=500\nbs=1m\n",
		  &machine);
	assert_int_equal(two.rc, 0);
	assert_in_range(two.plan->memory_bytes, one.plan->memory_bytes,
			one.plan->memory_bytes + 4 * MIB);
	plan_release(&one);
	plan_release(&two);
}

static void a_map_of_mixed_blocks_is_counted(void **state)
{
	struct fixture f;

	memory_of(8192, 2048);
	plan_with(&f, "size=16t\nbsrange=4k-8k\n", &machine);
	const struct diag_item *m = told(&f);
	assert_non_null(m);
	assert_non_null(strstr(m->text, "the random map"));
	assert_non_null(strstr(m->remedy, "norandommap"));
	plan_release(&f);
}

static void without_facts_only_the_gibibyte_counts(void **state)
{
	struct fixture f;

	unlink("proc/meminfo");
	plan_with(&f, "iodepth=512\nbs=1m\n", &machine);
	assert_null(told(&f));
	plan_release(&f);
	plan_with(&f, "iodepth=1100\nbs=1m\n", &machine);
	assert_int_equal(f.rc, 0);
	assert_non_null(told(&f));
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little_memory_is_not_talked_about),
		cmocka_unit_test(a_quarter_of_what_is_available_is_much),
		cmocka_unit_test(more_than_a_gibibyte_is_much_anywhere),
		cmocka_unit_test(what_the_machine_does_not_have_is_refused),
		cmocka_unit_test(waves_do_not_add_up),
		cmocka_unit_test(a_map_of_mixed_blocks_is_counted),
		cmocka_unit_test(without_facts_only_the_gibibyte_counts),
	};

	return cmocka_run_group_tests(tests, scratch_make, tidy_up);
}
