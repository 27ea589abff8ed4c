/* File lists: how the files of a worker are called (compatibility 5.1, 5.3), and each path once in
 * the plan.
 */
#include "plan/files_list.h"
#include "target/devguard.h"
#include "plan/say.h"
#include "base/str.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_BYTES 4096

static uint32_t files_path_hash(const char *s, bool virtual)
{
	uint32_t h = virtual ? 2166136261u : 2166136261u ^ 0x5bd1e995u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static bool files_slots_grow(struct builder *b)
{
	unsigned n = b->slots_n ? b->slots_n * 2 : 64;
	uint32_t *v = build_alloc(b, n * sizeof(*v));
	if (!v)
		return false;
	for (unsigned i = 0; i < b->plan->targets_n; i++) {
		uint32_t k = files_path_hash(b->plan->targets[i].path, b->targets[i].virtual);
		while (v[k & (n - 1)])
			k++;
		v[k & (n - 1)] = i + 1;
	}
	b->slots = v;
	b->slots_n = n;
	return true;
}

static bool files_targets_grow(struct builder *b)
{
	unsigned room = b->targets_room;
	b->plan->targets = build_grow(b, b->plan->targets, b->plan->targets_n, &room,
				      sizeof(*b->plan->targets));
	b->targets = build_grow(b, b->targets, b->plan->targets_n, &b->targets_room,
				sizeof(*b->targets));
	return b->plan->targets && b->targets;
}

static enum plan_target_kind files_kind_of(enum target_kind k)
{
	switch (k) {
	case TARGET_MISSING:
	case TARGET_REGULAR:
		return PLAN_REGULAR;
	case TARGET_BLOCK:
		return PLAN_BLOCK;
	case TARGET_CHAR:
		return PLAN_CHAR;
	default:
		return PLAN_OTHER;
	}
}

/* What is there, and can it be used at all? */
static bool files_target_look(struct draft *d, struct plan_target *pt, struct build_target *t)
{
	enum err_class cls = ERR_SETUP;
	struct err err;

	err_clear(&err);
	if (target_probe(&d->b->host, NULL, pt->path, &t->info, &err)) {
		draft_err(d, "target", OPT_filename, &err);
		return false;
	}
	pt->kind = files_kind_of(t->info.kind);
	pt->exists = t->info.kind != TARGET_MISSING;
	pt->size_now = t->planned = t->info.size;
	pt->alignment = t->info.alignment_known ? t->info.alignment : 0;
	if (t->virtual)
		return true;
	if (t->info.kind == TARGET_MISSING && target_guard_dev(NULL, pt->path, &err)) {
		draft_err(d, "no-device", OPT_filename, &err);
		return false;
	}
	if (t->info.kind == TARGET_DIRECTORY)
		draft_error(d, cls, "target-kind", OPT_filename,
			    "use a file in it, or directory=", "%s is a directory", pt->path);
	else if (pt->kind == PLAN_OTHER)
		draft_error(d, cls, "target-kind", OPT_filename, "use a file or a block device",
			    "%s is a %s", pt->path, target_kind_word(t->info.kind));
	return pt->kind != PLAN_OTHER;
}

/* The index of the path in the plan, added when new; -1 without memory. */
static int64_t files_target_index(struct draft *d, const char *path)
{
	struct builder *b = d->b;
	bool virtual = d->caps & ENGINE_NO_FILES;

	if (b->plan->targets_n * 2 >= b->slots_n && !files_slots_grow(b))
		return -1;
	uint32_t k = files_path_hash(path, virtual);
	for (;; k++) {
		uint32_t at = b->slots[k & (b->slots_n - 1)];
		if (!at)
			break;
		if (b->targets[at - 1].virtual == virtual &&
		    !strcmp(b->plan->targets[at - 1].path, path))
			return at - 1;
	}
	if (!files_targets_grow(b))
		return -1;
	unsigned i = b->plan->targets_n++;
	b->slots[k & (b->slots_n - 1)] = i + 1;
	struct plan_target *pt = &b->plan->targets[i];
	struct build_target *t = &b->targets[i];
	memset(pt, 0, sizeof(*pt));
	memset(t, 0, sizeof(*t));
	pt->path = path;
	pt->first_job = b->plan->jobs_n - 1;
	pt->fallocate = (enum opt_fallocate)d->o->fallocate;
	pt->create_fsync = d->o->create_fsync;
	pt->may_create = true;
	pt->may_write_mounted = true;
	pt->fill_block = 1024 * 1024;
	t->virtual = virtual;
	if (!virtual || b->po->simulate)
		t->bad = !files_target_look(d, pt, t);
	if (virtual)
		pt->kind = PLAN_NONE;
	return i;
}

/* $jobname, $jobnum, $filenum, $clientuid in any letter case. */
static void files_format_name(struct str *out, const char *format, const char *jobname,
			      unsigned clone, unsigned file)
{
	for (const char *s = format; *s;) {
		if (!strncasecmp(s, "$jobname", 8)) {
			str_add(out, jobname);
			s += 8;
		} else if (!strncasecmp(s, "$jobnum", 7)) {
			str_printf(out, "%u", clone);
			s += 7;
		} else if (!strncasecmp(s, "$filenum", 8)) {
			str_printf(out, "%u", file);
			s += 8;
		} else if (!strncasecmp(s, "$clientuid", 10)) {
			s += 10;
		} else {
			str_addc(out, *s++);
		}
	}
}

static char *files_in_directory(struct draft *d, const char *directory, const char *name)
{
	char *path;
	if (name[0] == '/' || !directory)
		path = arena_strdup(d->b->arena, name);
	else
		path = arena_printf(d->b->arena, "%s/%s", directory, name);
	if (!path)
		d->b->no_memory = true;
	return path;
}

/* A section called after a device uses that device. */
static bool files_section_is_device(struct draft *d)
{
	struct target_info info;
	if (d->o->filename.n || d->o->nrfiles != 1 ||
	    (d->caps & ENGINE_NO_FILES && !d->b->po->simulate))
		return false;
	if (target_probe(&d->b->host, NULL, d->job->section, &info, NULL))
		return false;
	return info.kind == TARGET_BLOCK || info.kind == TARGET_CHAR;
}

static char *file_path(struct draft *d, const struct plan_job *pj, unsigned i, bool device)
{
	const struct job_opts *o = d->o;
	struct str name;
	char *path;

	if (device)
		return files_in_directory(d, NULL, d->job->section);
	if (o->filename.n)
		return files_in_directory(d, o->directory.n ? o->directory.v[0] : NULL,
					  o->filename.v[i]);
	str_init(&name, NAME_MAX_BYTES);
	files_format_name(&name, o->filename_format, d->job->section, pj->clone, i);
	if (name.bad)
		draft_error(d, ERR_USAGE, "file-name", OPT_filename_format, "",
			    "the file name is longer than %d bytes", NAME_MAX_BYTES);
	path = files_in_directory(
		d, o->directory.n ? o->directory.v[pj->clone % o->directory.n] : NULL, name.s);
	str_release(&name);
	return path;
}

static void files_directories_exist(struct draft *d)
{
	if (d->caps & ENGINE_NO_FILES)
		return;
	for (unsigned i = 0; i < d->o->directory.n; i++) {
		struct target_info info;
		struct err err;
		err_clear(&err);
		if (target_probe(&d->b->host, NULL, d->o->directory.v[i], &info, &err))
			draft_err(d, "directory", OPT_directory, &err);
		else if (info.kind != TARGET_DIRECTORY)
			draft_error(d, ERR_SETUP, "directory", OPT_directory,
				    "create it first, or correct the name",
				    info.kind == TARGET_MISSING ? "directory=%s does not exist"
								: "directory=%s is not a directory",
				    d->o->directory.v[i]);
	}
}

bool files_name(struct draft *d, struct plan_job *pj)
{
	bool device = files_section_is_device(d), ok = true;
	unsigned n = (unsigned)d->o->nrfiles;

	if (pj->clone == 0)
		files_directories_exist(d);
	if (d->failed)
		return false;
	pj->files = build_alloc(d->b, n * sizeof(*pj->files));
	if (!pj->files)
		return false;
	pj->files_n = n;
	pj->open_files = (unsigned)d->o->openfiles;
	for (unsigned i = 0; i < n; i++) {
		char *path = file_path(d, pj, i, device);
		if (path && !strcmp(path, "-")) {
			draft_error(d, ERR_USAGE, "file-name", OPT_filename, "use a file",
				    "standard input and output (filename=-) cannot be benchmarked");
			return false;
		}
		int64_t at = path ? files_target_index(d, path) : -1;
		if (at < 0)
			return false;
		pj->files[i] = (struct plan_file){.target = (uint32_t)at,
						  .path = d->b->plan->targets[at].path};
		ok &= !d->b->targets[at].bad;
	}
	return ok && !d->failed;
}
