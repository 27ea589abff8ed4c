#include "host/virt.h"

#include "host/list.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The word among the flags of the first processor; -1 when there are no flags (other than x86). */
static int virt_cpu_flag(const struct host *h, const char *word)
{
	char *text;
	int found = -1;
	if (host_read_all(h, &text, NULL, "/proc/cpuinfo"))
		return -1;
	char *flags = strstr(text, "\nflags");
	if (flags) {
		char *save = NULL;
		flags++;
		flags[strcspn(flags, "\n")] = '\0';
		found = 0;
		for (char *w = strtok_r(flags, " \t:", &save); w; w = strtok_r(NULL, " \t:", &save))
			found |= !strcmp(w, word);
	}
	free(text);
	return found;
}

void virt_read(const struct host *h, struct virt *out)
{
	static const struct {
		const char *maker, *name;
	} known[] = {
		{"QEMU", "KVM or QEMU"},
		{"Amazon EC2", "Amazon EC2"},
		{"Google", "Google Cloud"},
		{"VMware", "VMware"},
		{"Xen", "Xen"},
		{"innotek", "VirtualBox"},
		{"Parallels", "Parallels"},
	};
	char maker[64] = "", product[64] = "";
	memset(out, 0, sizeof(*out));
	out->guest = virt_cpu_flag(h, "hypervisor");
	bool named = !host_read_text(h, maker, sizeof(maker), "/sys/class/dmi/id/sys_vendor");
	IGNORE_RESULT(
		host_read_text(h, product, sizeof(product), "/sys/class/dmi/id/product_name"));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(maker, known[i].maker))
			snprintf(out->name, sizeof(out->name), "%s", known[i].name);
	if (strstr(maker, "Microsoft") && strstr(product, "Virtual"))
		snprintf(out->name, sizeof(out->name), "Hyper-V or Azure");
	/* Amazon and Google also sell whole machines under these names; only the flag tells. */
	bool ambiguous = strstr(maker, "Amazon") || strstr(maker, "Google");
	if (out->guest < 0 && out->name[0] && !ambiguous)
		out->guest = 1;
	else if (out->guest < 0 && named && !out->name[0] && maker[0])
		out->guest = 0;
	if (out->guest < 0 && host_exists(h, "/proc/device-tree/hypervisor"))
		out->guest = 1;
	if (out->guest != 1)
		out->name[0] = '\0';
}

/* Those whose work-around is paid for at each system call or interrupt. */
static bool virt_is_costly(const char *name, const char *text)
{
	return (!strcmp(name, "meltdown") && strstr(text, "PTI")) ||
	       (!strcmp(name, "spectre_v2") && strstr(text, "IBRS") && !strstr(text, "Enhanced") &&
		!strstr(text, "Retpolines")) ||
	       !strcmp(name, "retbleed") || !strcmp(name, "mds") || !strcmp(name, "srso") ||
	       !strcmp(name, "tsx_async_abort") || !strcmp(name, "mmio_stale_data");
}

static void virt_add_costly(struct mitigations *m, const char *name)
{
	size_t n = strlen(m->costly);
	snprintf(m->costly + n, sizeof(m->costly) - n, "%s%.40s", n ? ", " : "", name);
}

int mitigations_read(const struct host *h, struct mitigations *out)
{
	struct arena a;
	struct host_names names = {0};
	struct mitigations m;
	memset(&m, 0, sizeof(m));
	arena_init(&a, 0);
	int ret = host_list_dir(h, &a, &names, "/sys/devices/system/cpu/vulnerabilities");
	for (unsigned i = 0; !ret && i < names.n; i++) {
		char text[256];
		if (host_read_text(h, text, sizeof(text),
				   "/sys/devices/system/cpu/vulnerabilities/%s", names.v[i]))
			continue;
		if (strstr(text, "Not affected")) {
			m.unaffected++;
		} else if (strstr(text, "Mitigation:")) {
			m.active++;
			if (virt_is_costly(names.v[i], text))
				virt_add_costly(&m, names.v[i]);
		} else if (strstr(text, "Vulnerable")) {
			m.open++;
		}
	}
	arena_release(&a);
	if (!ret && !m.active && !m.open && !m.unaffected)
		ret = -ENOENT;
	if (!ret)
		*out = m;
	return ret;
}

int clocksource_read(const struct host *h, char *buf, size_t size)
{
	return host_read_text(h, buf, size,
			      "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

bool clocksource_slow(const char *name)
{
	static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"};

	for (size_t i = 0; i < sizeof(slow) / sizeof(*slow); i++)
		if (!strcmp(name, slow[i]))
			return true;
	return false;
}
