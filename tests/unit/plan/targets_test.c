/* What planning does about files: layout, safety, holes. Nothing on disk may change. */
#include "fixture.h"

static const struct plan_target *only_target(const struct fixture *f)
{
	assert_int_equal(f->plan->targets_n, 1);
	return &f->plan->targets[0];
}

static const struct {
	const char *text;
	bool lay_out, fill, on_open;
	uint64_t needed;
} layouts[] = {
	{"[a]\nfilename=new\nsize=1m\nrw=read", true, true, false, MIB},
	{"[a]\nfilename=new\nsize=1m\nrw=write", true, false, false, MIB},
	{"[a]\nfilename=new\nsize=1m\nrw=write\noverwrite=1", true, true, false, MIB},
	{"[a]\nfilename=new\nsize=1m\nrw=rw", true, true, false, MIB},
	{"[a]\nfilename=new\nsize=1m\noffset=1m\nrw=write", true, false, false, 2 * MIB},
	{"[a]\nfilename=new\nsize=1m\nrw=write\ncreate_on_open=1", false, false, true, MIB},
	/* case 07: extended beyond the old end */
	{"[j]\nfilename=keep\nsize=1m\nbs=4k\nrw=read", true, true, false, MIB},
	{"[j]\nfilename=keep\nsize=512k\nbs=4k\nrw=read", false, false, false, 512 * KIB},
	{"[j]\nfilename=keep\nsize=512k\nbs=4k\nrw=write", false, false, false, 512 * KIB},
	/* a writer makes the file, a later reader finds it; at the same time it must hold data */
	{"[w]\nfilename=new\nsize=1m\nrw=write\n[r]\nstonewall\nfilename=new\nsize=1m\n", true,
	 false, false, MIB},
	{"[w]\nfilename=new\nsize=1m\nrw=write\n[r]\nfilename=new\nsize=1m\n", true, true, false,
	 MIB},
	{"[w]\nfilename=new\nsize=1m\nrw=write\n[r]\nstonewall\nfilename=new\n", true, false, false,
	 MIB},
};

static void layout_is_planned(void **state)
{
	(void)state;
	file_make("keep", 600 * KIB, true);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct fixture f;
		plan_good(&f, layouts[i].text);
		const struct plan_target *t = only_target(&f);
		if (t->lay_out != layouts[i].lay_out || t->fill != layouts[i].fill ||
		    t->create_on_open != layouts[i].on_open || t->size_needed != layouts[i].needed)
			fail_msg("%s: lay_out %d fill %d on_open %d needed %lu", layouts[i].text,
				 t->lay_out, t->fill, t->create_on_open, t->size_needed);
		plan_release(&f);
		assert_int_not_equal(access("new", F_OK), 0);
	}
}

static void a_file_that_may_not_grow_is_an_error_with_both_sizes(void **state)
{
	(void)state;
	struct fixture f;
	file_make("keep", 600 * KIB, true);
	/* case 08 */
	plan_text(&f, "[j]\nfilename=keep\nsize=1m\nbs=4k\nrw=read\nallow_file_create=0\n", NULL);
	const struct diag_item *it = must_refuse(&f, "no-create");
	assert_non_null(strstr(it->text, "614400"));
	assert_non_null(strstr(it->text, "1048576"));
	assert_int_equal(it->cls, ERR_SETUP);
	plan_release(&f);
	plan_text(&f, "[j]\nfilename=none\nsize=1m\nbs=4k\nallow_file_create=0\n", NULL);
	must_refuse(&f, "no-create");
	plan_release(&f);
	/* an earlier job makes it */
	plan_good(&f, "[w]\nfilename=none\nsize=1m\nrw=write\n[r]\nstonewall\nfilename=none\n"
		      "size=1m\nallow_file_create=0\n");
	assert_true(only_target(&f)->may_create);
	plan_release(&f);
	plan_good(&f, "[r]\nfilename=keep\nbs=4k\nallow_file_create=0\n");
	assert_false(only_target(&f)->may_create);
	plan_release(&f);
}

static void a_file_deleted_between_loops_is_made_anew(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[w]\nrw=write\nsize=64k\nloops=2\nunlink_each_loop=1\n");
	assert_true(only_target(&f)->create_on_open);
	plan_release(&f);
}

static void readonly_never_extends(void **state)
{
	(void)state;
	struct plan_options po = {.sysroot = "", .readonly = true};
	struct fixture f;
	file_make("keep", 600 * KIB, true);
	plan_text(&f, "[j]\nfilename=keep\nsize=1m\nbs=4k\nrw=read\n", &po);
	must_refuse(&f, "no-create");
	plan_release(&f);
	plan_text(&f, "[j]\nfilename=keep\nsize=512k\nbs=4k\nrw=read\n", &po);
	assert_int_equal(f.rc, 0);
	plan_release(&f);
}

