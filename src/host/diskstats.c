#include "host/diskstats.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int diskstats_read(const struct host *h, const char *name, struct disk_counters *out)
{
	char text[512];
	uint64_t v[17] = {0};
	unsigned n = 0;
	int ret = host_read_text(h, text, sizeof(text), "/sys/class/block/%s/stat", name);
	if (ret)
		return ret;
	for (char *p = text, *end; n < 17; p = end) {
		uint64_t x = strtoull(p, &end, 10);
		if (end == p)
			break;
		v[n++] = x;
	}
	if (n < 11)
		return -EINVAL;
	memset(out, 0, sizeof(*out));
	for (unsigned d = 0; d < 2; d++) {
		out->ios[d] = v[d * 4];
		out->merges[d] = v[d * 4 + 1];
		out->sectors[d] = v[d * 4 + 2];
		out->ticks_ms[d] = v[d * 4 + 3];
	}
	out->in_flight = v[8];
	out->io_ticks_ms = v[9];
	out->in_queue_ms = v[10];
	out->discards = v[11];
	out->discard_sectors = v[13];
	out->flushes = v[15];
	return 0;
}

static uint64_t diskstats_count_since(uint64_t a, uint64_t b)
{
	return b >= a ? b - a : b;
}

static uint64_t diskstats_time_since(uint64_t a, uint64_t b)
{
	if (b >= a)
		return b - a;
	return a <= UINT32_MAX ? b + (1ull << 32) - a : b;
}

struct disk_counters diskstats_since(const struct disk_counters *earlier,
				     const struct disk_counters *later)
{
	assert(earlier && later);
	const struct disk_counters *a = earlier, *b = later;
	struct disk_counters d = {0};
	/* Requests that fell tell a device that came back, whose times began again too and have not
	 * wrapped. */
	struct disk_counters none = {0};
	if (b->ios[0] < a->ios[0] || b->ios[1] < a->ios[1])
		a = &none;
	for (unsigned i = 0; i < 2; i++) {
		d.ios[i] = diskstats_count_since(a->ios[i], b->ios[i]);
		d.merges[i] = diskstats_count_since(a->merges[i], b->merges[i]);
		d.sectors[i] = diskstats_count_since(a->sectors[i], b->sectors[i]);
		d.ticks_ms[i] = diskstats_time_since(a->ticks_ms[i], b->ticks_ms[i]);
	}
	d.in_flight = b->in_flight;
	d.io_ticks_ms = diskstats_time_since(a->io_ticks_ms, b->io_ticks_ms);
	d.in_queue_ms = diskstats_time_since(a->in_queue_ms, b->in_queue_ms);
	d.discards = diskstats_count_since(a->discards, b->discards);
	d.discard_sectors = diskstats_count_since(a->discard_sectors, b->discard_sectors);
	d.flushes = diskstats_count_since(a->flushes, b->flushes);
	return d;
}

void diskstats_add(struct disk_counters *to, const struct disk_counters *from)
{
	assert(to != from);
	for (unsigned i = 0; i < 2; i++) {
		to->ios[i] += from->ios[i];
		to->merges[i] += from->merges[i];
		to->sectors[i] += from->sectors[i];
		to->ticks_ms[i] += from->ticks_ms[i];
	}
	to->in_flight += from->in_flight;
	to->io_ticks_ms += from->io_ticks_ms;
	to->in_queue_ms += from->in_queue_ms;
	to->discards += from->discards;
	to->discard_sectors += from->discard_sectors;
	to->flushes += from->flushes;
}

double diskstats_util(const struct disk_counters *diff, uint64_t span_ns)
{
	if (!span_ns)
		return 0;
	double share = 100.0 * (double)diff->io_ticks_ms * 1e6 / (double)span_ns;
	return share > 100 ? 100 : share;
}
