#include "log/logkind.h"
#include <stddef.h>

static bool logkind_async(const struct plan_job *pj)
{
	return pj->is_async;
}

static bool logkind_has_interval(const struct plan_job *pj)
{
	return pj->o->log_hist_msec != 0;
}

/* What the public table keeps to itself: the options behind each kind. */
static const struct {
	size_t prefix;				/* offset of the text in job_opts */
	size_t disabled;			/* offset of the flag; 0: none */
	bool (*fed)(const struct plan_job *pj); /* NULL: always */
	bool named;				/* an empty prefix means the job's name */
} logkind_options[LOGK_KINDS] = {
#define AT(member) offsetof(struct job_opts, member)
	[LOGK_BW] = {AT(write_bw_log), AT(disable_bw_measurement), NULL, true},
	[LOGK_IOPS] = {AT(write_iops_log), 0, NULL, true},
	[LOGK_SLAT] = {AT(write_lat_log), AT(disable_slat), logkind_async, true},
	[LOGK_CLAT] = {AT(write_lat_log), AT(disable_clat), NULL, true},
	[LOGK_LAT] = {AT(write_lat_log), AT(disable_lat), NULL, true},
	[LOGK_HIST] = {AT(write_hist_log), 0, logkind_has_interval, true},
	[LOGK_IOLOG] = {AT(write_iolog), 0, NULL, false},
#undef AT
};

const struct logkind logkinds[LOGK_KINDS] = {
	[LOGK_BW] = {"bw", "KiB/s"},  [LOGK_IOPS] = {"iops", "I/Os/s"},
	[LOGK_SLAT] = {"slat", "ns"}, [LOGK_CLAT] = {"clat", "ns"},
	[LOGK_LAT] = {"lat", "ns"},   [LOGK_HIST] = {"clat_hist", NULL},
	[LOGK_IOLOG] = {NULL, NULL},
};

const char *logkind_prefix(const struct plan_job *pj, unsigned kind)
{
	const char *options = (const char *)pj->o;
	const char *given = *(const char *const *)(options + logkind_options[kind].prefix);
	size_t disabled = logkind_options[kind].disabled;

	if (!given || (disabled && *(const bool *)(options + disabled)))
		return NULL;
	return !given[0] && logkind_options[kind].named ? pj->name : given;
}

unsigned logkind_created(const struct plan_job *pj)
{
	unsigned kinds = 0;

	for (unsigned k = 0; k < LOGK_KINDS; k++)
		if (logkind_prefix(pj, k))
			kinds |= 1u << k;
	return kinds;
}

unsigned logkind_fed(const struct plan_job *pj)
{
	unsigned kinds = logkind_created(pj);

	for (unsigned k = 0; k < LOGK_KINDS; k++)
		if (logkind_options[k].fed && !logkind_options[k].fed(pj))
			kinds &= ~(1u << k);
	return kinds;
}
