/* Reading files, and what needs no JSON library. */
#include "judge/record.h"
#include "judge/record_json.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *record_pair(const struct record_pairs *p, const char *key)
{
	for (unsigned i = 0; i < p->n; i++)
		if (!strcmp(p->v[i].key, key))
			return p->v[i].value;
	return NULL;
}

static int record_read_all(int fd, struct arena *a, const char *file, char **text, size_t *n,
			   struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_set(err, ERR_USAGE, errno, "%s cannot be read: %s", file,
			       strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, EISDIR, "%s is a folder", file);
	if (st.st_size > (off_t)RECORD_BYTES_MOST)
		return err_set(err, ERR_USAGE, EFBIG, "%s is too large for a report", file);
	size_t room = (size_t)st.st_size;
	*text = arena_alloc(a, room + 1, 1);
	if (!*text)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for %s", file);
	for (*n = 0; *n < room;) {
		ssize_t got = read(fd, *text + *n, room - *n);
		if (got < 0)
			return err_set(err, ERR_USAGE, errno, "%s cannot be read: %s", file,
				       strerror(errno));
		if (!got)
			break;
		*n += (size_t)got;
	}
	return 0;
}

int record_read(const char *file, struct arena *a, struct record_list *out, struct err *err)
{
	char *text = NULL;
	size_t n = 0;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	assert(a && out);
	if (fd < 0)
		return err_set(err, ERR_USAGE, errno, "%s cannot be opened: %s", file,
			       strerror(errno));
	int ret = record_read_all(fd, a, file, &text, &n, err);
	close(fd);
	return ret ? ret : record_parse(text, n, file, a, out, err);
}
