#include "report/doctor.h"

#include "report/jsonw.h"
#include "report/text.h"
#include <string.h>

static int width_of(const struct doctor_report *r)
{
	size_t most = 0;
	for (unsigned i = 0; i < r->n; i++)
		if (strlen(r->v[i].title) > most)
			most = strlen(r->v[i].title);
	return (int)most;
}

/* Names of devices and files are the user's. */
static void print_subject(FILE *to, const char *subject)
{
	if (!subject[0])
		return;
	text_plain(to, subject, "");
	fputs(": ", to);
}

static void print_details(FILE *to, const struct doctor_finding *f)
{
	fprintf(to, "\n%s (%s)\n", f->title, f->code);
	fputs("  found    ", to);
	print_subject(to, f->subject);
	text_plain(to, f->evidence, "");
	fprintf(to, "\n  matters  %s\n", f->why);
	const char *label = "mend     ";
	for (const char *line = f->remedy; *line;) {
		int n = (int)strcspn(line, "\n");
		fprintf(to, "  %s%.*s\n", label, n, line);
		label = "         ";
		line += n;
		line += *line == '\n';
	}
}

int doctor_print_text(FILE *to, const struct doctor_report *r, bool wide)
{
	int width = width_of(r);
	for (unsigned i = 0; i < r->n; i++) {
		const struct doctor_finding *f = &r->v[i];
		fprintf(to, "%-7s  %-*s  ", doctor_state_word(f->state), width, f->title);
		print_subject(to, f->subject);
		text_plain(to, f->evidence, "");
		fputc('\n', to);
	}
	for (int s = DOCTOR_BAD; s >= (wide ? DOCTOR_NOTE : DOCTOR_WARN); s--)
		for (unsigned i = 0; i < r->n; i++)
			if (r->v[i].state == (enum doctor_state)s)
				print_details(to, &r->v[i]);
	fprintf(to, "\n%u bad, %u warn, %u note, %u ok, %u unknown\n", r->count[DOCTOR_BAD],
		r->count[DOCTOR_WARN], r->count[DOCTOR_NOTE], r->count[DOCTOR_OK],
		r->count[DOCTOR_UNKNOWN]);
	return text_flush(to);
}

int doctor_print_json(FILE *to, const struct doctor_report *r, const char *version,
		      const char *kernel)
{
	struct jsonw w;
	jsonw_init(&w, to, false, 0);
	jsonw_object(&w, NULL);
	jsonw_string(&w, "version", version);
	jsonw_string(&w, "kernel", kernel);
	jsonw_object(&w, "counts");
	for (int s = DOCTOR_OK; s <= DOCTOR_BAD; s++)
		jsonw_uint(&w, doctor_state_word((enum doctor_state)s), r->count[s]);
	jsonw_close(&w);
	jsonw_array(&w, "findings");
	for (unsigned i = 0; i < r->n; i++) {
		const struct doctor_finding *f = &r->v[i];
		jsonw_object(&w, NULL);
		jsonw_string(&w, "code", f->code);
		jsonw_string(&w, "title", f->title);
		jsonw_string(&w, "subject", f->subject);
		jsonw_string(&w, "state", doctor_state_word(f->state));
		jsonw_string(&w, "evidence", f->evidence);
		jsonw_string(&w, "why", f->why);
		jsonw_lines(&w, "remedy", f->remedy);
		jsonw_close(&w);
	}
	jsonw_close(&w);
	jsonw_close(&w);
	fputc('\n', to);
	return text_flush(to);
}
