/* Checks of a disk: its queue's settings and its health. */
#include "doctor/check.h"
#include "host/nvme.h"
#include "host/pcidev.h"
#include <errno.h>
#include <string.h>

static bool check_leaf_is_virtual(const struct blockdev *dev)
{
	return !strncmp(dev->disk, "loop", 4) || !strncmp(dev->disk, "zram", 4) ||
	       !strncmp(dev->disk, "ram", 3);
}

static void check_leaf_fix_knob(struct check *c, const char *attribute, const char *value)
{
	check_fix(c, "echo %s > /sys/class/block/%s/queue/%s", value, c->leaf->dev.disk, attribute);
	check_setting(c, value, "/sys/class/block/%s/queue/%s", c->leaf->dev.disk, attribute);
}

static void check_scheduler(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	const char *s = dev->scheduler, *all = c->leaf->queue.schedulers;
	bool old_kernel = c->d->kernel_known && !kernel_at_least(&c->d->kernel, 6, 10);
	if (!s[0])
		return;
	bool none = !strcmp(s, "none") || !strcmp(s, "noop");
	/* Virtual disks call themselves rotational whatever is below. */
	bool virtio = !strncmp(dev->disk, "vd", 2);
	if (dev->zoned == BLOCKDEV_HOST_MANAGED && old_kernel) {
		/* Before zone write plugging (6.10) only it kept the order of writes. */
		if (!strcmp(s, "mq-deadline") || !strcmp(s, "deadline")) {
			check_say(c, FINDING_OK, "%s keeps the order of zoned writes", s);
		} else {
			check_say(c, FINDING_BAD, "%s does not keep the order of zoned writes", s);
			check_leaf_fix_knob(c, "scheduler", "mq-deadline");
		}
	} else if (none || (dev->rotational == 1 && !virtio)) {
		check_say(c, FINDING_OK, "%s", s);
	} else if (dev->rotational < 0) {
		check_say(c, FINDING_UNKNOWN, "%s; whether the disk is rotational is unknown", s);
	} else {
		bool heavy = !strcmp(s, "bfq") || !strcmp(s, "cfq");
		check_say(c, heavy ? FINDING_WARN : FINDING_NOTE, "%s", s);
		check_leaf_fix_knob(c, "scheduler",
				    strstr(all, "none")	  ? "none"
				    : strstr(all, "noop") ? "noop"
							  : "none");
	}
}

static void check_nomerges(struct check *c)
{
	static const char *const words[] = {"0: adjacent requests are merged",
					    "1: simple merges only", "2: never"};
	int v = c->leaf->queue.nomerges;
	bool random = c->leaf->use.any ? c->leaf->use.random
				       : c->d->in.any_job && c->leaf->dev.rotational == 0;
	if (v < 0 || v > 2)
		return;
	/* Random I/O at depth finds next to nothing to merge, but looks. */
	if (v == 0 && random) {
		check_say(c, FINDING_NOTE, "%s", words[v]);
		check_leaf_fix_knob(c, "nomerges", "2");
	} else {
		check_say(c, FINDING_OK, "%s", words[v]);
	}
}

static void check_rq_affinity(struct check *c)
{
	static const char *const words[] = {
		"0: completions are handled by the CPU that took the interrupt",
		"1: completions go to the cache group that submitted",
		"2: completions go to the CPU that submitted",
	};
	int v = c->leaf->queue.rq_affinity;
	if (v < 0 || v > 2)
		return;
	if (v == 0) {
		check_say(c, FINDING_NOTE, "%s", words[v]);
		check_leaf_fix_knob(c, "rq_affinity", "2");
	} else {
		check_say(c, FINDING_OK, "%s", words[v]);
	}
}

