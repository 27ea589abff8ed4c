/* Parameters of drivers for their next load. */
#include "doctor/tune_modprobe.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADING "# Written by fathom tune --write-modprobe; remove it to undo."

/* Lines of the file but the one that sets what our line sets. */
static void tune_modprobe_keep_others(const char *text, const struct doctor_module *m,
				      struct str *out)
{
	size_t same = strcspn(m->line, "=") + 1;
	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n");
		if (strncmp(line, m->line, same) != 0) {
			str_addn(out, line, n);
			str_addc(out, '\n');
		}
		line += n;
		line += *line == '\n';
	}
}

/* In one move: a half written file would keep the machine from booting with its disks. */
static int tune_modprobe_replace(const char *path, const struct str *text)
{
	char aside[HOST_PATH_MAX + 8];
	if (text->bad)
		return -ENOMEM;
	snprintf(aside, sizeof(aside), "%s.new", path);
	int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	ssize_t n = write(fd, text->s, text->len);
	int ret = n < 0 ? -errno : (size_t)n != text->len ? -ENOSPC : fsync(fd) ? -errno : 0;
	close(fd);
	if (!ret && rename(aside, path))
		ret = -errno;
	if (ret)
		unlink(aside);
	return ret;
}

int tune_write_modprobe(const struct host *h, const char *path, const struct doctor_module *m,
			struct err *err)
{
	assert(path && m);
	char full[HOST_PATH_MAX], *text = NULL;
	struct str out;
	int ret = host_path(h, full, sizeof(full), "%s", path);
	if (!ret)
		ret = host_read_all(h, &text, NULL, "%s", path);
	if (ret && ret != -ENOENT) {
		err_set(err, ERR_SETUP, -ret, "cannot read %s: %s", path, strerror(-ret));
		return ret;
	}
	if (text && strncmp(text, HEADING, strlen(HEADING)) != 0) {
		free(text);
		err_set(err, ERR_SETUP, EEXIST, "%s is not a file of fathom", path);
		err_remedy(err, "add the line '%s' to it yourself, or name another file", m->line);
		return -EEXIST;
	}
	str_init(&out, (size_t)1 << 20);
	if (text)
		tune_modprobe_keep_others(text, m, &out);
	else
		str_add(&out, HEADING "\n");
	str_printf(&out, "%s\n", m->line);
	ret = text && !strcmp(text, out.s) ? 0 : tune_modprobe_replace(full, &out);
	if (ret) {
		err_set(err, ERR_SETUP, -ret, "cannot write %s: %s", path, strerror(-ret));
		if (ret == -EACCES || ret == -EPERM)
			err_remedy(err, "run as root, or name another file");
	}
	str_release(&out);
	free(text);
	return ret;
}
