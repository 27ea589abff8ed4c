/* A temporary directory that is the current one during a test, and readers of what stands there. */
#ifndef FATHOM_TESTS_LIVE_PLACE_H
#define FATHOM_TESTS_LIVE_PLACE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char place_folder[32];

static inline int place_setup(void **state)
{
	(void)snprintf(place_folder, sizeof(place_folder), "/tmp/fathom-live-XXXXXX");
	return !mkdtemp(place_folder) || chdir(place_folder);
}

/* Fails when the test left something behind. */
static inline int place_teardown(void **state)
{
	return chdir("/") || rmdir(place_folder);
}

/* What comes to its end from fd, at most size - 1 bytes; closes fd. */
static inline size_t place_read(int fd, char *buf, size_t size)
{
	size_t n = 0;
	ssize_t done;

	while (n + 1 < size && (done = read(fd, buf + n, size - 1 - n)) > 0)
		n += (size_t)done;
	buf[n] = '\0';
	close(fd);
	return n;
}

#endif