static void check_write_throttling(struct check *c)
{
	int64_t us = c->leaf->queue.wbt_us;
	const struct check_use *use = &c->leaf->use;
	bool held = use->any ? use->writes && use->buffered : c->d->in.any_job;
	if (us < 0) {
		if (c->d->kernel_known && !kernel_at_least(&c->d->kernel, 4, 10))
			check_say(c, FINDING_OK, "not in this kernel (since 4.10)");
		return;
	}
	if (us == 0) {
		check_say(c, FINDING_OK, "off");
	} else if (held) {
		check_say(c, FINDING_WARN, "write-back is throttled to keep reads below %lld us",
			  (long long)us);
		check_leaf_fix_knob(c, "wbt_lat_usec", "0");
	} else {
		check_say(c, FINDING_OK, "%lld us; concerns buffered writes only", (long long)us);
	}
}

static void check_write_cache(struct check *c)
{
	int back = c->leaf->dev.write_back;
	const struct check_use *use = &c->leaf->use;
	const char *fua = c->leaf->queue.fua == 1 ? ", FUA" : "";
	if (back < 0)
		return;
	if (back == 0) {
		check_say(c, FINDING_OK, "write through: none, or one that survives power loss");
	} else if (use->any && (!use->writes || use->fsyncs)) {
		check_say(c, FINDING_OK, "write back%s; %s", fua,
			  use->writes ? "the jobs sync" : "no job writes");
	} else {
		check_say(c, FINDING_NOTE, "write back%s: a write completes before it is durable",
			  fua);
		check_fix(c, "fdatasync=1 or sync=dsync when durable writes are meant");
	}
}

static void check_device_depth(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	int takes = c->leaf->queue.device_depth;
	unsigned want = c->leaf->use.depth;
	if (takes > 0) {
		if (takes == 1 && want != 1) {
			check_say(c, want > 1 ? FINDING_BAD : FINDING_WARN,
				  "the device takes one command at a time (NCQ is off)");
			check_fix(c, "echo 31 > /sys/class/block/%s/device/queue_depth", dev->disk);
		} else if (want > (unsigned)takes) {
			check_say(c, FINDING_NOTE, "%u I/Os in flight, the device takes %d", want,
				  takes);
			check_fix(c, "iodepth x numjobs of %d or less", takes);
		} else {
			check_say(c, FINDING_OK, "the device takes %d commands", takes);
		}
		return;
	}
	if (!dev->nr_requests)
		return;
	uint64_t room = (uint64_t)dev->nr_requests *
			(c->leaf->queue.hw_queues ? c->leaf->queue.hw_queues : 1);
	if (want > room) {
		check_say(c, FINDING_NOTE, "%u I/Os in flight, the queues hold %llu", want,
			  (unsigned long long)room);
		check_fix(c, "iodepth x numjobs of %llu or less", (unsigned long long)room);
	} else {
		check_say(c, FINDING_OK, "%u requests a queue", dev->nr_requests);
	}
}

/* Celsius; limit 0: unknown. */
static void check_leaf_say_temperature(struct check *c, double now, double limit)
{
	bool hot = limit > 0 && now >= limit, warm = limit > 0 && now >= limit - 5;
	const char *near = limit > 0 ? arena_printf(c->a, ", it throttles near %.0f", limit) : "";
	check_say(c,
		  hot	 ? FINDING_BAD
		  : warm ? FINDING_WARN
			 : FINDING_OK,
		  "%.0f degrees Celsius%s", now, near ? near : "");
	if (hot || warm)
		check_fix(c, "more cooling; wait until the device is cold");
}

static void check_temperature(struct check *c)
{
	struct temperature t;
	struct nvme n;
	struct nvme_health log;
	if (!pcidev_temperature(c->h, c->leaf->dev.disk, &t)) {
		check_leaf_say_temperature(c, (double)t.now_mc / 1e3,
					   (double)temperature_limit(&t) / 1e3);
	} else if (!nvme_of_disk(c->h, c->leaf->dev.disk, &n) &&
		   !nvme_health(c->h, n.controller, &log) && log.temperature_c) {
		check_leaf_say_temperature(c, log.temperature_c, 0);
	} else {
		check_say(c, FINDING_UNKNOWN, "no temperature sensor found");
	}
}

