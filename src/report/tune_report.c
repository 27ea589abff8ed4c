#include "report/tune_report.h"

#include "report/jsonw.h"
#include "report/text.h"
#include <string.h>

#define FILES_SHOWN 8 /* of one kind; JSON has all */

static const char *const outcome_words[] = {"change", "changed", "kept", "failed"};

static void tune_print_lines(FILE *to, const char *label, const char *text)
{
	for (const char *line = text; *line;) {
		int n = (int)strcspn(line, "\n");
		fprintf(to, "  %-8s %.*s\n", label, n, line);
		label = "";
		line += n;
		line += *line == '\n';
	}
}

/* "3 restored, 1 failed": what did not happen is not said, but for the first. */
static void tune_counts(FILE *to, const unsigned *n, const char *const *words, unsigned kinds)
{
	fprintf(to, "%u %s", n[0], words[0]);
	for (unsigned i = 1; i < kinds; i++)
		if (n[i])
			fprintf(to, ", %u %s", n[i], words[i]);
}

static bool tune_same_kind(const struct tune_item *x, const struct tune_item *y)
{
	return !strcmp(x->code, y->code) && !strcmp(x->subject, y->subject) &&
	       x->outcome == y->outcome;
}

/* Items of one kind; the number of the first that is not. */
static unsigned tune_print_kind(FILE *to, const struct tune_plan *t, unsigned i)
{
	const struct tune_item *first = &t->item[i];
	unsigned end = i;
	while (end < t->items && tune_same_kind(first, &t->item[end]))
		end++;
	fprintf(to, "%s (%s)%s%s\n", first->title, first->code, first->subject[0] ? ": " : "",
		first->subject);
	fprintf(to, "  effect   %s\n", first->effect);
	for (unsigned k = i; k < end && k < i + FILES_SHOWN; k++) {
		const struct tune_item *it = &t->item[k];
		fprintf(to, "  %-8s %s: ", k == i ? outcome_words[it->outcome] : "", it->path);
		text_plain(to, it->now, "");
		fprintf(to, " -> %s\n", it->want);
		if (it->words && (k == i || it->outcome == TUNE_FAILED))
			tune_print_lines(to, "", it->words);
	}
	if (end - i > FILES_SHOWN)
		fprintf(to, "  %-8s and %u more of these\n", "", end - i - FILES_SHOWN);
	return end;
}

static void tune_print_outcome(FILE *to, const unsigned *of)
{
	static const char *const words[] = {"changed", "kept by the kernel", "failed"};
	const unsigned n[] = {of[TUNE_DONE], of[TUNE_KEPT], of[TUNE_FAILED]};
	if (!n[0] && !n[1] && !n[2])
		return;
	tune_counts(to, n, words, 3);
	fputs("; fathom tune --restore restores the previous values\n", to);
}

static void tune_print_plan(FILE *to, const struct tune_report *r)
{
	const struct tune_plan *t = r->plan;
	unsigned of[TUNE_FAILED + 1] = {0};
	for (unsigned i = 0; i < t->items;)
		i = tune_print_kind(to, t, i);
	for (unsigned i = 0; i < t->items; i++)
		of[t->item[i].outcome]++;
	for (unsigned i = 0; i < t->remarks; i++) {
		const struct tune_remark *m = &t->remark[i];
		fprintf(to, "Not done (%s)%s%s\n", m->code, m->subject[0] ? ": " : "", m->subject);
		tune_print_lines(to, "because", m->text);
		tune_print_lines(to, "fix", m->remedy);
	}
	if (r->modprobe)
		fprintf(to, "Written to %s, in force once the driver is loaded again\n",
			r->modprobe);
	if (!t->items)
		fputs("Nothing to change\n", to);
	else if (of[TUNE_WANTED])
		fprintf(to, "%u to change; nothing was done: --apply does it\n", of[TUNE_WANTED]);
	else
		tune_print_outcome(to, of);
}

