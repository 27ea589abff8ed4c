/* `fathom compare BASELINE OTHER...`: what differs, how sure that is, how long to run to tell. */
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/repeat.h"
#include "cmd/sides.h"
#include "report/comparison.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	struct compare_options o;
	enum comparison_format format;
	bool force, fail_on_slower, help;
	const char *metrics; /* of --fail-on */
	const char **word;   /* sides */
	unsigned words_n;
};

static const char usage[] =
	"usage: fathom compare [OPTION...] BASELINE OTHER...\n"
	"\n"
	"Each side is a JSON report of fathom or fio, or several reports of the same configuration "
	"(repeats): files joined by\n"
	"',', a folder (its .json files) or a quoted pattern. Every OTHER is compared with "
	"BASELINE.\n"
	"\n"
	"  --force             compare even if options differ; match jobs of other names by order\n"
	"  --allow=OPTION,...  these options may differ\n"
	"  --resolve=PERCENT   smallest difference that matters (default 3): \"no difference "
	"seen\" "
	"means that one of\n"
	"                      this size would have been detected with 90 % power\n"
	"  --format=FORMAT     table, markdown or json\n"
	"  --fail-on=slower[:METRIC,...]\n"
	"                      exit with status 5 if one of the metrics (iops, bw, lat, p99, ...; "
	"default iops, bw, lat)\n"
	"                      got slower\n"
	"\n"
	"Exit status: 0 compared, 1 usage, unreadable reports or options that differ, 5 see "
	"--fail-on.\n";

static int compare_complain(const char *what, const char *word)
{
	fprintf(stderr, "fathom: error: %s '%s'; see fathom compare --help\n", what, word);
	return -EINVAL;
}

static int compare_take_format(struct request *q, const char *v)
{
	static const char *const word[] = {"table", "markdown", "json"};

	for (unsigned i = 0; i < 3; i++) {
		if (!strcmp(v, word[i])) {
			q->format = (enum comparison_format)i;
			return 0;
		}
	}
	return compare_complain("not a format:", v);
}

static int compare_take_fail_on(struct request *q, const char *v)
{
	if (strncmp(v, "slower", 6) != 0 || (v[6] && v[6] != ':'))
		return compare_complain("--fail-on knows slower only:", v);
	q->fail_on_slower = true;
	q->metrics = v[6] && v[7] ? v + 7 : NULL;
	return 0;
}

static int compare_take_allow(struct request *q, char *v, struct arena *a)
{
	const char **list;
	unsigned n = 1;

	for (const char *p = v; *p; p++)
		n += *p == ',';
	list = arena_new(a, const char *, n);
	if (!list)
		return -ENOMEM;
	q->o.allow = list;
	q->o.allow_n = n;
	for (unsigned i = 0; i < n; i++) {
		size_t len = strcspn(v, ",");
		list[i] = arena_strndup(a, v, len);
		if (!list[i])
			return -ENOMEM;
		v += len + 1;
	}
	return 0;
}

/* The value of "--name=value", NULL when the word is another option. */
static char *compare_value_of(char *word, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

static int compare_take_word(struct request *q, char *w, struct arena *a)
{
	char *v;

	if (w[0] != '-' || !w[1]) {
		q->word[q->words_n++] = w;
		return 0;
	}
	if (!strcmp(w, "--force")) {
		q->force = q->o.by_place = true;
		return 0;
	}
	if (!strcmp(w, "--help")) {
		q->help = true;
		return 0;
	}
	if ((v = compare_value_of(w, "--format")))
		return compare_take_format(q, v);
	if ((v = compare_value_of(w, "--fail-on")))
		return compare_take_fail_on(q, v);
	if ((v = compare_value_of(w, "--allow")))
		return compare_take_allow(q, v, a);
	if ((v = compare_value_of(w, "--resolve"))) {
		if (units_parse_percent(v, 100, &q->o.resolve) || q->o.resolve <= 0)
			return compare_complain("--resolve wants a percentage above 0, not", v);
		return 0;
	}
	return compare_complain("unknown option", w);
}

static int compare_speak(const struct err *e)
{
	fprintf(stderr, "fathom: error: %s%s%s\n", e->text, e->remedy[0] ? "; " : "", e->remedy);
	return err_exit_code(e->cls);
}

static void compare_refuse(const struct comparison *c)
{
	fprintf(stderr,
		"fathom: error: %s and %s are not runs of the same options; --allow=OPTION or "
		"--force compares them anyway\n",
		c->a->label, c->b->label);
	comparison_differences(c, "  ", stderr);
}

static int compare_all(const struct request *q, struct arena *a)
{
	unsigned n = q->words_n - 1;
	struct compare_side *side = arena_new(a, struct compare_side, q->words_n);
	struct comparison *c = arena_new(a, struct comparison, n);
	struct err err = {0};
	bool slower = false;

	if (!side || !c) {
		err_set(&err, ERR_SETUP, ENOMEM, "out of memory");
		return compare_speak(&err);
	}
	for (unsigned i = 0; i < q->words_n; i++)
		if (side_read(q->word[i], a, &side[i], &err))
			return compare_speak(&err);
	for (unsigned i = 0; i < n; i++) {
		if (compare(&side[0], &side[i + 1], &q->o, a, &c[i], &err))
			return compare_speak(&err);
		if (c[i].options_n && !q->force) {
			compare_refuse(&c[i]);
			return 1;
		}
		slower |= q->fail_on_slower && compare_slower(&c[i], q->metrics);
	}
	int ret = comparison_print(c, n, q->format, stdout);
	if (ret)
		return cmd_output_failed(-ret);
	return slower ? EXIT_SLOWER : 0;
}

int cmd_compare(int argc, char **argv)
{
	struct request q = {.o = {.seed = 1}};
	struct arena a;
	int ret = 0, status = 1;

	arena_init(&a, (size_t)4 << 30);
	q.word = arena_new(&a, const char *, argc + 1);
	for (int i = 1; i < argc && !ret; i++)
		ret = q.word ? compare_take_word(&q, argv[i], &a) : -ENOMEM;
	if (ret == -ENOMEM)
		fputs("fathom: error: out of memory\n", stderr);
	if (q.help)
		fputs(usage, stdout);
	else if (!ret && q.words_n < 2)
		fputs(usage, stderr);
	if (!ret && q.words_n >= 2 && !q.help)
		status = compare_all(&q, &a);
	else if (q.help)
		status = 0;
	arena_release(&a);
	return status;
}
