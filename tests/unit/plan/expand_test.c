/* Clones, groups, stages, file names and report entries (compatibility 5.1 to 5.3, 12.5 to 12.10).
 */
#include "fixture.h"

#define N "ioengine=null\nsize=64k\n"

static void clones_are_numbered_in_order(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\n" N "numjobs=3\n[b]\n" N);
	assert_int_equal(f.plan->jobs_n, 4);
	for (unsigned i = 0; i < 3; i++) {
		char name[16];
		snprintf(name, sizeof(name), "a.%u.0", i);
		assert_int_equal(f.plan->jobs[i].number, i);
		assert_int_equal(f.plan->jobs[i].clone, i);
		assert_string_equal(f.plan->jobs[i].files[0].path, name);
	}
	assert_string_equal(f.plan->jobs[3].files[0].path, "b.0.0");
	plan_release(&f);
}

/* One letter a worker: stage, group and entry as digits. */
static const struct {
	const char *text, *stages, *groups, *entries;
} orders[] = {
	{"[a]\n" N "[b]\n" N, "00", "00", "01"},
	{"[a]\n" N "[b]\nstonewall\n" N "[c]\n" N, "011", "011", "012"},
	{"[a]\nstonewall\n" N "[b]\n" N, "00", "00", "01"},
	{"[a]\n" N "[b]\nnew_group\n" N, "00", "01", "01"},
	{"[global]\nstonewall\n[a]\nnumjobs=2\n" N "[b]\nnumjobs=2\n" N, "0011", "0011", "0123"},
	{"[global]\ngroup_reporting\n[a]\nnumjobs=2\n" N "[b]\n" N, "000", "000", "000"},
	{"[global]\ngroup_reporting\n[a]\nnumjobs=2\n" N "[b]\nstonewall\n" N, "001", "001", "001"},
	/* Compatibility 12.8: joins the entry before it although that one lacks the option */
	{"[a]\n" N "[b]\ngroup_reporting\n" N "[c]\n" N "[d]\ngroup_reporting\n" N, "0000", "0000",
	 "0011"},
	/* a job without reports is in no one's entry */
	{"[global]\ngroup_reporting\n[a]\n" N "[b]\nstats=0\n" N "[c]\n" N, "000", "000", "010"},
};

static void waves_groups_and_entries(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		char stages[8] = "", groups[8] = "", entries[8] = "";
		struct fixture f;
		plan_good(&f, orders[i].text);
		for (unsigned k = 0; k < f.plan->jobs_n; k++) {
			const struct plan_job *pj = &f.plan->jobs[k];
			stages[k] = (char)('0' + pj->stage);
			groups[k] = (char)('0' + pj->group);
			entries[k] = (char)('0' + pj->entry);
		}
		if (strcmp(stages, orders[i].stages) || strcmp(groups, orders[i].groups) ||
		    strcmp(entries, orders[i].entries))
			fail_msg("%s: waves %s groups %s entries %s", orders[i].text, stages,
				 groups, entries);
		plan_release(&f);
	}
}

static void entries_list_their_members(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[global]\ngroup_reporting\n[a]\n" N "[b]\nstats=0\n" N "[c]\n" N);
	assert_int_equal(f.plan->entries_n, 2);
	assert_int_equal(f.plan->entries[0].n, 2);
	assert_int_equal(f.plan->entries[0].first, 0);
	assert_int_equal(f.plan->entries[0].members[1], 2);
	assert_int_equal(f.plan->entries[1].members[0], 1);
	plan_release(&f);
}

