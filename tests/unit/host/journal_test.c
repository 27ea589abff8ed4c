/* Whatever was changed is given back to the byte, wherever the process that changed it ended. */
#include "tree.h"

#include "snapshot.h"

#include "host/journal.h"
#include "host/journal_undo.h"
#include "host/sysattr.h"
#include <sys/wait.h>

#define QUEUE "/sys/block/nvme0n1/queue/"
#define GROUP "/sys/fs/cgroup"

static void fill(struct tree *t)
{
	unsetenv("FATHOM_STATE_DIR");
	tree_init(t);
	tree_put(t, QUEUE "scheduler", "[mq-deadline] kyber none\n");
	tree_put(t, QUEUE "nomerges", "0\n");
	tree_put(t, QUEUE "rq_affinity", "1\n");
	tree_put(t, "/proc/irq/30/smp_affinity_list", "0-3\n");
	tree_put(t, GROUP "/cgroup.subtree_control", "cpu io\n");
	tree_put(t, GROUP "/empty", "");
}

static void change(struct journal *j)
{
	assert_int_equal(journal_write(j, QUEUE "scheduler", "none", NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "nomerges", "2", NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "nomerges", "1", NULL), 0);
	assert_int_equal(journal_write(j, GROUP "/cgroup.subtree_control", "+cpuset", NULL), 0);
	assert_int_equal(journal_mkdir(j, GROUP "/fathom", NULL), 0);
	assert_int_equal(journal_mkdir(j, GROUP "/fathom/run", NULL), 0);
	assert_int_equal(journal_write(j, "/proc/irq/30/smp_affinity_list", "2", NULL), 0);
	assert_int_equal(journal_write(j, GROUP "/empty", "7", NULL), 0);
}

/* The process ends, as by kill -9, at the n-th step. */
static void die_at(void *ctx)
{
	unsigned *left = ctx;
	if ((*left)-- == 0)
		_exit(9);
}

/* In a process of its own; true when it came to its end. */
static bool lives(struct tree *t, const char *owner, unsigned steps, bool undo)
{
	pid_t pid = fork();
	int status;
	assert_true(pid >= 0);
	if (pid == 0) {
		struct journal *j;
		if (journal_open(&t->host, owner, &j, NULL))
			_exit(1);
		journal_on_step(j, die_at, &steps);
		if (undo)
			IGNORE_RESULT(journal_undo(j, NULL));
		else
			change(j);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9);
	return WEXITSTATUS(status) == 0;
}

static void recovers(struct tree *t, const char *before, unsigned step)
{
	struct journal_report r;
	journal_report_init(&r);
	assert_int_equal(journal_recover(&t->host, &r), 0);
	if (r.foreign || r.failed)
		fail_msg("step %u: %s", step, r.words.s);
	journal_report_release(&r);
	char *after = snapshot(t->root);
	if (strcmp(before, after))
		fail_msg("killed at step %u:\n%s\ninstead of\n%s", step, after, before);
	free(after);
	assert_false(host_exists(&t->host, "/run"));
}

static void dead_run_is_undone_whatever_it_had_done(void **state)
{
	struct tree t;
	fill(&t);
	char *before = snapshot(t.root);
	bool end = false;
	unsigned n = 0;
	for (; !end; n++) {
		end = lives(&t, NULL, n, false);
		recovers(&t, before, n);
	}
	assert_true(n > 20);
	free(before);
	tree_release(&t);
}

static void undo_that_dies_is_taken_up_again(void **state)
{
	struct tree t;
	bool end = false;
	fill(&t);
	char *before = snapshot(t.root);
	for (unsigned n = 0; !end; n++) {
		struct journal *j;
		struct journal_report r;
		assert_true(lives(&t, "tune", UINT32_MAX, false));
		end = lives(&t, "tune", n, true);
		journal_report_init(&r);
		assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
		assert_int_equal(journal_undo(j, &r), 0);
		assert_int_equal(r.foreign + r.failed, 0);
		journal_close(j);
		journal_report_release(&r);
		recovers(&t, before, n);
	}
	free(before);
	tree_release(&t);
}

