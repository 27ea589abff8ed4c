#include "cmd/subject.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int subject_wrong(const struct subject_words *s, const char *text, const char *word)
{
	fprintf(stderr, "fathom: error: %s: %s%s\n%s", s->command, text, word, s->usage);
	return -EINVAL;
}

/* What all of these commands take. */
static bool subject_words_common_option(struct subject_words *s, const char *word, const char *next,
					int *used)
{
	if (!strcmp(word, "--json") || !strcmp(word, "--output-format=json"))
		s->json = true;
	else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		s->help = true;
	else if (!strncmp(word, "--sysroot=", 10))
		s->sysroot = word + 10;
	else if (!strcmp(word, "--sysroot") && next)
		s->sysroot = next, *used = 2;
	else
		return false;
	return true;
}

int subject_parse(struct subject_words *s, int argc, char **argv)
{
	struct stat st;

	s->sysroot = "";
	for (int i = 1, used; i < argc; i += used) {
		const char *word = argv[i];
		used = 1;
		if (word[0] != '-' || !word[1]) {
			if (s->what)
				return subject_wrong(s,
						     "one device, file or job at a time: ", word);
			s->what = word;
		} else if (!subject_words_common_option(s, word, argv[i + 1], &used)) {
			int ret = s->option(s->ctx, word);
			if (ret <= 0)
				return ret ? ret : subject_wrong(s, "unknown option ", word);
		}
	}
	if (!s->help && s->sysroot[0] && (stat(s->sysroot, &st) || !S_ISDIR(st.st_mode)))
		return subject_wrong(s, "no such folder: ", s->sysroot);
	return 0;
}
