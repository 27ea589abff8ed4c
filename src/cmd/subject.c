#include "cmd/subject.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool subject_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n > k && !strcmp(s + n - k, end);
}

/* The first line that is neither empty nor a comment opens a section. */
static bool subject_begins_with_section(const char *path)
{
	char line[512];
	bool found = false;
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *p = line;
		while (isspace((unsigned char)*p))
			p++;
		if (*p == '\0' || *p == ';' || *p == '#')
			continue;
		found = *p == '[' && strchr(p, ']');
		break;
	}
	if (f)
		fclose(f);
	return found;
}

static bool subject_is_job(const char *what)
{
	struct stat st;
	if (!strcmp(what, "-") || subject_ends_with(what, ".fio") ||
	    subject_ends_with(what, ".ini"))
		return true;
	return !stat(what, &st) && S_ISREG(st.st_mode) && subject_begins_with_section(what);
}

/* The kernel name of a device: of a node, or (in a recorded tree) just the name. */
static bool subject_is_device(const struct host *h, const char *what, struct blockdev *out)
{
	if (!h->root[0] && !blockdev_of_path(h, what, out))
		return true;
	if (h->root[0] && !strncmp(what, "/dev/", 5))
		return !blockdev_of_source(h, what, out);
	return !strchr(what, '/') && !blockdev_of_name(h, what, out);
}

/* The jobs of the file; planning opens nothing for writing. 0, or the exit status when that failed
 * and was explained. */
static int subject_make_plan(struct session *s, const char *command, const char *what,
			     const char *sysroot, char *program, struct plan **plan)
{
	char *argv[] = {program, (char *)what, NULL};
	struct plan_options po = {.no_device_access = true, .sysroot = sysroot, .os_seed = 1};
	if (session_open(s, 2, argv) < 0)
		return 1;
	if (!s->jobs.n) {
		fprintf(stderr, "fathom: error: %s: no job in %s\n", command, what);
		return 1;
	}
	/* What planning would warn of is a finding here. */
	s->diag.sink = NULL;
	if (plan_make(&s->jobs, &po, &s->arena, plan, &s->diag) == 0)
		return 0;
	for (size_t i = 0; i < s->diag.n; i++) {
		char line[1600];
		if (s->diag.items[i].level != DIAG_ERROR)
			continue;
		diag_format(&s->diag.items[i], line, sizeof(line));
		fprintf(stderr, "%s\n", line);
	}
	return 1;
}

int subject_find(struct session *s, const char *command, char *program, const char *what,
		 const struct host *h, struct subject *out)
{
	char *none[] = {program, NULL};
	*out = (struct subject){0};
	bool device = what && subject_is_device(h, what, &out->dev);
	if (what && !device && subject_is_job(what))
		return subject_make_plan(s, command, what, h->root, program, &out->plan);
	if (session_open(s, 1, none) < 0)
		return session_status(s, 1);
	if (device) {
		out->device = out->dev.name;
	} else if (what && (h->root[0] ? what[0] == '/' : !access(what, F_OK))) {
		out->path = what;
	} else if (what) {
		fprintf(stderr, "fathom: error: %s: no such device, file or job: %s\n", command,
			what);
		return 1;
	}
	return 0;
}