static void living_run_and_tune_are_left_alone(void **state)
{
	struct tree t;
	struct journal *j, *tune;
	struct journal_report r;
	fill(&t);
	char *before = snapshot(t.root);
	assert_int_equal(journal_open(&t.host, NULL, &j, NULL), 0);
	assert_int_equal(journal_open(&t.host, "tune", &tune, NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "nomerges", "2", NULL), 0);
	assert_int_equal(journal_write(tune, QUEUE "rq_affinity", "2", NULL), 0);
	journal_close(tune);
	char *changed = snapshot(t.root);
	journal_report_init(&r);
	assert_int_equal(journal_recover(&t.host, &r), 0);
	assert_int_equal(r.undone + r.owners + r.foreign + r.failed, 0);
	char *after = snapshot(t.root);
	assert_string_equal(changed, after);
	assert_int_equal(journal_undo(j, &r), 0);
	journal_close(j);
	assert_int_equal(journal_open_existing(&t.host, "tune", &tune, NULL), 0);
	assert_string_equal(journal_entry(tune, 0)->from, "1\n");
	assert_string_equal(journal_entry(tune, 0)->to, "2");
	assert_null(journal_entry(tune, 1));
	assert_int_equal(journal_undo(tune, &r), 0);
	assert_int_equal(r.undone, 2);
	journal_close(tune);
	assert_int_equal(journal_open_existing(&t.host, "tune", &tune, NULL), -ENOENT);
	recovers(&t, before, 0);
	journal_report_release(&r);
	free(before);
	free(changed);
	free(after);
	tree_release(&t);
}

static void what_others_changed_is_said_once_and_kept(void **state)
{
	struct tree t;
	struct journal *j;
	struct journal_report r;
	fill(&t);
	journal_report_init(&r);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "scheduler", "none", NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "nomerges", "2", NULL), 0);
	tree_put(&t, QUEUE "scheduler", "mq-deadline [kyber] none\n");
	assert_int_equal(journal_undo(j, &r), 0);
	assert_true(r.undone == 1 && r.foreign == 1 && r.failed == 0);
	assert_non_null(strstr(r.words.s, "'kyber'"));
	journal_close(j);
	str_clear(&r.words);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_int_equal(journal_undo(j, &r), 0);
	assert_true(r.foreign == 2 && r.words.len == 0);
	assert_string_equal(journal_entry(j, 0)->path, QUEUE "scheduler");
	journal_force(j);
	assert_int_equal(journal_undo(j, &r), 0);
	assert_null(journal_entry(j, 0));
	journal_close(j);
	char text[64];
	assert_int_equal(host_read_text(&t.host, text, sizeof(text), QUEUE "scheduler"), 0);
	assert_string_equal(text, "[mq-deadline] kyber none");
	journal_report_release(&r);
	tree_release(&t);
}

static void device_that_went_takes_its_changes_along(void **state)
{
	struct tree t;
	struct journal *j;
	struct journal_report r;
	char full[512];
	fill(&t);
	journal_report_init(&r);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "nomerges", "2", NULL), 0);
	assert_int_equal(unlink(tree_path(&t, QUEUE "nomerges", full, sizeof(full))), 0);
	assert_int_equal(journal_undo(j, &r), 0);
	assert_true(r.undone == 1 && r.foreign == 0 && r.failed == 0);
	journal_close(j);
	journal_report_release(&r);
	tree_release(&t);
}

static void one_handle_at_a_time(void **state)
{
	struct tree t;
	struct journal *j, *k;
	struct err err;
	fill(&t);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_int_equal(journal_open(&t.host, "tune", &k, &err), -EBUSY);
	assert_true(err.remedy[0]);
	journal_close(j);
	assert_int_equal(journal_open(&t.host, "tune", &k, &err), 0);
	journal_close(k);
	assert_false(host_exists(&t.host, "/run/fathom/tune.journal"));
	tree_release(&t);
}

static void handles_of_one_process_are_undone_last_first(void **state)
{
	struct tree t;
	struct journal *j, *k;
	fill(&t);
	char *before = snapshot(t.root);
	pid_t pid = fork();
	if (pid == 0) {
		bool good = !journal_open(&t.host, NULL, &j, NULL) &&
			    !journal_write(j, QUEUE "nomerges", "1", NULL) &&
			    !journal_open(&t.host, NULL, &k, NULL) &&
			    !journal_write(k, QUEUE "nomerges", "2", NULL);
		_exit(good ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	recovers(&t, before, 0);
	free(before);
	tree_release(&t);
}

static void folder_of_others_is_refused(void **state)
{
	struct tree t;
	struct journal *j;
	struct err err;
	char full[512];
	fill(&t);
	tree_dir(&t, "/run/fathom");
	assert_int_equal(chmod(tree_path(&t, "/run/fathom", full, sizeof(full)), 0777), 0);
	assert_int_equal(journal_open(&t.host, "tune", &j, &err), -EPERM);
	tree_release(&t);
}

static void line_that_was_cut_off_is_dropped(void **state)
{
	struct tree t;
	struct journal *j;
	char full[512];
	fill(&t);
	tree_dir(&t, "/run/fathom");
	tree_put(&t, "/run/fathom/tune.journal", "w\t/sys/a\t0\\n\t1\nw\t/sys/b\t0");
	assert_int_equal(chmod(tree_path(&t, "/run/fathom", full, sizeof(full)), 0700), 0);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_string_equal(journal_entry(j, 0)->from, "0\n");
	assert_null(journal_entry(j, 1));
	assert_int_equal(journal_write(j, QUEUE "nomerges", "2", NULL), 0);
	journal_close(j);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_string_equal(journal_entry(j, 1)->path, QUEUE "nomerges");
	journal_close(j);
	tree_put(&t, "/run/fathom/tune.journal", "what is this\n");
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), -EINVAL);
	tree_release(&t);
}

