#include "cmd/recover.h"

#include "host/journal.h"
#include "host/journal_undo.h"
#include <errno.h>
#include <string.h>

/* Each line is a message. */
static void recover_warn_lines(struct diag *diag, const char *text)
{
	while (*text) {
		int n = (int)strcspn(text, "\n");
		diag_add(diag, DIAG_WARNING, ERR_SETUP, "not-restored", NULL, -1, "", "%.*s", n,
			 text);
		text += n;
		text += *text == '\n';
	}
}

void recover_dead_runs(const struct host *h, struct diag *diag)
{
	struct journal_report r;
	journal_report_init(&r);
	int ret = journal_recover(h, &r);
	if (r.undone)
		diag_add(diag, DIAG_NOTE, ERR_NONE, "restored", NULL, -1, "",
			 "restored %u system setting%s left behind by %u killed run%s", r.undone,
			 r.undone == 1 ? "" : "s", r.owners, r.owners == 1 ? "" : "s");
	recover_warn_lines(diag, r.words.s);
	if (ret && ret != -EACCES && ret != -EPERM)
		diag_add(diag, DIAG_WARNING, ERR_SETUP, "not-restored", NULL, -1,
			 "see the journals in /run/fathom",
			 "cannot restore settings changed by a killed run: %s", strerror(-ret));
	journal_report_release(&r);
}
