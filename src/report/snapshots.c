#include "report/snapshots.h"
#include <errno.h>

void snapshots_init(struct snapshots *s)
{
	s->file = NULL;
	s->n = 0;
}

FILE *snapshots_next(struct snapshots *s)
{
	if (!s->file)
		s->file = tmpfile();
	if (!s->file)
		return NULL;
	if (s->n++)
		fputs(",\n      ", s->file);
	return s->file;
}

int snapshots_copy(struct snapshots *s, FILE *to)
{
	char buf[8192];
	size_t n;

	if (!s->file)
		return 0;
	if (fflush(s->file) || ferror(s->file))
		return -EIO;
	rewind(s->file);
	while ((n = fread(buf, 1, sizeof(buf), s->file)) > 0)
		if (fwrite(buf, 1, n, to) != n)
			return -EIO;
	if (ferror(s->file))
		return -EIO;
	return fseek(s->file, 0, SEEK_END) ? -errno : 0;
}

void snapshots_release(struct snapshots *s)
{
	if (s->file)
		fclose(s->file);
	snapshots_init(s);
}
