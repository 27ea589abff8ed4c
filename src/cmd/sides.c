#include "cmd/sides.h"
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MOST 10000

struct reading {
	struct arena *arena;
	struct compare_side *side;
	unsigned room;
	struct err *err;
};

static int sides_no_memory(struct reading *r)
{
	return err_set(r->err, ERR_SETUP, ENOMEM, "out of memory for the reports");
}

static int sides_add_run(struct reading *r, const struct record *run)
{
	struct compare_side *s = r->side;

	if (s->n == r->room) {
		unsigned room = r->room ? 2 * r->room : 8;
		const struct record **grown = arena_new(r->arena, const struct record *, room);
		if (!grown)
			return sides_no_memory(r);
		if (s->n)
			memcpy(grown, s->run, s->n * sizeof(*grown));
		s->run = grown;
		r->room = room;
	}
	s->run[s->n++] = run;
	return 0;
}

static int sides_add_file(struct reading *r, const char *path)
{
	struct record_list list;
	int ret = record_read(path, r->arena, &list, r->err);

	for (unsigned i = 0; !ret && i < list.n; i++)
		ret = sides_add_run(r, &list.v[i]);
	return ret;
}

static int sides_is_report(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return e->d_name[0] != '.' && dot && !strcmp(dot, ".json");
}

static int sides_add_folder(struct reading *r, const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, sides_is_report, alphasort), ret = 0;

	if (n < 0)
		return err_set(r->err, ERR_USAGE, errno, "%s cannot be read: %s", path,
			       strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *file = arena_printf(r->arena, "%s/%s", path, names[i]->d_name);
		if (!ret)
			ret = file ? sides_add_file(r, file) : sides_no_memory(r);
		free(names[i]);
	}
	free(names);
	if (!ret && !n)
		ret = err_set(r->err, ERR_USAGE, ENOENT, "%s holds no file that ends in .json",
			      path);
	return ret;
}

static int sides_add_pattern(struct reading *r, const char *pattern)
{
	glob_t g;
	int ret = glob(pattern, 0, NULL, &g);

	if (ret)
		return err_set(r->err, ERR_USAGE, ENOENT, "no such file: %s", pattern);
	for (size_t i = 0; i < g.gl_pathc && i < FILES_MOST && !ret; i++) {
		const char *file = arena_strdup(r->arena, g.gl_pathv[i]);
		ret = file ? sides_add_file(r, file) : sides_no_memory(r);
	}
	globfree(&g);
	return ret;
}

static int sides_add_word(struct reading *r, const char *word)
{
	struct stat st;

	if (stat(word, &st) == 0 && S_ISDIR(st.st_mode))
		return sides_add_folder(r, word);
	if (access(word, F_OK) != 0 && strpbrk(word, "*?["))
		return sides_add_pattern(r, word);
	return sides_add_file(r, word);
}

int side_read(const char *word, struct arena *a, struct compare_side *out, struct err *err)
{
	struct reading r = {.arena = a, .side = out, .err = err};
	int ret = 0;

	*out = (struct compare_side){.label = word};
	if (access(word, F_OK) == 0 || !strchr(word, ','))
		return sides_add_word(&r, word);
	while (!ret) {
		size_t n = strcspn(word, ",");
		const char *one = arena_strndup(a, word, n);
		if (!one)
			ret = sides_no_memory(&r);
		else if (n)
			ret = sides_add_word(&r, one);
		if (!word[n])
			break;
		word += n + 1;
	}
	if (!ret && !out->n)
		ret = err_set(err, ERR_USAGE, EINVAL, "missing report file name");
	return ret;
}
