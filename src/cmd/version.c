/* --version: what this is and what it was built with. */
#include "cmd/cmd.h"
#include "engine/registry.h"
#include <stdio.h>
#include <string.h>

#ifndef FATHOM_VERSION
#error "FATHOM_VERSION comes from the build"
#endif

const char *cmd_version_string(void)
{
	return "fio-3.42-fathom-" FATHOM_VERSION;
}

static bool version_is_fio(const char *program)
{
	const char *slash = strrchr(program, '/');

	return !strcmp(slash ? slash + 1 : program, "fio");
}

/* Scripts read the first line; under the name fio there is nothing else. */
void cmd_print_version(const char *program)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);

	if (version_is_fio(program)) {
		printf("%s\n", cmd_version_string());
		return;
	}
	printf("fathom-%s\n", FATHOM_VERSION);
	printf("engines:");
	for (unsigned i = 0; i < n; i++)
		printf(" %s", list[i]->name);
	printf("\nlibraries: %s\n", FATHOM_FEATURES);
}
