/* The job files of Debian's fio-examples package: each parses, or is refused naming an option or an
 * engine. */
#include "fixture.h"

#include <dirent.h>

#define EXAMPLES "/usr/share/doc/fio/examples"

/* Does the message quote a key that stands in the file? */
static bool names_its_line(const struct diag_item *item)
{
	const char *from = strchr(item->text, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
	char line[8192];
	FILE *in = fopen(item->at.file, "r");
	bool found = false;

	assert_non_null(in);
	for (unsigned n = 1; fgets(line, sizeof(line), in); n++) {
		if (n != item->at.line || !to)
			continue;
		char *name = strndup(from + 1, (size_t)(to - from - 1));
		const struct opt_row *row = NULL;
		assert_non_null(name);
		int opt = schema_job_option(name);
		if (opt >= 0)
			row = &job_rows[opt];
		size_t key = strcspn(line, "= \t\r\n");
		line[key] = '\0';
		found = strcmp(line, name) == 0 || (row && opt_row_named(row, line));
		free(name);
	}
	fclose(in);
	return found;
}

static void examples_parse_or_are_refused_by_name(void **state)
{
	struct fixture *f = *state;
	DIR *d = opendir(EXAMPLES);
	unsigned files = 0, refused = 0;

	if (!d) {
		print_message("no " EXAMPLES ": install fio-examples\n");
		skip();
	}
	for (struct dirent *e; (e = readdir(d));) {
		char path[512];
		size_t n = strlen(e->d_name);
		if (n < 5 || strcmp(e->d_name + n - 4, ".fio") != 0)
			continue;
		snprintf(path, sizeof(path), EXAMPLES "/%s", e->d_name);
		files++;
		refused += parse(f, path, NULL) != 0;
		for (size_t i = 0; i < f->diag.n; i++) {
			const struct diag_item *item = &f->diag.items[i];
			if (item->level == DIAG_ERROR && !names_its_line(item))
				fail_msg("%s", message(f, (unsigned)i));
		}
	}
	closedir(d);
	print_message("%u files, %u refused\n", files, refused);
	assert_true(files == 0 || refused < files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(examples_parse_or_are_refused_by_name,
						fixture_setup, fixture_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
