#include "report/json_finding.h"

void json_finding(struct jsonw *w, const struct finding *f, const char *word)
{
	jsonw_object(w, NULL);
	jsonw_string(w, "code", f->code);
	jsonw_string(w, "title", f->title);
	jsonw_string(w, "subject", f->subject);
	jsonw_string(w, "severity", word);
	jsonw_string(w, "evidence", f->evidence);
	jsonw_string(w, "effect", f->effect);
	jsonw_bool(w, "effect_measured", !f->general);
	jsonw_string(w, "seconds", f->seconds);
	jsonw_lines(w, "remedy", f->remedy);
	jsonw_close(w);
}
