#include "cmd/cmd.h"
#include "engine/registry.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Messages of a kind that are shown; a file of thousands of wrong lines needs no more. */
enum { SAID_MAX = 50 };

/* Standard error, one line a message behind the program's name; a status line that is in the way is
 * overwritten. */
static void session_say(void *ctx, const struct diag_item *item)
{
	struct session *s = ctx;
	unsigned like = 0;
	char line[1600];

	for (size_t i = 0; i < s->diag.n && like <= SAID_MAX; i++)
		like += !strcmp(s->diag.items[i].code, item->code);
	if (like > SAID_MAX) {
		s->unsaid++;
		return;
	}
	diag_format(item, line, sizeof(line));
	if (isatty(STDERR_FILENO) && isatty(STDOUT_FILENO))
		fputs("\r\033[K", stderr);
	fprintf(stderr, "fathom: %s\n", line);
}

static struct conf_schema *session_make_schema(struct arena *arena)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);
	struct conf_engine *engines = arena_new(arena, struct conf_engine, n);
	struct conf_schema *schema = arena_new(arena, struct conf_schema, 1);

	if (!engines || !schema)
		return NULL;
	for (unsigned i = 0; i < n; i++)
		engines[i] = (struct conf_engine){
			.name = list[i]->name,
			.rows = list[i]->rows,
			.n = list[i]->rows_n,
			.size = list[i]->options_size,
		};
	*schema = (struct conf_schema){.engines = engines, .n = n};
	return schema;
}

const struct conf_schema *cmd_schema(struct arena *arena)
{
	return session_make_schema(arena);
}

int session_open(struct session *s, int argc, char **argv)
{
	return session_open_after(s, 0, argc, argv);
}

int session_open_after(struct session *s, unsigned words, int argc, char **argv)
{
	struct conf_schema *schema;

	*s = (struct session){0};
	arena_init(&s->arena, 0);
	diag_init(&s->diag);
	s->diag.sink = session_say;
	s->diag.sink_ctx = s;
	s->schema = schema = session_make_schema(&s->arena);
	if (!schema) {
		diag_add(&s->diag, DIAG_ERROR, ERR_SETUP, "memory", NULL, -1, "", "out of memory");
		return -1;
	}
	schema->words_before = words;
	return conf_parse(argc, argv, s->schema, &s->cl, &s->jobs, &s->arena, &s->diag);
}

void session_close(struct session *s)
{
	if (s->unsaid)
		fprintf(stderr, "fathom: %u more messages of these kinds are not shown\n",
			s->unsaid);
	diag_release(&s->diag);
	arena_release(&s->arena);
}

int session_status(const struct session *s, int least)
{
	enum err_class cls = diag_class(&s->diag);

	return cls == ERR_NONE ? least : err_exit_code(cls);
}