static void every_worker_is_in_one_entry(void **state)
{
	(void)state;
	for (unsigned mix = 0; mix < 256; mix++) {
		char text[2048] = "";
		struct fixture f;
		unsigned sum = 0;
		for (unsigned j = 0; j < 4; j++) {
			char job[128];
			snprintf(job, sizeof(job), "[j%u]\nnumjobs=%u\n%s%s" N, j, 1 + j % 2,
				 mix >> (2 * j) & 1 ? "group_reporting\n" : "",
				 mix >> (2 * j) & 2 ? (j & 1 ? "stonewall\n" : "stats=0\n") : "");
			strcat(text, job);
		}
		plan_good(&f, text);
		for (unsigned e = 0; e < f.plan->entries_n; e++) {
			const struct plan_entry *pe = &f.plan->entries[e];
			assert_true(pe->n > 0);
			assert_int_equal(pe->first, pe->members[0]);
			for (unsigned k = 0; k < pe->n; k++) {
				const struct plan_job *pj = &f.plan->jobs[pe->members[k]];
				assert_int_equal(pj->entry, e);
				assert_int_equal(pj->group, pe->group);
				sum++;
			}
		}
		assert_int_equal(sum, f.plan->jobs_n);
		plan_release(&f);
	}
}

static void wait_for_names_workers(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\n" N "[b]\nnumjobs=3\n" N "[c]\nwait_for=b\n" N);
	assert_int_equal(f.plan->jobs[4].wait_first, 1);
	assert_int_equal(f.plan->jobs[4].wait_n, 3);
	assert_int_equal(f.plan->jobs[0].wait_n, 0);
	plan_release(&f);
	static const char *const bad[] = {"[a]\nwait_for=b\n" N "[b]\n" N, "[a]\nwait_for=a\n" N,
					  "[a]\n" N "[a]\n" N "[b]\nwait_for=a\n" N};
	for (unsigned i = 0; i < 3; i++) {
		plan_text(&f, bad[i], NULL);
		must_refuse(&f, "wait-for");
		plan_release(&f);
	}
}

static void file_names(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned worker, file;
		const char *path;
	} v[] = {
		{"[a]\n" N, 0, 0, "a.0.0"},
		{"[a]\nname=shown\n" N, 0, 0, "a.0.0"},
		{"[a]\nnrfiles=3\n" N, 0, 2, "a.0.2"},
		{"[d/a]\n" N, 0, 0, "d/a.0.0"},
		{"[a]\ndirectory=.\n" N, 0, 0, "./a.0.0"},
		{"[a]\ndirectory=.:/tmp\nnumjobs=3\n" N, 1, 0, "/tmp/a.1.0"},
		{"[a]\ndirectory=.:/tmp\nnumjobs=3\n" N, 2, 0, "./a.2.0"},
		{"[a]\ndirectory=/tmp:.\nfilename=x\nnumjobs=2\n" N, 1, 0, "/tmp/x"},
		{"[a]\ndirectory=/tmp\nfilename=/x\n" N, 0, 0, "/x"},
		{"[a]\nfilename=x:y\\:z\n" N, 0, 1, "y:z"},
		{"[a]\nfilename_format=$FileNum-$JOBNAME-$jobnum\nnumjobs=2\n" N, 1, 0, "0-a-1"},
		{"[/dev/zero]\nbs=4k\nsize=1m\n", 0, 0, "/dev/zero"},
	};
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct fixture f;
		plan_good(&f, v[i].text);
		assert_string_equal(f.plan->jobs[v[i].worker].files[v[i].file].path, v[i].path);
		plan_release(&f);
	}
}

static void filename_decides_the_number_of_files(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nfilename=x:y:z\nnrfiles=9\nopenfiles=7\n" N);
	assert_int_equal(f.plan->jobs[0].files_n, 3);
	assert_int_equal(f.plan->jobs[0].open_files, 3);
	must_warn(&f, "unused");
	plan_release(&f);
}

