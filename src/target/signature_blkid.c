/* Signatures by libblkid; declared in guard.h. */
#include "target/signature_blkid.h"
#include "target/signature.h"

#include <blkid.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A label is whatever somebody wrote to the device: only what a terminal shows as it is. */
static void signature_text(blkid_probe pr, const char *key, char *buf, size_t size)
{
	const char *v;
	if (blkid_probe_lookup_value(pr, key, &v, NULL))
		return;
	snprintf(buf, size, "%s", v);
	for (unsigned char *c = (unsigned char *)buf; *c; c++)
		if (*c < ' ' || *c >= 127)
			*c = '?';
}

static int signature_result(blkid_probe pr, struct guard_signature *out)
{
	char type[40] = "", usage[24] = "";
	signature_text(pr, "PTTYPE", type, sizeof(type));
	out->table = type[0] != 0;
	if (out->table) {
		const char *name = type;
		if (!strcmp(type, "gpt"))
			name = "GPT";
		else if (!strcmp(type, "dos"))
			name = "MBR";
		snprintf(out->name, sizeof(out->name), "%s partition table", name);
		signature_text(pr, "PTUUID", out->uuid, sizeof(out->uuid));
		return 1;
	}
	signature_text(pr, "TYPE", type, sizeof(type));
	if (!type[0])
		return 0;
	signature_text(pr, "USAGE", usage, sizeof(usage));
	snprintf(out->name, sizeof(out->name), "%s%s", type,
		 strcmp(usage, "filesystem") ? "" : " file system");
	signature_text(pr, "LABEL", out->label, sizeof(out->label));
	signature_text(pr, "UUID", out->uuid, sizeof(out->uuid));
	return 1;
}

int guard_signature_blkid(int fd, struct guard_signature *out)
{
	memset(out, 0, sizeof(*out));
	blkid_probe pr = blkid_new_probe();
	if (!pr)
		return -ENOMEM;
	int ret = blkid_probe_set_device(pr, fd, 0, 0) || blkid_probe_enable_superblocks(pr, 1) ||
				  blkid_probe_set_superblocks_flags(
					  pr, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
						      BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
						      BLKID_SUBLKS_MAGIC) ||
				  blkid_probe_enable_partitions(pr, 1)
			  ? -EIO
			  : 0;
	/* The first one is enough, also where several contradict each other: 0 found, 1 nothing. */
	while (!ret) {
		int more = blkid_do_probe(pr);
		if (more < 0)
			ret = -EIO;
		if (more)
			break;
		ret = signature_result(pr, out);
	}
	blkid_free_probe(pr);
	return ret;
}