/* The SMART log, or unknown and why. */
static bool check_leaf_read_health(struct check *c, struct nvme_health *log)
{
	struct nvme n;
	if (nvme_of_disk(c->h, c->leaf->dev.disk, &n)) {
		check_say(c, FINDING_UNKNOWN, "only NVMe drives are asked (others: smartctl -a)");
		return false;
	}
	int ret = nvme_health(c->h, n.controller, log);
	if (!ret)
		return true;
	check_say(c, FINDING_UNKNOWN, "%s",
		  ret == -EACCES || ret == -EPERM ? "reading the SMART log requires root"
		  : c->h->root[0]		  ? "a recorded machine cannot be asked"
						  : "the device does not answer");
	return false;
}

static void check_throttling(struct check *c)
{
	struct nvme_health log;
	if (!check_leaf_read_health(c, &log))
		return;
	if (log.warning & 2) {
		check_say(c, FINDING_BAD, "outside of its temperature range now");
		check_fix(c, "more cooling; wait until the device is cold");
	} else if (log.throttled && log.hot_minutes) {
		check_say(c, FINDING_NOTE, "throttled %llu times, %llu minutes too hot",
			  (unsigned long long)log.throttled, (unsigned long long)log.hot_minutes);
	} else if (log.throttled) {
		check_say(c, FINDING_NOTE, "throttled %llu times",
			  (unsigned long long)log.throttled);
	} else if (log.hot_minutes) {
		check_say(c, FINDING_NOTE, "%llu minutes too hot",
			  (unsigned long long)log.hot_minutes);
	} else {
		check_say(c, FINDING_OK, "never so far");
	}
}

static void check_wear(struct check *c)
{
	struct nvme_health log;
	if (!check_leaf_read_health(c, &log))
		return;
	bool spent =
		log.used_percent >= 100 || log.spare_percent < log.spare_least || log.warning & 0xd;
	check_say(c,
		  spent			   ? FINDING_BAD
		  : log.used_percent >= 80 ? FINDING_WARN
					   : FINDING_OK,
		  "%u %% of its life used, %u %% spare blocks left", log.used_percent,
		  log.spare_percent);
	if (spent)
		check_fix(c, "replace the device");
}

static void check_link(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	struct pci_link l;
	if (strncmp(dev->disk, "nvme", 4)) {
		check_say(c, FINDING_OK, "not a PCIe drive");
		return;
	}
	if (pcidev_link(c->h, dev->disk, &l) || !l.width || !l.width_top || l.speed <= 0 ||
	    l.speed_top <= 0)
		return;
	double share = l.speed * l.width / (l.speed_top * l.width_top) * 100;
	if (l.width < l.width_top || l.speed < l.speed_top * 0.99) {
		bool port = l.port_width && l.port_speed > 0 && l.width >= l.port_width &&
			    l.speed >= l.port_speed * 0.99;
		check_say(c, share <= 50 ? FINDING_BAD : FINDING_WARN,
			  "%.1f GT/s x%u of %.1f GT/s x%u: %.0f %% of what %s can do%s", l.speed,
			  l.width, l.speed_top, l.width_top, share, l.address,
			  port ? "; the slot gives no more" : "");
		check_fix(c,
			  port ? "put the drive into a slot with more lanes or of a newer PCIe "
				 "generation"
			       : "reseat the drive; look for errors: lspci -vv -s %s",
			  l.address);
	} else {
		check_say(c, FINDING_OK, "%.1f GT/s x%u, its maximum", l.speed, l.width);
	}
}