static void tune_print_states(FILE *to, const struct tune_report *r)
{
	for (unsigned i = 0; i < r->states; i++) {
		const struct tune_state *s = &r->state[i];
		fprintf(to, "%s: ", s->path);
		text_plain(to, r->undo ? s->to : s->from, "");
		fputs(" -> ", to);
		text_plain(to, r->undo ? s->from : s->to, "");
		if (!r->undo && s->gone) {
			fputs("; it is gone now", to);
		} else if (!r->undo && s->foreign) {
			fputs(", now ", to);
			text_plain(to, s->now, "");
			fputs(": changed by someone else since", to);
		}
		fputc('\n', to);
	}
}

int tune_print_text(FILE *to, const struct tune_report *r)
{
	if (r->plan)
		tune_print_plan(to, r);
	tune_print_states(to, r);
	if (r->undo) {
		fputs(r->undo->words.s, to);
		tune_counts(
			to, (const unsigned[]){r->undo->undone, r->undo->foreign, r->undo->failed},
			(const char *const[]){"restored", "skipped (changed by others)", "failed"},
			3);
		fputc('\n', to);
	} else if (!r->plan) {
		fprintf(to, "%u in force%s\n", r->states,
			r->states ? "; fathom tune --restore restores the previous values" : "");
	}
	return text_flush(to);
}

static void tune_json_plan(struct jsonw *w, const struct tune_report *r)
{
	static const char *const words[] = {"wanted", "done", "kept", "failed"};
	const struct tune_plan *t = r->plan;
	jsonw_array(w, "changes");
	for (unsigned i = 0; i < t->items; i++) {
		const struct tune_item *it = &t->item[i];
		jsonw_object(w, NULL);
		jsonw_string(w, "code", it->code);
		jsonw_string(w, "subject", it->subject);
		jsonw_string(w, "file", it->path);
		jsonw_string(w, "from", it->now);
		jsonw_string(w, "to", it->want);
		jsonw_string(w, "effect", it->effect);
		jsonw_string(w, "outcome", words[it->outcome]);
		if (it->words)
			jsonw_string(w, "words", it->words);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_array(w, "remarks");
	for (unsigned i = 0; i < t->remarks; i++) {
		const struct tune_remark *m = &t->remark[i];
		jsonw_object(w, NULL);
		jsonw_string(w, "code", m->code);
		jsonw_string(w, "subject", m->subject);
		jsonw_string(w, "text", m->text);
		jsonw_lines(w, "remedy", m->remedy);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_array(w, "modprobe_lines");
	for (unsigned i = 0; i < t->modules; i++)
		jsonw_string(w, NULL, t->module[i].line);
	jsonw_close(w);
	if (r->modprobe)
		jsonw_string(w, "modprobe_file", r->modprobe);
}

static void tune_json_states(struct jsonw *w, const struct tune_report *r)
{
	jsonw_array(w, "changes");
	for (unsigned i = 0; i < r->states; i++) {
		const struct tune_state *s = &r->state[i];
		jsonw_object(w, NULL);
		jsonw_string(w, "file", s->path);
		jsonw_string(w, "from", s->from);
		jsonw_string(w, "to", s->to);
		if (s->gone)
			jsonw_null(w, "now");
		else
			jsonw_string(w, "now", s->now);
		jsonw_bool(w, "changed_since", s->foreign);
		jsonw_close(w);
	}
	jsonw_close(w);
}

int tune_print_json(FILE *to, const struct tune_report *r)
{
	struct jsonw w;
	jsonw_init(&w, to, false, 0);
	jsonw_object(&w, NULL);
	jsonw_string(&w, "version", r->version);
	jsonw_string(&w, "kernel", r->kernel);
	jsonw_string(&w, "action", r->action);
	if (r->plan)
		tune_json_plan(&w, r);
	else
		tune_json_states(&w, r);
	if (r->undo) {
		jsonw_uint(&w, "undone", r->undo->undone);
		jsonw_uint(&w, "left_alone", r->undo->foreign);
		jsonw_uint(&w, "failed", r->undo->failed);
		jsonw_lines(&w, "messages", r->undo->words.s);
	}
	jsonw_close(&w);
	fputc('\n', to);
	return text_flush(to);
}
