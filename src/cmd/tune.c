/* `fathom tune [--apply|--restore|--status|--dry-run] [DEVICE | FILE | JOB.fio]`: does what the
 * doctor recommends and can be undone. */
#include "cmd/recover.h"
#include "host/journal_undo.h"
#include "doctor/tune_modprobe.h"
#include "cmd/subject.h"
#include "host/kernel.h"
#include "host/sysattr.h"
#include "report/tune_report.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MODPROBE_FILE "/etc/modprobe.d/fathom.conf"

static const char usage[] =
	"usage: fathom tune [--dry-run | --apply] DEVICE | FILE | JOB.fio [options]\n"
	"       fathom tune --status | --restore [--force] [options]\n"
	"\n"
	"Applies the settings recommended by fathom doctor: governor, energy preference, "
	"scheduler,\n"
	"nomerges, rq_affinity, write-back throttling, interrupts. Each change is recorded in a "
	"journal\n"
	"first; --restore restores the previous values, also after a crash.\n"
	"\n"
	"  --dry-run       show what would be changed; the default\n"
	"  --apply         change it, until --restore or the next boot\n"
	"  --status        show what is changed, and what others have changed since\n"
	"  --restore       restore the previous values on all devices\n"
	"  --force         with --restore: also settings that others have changed since\n"
	"  --write-modprobe[=FILE]\n"
	"                  write the module option that enables poll queues to FILE\n"
	"                  (" MODPROBE_FILE "); needs a module reload or reboot\n"
	"  --json          one JSON document\n"
	"  --sysroot=DIR   read /proc and /sys of another machine below DIR\n"
	"\n"
	"Disks that hold the root file system or swap space are refused. To do it for a run only:\n"
	"fathom run --tune JOB.fio\n";

enum action { DRY_RUN, APPLY, RESTORE, STATUS };
static const char *const action_words[] = {"dry-run", "apply", "restore", "status"};

struct ask {
	struct subject_words words;
	const char *modprobe;
	enum action action;
	bool chosen; /* the action was */
	bool force;
};

static int tune_choose(struct ask *a, enum action action)
{
	if (a->chosen && a->action != action)
		return subject_wrong(&a->words,
				     "one of --dry-run, --apply, --restore and --status at a time",
				     "");
	a->chosen = true;
	a->action = action;
	return 1;
}

static int tune_own_option(void *ctx, const char *word)
{
	struct ask *a = ctx;

	for (unsigned i = 0; i < sizeof(action_words) / sizeof(*action_words); i++)
		if (!strncmp(word, "--", 2) && !strcmp(word + 2, action_words[i]))
			return tune_choose(a, (enum action)i);
	if (!strcmp(word, "--force"))
		a->force = true;
	else if (!strcmp(word, "--write-modprobe"))
		a->modprobe = MODPROBE_FILE;
	else if (!strncmp(word, "--write-modprobe=", 17) && word[17])
		a->modprobe = word + 17;
	else
		return 0;
	return 1;
}

static int tune_parse(struct ask *a, int argc, char **argv)
{
	const struct subject_words *w = &a->words;

	*a = (struct ask){
		.words = {.command = "tune", .usage = usage, .option = tune_own_option, .ctx = a}};
	if (subject_parse(&a->words, argc, argv))
		return -EINVAL;
	if (w->help)
		return 0;
	if (!w->what && (a->action == DRY_RUN || a->action == APPLY))
		return subject_wrong(w, "which device?", "");
	if (a->force && a->action != RESTORE)
		return subject_wrong(w, "--force goes with --restore", "");
	if (a->modprobe && (a->action == RESTORE || a->action == STATUS))
		return subject_wrong(w, "--write-modprobe does not go with --",
				     action_words[a->action]);
	return 0;
}

static int tune_fail(const struct err *err)
{
	fprintf(stderr, "fathom: error: tune: %s%s%s\n", err->text, err->remedy[0] ? "; " : "",
		err->remedy);
	return err_exit_code(err->cls);
}

static int tune_print(const struct ask *a, const struct host *h, struct tune_report *r)
{
	struct kernel k;
	r->action = action_words[a->action];
	r->version = cmd_version_string();
	r->kernel = kernel_read(h, &k) ? "" : k.release;
	int ret = a->words.json ? tune_print_json(stdout, r) : tune_print_text(stdout, r);
	r->kernel = "";
	return ret ? cmd_output_failed(-ret) : 0;
}

/* All that is known of disks the system stands on is refused, not a part of it. */
static int tune_refuse(const struct tune_plan *t)
{
	for (unsigned i = 0; i < t->refusals; i++)
		fprintf(stderr,
			"fathom: error: tune: %s %s; use a device that does not hold the root file "
			"system or swap\n",
			t->refusal[i].disk, t->refusal[i].what);
	return t->refusals ? 2 : 0;
}

