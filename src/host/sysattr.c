#include "host/sysattr.h"

#include "base/str.h"
#include "host/cpu.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r\n"

int sysattr_read(const struct host *h, const char *path, struct arena *a, const char **text)
{
	char *raw;
	size_t len;
	int ret = host_read_all(h, &raw, &len, "%s", path);
	if (ret)
		return ret;
	if (len >= SYSATTR_MAX) {
		free(raw);
		return -E2BIG;
	}
	/* A attribute holds text: what follows a 0 is not of it. */
	const char *copy = arena_strdup(a, raw);
	free(raw);
	if (!copy)
		return -ENOMEM;
	*text = copy;
	return 0;
}

/* In one call: the kernel takes each write as a value. */
static int sysattr_put(const struct host *h, const char *path, const char *text, size_t len)
{
	char full[HOST_PATH_MAX];
	int ret = host_path(h, full, sizeof(full), "%s", path);
	if (ret)
		return ret;
	int fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = write(fd, text, len);
	if (n < 0)
		ret = -errno;
	else if ((size_t)n != len)
		ret = -EIO;
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int sysattr_put_line(const struct host *h, const char *path, const char *word)
{
	char line[SYSATTR_MAX + 2];
	size_t n = strlen(word);
	if (n >= SYSATTR_MAX)
		return -E2BIG;
	memcpy(line, word, n);
	line[n] = '\n';
	return sysattr_put(h, path, line, n + 1);
}

/* The brackets of a text with choices moved to another word; false when it has no such choice. */
static bool sysattr_choose(const char *was, const char *word, struct str *out)
{
	size_t n = strlen(word);
	bool found = false;
	for (const char *p = was; *p;) {
		size_t blank = strspn(p, BLANKS), len;
		str_addn(out, p, blank);
		p += blank;
		len = strcspn(p, BLANKS);
		bool open = len >= 2 && p[0] == '[' && p[len - 1] == ']';
		const char *bare = p + open;
		size_t bare_len = len - (open ? 2 : 0);
		bool this = len && bare_len == n && !strncmp(bare, word, n);
		found |= this;
		str_addn(out, this ? "[" : "", this ? 1 : 0);
		str_addn(out, bare, bare_len);
		str_addn(out, this ? "]" : "", this ? 1 : 0);
		p += len;
	}
	return found && strchr(was, '[') && !out->bad;
}

bool sysattr_is_switch(const char *setting)
{
	return (setting[0] == '+' || setting[0] == '-') && setting[1] &&
	       (setting[1] < '0' || setting[1] > '9');
}

/* A list of words with one added or taken out. */
static void sysattr_toggle(const char *was, const char *setting, struct str *out)
{
	size_t n = strlen(setting + 1);
	for (const char *p = was + strspn(was, BLANKS); *p; p += strspn(p, BLANKS)) {
		size_t len = strcspn(p, BLANKS);
		if (len != n || strncmp(p, setting + 1, n)) {
			str_add(out, out->len ? " " : "");
			str_addn(out, p, len);
		}
		p += len;
	}
	if (setting[0] == '+') {
		str_add(out, out->len ? " " : "");
		str_add(out, setting + 1);
	}
	str_addc(out, '\n');
}

int sysattr_write(const struct host *h, const char *path, const char *was, const char *word)
{
	if (!h->root[0] || !was)
		return sysattr_put_line(h, path, word);
	struct str shown;
	str_init(&shown, SYSATTR_MAX);
	bool other = true;
	if (sysattr_is_switch(word))
		sysattr_toggle(was, word, &shown);
	else
		other = sysattr_choose(was, word, &shown);
	int ret =
		other ? sysattr_put(h, path, shown.s, shown.len) : sysattr_put_line(h, path, word);
	str_release(&shown);
	return ret;
}

int sysattr_restore(const struct host *h, const char *path, const char *text)
{
	char word[SYSATTR_MAX];
	if (h->root[0])
		return sysattr_put(h, path, text, strlen(text));
	int ret = sysattr_active(text, word, sizeof(word));
	return ret ? ret : sysattr_put_line(h, path, word);
}

int sysattr_active(const char *text, char *word, size_t size)
{
	const char *from = text, *open = strchr(text, '['),
		   *close = open ? strchr(open, ']') : NULL;
	size_t len;
	if (close) {
		from = open + 1;
		len = (size_t)(close - from);
	} else {
		from += strspn(from, BLANKS);
		len = strlen(from);
		while (len && strchr(BLANKS, from[len - 1]))
			len--;
	}
	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(word, from, len);
	word[len] = '\0';
	return 0;
}

static bool sysattr_same_cpus(const char *x, const char *y)
{
	struct arena a;
	struct cpuset l = {0}, k = {0};
	arena_init(&a, 0);
	bool same =
		!cpuset_parse(x, &a, &l) && !cpuset_parse(y, &a, &k) && l.n && cpuset_equal(&l, &k);
	arena_release(&a);
	return same;
}

/* Hexadecimal in groups; leading zeros mean nothing. */
static bool sysattr_same_mask(const char *x, const char *y)
{
	static const char digits[] = "0123456789abcdefABCDEF,";
	if (!*x || !*y || x[strspn(x, digits)] || y[strspn(y, digits)])
		return false;
	x += strspn(x, "0,");
	y += strspn(y, "0,");
	return !strcasecmp(x, y);
}

static bool sysattr_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = text; *p;) {
		p += strspn(p, BLANKS);
		size_t len = strcspn(p, BLANKS);
		if (len == n && len && !strncmp(p, word, n))
			return true;
		p += len;
	}
	return false;
}

bool sysattr_is(const char *text, const char *setting)
{
	char now[SYSATTR_MAX], want[SYSATTR_MAX];
	if (sysattr_active(text, now, sizeof(now)) || sysattr_active(setting, want, sizeof(want)))
		return false;
	if (sysattr_is_switch(want))
		return sysattr_has_word(text, want + 1) == (want[0] == '+');
	return !strcmp(now, want) || sysattr_same_cpus(now, want) || sysattr_same_mask(now, want);
}