static const struct {
	const char *text, *code;
} refused[] = {
	{"[a]\nfilename=/dev/nvmeXn1\nsize=1m\nrw=write", "no-device"},
	{"[a]\nfilename=.\nsize=1m", "target-kind"},
	{"[a]\nfilename=fifo\nsize=1m", "target-kind"},
	{"[a]\ndirectory=nowhere\nsize=1m", "directory"},
	{"[a]\ndirectory=keep\nsize=1m", "directory"},
	{"[a]\nfilename=-\nsize=1m", "file-name"},
	{"[a]\nfilename=new\nsize=1m\ncreate_on_open=1", "create-on-open"},
	/* case 41 */
	{"[j]\nsize=256k\nbs=4k\nrw=read\nloops=2\nunlink_each_loop=1", "unlink-loops"},
};

static void unusable_targets_are_refused(void **state)
{
	(void)state;
	file_make("keep", 600 * KIB, true);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct fixture f;
		plan_text(&f, refused[i].text, NULL);
		must_refuse(&f, refused[i].code);
		plan_release(&f);
	}
}

static void holes_are_noticed(void **state)
{
	(void)state;
	struct fixture f;
	file_make("f", 4 * MIB, false);
	plan_good(&f, "[j]\nfilename=f\nsize=4m\nbs=64k\nrw=read\n");
	const struct diag_item *it = must_warn(&f, "unwritten");
	assert_non_null(strstr(it->text, "100 %"));
	assert_non_null(strstr(it->text, "sparse"));
	assert_int_equal(f.plan->jobs[0].files[0].unwritten, 4 * MIB);
	plan_release(&f);
	/* a job of an earlier stage writes it */
	plan_good(&f, "[w]\nfilename=f\nsize=4m\nbs=64k\nrw=write\n[j]\nstonewall\nfilename=f\n"
		      "size=4m\nbs=64k\n");
	must_not_say(&f, "unwritten");
	plan_release(&f);
	file_make("full", 4 * MIB, true);
	plan_good(&f, "[j]\nfilename=full\nsize=4m\nbs=64k\nrw=read\n");
	must_not_say(&f, "unwritten");
	plan_release(&f);
}

static void unwritten_extents_are_noticed(void **state)
{
	(void)state;
	struct fixture f;
	file_make("f", 64 * KIB, true);
	int fd = open("f", O_RDWR);
	int rc = fallocate(fd, 0, 0, (off_t)(4 * MIB));
	close(fd);
	if (rc)
		skip();
	plan_good(&f, "[j]\nfilename=f\nsize=4m\nbs=64k\nrw=read\n");
	assert_non_null(strstr(must_warn(&f, "unwritten")->text, "98 %"));
	plan_release(&f);
}

static void cached_reads_are_noticed(void **state)
{
	(void)state;
	struct fixture f;
	file_make("keep", 600 * KIB, true);
	plan_good(&f, "[j]\nfilename=keep\nbs=4k\nnumjobs=3\nrw=randread\n");
	must_warn(&f, "page-cache");
	assert_int_equal(f.diag.warnings, 1);
	plan_release(&f);
	static const char *const fine[] = {"[j]\nfilename=keep\nbs=4k\npre_read=1",
					   "[j]\nfilename=keep\nbs=4k\nrw=write",
					   "[j]\nfilename=new\nbs=4k\nsize=64k"};
	for (unsigned i = 0; i < 3; i++) {
		plan_good(&f, fine[i]);
		must_not_say(&f, "page-cache");
		plan_release(&f);
	}
}

static void direct_io_wants_aligned_blocks(void **state)
{
	(void)state;
	struct fixture f;
	file_make("keep", 600 * KIB, true);
	plan_text(&f, "[j]\nfilename=keep\nbs=1000\ndirect=1\n", NULL);
	if (f.rc == 0)
		print_message("this file system takes any size\n");
	else
		must_refuse(&f, "alignment");
	plan_release(&f);
}

static void planning_changes_nothing(void **state)
{
	(void)state;
	struct stat before, after;
	struct fixture f;
	file_make("keep", 600 * KIB, true);
	assert_int_equal(stat("keep", &before), 0);
	plan_good(&f, "[a]\nfilename=keep\nsize=2m\nrw=write\noverwrite=1\nunlink=1\n"
		      "[b]\nsize=1m\nrw=write\n");
	plan_release(&f);
	assert_int_equal(stat("keep", &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_not_equal(access("b.0.0", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_is_planned),
		cmocka_unit_test(a_file_that_may_not_grow_is_an_error_with_both_sizes),
		cmocka_unit_test(a_file_deleted_between_loops_is_made_anew),
		cmocka_unit_test(readonly_never_extends),
		cmocka_unit_test(unusable_targets_are_refused),
		cmocka_unit_test(holes_are_noticed),
		cmocka_unit_test(unwritten_extents_are_noticed),
		cmocka_unit_test(cached_reads_are_noticed),
		cmocka_unit_test(direct_io_wants_aligned_blocks),
		cmocka_unit_test(planning_changes_nothing),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