static void clones_share_named_files(void **state)
{
	(void)state;
	struct fixture f;
	/* case 35 */
	plan_good(&f, "[r]\nnumjobs=4\nnrfiles=2\nfilename_format=x.$filenum\nsize=256k\nbs=4k\n"
		      "rw=randread\ntime_based\nruntime=600ms\nrate_iops=500\n");
	assert_int_equal(f.plan->targets_n, 2);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(f.plan->jobs[i].files_n, 2);
		assert_int_equal(f.plan->jobs[i].files[1].target, 1);
		assert_int_equal(f.plan->jobs[i].region, 256 * KIB);
	}
	assert_int_equal(f.plan->targets[1].size_needed, 128 * KIB);
	plan_release(&f);
}

static void many_files_are_found_again(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[global]\nioengine=null\nbs=1k\nsize=2m\nnrfiles=2000\n"
		      "filename_format=f.$filenum\n[a]\n[b]\n");
	assert_int_equal(f.plan->targets_n, 2000);
	for (unsigned i = 0; i < 2000; i++)
		assert_int_equal(f.plan->jobs[1].files[i].target, i);
	plan_release(&f);
}

static void sequential_clones_over_one_range_are_noticed(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nfilename=x\nnumjobs=4\nsize=1m\nrw=write\nbs=4k\n");
	const struct diag_item *it = must_warn(&f, "same-range");
	assert_non_null(strstr(it->remedy, "offset_increment=256k and size=256k"));
	assert_int_equal(f.diag.warnings, 1);
	plan_release(&f);
	static const char *const fine[] = {
		"[a]\nfilename=x\nnumjobs=4\nsize=1m\nrw=randwrite\nbs=4k\n",
		"[a]\nnumjobs=4\nsize=1m\nrw=write\nbs=4k\n",
		"[a]\nfilename=x\nnumjobs=4\nsize=1m\noffset_increment=1m\nrw=write\nbs=4k\n"};
	for (unsigned i = 0; i < 3; i++) {
		plan_good(&f, fine[i]);
		must_not_say(&f, "same-range");
		plan_release(&f);
	}
}

static void merged_jobs_must_agree(void **state)
{
	(void)state;
	struct fixture f;
	plan_text(&f, "[global]\ngroup_reporting\n[a]\npercentile_list=50\n" N "[b]\n" N, NULL);
	must_refuse(&f, "percentiles-differ");
	plan_release(&f);
	plan_text(&f, "[global]\ngroup_reporting\n[a]\nramp_size=4k\n" N "[b]\n" N, NULL);
	must_refuse(&f, "ramp-differ");
	plan_release(&f);
	plan_good(&f, "[a]\npercentile_list=50\n" N "[b]\n" N);
	plan_release(&f);
}

static void ramp_size_is_shared_by_a_group(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\nnumjobs=4\ngroup_reporting\nramp_size=40k\n" N);
	assert_int_equal(f.plan->jobs[3].ramp_bytes, 10 * KIB);
	plan_release(&f);
	plan_good(&f, "[a]\nnumjobs=4\nramp_size=40k\n" N);
	assert_int_equal(f.plan->jobs[3].ramp_bytes, 40 * KIB);
	plan_release(&f);
}

static void exitall_anywhere_is_for_the_whole_run(void **state)
{
	(void)state;
	struct fixture f;
	plan_good(&f, "[a]\n" N "[b]\nexitall\n" N);
	assert_true(f.plan->exitall);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clones_are_numbered_in_order),
		cmocka_unit_test(waves_groups_and_entries),
		cmocka_unit_test(entries_list_their_members),
		cmocka_unit_test(every_worker_is_in_one_entry),
		cmocka_unit_test(wait_for_names_workers),
		cmocka_unit_test(file_names),
		cmocka_unit_test(filename_decides_the_number_of_files),
		cmocka_unit_test(clones_share_named_files),
		cmocka_unit_test(many_files_are_found_again),
		cmocka_unit_test(sequential_clones_over_one_range_are_noticed),
		cmocka_unit_test(merged_jobs_must_agree),
		cmocka_unit_test(ramp_size_is_shared_by_a_group),
		cmocka_unit_test(exitall_anywhere_is_for_the_whole_run),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