static void check_accounting(struct check *c)
{
	int64_t on;
	if (host_read_i64(c->h, &on, "/sys/class/block/%s/queue/iostats", c->leaf->dev.disk))
		return;
	/* Drivers without request queues (zram, md) count by themselves. */
	if (on || !host_exists(c->h, "/sys/class/block/%s/mq", c->leaf->dev.disk)) {
		check_say(c, FINDING_OK, on ? "on" : "counted by the driver");
		return;
	}
	check_say(c, FINDING_WARN, "off: /proc/diskstats stands still for %s", c->leaf->dev.disk);
	check_fix(c, "echo 1 > /sys/class/block/%s/queue/iostats", c->leaf->dev.disk);
}

static void check_power_saving(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	const char *policy = c->leaf->queue.link_power;
	struct nvme n;
	if (!nvme_of_disk(c->h, dev->disk, &n)) {
		if (n.sleep_us > 1000) {
			check_say(c, FINDING_NOTE,
				  "idle drives may enter states with an exit latency of %lld us",
				  (long long)n.sleep_us);
			check_fix(c, "boot with nvme_core.default_ps_max_latency_us=0");
		} else if (n.sleep_us >= 0) {
			check_say(c, FINDING_OK, "exit latency of at most %lld us",
				  (long long)n.sleep_us);
		}
		return;
	}
	if (policy[0]) {
		bool full = !strcmp(policy, "max_performance");
		check_say(c, full ? FINDING_OK : FINDING_NOTE, "SATA link: %s", policy);
		if (!full)
			check_fix(c, "echo max_performance | tee "
				     "/sys/class/scsi_host/host*/link_power_management_policy");
	} else if (!strncmp(dev->disk, "vd", 2) || check_leaf_is_virtual(dev)) {
		check_say(c, FINDING_OK, "not applicable to this device");
	}
}

/* Up to three names, most bytes first. */
static const char *check_leaf_io_tasks(struct check *c)
{
	const struct busy *b = &c->d->busy;
	const char *text = "";
	uint64_t below = UINT64_MAX;
	for (unsigned said = 0; said < 3; said++) {
		const struct busy_task *t = NULL;
		for (unsigned i = 0; i < b->tasks; i++)
			if (b->task[i].io_bytes < below &&
			    (!t || b->task[i].io_bytes > t->io_bytes))
				t = &b->task[i];
		if (!t || t->io_bytes < 64 * 1024)
			break;
		below = t->io_bytes;
		double mib = (double)t->io_bytes * 1e9 / (double)b->span_ns / (1 << 20);
		const char *longer = arena_printf(c->a, "%s%s%s (%u) %.1f MiB/s", text,
						  said ? ", " : ": ", t->name, t->pid, mib);
		text = longer ? longer : text;
	}
	return text;
}

static void check_busy_device(struct check *c)
{
	const struct disk_counters *d = &c->leaf->diff;
	uint64_t span = c->d->busy.span_ns;
	if (!c->d->busy_known || !c->leaf->counted || !span) {
		check_say(c, FINDING_UNKNOWN, "not measured");
		return;
	}
	double ios = (double)(d->ios[0] + d->ios[1]) * 1e9 / (double)span;
	double util = diskstats_util(d, span);
	bool loaded = util >= 1 || ios >= 50;
	check_say(c,
		  util >= 20 ? FINDING_BAD
		  : loaded   ? FINDING_WARN
			     : FINDING_OK,
		  "%.0f I/Os a second, %.1f %% of the time in use%s", ios, util,
		  loaded ? check_leaf_io_tasks(c) : "");
	if (loaded)
		check_fix(c, "stop these programs (iotop -oa), or measure another device");
}

const struct check_row check_leaf_rows[] = {
	{"scheduler", check_scheduler},
	{"nomerges", check_nomerges},
	{"rq-affinity", check_rq_affinity},
	{"write-throttling", check_write_throttling},
	{"write-cache", check_write_cache},
	{"device-depth", check_device_depth},
	{"io-accounting", check_accounting},
	{"power-saving", check_power_saving},
	{"thermal", check_temperature},
	{"throttling", check_throttling},
	{"wear", check_wear},
	{"pcie-link", check_link},
	{"other-io", check_busy_device},
	{NULL, NULL},
};