static int tune_modprobe_file(const struct ask *a, const struct host *h, struct tune_report *r)
{
	struct err err = {0};
	bool only_say = a->chosen && a->action == DRY_RUN;
	if (!r->plan->modules)
		fprintf(stderr, "fathom: note: tune: all drivers here have poll queues: no "
				"modprobe file is written\n");
	for (unsigned i = 0; i < r->plan->modules && !only_say; i++) {
		if (tune_write_modprobe(h, a->modprobe, &r->plan->module[i], &err))
			return tune_fail(&err);
		r->modprobe = a->modprobe;
	}
	return 0;
}

static int tune(struct session *s, const struct ask *a, const struct host *h, char *program)
{
	struct doctor_input in = {.host = h, .any_job = true};
	struct tune_plan t;
	struct tune_report r = {.plan = &t};
	struct journal *j;
	struct subject on;
	struct err err = {0};
	unsigned failed = 0;
	int status = subject_find(s, "tune", program, a->words.what, h, &on);
	if (status)
		return status;
	if (a->action == APPLY)
		recover_dead_runs(h, &s->diag);
	in.device = on.device;
	in.path = on.path;
	in.plan = on.plan;
	int ret = tune_make(&in, &s->arena, &t);
	if (ret) {
		fprintf(stderr, "fathom: error: tune: %s\n", strerror(-ret));
		return 2;
	}
	status = tune_refuse(&t);
	if (!status && a->modprobe)
		status = tune_modprobe_file(a, h, &r);
	if (status)
		return status;
	if (a->action == APPLY && t.items) {
		if (journal_open(h, "tune", &j, &err))
			return tune_fail(&err);
		failed = tune_apply(&t, h, j, &s->arena);
		journal_close(j);
	}
	status = tune_print(a, h, &r);
	return failed ? 2 : status;
}

/* The changes of the journal as they are now. */
static unsigned tune_list_states(struct session *s, const struct host *h, const struct journal *j,
				 struct tune_state **out)
{
	unsigned n = 0, k = 0;
	const struct journal_entry *e;
	while (journal_entry(j, n))
		n++;
	struct tune_state *v = arena_new(&s->arena, struct tune_state, n + 1);
	for (unsigned i = 0; v && i < n; i++) {
		char from[SYSATTR_MAX] = "", now[SYSATTR_MAX] = "";
		const char *text = "";
		e = journal_entry(j, i);
		if (e->kind != JOURNAL_WRITE)
			continue;
		bool gone = sysattr_read(h, e->path, &s->arena, &text) != 0;
		IGNORE_RESULT(sysattr_active(e->from, from, sizeof(from)));
		IGNORE_RESULT(sysattr_active(text, now, sizeof(now)));
		v[k].path = arena_strdup(&s->arena, e->path);
		v[k].from = arena_strdup(&s->arena, from);
		v[k].to = arena_strdup(&s->arena, e->to);
		v[k].now = arena_strdup(&s->arena, now);
		v[k].gone = gone;
		v[k].foreign = !gone && !sysattr_is(text, e->to);
		k += v[k].path && v[k].from && v[k].to && v[k].now;
	}
	*out = v;
	return k;
}

/* What was in the list and is not left in the journal. */
static unsigned tune_keep_undone(const struct journal *j, struct tune_state *v, unsigned n)
{
	unsigned kept = 0, left = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct journal_entry *e = journal_entry(j, left);
		while (e && e->kind != JOURNAL_WRITE)
			e = journal_entry(j, ++left);
		if (e && !strcmp(e->path, v[i].path) && !strcmp(e->to, v[i].to))
			left++;
		else
			v[kept++] = v[i];
	}
	return kept;
}

static int tune_look_back(struct session *s, const struct ask *a, const struct host *h,
			  char *program)
{
	char *none[] = {program, NULL};
	struct journal_report undo;
	struct tune_report r = {0};
	struct tune_state *state = NULL;
	struct journal *j = NULL;
	struct err err = {0};
	int status;
	if (session_open(s, 1, none) < 0)
		return session_status(s, 1);
	recover_dead_runs(h, &s->diag);
	int ret = journal_open_existing(h, "tune", &j, &err);
	if (ret && ret != -ENOENT)
		return tune_fail(&err);
	journal_report_init(&undo);
	if (j)
		r.states = tune_list_states(s, h, j, &state);
	if (j && a->action == RESTORE) {
		if (a->force)
			journal_force(j);
		ret = journal_undo(j, &undo);
		r.states = tune_keep_undone(j, state, r.states);
	}
	journal_close(j);
	r.state = state;
	r.undo = a->action == RESTORE ? &undo : NULL;
	status = tune_print(a, h, &r);
	if ((ret && ret != -ENOENT) || undo.failed || undo.foreign)
		status = 2;
	journal_report_release(&undo);
	return status;
}

int cmd_tune(int argc, char **argv)
{
	struct session s = {0};
	struct ask a;
	if (tune_parse(&a, argc, argv))
		return 1;
	if (a.words.help) {
		fputs(usage, stdout);
		return 0;
	}
	struct host h = {.root = a.words.sysroot};
	bool back = a.action == RESTORE || a.action == STATUS;
	int status = back ? tune_look_back(&s, &a, &h, argv[0]) : tune(&s, &a, &h, argv[0]);
	session_close(&s);
	return status;
}
