#include "host/queue.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CLASS "/sys/class/block/%s/"

static int64_t queue_read_attribute(const struct host *h, const char *name, const char *what)
{
	int64_t v;
	return host_read_i64(h, &v, CLASS "%s", name, what) || v < 0 ? -1 : v;
}

static int queue_small(int64_t v)
{
	return v > 65535 ? 65535 : (int)v;
}

/* "[none] mq-deadline" without the brackets. */
static void queue_read_schedulers(const struct host *h, const char *disk, char *out, size_t size)
{
	char text[128];
	size_t n = 0;
	if (host_read_text(h, text, sizeof(text), CLASS "queue/scheduler", disk))
		return;
	for (const char *p = text; *p && n + 1 < size; p++)
		if (*p != '[' && *p != ']')
			out[n++] = *p;
	out[n] = '\0';
}

/* scsi_host of a SATA disk: .../ataN/hostN/targetN:0:0/N:0:0:0 */
static void queue_read_link_power(const struct host *h, const char *disk, char *out, size_t size)
{
	unsigned host;
	char above[64];
	if (host_read_link(h, above, sizeof(above), CLASS "device", disk) ||
	    sscanf(above, "%u:", &host) != 1 ||
	    host_read_text(h, out, size, "/sys/class/scsi_host/host%u/link_power_management_policy",
			   host))
		out[0] = '\0';
}

void queue_read(const struct host *h, const struct blockdev *dev, struct queue *out)
{
	struct arena a;
	struct host_names queues = {0};
	memset(out, 0, sizeof(*out));
	out->nomerges = queue_small(queue_read_attribute(h, dev->disk, "queue/nomerges"));
	out->rq_affinity = queue_small(queue_read_attribute(h, dev->disk, "queue/rq_affinity"));
	out->wbt_us = queue_read_attribute(h, dev->disk, "queue/wbt_lat_usec");
	out->read_ahead = queue_read_attribute(h, dev->disk, "queue/read_ahead_kb");
	if (out->read_ahead > 0)
		out->read_ahead *= 1024;
	out->fua = queue_small(queue_read_attribute(h, dev->disk, "queue/fua"));
	out->device_depth = queue_small(queue_read_attribute(h, dev->disk, "device/queue_depth"));
	out->misalignment = queue_read_attribute(h, dev->name, "alignment_offset");
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &queues, CLASS "mq", dev->disk))
		out->hw_queues = queues.n;
	arena_release(&a);
	queue_read_schedulers(h, dev->disk, out->schedulers, sizeof(out->schedulers));
	queue_read_link_power(h, dev->disk, out->link_power, sizeof(out->link_power));
}

static void queue_read_dm(const struct host *h, const struct blockdev *dev, struct stack_layer *l)
{
	static const struct {
		const char *prefix;
		enum stack_kind kind;
	} kinds[] = {{"CRYPT-", STACK_CRYPT}, {"LVM-", STACK_LVM}, {"mpath-", STACK_MULTIPATH}};
	char uuid[160] = "";
	l->kind = STACK_DM;
	IGNORE_RESULT(host_read_text(h, uuid, sizeof(uuid), CLASS "dm/uuid", dev->name));
	IGNORE_RESULT(host_read_text(h, l->detail, sizeof(l->detail), CLASS "dm/name", dev->name));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(uuid, kinds[i].prefix, strlen(kinds[i].prefix)))
			l->kind = kinds[i].kind;
}

void queue_layer(const struct host *h, const struct blockdev *dev, struct stack_layer *out)
{
	struct stack_layer l;
	memset(&l, 0, sizeof(l));
	snprintf(l.name, sizeof(l.name), "%s", dev->name);
	l.degraded = -1;
	l.kind = STACK_DISK;
	if (dev->partition) {
		l.kind = STACK_PARTITION;
	} else if (!strncmp(dev->name, "dm-", 3)) {
		queue_read_dm(h, dev, &l);
	} else if (!strncmp(dev->name, "md", 2)) {
		l.kind = STACK_MD;
		IGNORE_RESULT(
			host_read_text(h, l.detail, sizeof(l.detail), CLASS "md/level", dev->name));
		IGNORE_RESULT(host_read_text(h, l.action, sizeof(l.action), CLASS "md/sync_action",
					     dev->name));
		l.degraded = queue_small(queue_read_attribute(h, dev->name, "md/degraded"));
	} else if (!strncmp(dev->name, "loop", 4)) {
		l.kind = STACK_LOOP;
		IGNORE_RESULT(host_read_text(h, l.detail, sizeof(l.detail),
					     CLASS "loop/backing_file", dev->name));
	} else if (!strncmp(dev->name, "zram", 4) || !strncmp(dev->name, "ram", 3)) {
		l.kind = STACK_RAM;
	}
	*out = l;
}
