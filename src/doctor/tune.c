/* From the doctor's findings to settings. */
#include "doctor/tune.h"

#include "host/irq.h"
#include "host/sysattr.h"
#include "host/system_disks.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Which findings are acted upon, in the order it has to be done. What is wanted, and why, stands in
 * the check and its row (doctor/doctor.c). The preference comes before the governor: with the
 * governor "performance" the driver refuses to have it changed, and it must be given back last. */
static const struct row {
	const char *code;
	bool of_disk; /* a attribute of the disk that is the finding's subject */
} rows[] = {
	{"energy-preference", false}, {"governor", false},   {"scheduler", true},
	{"nomerges", true},	      {"rq-affinity", true}, {"write-throttling", true},
	{"poll-inactive", true},      {"interrupts", true},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

struct maker {
	const struct host *h;
	struct arena *a;
	const struct doctor_report *r;
	struct system_disks system_disks;
	struct tune_plan *out;
};

static const char *tune_refusal_of(const struct tune_plan *t, const char *disk)
{
	for (unsigned i = 0; i < t->refusals; i++)
		if (!strcmp(t->refusal[i].disk, disk))
			return t->refusal[i].what;
	return NULL;
}

/* Each disk is the subject of a finding about its scheduler. */
static int tune_refuse_disks(struct maker *m)
{
	struct tune_plan *t = m->out;
	t->refusal = arena_new(m->a, struct tune_refusal, m->r->n + 1);
	if (!t->refusal)
		return -ENOMEM;
	for (unsigned i = 0; i < m->r->n; i++) {
		const struct doctor_finding *f = &m->r->v[i];
		const char *what = system_disks_use(&m->system_disks, f->f.subject);
		if (strcmp(f->f.code, "scheduler") != 0)
			continue;
		if (what)
			what = arena_printf(m->a, "holds %s", what);
		else if (!m->system_disks.known)
			what = "may hold the root file system: what is mounted cannot be read";
		else
			continue;
		if (!what)
			return -ENOMEM;
		t->refusal[t->refusals++] = (struct tune_refusal){f->f.subject, what};
	}
	return 0;
}

static int tune_add_settings(struct maker *m, const struct row *row, const struct doctor_finding *f)
{
	if (row->of_disk && tune_refusal_of(m->out, f->f.subject))
		return 0;
	for (unsigned i = 0; i < f->settings; i++) {
		const char *text;
		char now[SYSATTR_MAX];
		int ret = sysattr_read(m->h, f->attribute[i].path, m->a, &text);
		if (ret == -ENOMEM)
			return ret;
		if (ret || sysattr_active(text, now, sizeof(now)) ||
		    sysattr_is(text, f->attribute[i].want))
			continue;
		struct tune_item *it = &m->out->item[m->out->items++];
		*it = (struct tune_item){.code = f->f.code,
					 .title = f->f.title,
					 .subject = f->f.subject,
					 .effect = f->f.effect,
					 .path = f->attribute[i].path,
					 .want = f->attribute[i].want,
					 .now = arena_strdup(m->a, now)};
		if (!it->now)
			return -ENOMEM;
	}
	return 0;
}

static void tune_add_module(struct maker *m, const struct doctor_module *module)
{
	for (unsigned i = 0; i < m->out->modules; i++)
		if (!strcmp(m->out->module[i].module, module->module))
			return;
	m->out->module[m->out->modules++] = *module;
}

static void tune_add_remark(struct maker *m, const struct doctor_finding *f, const char *text,
			    const char *remedy)
{
	m->out->remark[m->out->remarks++] =
		(struct tune_remark){f->f.code, f->f.subject, text ? text : "", remedy};
}

static bool tune_moves_interrupts(const struct maker *m, const char *disk)
{
	for (unsigned i = 0; i < m->out->items; i++)
		if (!strcmp(m->out->item[i].code, "interrupts") &&
		    !strcmp(m->out->item[i].subject, disk))
			return true;
	return false;
}

static void tune_remark_on(struct maker *m, const struct doctor_finding *f)
{
	if (!strcmp(f->f.code, "idle-states") && f->f.remedy[0]) {
		m->out->sleeps = true;
		tune_add_remark(m, f,
				arena_printf(m->a,
					     "%s: CPUs can be kept from sleeping only as long as "
					     "somebody asks for it, so --tune on a run does",
					     f->f.evidence),
				"fathom run --tune JOB.fio");
	} else if (!strcmp(f->f.code, "irqbalance") && tune_moves_interrupts(m, f->f.subject) &&
		   irq_balancer(m->h) == 1) {
		tune_add_remark(
			m, f,
			"irqbalance is running and may move these interrupts again: stop it "
			"first",
			"systemctl stop irqbalance");
	} else if (!strcmp(f->f.code, "poll-inactive") && f->module.module) {
		tune_add_remark(
			m, f,
			arena_printf(m->a,
				     "%s; that takes a reload of the driver or a reboot, which "
				     "is left to you (--write-modprobe writes the line)",
				     f->f.evidence),
			f->f.remedy);
		tune_add_module(m, &f->module);
	}
}

int tune_make(const struct doctor_input *given, struct arena *a, struct tune_plan *out)
{
	assert(given && a && out);
	/* Other checks look into files and ask drives: a run that is about to start need not wait
	 * for them. */
	const char *codes[ROWS + 3] = {"idle-states", "irqbalance"};
	struct doctor_input with = *given, *in = &with;
	struct doctor *d;
	struct doctor_report r;
	struct tune_plan t = {0};
	struct maker m = {given->host, a, &r, {{0}, {0}, 0}, &t};
	unsigned settings = 0;
	for (size_t k = 0; k < ROWS; k++)
		codes[k + 2] = rows[k].code;
	with.codes = codes;
	int ret = doctor_begin(in, a, &d);
	if (!ret)
		ret = doctor_end(d, 0, &r);
	if (!ret)
		ret = system_disks_read(m.h, a, &m.system_disks);
	if (!ret)
		ret = tune_refuse_disks(&m);
	if (ret)
		return ret;
	for (unsigned i = 0; i < r.n; i++)
		settings += r.v[i].settings;
	t.item = arena_new(a, struct tune_item, settings + 1);
	t.remark = arena_new(a, struct tune_remark, r.n + 1);
	t.module = arena_new(a, struct doctor_module, r.n + 1);
	if (!t.item || !t.remark || !t.module)
		return -ENOMEM;
	for (size_t k = 0; k < ROWS; k++)
		for (unsigned i = 0; i < r.n && !ret; i++)
			if (!strcmp(r.v[i].f.code, rows[k].code))
				ret = tune_add_settings(&m, &rows[k], &r.v[i]);
	for (unsigned i = 0; i < r.n && !ret; i++)
		tune_remark_on(&m, &r.v[i]);
	if (!ret)
		*out = t;
	return ret;
}

/* Settings below a folder that is made anew when the attribute is turned: of a scheduler, a
 * governor. */
static void tune_keep_folder(struct journal *j, const struct host *h, struct arena *a,
			     const char *folder)
{
	struct host_names all = {0};
	if (host_list_dir(h, a, &all, "%s", folder))
		return;
	for (unsigned i = 0; i < all.n; i++) {
		char path[HOST_PATH_MAX], full[HOST_PATH_MAX];
		struct stat st;
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, all.v[i]) >=
			    sizeof(path) ||
		    host_path(h, full, sizeof(full), "%s", path) || stat(full, &st) ||
		    !S_ISREG(st.st_mode) || !(st.st_mode & S_IWUSR))
			continue;
		/* One that cannot be read could not be given back. */
		IGNORE_RESULT(journal_keep(j, path, NULL));
	}
}