static void task_goes_back_while_it_is_the_same(void **state)
{
	static const char stat[] = "77 (a) b) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %s 0 0\n";
	for (unsigned same = 0; same < 2; same++) {
		struct tree t;
		struct journal *j;
		char text[128];
		const char *held = NULL;
		struct arena a;
		fill(&t);
		arena_init(&a, 0);
		snprintf(text, sizeof(text), stat, "4711");
		tree_put(&t, "/proc/77/stat", text);
		tree_put(&t, GROUP "/a/cgroup.procs", "");
		tree_put(&t, GROUP "/b/cgroup.procs", "");
		assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
		assert_int_equal(journal_move(j, 78, GROUP "/a", GROUP "/b", NULL), -ESRCH);
		assert_int_equal(journal_move(j, 77, GROUP "/a", GROUP "/b", NULL), 0);
		assert_int_equal(journal_entry(j, 0)->start, 4711);
		assert_int_equal(sysattr_read(&t.host, GROUP "/b/cgroup.procs", &a, &held), 0);
		assert_string_equal(held, "77\n");
		snprintf(text, sizeof(text), stat, same ? "4711" : "4712");
		tree_put(&t, "/proc/77/stat", text);
		assert_int_equal(journal_undo(j, NULL), 0);
		assert_null(journal_entry(j, 0));
		assert_int_equal(sysattr_read(&t.host, GROUP "/a/cgroup.procs", &a, &held), 0);
		assert_string_equal(held, same ? "77\n" : "");
		journal_close(j);
		arena_release(&a);
		tree_release(&t);
	}
}

static void reset_neighbour_comes_back_with_its_cause(void **state)
{
	static const char nr[] = QUEUE "nr_requests";
	for (unsigned foreign = 0; foreign < 2; foreign++) {
		struct tree t;
		struct journal *j;
		struct journal_report r;
		char text[32];
		fill(&t);
		tree_put(&t, nr, "64\n");
		journal_report_init(&r);
		assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
		assert_int_equal(journal_keep(j, nr, NULL), 0);
		assert_int_equal(journal_write(j, QUEUE "scheduler", "none", NULL), 0);
		journal_close(j);
		tree_put(&t, nr, "1023\n");
		if (foreign)
			tree_put(&t, QUEUE "scheduler", "[kyber] none\n");
		assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
		assert_int_equal(journal_undo(j, &r), 0);
		assert_int_equal(r.undone, !foreign);
		assert_int_equal(host_read_text(&t.host, text, sizeof(text), nr), 0);
		assert_string_equal(text, foreign ? "1023" : "64");
		assert_int_equal(journal_entry(j, 0) != NULL, foreign);
		journal_close(j);
		journal_report_release(&r);
		tree_release(&t);
	}
}

static void nothing_is_written_when_it_is_so_already(void **state)
{
	struct tree t;
	struct journal *j;
	fill(&t);
	assert_int_equal(journal_open(&t.host, "tune", &j, NULL), 0);
	assert_int_equal(journal_write(j, QUEUE "scheduler", "mq-deadline", NULL), 0);
	assert_int_equal(journal_write(j, "/proc/irq/30/smp_affinity_list", "0,1-3", NULL), 0);
	assert_int_equal(journal_write(j, "/sys/nothing", "1", NULL), -ENOENT);
	assert_null(journal_entry(j, 0));
	assert_int_equal(journal_mkdir(j, GROUP, NULL), -EEXIST);
	assert_null(journal_entry(j, 0));
	journal_close(j);
	tree_release(&t);
}

MAIN(cmocka_unit_test(dead_run_is_undone_whatever_it_had_done),
     cmocka_unit_test(undo_that_dies_is_taken_up_again),
     cmocka_unit_test(living_run_and_tune_are_left_alone),
     cmocka_unit_test(what_others_changed_is_said_once_and_kept),
     cmocka_unit_test(device_that_went_takes_its_changes_along),
     cmocka_unit_test(one_handle_at_a_time),
     cmocka_unit_test(handles_of_one_process_are_undone_last_first),
     cmocka_unit_test(folder_of_others_is_refused),
     cmocka_unit_test(line_that_was_cut_off_is_dropped),
     cmocka_unit_test(task_goes_back_while_it_is_the_same),
     cmocka_unit_test(reset_neighbour_comes_back_with_its_cause),
     cmocka_unit_test(nothing_is_written_when_it_is_so_already))
