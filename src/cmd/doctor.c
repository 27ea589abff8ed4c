/* `fathom doctor [DEVICE | FILE | JOB.fio] [options]`: is this machine fit to measure on? Reads,
 * never changes. */
#include "base/time.h"
#include "cmd/subject.h"
#include "host/kernel.h"
#include "doctor/doctor.h"
#include "report/doctor_report.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LOOK_NS NS_PER_SEC

static const char usage[] =
	"usage: fathom doctor [DEVICE | FILE | JOB.fio] [--json] [--notes] [--quick]\n"
	"                     [--fail-on=bad|warn] [--sysroot=DIR]\n"
	"\n"
	"Checks the machine, and the given device, file or job, before a run. Changes nothing.\n"
	"\n"
	"  --json          one JSON document\n"
	"  --notes         also print the details of notes\n"
	"  --quick         skip the measurement of current activity (one second)\n"
	"  --fail-on=WORD  exit with status 2 on a bad finding (bad), or on a bad or warn finding "
	"(warn)\n"
	"  --sysroot=DIR   read /proc and /sys of a recorded machine below DIR\n"
	"\n"
	"A file is a job when its name ends with .fio or .ini or it begins with a [section].\n";

struct ask {
	struct subject_words words;
	bool notes, quick;
	enum finding_severity fail_on; /* FINDING_OK: never */
};

static int doctor_own_option(void *ctx, const char *word)
{
	struct ask *a = ctx;

	if (!strcmp(word, "--notes"))
		a->notes = true;
	else if (!strcmp(word, "--quick"))
		a->quick = true;
	else if (!strcmp(word, "--fail-on=bad"))
		a->fail_on = FINDING_BAD;
	else if (!strcmp(word, "--fail-on=warn"))
		a->fail_on = FINDING_WARN;
	else
		return 0;
	return 1;
}

static int doctor_look(struct session *s, const struct doctor_input *in, struct doctor_report *r)
{
	struct doctor *d;
	struct timespec from, to, pause = {.tv_nsec = LOOK_NS - 1};
	clock_gettime(CLOCK_MONOTONIC, &from);
	int ret = doctor_begin(in, &s->arena, &d);
	if (ret)
		return ret;
	if (in->measure)
		while (nanosleep(&pause, &pause) && errno == EINTR)
			;
	clock_gettime(CLOCK_MONOTONIC, &to);
	uint64_t span = (uint64_t)(to.tv_sec - from.tv_sec) * NS_PER_SEC +
			(uint64_t)(to.tv_nsec - from.tv_nsec);
	return doctor_end(d, span, r);
}

static int doctor_print(const struct ask *a, const struct host *h, const struct doctor_report *r)
{
	struct kernel k;
	int ret;
	if (a->words.json)
		ret = doctor_print_json(stdout, r, cmd_version_string(),
					kernel_read(h, &k) ? "" : k.release);
	else
		ret = doctor_print_text(stdout, r, a->notes);
	if (ret)
		return cmd_output_failed(-ret);
	if (a->fail_on == FINDING_OK)
		return 0;
	return r->count[FINDING_BAD] || (a->fail_on == FINDING_WARN && r->count[FINDING_WARN]) ? 2
											       : 0;
}

static int doctor_examine(struct session *s, const struct ask *a, char *program)
{
	struct host h = {.root = a->words.sysroot};
	struct doctor_input in = {.host = &h, .measure = !a->quick && !a->words.sysroot[0]};
	struct doctor_report r;
	struct subject on;
	int status = subject_find(s, "doctor", program, a->words.what, &h, &on);
	if (status)
		return status;
	in.device = on.device;
	in.path = on.path;
	in.plan = on.plan;
	int ret = doctor_look(s, &in, &r);
	if (ret) {
		fprintf(stderr, "fathom: error: doctor: %s\n", strerror(-ret));
		return 2;
	}
	return doctor_print(a, &h, &r);
}

int cmd_doctor(int argc, char **argv)
{
	struct session s = {0};
	struct ask a = {.words = {.command = "doctor",
				  .usage = usage,
				  .option = doctor_own_option,
				  .ctx = &a}};
	if (subject_parse(&a.words, argc, argv))
		return 1;
	if (a.words.help) {
		fputs(usage, stdout);
		return 0;
	}
	int status = doctor_examine(&s, &a, argv[0]);
	session_close(&s);
	return status;
}