/* Turning some settings resets others. */
static void tune_keep_neighbours(struct journal *j, const struct host *h, struct arena *a,
				 const struct tune_item *it)
{
	static const char *const of_queue[] = {"nr_requests", "wbt_lat_usec"};
	char path[HOST_PATH_MAX];
	int folder = (int)(strrchr(it->path, '/') - it->path);
	if (!strcmp(it->code, "scheduler")) {
		for (unsigned i = 0; i < 2; i++) {
			snprintf(path, sizeof(path), "%.*s/%s", folder, it->path, of_queue[i]);
			IGNORE_RESULT(journal_keep(j, path, NULL));
		}
		snprintf(path, sizeof(path), "%.*s/iosched", folder, it->path);
		tune_keep_folder(j, h, a, path);
	} else if (!strcmp(it->code, "governor")) {
		snprintf(path, sizeof(path), "%.*s/scaling_setspeed", folder, it->path);
		if (!strcmp(it->now, "userspace"))
			IGNORE_RESULT(journal_keep(j, path, NULL));
		snprintf(path, sizeof(path), "%.*s/%s", folder, it->path, it->now);
		tune_keep_folder(j, h, a, path);
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpufreq/%s", it->now);
		tune_keep_folder(j, h, a, path);
	}
}

unsigned tune_apply(struct tune_plan *t, const struct host *h, struct journal *j, struct arena *a)
{
	assert(t && h && j);
	unsigned failed = 0;
	for (unsigned i = 0; i < t->items; i++) {
		struct tune_item *it = &t->item[i];
		struct err err = {0};
		tune_keep_neighbours(j, h, a, it);
		int ret = journal_write(j, it->path, it->want, &err);
		bool refused = ret == -EIO || ret == -EPERM || ret == -EACCES;
		if (!ret) {
			it->outcome = TUNE_DONE;
			continue;
		}
		/* Managed vectors: the kernel says so with these, and old ones do not tell before.
		 */
		it->outcome = refused && !strcmp(it->code, "interrupts") ? TUNE_KEPT : TUNE_FAILED;
		it->words = it->outcome == TUNE_KEPT
				    ? "the kernel spreads these interrupts itself and does not let "
				      "them be moved"
				    : arena_strdup(a, err.text);
		it->words = it->words ? it->words : "no memory";
		failed += it->outcome == TUNE_FAILED;
	}
	return failed;
}
