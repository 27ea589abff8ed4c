/* A plan from job file text, in a scratch folder that is the current directory while the test runs.
 */
#ifndef FATHOM_TESTS_PLAN_FIXTURE_H
#define FATHOM_TESTS_PLAN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "conf/conf.h"
#include "engine/registry.h"
#include "plan/explain.h"
#include "plan/plan.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KIB ((uint64_t)1024)
#define MIB ((uint64_t)1024 * 1024)
#define SEC ((uint64_t)1000000000)

struct fixture {
	struct arena arena;
	struct diag diag;
	struct job_list list;
	struct plan *plan; /* NULL after an error */
	int rc;
};

static char scratch[64];

__attribute__((unused)) static int scratch_make(void **state)
{
	(void)state;
	snprintf(scratch, sizeof(scratch), "/tmp/fathom-plan-XXXXXX");
	return !mkdtemp(scratch) || chdir(scratch);
}

__attribute__((unused)) static int scratch_remove(void **state)
{
	(void)state;
	DIR *dir = opendir(scratch);
	struct dirent *e;
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && unlinkat(dirfd(dir), e->d_name, 0))
			unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
	return chdir("/") || rmdir(scratch);
}

/* A file of `size` bytes, written through or sparse. */
__attribute__((unused)) static void file_make(const char *name, uint64_t size, bool data)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	static char block[65536];
	assert_true(fd >= 0);
	memset(block, 0x5a, sizeof(block));
	for (uint64_t at = 0; data && at < size; at += sizeof(block)) {
		size_t n = size - at < sizeof(block) ? size - at : sizeof(block);
		assert_int_equal(write(fd, block, n), n);
	}
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	if (data)
		fsync(fd);
	close(fd);
}

static struct conf_schema schema_make(struct arena *a)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);
	struct conf_engine *v = arena_new(a, struct conf_engine, n);
	for (unsigned i = 0; i < n; i++)
		v[i] = (struct conf_engine){list[i]->name, list[i]->rows, list[i]->rows_n,
					    list[i]->options_size};
	return (struct conf_schema){.engines = v, .n = n};
}

static void diag_print(const struct diag *d)
{
	char line[2048];
	for (size_t i = 0; i < d->n; i++) {
		diag_format(&d->items[i], line, sizeof(line));
		fprintf(stderr, "  [%s] %s\n", d->items[i].code, line);
	}
}

/* Parse and plan; the text must parse. */
__attribute__((unused)) static void plan_text(struct fixture *f, const char *text,
					      const struct plan_options *po)
{
	struct plan_options plain = {.sysroot = "", .os_seed = 99};
	char *argv[] = {"fathom", "the.fio", NULL};
	struct cmdline cmdline;
	FILE *file = fopen("the.fio", "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, 0);
	diag_init(&f->diag);
	struct conf_schema schema = schema_make(&f->arena);
	if (conf_parse(2, argv, &schema, &cmdline, &f->list, &f->arena, &f->diag)) {
		diag_print(&f->diag);
		fail_msg("does not parse: %s", text);
	}
	unlink("the.fio");
	f->rc = plan_make(&f->list, po ? po : &plain, &f->arena, &f->plan, &f->diag);
}

/* The same, and there must be a plan. */
__attribute__((unused)) static void plan_good(struct fixture *f, const char *text)
{
	plan_text(f, text, NULL);
	if (f->rc) {
		diag_print(&f->diag);
		fail_msg("does not plan: %s", text);
	}
}

__attribute__((unused)) static void plan_release(struct fixture *f)
{
	diag_release(&f->diag);
	arena_release(&f->arena);
}

static const struct diag_item *diag_find(const struct fixture *f, enum diag_level level,
					 const char *code)
{
	for (size_t i = 0; i < f->diag.n; i++)
		if (f->diag.items[i].level == level && !strcmp(f->diag.items[i].code, code))
			return &f->diag.items[i];
	return NULL;
}

/* The text must be refused with this code. Returns the item. */
__attribute__((unused)) static const struct diag_item *must_refuse(struct fixture *f,
								   const char *code)
{
	const struct diag_item *it = diag_find(f, DIAG_ERROR, code);
	if (!it || f->rc != -EINVAL) {
		diag_print(&f->diag);
		fail_msg("expected error %s, rc %d", code, f->rc);
	}
	assert_null(f->plan);
	return it;
}

__attribute__((unused)) static const struct diag_item *must_warn(struct fixture *f,
								 const char *code)
{
	const struct diag_item *it = diag_find(f, DIAG_WARNING, code);
	if (!it) {
		diag_print(&f->diag);
		fail_msg("expected warning %s", code);
	}
	return it;
}

__attribute__((unused)) static void must_not_say(struct fixture *f, const char *code)
{
	for (size_t i = 0; i < f->diag.n; i++)
		if (!strcmp(f->diag.items[i].code, code)) {
			diag_print(&f->diag);
			fail_msg("unexpected %s", code);
		}
}

#endif
