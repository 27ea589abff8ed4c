#include "conf/expand.h"
#include "conf/expr.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first ${NAME} at or behind p; its end behind the brace. */
static const char *expand_env_at(const char *p, const char **end)
{
	while ((p = strstr(p, "${"))) {
		const char *close = strchr(p, '}');
		if (!close)
			return NULL;
		if (close > p + 2) {
			*end = close + 1;
			return p;
		}
		p = close;
	}
	return NULL;
}

void expand_env(const char *text, struct str *out, struct arena *arena, const char **unset)
{
	const char *at, *end;

	assert(text && out && arena);
	while ((at = expand_env_at(text, &end))) {
		char *name = arena_strndup(arena, at + 2, (size_t)(end - at) - 3);
		const char *value = name ? getenv(name) : NULL;
		str_addn(out, text, (size_t)(at - text));
		if (value)
			str_add(out, value);
		else if (!*unset)
			*unset = name;
		text = end;
	}
	str_add(out, text);
}

static uint64_t expand_keyword_value(unsigned i)
{
	long page = sysconf(_SC_PAGESIZE);

	switch (i) {
	case 0:
		return (uint64_t)page;
	case 1:
		return (uint64_t)sysconf(_SC_PHYS_PAGES) / (1024 * 1024 / (uint64_t)page);
	default:
		return (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	}
}

void expand_keywords(const char *text, struct str *out)
{
	static const char *const words[] = {"$pagesize", "$mb_memory", "$ncpus"};
	size_t start = out->len;
	unsigned replaced = 0;
	struct expr_value v;

	for (const char *p = text; *p;) {
		unsigned i = 0;
		while (i < 3 && strncmp(p, words[i], strlen(words[i])) != 0)
			i++;
		if (i == 3) {
			str_addc(out, *p++);
			continue;
		}
		str_printf(out, "%" PRIu64, expand_keyword_value(i));
		p += strlen(words[i]);
		replaced++;
	}
	const char *result = out->s + start;
	if (!replaced || out->bad || !strpbrk(result, "+-*/") || strchr(result, '\''))
		return;
	/* a name such as /dev/x$ncpus-y is no arithmetic and stays as it is */
	if (expr_eval(result, EXPR_PLAIN, 1024, &v, NULL))
		return;
	out->len = start;
	out->s[start] = '\0';
	if (v.is_float)
		str_printf(out, "%.15g", v.f);
	else
		str_printf(out, "%" PRId64, v.i);
}
