/* Findings about writes that may have gone nowhere yet. */
#include "base/units.h"
#include "judge/evidence.h"
#include <stdio.h>
#include <string.h>

/* Drives commonly have a GiB of memory for a TB of flash, disks a quarter of a GiB. */
#define CACHE_LEAST (256ull << 20)
#define CACHE_MOST  (4ull << 30)
#define CACHE_SHARE 1000u /* of the device */

static uint64_t finding_write_cache_size(uint64_t device)
{
	uint64_t share = device / CACHE_SHARE;

	return share < CACHE_LEAST ? CACHE_LEAST : share > CACHE_MOST ? CACHE_MOST : share;
}

static void finding_write_find_write_cache(const struct result *r, const struct result_job *j,
					   struct verdict *v)
{
	uint64_t bytes = j->dir[DIR_WRITE].bytes + j->phase[PHASE_RAMP].bytes[DIR_WRITE];
	uint64_t span = j->region_bytes && j->region_bytes < bytes ? j->region_bytes : bytes;
	uint64_t cache = finding_write_cache_size(j->device_bytes);
	char wrote[32], holds[32];

	(void)r;
	if (!j->dir[DIR_WRITE].ios || !j->write_back || j->writes_synced || j->writes_buffered ||
	    span >= cache)
		return;
	/* At a rate the cache empties meanwhile: the amount says less. */
	struct verdict_finding *f = evidence_add(v, "write-cache");
	f->f.severity = j->paced || span >= CACHE_LEAST ? FINDING_NOTE : FINDING_WARN;
	units_print(span, 1, 4, true, UNITS_BYTES, wrote, sizeof(wrote));
	units_print(cache, 1, 4, true, UNITS_BYTES, holds, sizeof(holds));
	EVIDENCE(f,
		 "%s were written to the device and nothing was synced: its write-back cache may "
		 "hold %s",
		 wrote, holds);
	snprintf(f->remedy, sizeof(f->remedy),
		 "write well over %s after filling the device once, or include the flush "
		 "(end_fsync=1, fdatasync=1, sync=dsync)",
		 holds);
}

static void finding_write_find_write_missed(const struct result *r, const struct result_job *j,
					    struct verdict *v)
{
	const struct result_share *w = &j->device_writes;

	(void)r;
	if (!j->writes_buffered || j->writes_synced || !evidence_short(w))
		return;
	struct verdict_finding *f = evidence_add(v, "write-back");
	EVIDENCE(f, "%.0f %% of the bytes written had not reached the device when the run ended",
		 100 - 100 * (double)w->device / (double)w->own);
	REMEDY(f, "use direct=1, or end_fsync=1 and read the time until the data were durable");
}

evidence_find *const finding_write_rows[] = {
	finding_write_find_write_cache,
	finding_write_find_write_missed,
	NULL,
};
