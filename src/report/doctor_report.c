#include "report/doctor_report.h"

#include "report/json_finding.h"
#include "report/text.h"
#include <string.h>

static int doctor_width_of(const struct doctor_report *r)
{
	size_t most = 0;
	for (unsigned i = 0; i < r->n; i++)
		if (strlen(r->v[i].f.title) > most)
			most = strlen(r->v[i].f.title);
	return (int)most;
}

/* Names of devices and files are the user's. */
static void doctor_print_subject(FILE *to, const char *subject)
{
	if (!subject[0])
		return;
	text_plain(to, subject, "");
	fputs(": ", to);
}

static void doctor_print_details(FILE *to, const struct finding *f)
{
	fprintf(to, "\n%s (%s)\n", f->title, f->code);
	fputs("  finding  ", to);
	doctor_print_subject(to, f->subject);
	text_plain(to, f->evidence, "");
	fprintf(to, "\n  effect   %s\n", f->effect);
	const char *label = "fix      ";
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
	int width = doctor_width_of(r);
	for (unsigned i = 0; i < r->n; i++) {
		const struct finding *f = &r->v[i].f;
		fprintf(to, "%-7s  %-*s  ", finding_word(f->severity), width, f->title);
		doctor_print_subject(to, f->subject);
		text_plain(to, f->evidence, "");
		fputc('\n', to);
	}
	for (int s = FINDING_BAD; s >= (wide ? FINDING_NOTE : FINDING_WARN); s--)
		for (unsigned i = 0; i < r->n; i++)
			if (r->v[i].f.severity == (enum finding_severity)s)
				doctor_print_details(to, &r->v[i].f);
	fprintf(to, "\n%u bad, %u warn, %u note, %u ok, %u unknown\n", r->count[FINDING_BAD],
		r->count[FINDING_WARN], r->count[FINDING_NOTE], r->count[FINDING_OK],
		r->count[FINDING_UNKNOWN]);
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
	for (int s = FINDING_OK; s <= FINDING_BAD; s++)
		jsonw_uint(&w, finding_word((enum finding_severity)s), r->count[s]);
	jsonw_close(&w);
	jsonw_array(&w, "findings");
	for (unsigned i = 0; i < r->n; i++)
		json_finding(&w, &r->v[i].f, finding_word(r->v[i].f.severity));
	jsonw_close(&w);
	jsonw_close(&w);
	fputc('\n', to);
	return text_flush(to);
}
