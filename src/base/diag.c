#include "base/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIAG_ITEMS_MAX 10000u
#define DIAG_TEXT_MAX  1024u

void diag_init(struct diag *d)
{
	memset(d, 0, sizeof(*d));
	(void)pthread_mutex_init(&d->lock, NULL);
}

static void diag_item_release(struct diag_item *item)
{
	free(item->text);
	free(item->remedy);
	free((char *)(uintptr_t)item->at.file);
}

void diag_release(struct diag *d)
{
	assert(d->n <= d->room);
	for (size_t i = 0; i < d->n; i++)
		diag_item_release(&d->items[i]);
	free(d->items);
	(void)pthread_mutex_destroy(&d->lock);
	memset(d, 0, sizeof(*d));
}

/* FNV-1a, so that the search for a twin mostly compares integers. */
static uint32_t diag_text_hash(const char *text)
{
	uint32_t h = 2166136261u;

	assert(text);
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 16777619u;
	return h;
}

static bool diag_same_place(const struct place *a, const struct place *b)
{
	if (a->line != b->line || a->col != b->col || !a->file != !b->file)
		return false;
	return !a->file || strcmp(a->file, b->file) == 0;
}

static bool diag_known(const struct diag *d, const struct diag_item *item, const char *text)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct diag_item *it = &d->items[i];
		if (it->hash == item->hash && it->job == item->job && it->level == item->level &&
		    strcmp(it->code, item->code) == 0 && diag_same_place(&it->at, &item->at) &&
		    strcmp(it->text, text) == 0)
			return true;
	}
	return false;
}

/* False when the item cannot be kept: too many, or out of memory; its texts are then the caller's.
 */
static bool diag_keep(struct diag *d, struct diag_item *item, const char *text, const char *remedy)
{
	if (d->n >= DIAG_ITEMS_MAX)
		return false;
	if (d->n == d->room) {
		size_t room = d->room ? 2 * d->room : 16;
		struct diag_item *items = realloc(d->items, room * sizeof(*items));
		if (!items)
			return false;
		d->items = items;
		d->room = room;
	}
	struct diag_item kept = *item;
	kept.text = strdup(text);
	kept.remedy = strdup(remedy);
	kept.at.file = item->at.file ? strdup(item->at.file) : NULL;
	if (!kept.text || !kept.remedy || (item->at.file && !kept.at.file)) {
		diag_item_release(&kept);
		return false;
	}
	d->items[d->n++] = kept;
	return true;
}

static void diag_append(struct diag *d, struct diag_item *item, const char *text,
			const char *remedy)
{
	remedy = remedy ? remedy : "";
	item->hash = diag_text_hash(text);
	/* Without memory it is said all the same, from here. */
	item->text = (char *)(uintptr_t)text;
	item->remedy = (char *)(uintptr_t)remedy;
	(void)pthread_mutex_lock(&d->lock);
	if (item->level == DIAG_WARNING && d->warnings_fatal) {
		item->level = DIAG_ERROR;
		item->cls = ERR_USAGE;
	}
	if (!diag_known(d, item, text)) {
		if (item->level == DIAG_ERROR) {
			d->errors++;
			if (item->cls > d->worst)
				d->worst = item->cls;
		} else if (item->level == DIAG_WARNING) {
			d->warnings++;
		}
		bool full = d->n >= DIAG_ITEMS_MAX;
		if (diag_keep(d, item, text, remedy))
			item = &d->items[d->n - 1];
		if (d->sink && !full)
			d->sink(d->sink_ctx, item);
	}
	(void)pthread_mutex_unlock(&d->lock);
}

void diag_add(struct diag *d, enum diag_level level, enum err_class cls, const char *code,
	      const struct place *at, int job, const char *remedy, const char *fmt, ...)
{
	struct diag_item item = {.level = level, .code = code, .job = job};
	char text[DIAG_TEXT_MAX];
	va_list ap;

	if (level == DIAG_ERROR)
		item.cls = cls == ERR_NONE ? ERR_SETUP : cls;
	if (at)
		item.at = *at;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_append(d, &item, text, remedy);
}

void diag_add_err(struct diag *d, const char *code, int job, const struct err *e)
{
	diag_add(d, DIAG_ERROR, e->cls, code, &e->at, job, e->remedy, "%s", e->text);
}

enum err_class diag_class(const struct diag *d)
{
	struct diag *open = (struct diag *)(uintptr_t)d; /* only its lock is touched */

	(void)pthread_mutex_lock(&open->lock);
	enum err_class worst = d->worst;
	(void)pthread_mutex_unlock(&open->lock);
	return worst;
}

void diag_format(const struct diag_item *item, char *buf, size_t size)
{
	static const char *const words[] = {"note", "warning", "error"};
	char place[512] = "";
	const struct place *at = &item->at;

	if (at->file && at->line)
		(void)snprintf(place, sizeof(place), "%s:%u:%u: ", at->file, at->line, at->col);
	else if (at->file && at->col)
		(void)snprintf(place, sizeof(place), "%s, argument %u: ", at->file, at->col);
	else if (at->file)
		(void)snprintf(place, sizeof(place), "%s: ", at->file);
	(void)snprintf(buf, size, "%s%s: %s%s%s", place, words[item->level], item->text,
		       item->remedy[0] ? "; " : "", item->remedy);
}
