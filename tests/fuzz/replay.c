/* Replays every file of a folder through a fuzz target and prints TAP: the corpus as an ordinary
 * test. A target that finds something aborts, so the number of the last line says which file it
 * was.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 20 };

static int is_file(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int replay_file(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	data = malloc(LARGEST);
	if (!f || !data) {
		perror(path);
		exit(1);
	}
	n = fread(data, 1, LARGEST, f);
	fclose(f);
	/* The exact size, so that a sanitizer sees a read past the end. */
	uint8_t *exact = realloc(data, n ? n : 1);
	int ret = LLVMFuzzerTestOneInput(exact ? exact : data, n);

	free(exact);
	return ret;
}

int main(int argc, char **argv)
{
	struct dirent **names;
	int n;

	if (argc != 2) {
		fprintf(stderr, "usage: replay FOLDER\n");
		return 2;
	}
	n = scandir(argv[1], &names, is_file, alphasort);
	if (n < 0) {
		perror(argv[1]);
		return 1;
	}
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		printf("# %s\n", names[i]->d_name);
		fflush(stdout);
		replay_file(argv[1], names[i]->d_name);
		printf("ok %d - %s\n", i + 1, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return 0;
}
