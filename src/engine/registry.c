#include "engine/registry.h"
#include "engine/tables.h"
#include <assert.h>
#include <string.h>

static const struct engine_ops *const engines[] = {
#define ENGINE(symbol) &engine_##symbol,
#define KNOWN(name, library)
#include "engine/engines.def"
#undef ENGINE
#undef KNOWN
};

#define ENGINES (sizeof(engines) / sizeof(engines[0]))

static const struct {
	const char *name, *library;
} registry_known[] = {
#define ENGINE(symbol)
#define KNOWN(name, library) {name, library},
#include "engine/engines.def"
#undef ENGINE
#undef KNOWN
};

const struct engine_ops *const *engine_list(unsigned *n)
{
	assert(n);
	*n = ENGINES;
	return engines;
}

const struct engine_ops *engine_find(const char *name)
{
	assert(name);
	for (size_t i = 0; i < ENGINES; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

const struct engine_ops *engine_simulator(void)
{
	for (size_t i = 0; i < ENGINES; i++)
		if (engines[i]->caps & ENGINE_VIRTUAL)
			return engines[i];
	return NULL;
}

const char *engine_not_built(const char *name)
{
	if (!strcmp(name, "external") || !strncmp(name, "external:", 9))
		return "";
	for (size_t i = 0; i < sizeof(registry_known) / sizeof(registry_known[0]); i++)
		if (!strcmp(registry_known[i].name, name))
			return registry_known[i].library;
	return NULL;
}

bool engine_need_applies(const struct engine_ops *ops, const void *options,
			 const struct engine_need *need)
{
	if (!need->option[0])
		return true;
	for (unsigned i = 0; options && i < ops->rows_n; i++) {
		const struct opt_row *row = &ops->rows[i];
		const void *v = (const char *)options + row->at;

		if (strcmp(row->name, need->option))
			continue;
		if (row->type == OPT_T_FLAG || row->type == OPT_T_BOOL)
			return *(const bool *)v;
		return row->type == OPT_T_INT && *(const int64_t *)v > 0;
	}
	return false;
}
