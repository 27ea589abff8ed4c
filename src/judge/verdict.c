#include "judge/verdict.h"
#include "judge/evidence.h"

static evidence_find *const *const verdict_tables[] = {
	finding_machine_rows,
	finding_work_rows,
	finding_write_rows,
	finding_series_rows,
};

/* What was not measured is told in the words of the table. */
static void verdict_texts(struct verdict_finding *f, const struct result_job *j)
{
	const struct finding_row *row = finding_row(f->f.code);

	f->f.subject = j->name ? j->name : "";
	f->f.general = !f->effect[0];
	f->f.effect = f->effect[0] ? f->effect : row->effect;
	f->f.evidence = f->evidence;
	f->f.seconds = f->seconds;
	f->f.remedy = f->remedy[0] ? f->remedy : row->remedy;
}

static bool verdict_before(const struct verdict_finding *x, const struct verdict_finding *y)
{
	if (x->f.severity != y->f.severity)
		return x->f.severity > y->f.severity;
	return finding_row(x->f.code) < finding_row(y->f.code);
}

/* The worst first, then in the order of the table. */
static void verdict_sort(struct verdict *v)
{
	for (unsigned i = 1; i < v->n; i++)
		for (unsigned k = i; k && verdict_before(&v->v[k], &v->v[k - 1]); k--) {
			struct verdict_finding swap = v->v[k];
			v->v[k] = v->v[k - 1];
			v->v[k - 1] = swap;
		}
}

void verdict_judge(const struct result *r, const struct result_job *j, struct verdict *out)
{
	uint64_t ios = 0;

	out->word = "none";
	out->n = 0;
	for (unsigned d = 0; d < DIRS; d++)
		ios += j->dir[d].ios;
	if (!j->started || !ios)
		return;
	for (unsigned t = 0; t < sizeof(verdict_tables) / sizeof(verdict_tables[0]); t++)
		for (evidence_find *const *row = verdict_tables[t]; *row; row++)
			(*row)(r, j, out);
	verdict_sort(out);
	for (unsigned i = 0; i < out->n; i++)
		verdict_texts(&out->v[i], j);
	out->word = "quiet";
	if (out->n && out->v[0].f.severity > FINDING_NOTE)
		out->word = finding_run_word(out->v[0].f.severity);
}
