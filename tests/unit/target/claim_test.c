/* Real block devices: loop devices that vanish with their last descriptor. As root only. */
#include "faults.h"

#include "host/blockdev.h"
#include "target/cache.h"
#include "target/guard.h"
#include "target/claim.h"
#include "target/target.h"
#include "target/open.h"
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

static const struct host here = {""};

struct loop {
	struct tree t;
	char path[32];
	int fd, image;
};

static const char *why_not;

/* Others may take the free device first: try again. */
static bool loop_init(struct loop *l)
{
	char image[128];
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (geteuid() || control < 0) {
		why_not = "needs root and /dev/loop-control";
		return false;
	}
	tree_init(&l->t);
	snprintf(image, sizeof(image), "%s/image", l->t.root);
	l->image = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(l->image, 4 << 20), 0);
	for (unsigned tries = 0; tries < 20; tries++) {
		struct loop_config c = {.fd = (uint32_t)l->image,
					.info = {.lo_flags = LO_FLAGS_AUTOCLEAR}};
		int n = ioctl(control, LOOP_CTL_GET_FREE);
		snprintf(l->path, sizeof(l->path), "/dev/loop%d", n);
		l->fd = n < 0 ? -1 : open(l->path, O_RDWR | O_CLOEXEC);
		if (l->fd >= 0 && !ioctl(l->fd, LOOP_CONFIGURE, &c)) {
			close(control);
			return true;
		}
		if (l->fd >= 0)
			close(l->fd);
	}
	close(control);
	close(l->image);
	tree_release(&l->t);
	why_not = "no loop device is free";
	return false;
}

static void loop_release(struct loop *l)
{
	close(l->fd);
	close(l->image);
	tree_release(&l->t);
}

#define NEED(l)                                                                                    \
	if (!loop_init(l)) {                                                                       \
		print_message("skipped: %s\n", why_not);                                           \
		skip();                                                                            \
	}

static void device_is_probed(void **state)
{
	if (getenv("FATHOM_EMULATED")) {
		print_message("QEMU does not emulate AIO, io_uring and ioctls of block devices\n");
		skip();
	}
	struct loop l;
	struct target_info i;
	struct blockdev b;
	NEED(&l);
	assert_int_equal(target_probe(&here, NULL, l.path, &i, NULL), 0);
	assert_int_equal(i.kind, TARGET_BLOCK);
	assert_int_equal(i.size, 4 << 20);
	assert_int_equal(i.direct, TARGET_DIRECT_YES);
	assert_true(i.alignment_known && i.alignment >= 512);
	assert_int_equal(blockdev_of_path(&here, l.path, &b), 0);
	assert_string_equal(b.name, l.path + 5);
	assert_int_equal(b.size, 4 << 20);
	assert_int_equal(blockdev_of_path(&here, "/dev/null", &b), -ENOTBLK);
	loop_release(&l);
}

static void claims_keep_others_away(void **state)
{
	struct loop l;
	struct guard_report r;
	struct err e = {0};
	int fd[3];
	NEED(&l);
	const char *const twice[] = {l.path, "/dev/null", l.path};
	assert_int_equal(guard_check(&here, NULL, l.path, false, &r, &e), 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(guard_claim_all(&here, NULL, twice, 3, false, fd, &e), 0);
	assert_true(fd[0] >= 0);
	assert_int_equal(fd[1], -1);
	assert_int_equal(fd[2], -1);
	/* A worker opens it beside the claim; someone who wants it alone is refused, and so is
	 * another run. */
	struct target_open o = {.path = l.path, .read = true, .write = true, .direct = true};
	int worker, other = -1;
	assert_int_equal(target_open(NULL, &o, &worker, &e), 0);
	close(worker);
	o.exclusive = true;
	assert_int_equal(target_open(NULL, &o, &worker, &e), -EBUSY);
	assert_int_equal(guard_claim_all(&here, NULL, twice, 1, false, &other, &e), -EBUSY);
	assert_int_equal(guard_check(&here, NULL, l.path, false, &r, &e), -EBUSY);
	assert_int_equal(r.v[0].kind, GUARD_CLAIMED);
	assert_int_equal(guard_claim_all(&here, NULL, twice, 3, true, fd + 0, &e), 0);
	assert_int_equal(fd[0], -1);
	loop_release(&l);
}

static void signatures_on_a_device(void **state)
{
	struct loop l;
	struct guard_report r;
	struct err e = {0};
	NEED(&l);
	/* LUKS version 1. */
	assert_int_equal(pwrite(l.fd, "LUKS\xBA\xBE\0\1", 8, 0), 8);
	assert_int_equal(guard_check(&here, NULL, l.path, 0, &r, &e), -EBUSY);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.v[0].kind, GUARD_SIGNATURE);
	assert_true(r.v[0].refused);
	assert_non_null(strstr(e.text, "LUKS"));
	assert_non_null(strstr(e.remedy, "allow_signature_write=1"));
	for (unsigned allow = 1; allow < 4; allow++) {
		assert_int_equal(guard_check(&here, NULL, l.path, allow, &r, NULL), 0);
		assert_int_equal(r.n, 1);
		assert_false(r.v[0].refused);
	}
	/* The image below the device is guarded as the device is. */
	char image[128];
	snprintf(image, sizeof(image), "%s/image", l.t.root);
	assert_int_equal(guard_check(&here, NULL, image, 0, &r, NULL), -EBUSY);
	assert_int_equal(r.v[0].kind, GUARD_SIGNATURE);
	static const char none[8],
		mbr[66] = {(char)0x80, 0, 2, 0, (char)0x83, 0,		 0,	    0,
			   1,	       0, 0, 0, 0x10,	    [64] = 0x55, (char)0xAA};
	assert_int_equal(pwrite(l.fd, none, 8, 0), 8);
	assert_int_equal(pwrite(l.fd, mbr, 66, 446), 66);
	assert_int_equal(guard_check(&here, NULL, l.path, 0, &r, &e), -EBUSY);
	assert_int_equal(r.v[0].kind, GUARD_PARTITIONED);
	assert_non_null(strstr(e.text, "MBR partition table"));
	assert_int_equal(guard_check(&here, NULL, l.path, GUARD_ALLOW_SIGNATURE, &r, NULL), 0);
	loop_release(&l);
}

static void a_mounted_device_is_refused(void **state)
{
	struct loop l;
	struct guard_report r;
	struct err e = {0};
	char command[128], point[96];
	NEED(&l);
	snprintf(command, sizeof(command), "mkfs.ext4 -q %s >/dev/null 2>&1", l.path);
	snprintf(point, sizeof(point), "%s/mnt", l.t.root);
	assert_int_equal(mkdir(point, 0700), 0);
	/* The mount is this process's own and goes with it, whatever happens. */
	if (system(command) || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(l.path, point, "ext4", 0, NULL)) {
		loop_release(&l);
		print_message("skipped: cannot make or mount an ext4\n");
		skip();
	}
	int ret = guard_check(&here, NULL, l.path, false, &r, &e);
	/* Refused without opening it. */
	faults_arm(2, EIO);
	int unopened = guard_check(&here, &faulty, l.path, false, &r, NULL);
	unsigned calls = faults_calls;
	faults_arm(0, 0);
	int allowed = guard_check(&here, NULL, l.path, true, &r, NULL);
	assert_int_equal(umount(point), 0);
	loop_release(&l);
	assert_int_equal(unopened, -EBUSY);
	assert_int_equal(calls, 1);
	assert_int_equal(ret, -EBUSY);
	assert_non_null(strstr(e.text, point));
	assert_int_equal(allowed, 0);
	assert_int_equal(r.v[0].kind, GUARD_MOUNTED);
}

static void cache_of_a_device(void **state)
{
	struct loop l;
	uint64_t n, m;
	NEED(&l);
	assert_int_equal(cache_fill(NULL, l.fd, 0, 1 << 20, NULL), 0);
	assert_int_equal(cache_resident(l.fd, 0, 1 << 20, &n), 0);
	assert_int_equal(n, 1 << 20);
	assert_int_equal(cache_resident_mincore(l.fd, 0, 1 << 20, &m), 0);
	assert_int_equal(m, 1 << 20);
	assert_int_equal(cache_drop(NULL, l.fd, 0, 0, true), 0);
	/* Beyond what was read the kernel may still be reading ahead, and pages in transfer stay.
	 */
	assert_int_equal(cache_resident(l.fd, 0, 1 << 20, &n), 0);
	assert_int_equal(n, 0);
	loop_release(&l);
}

MAIN(cmocka_unit_test(device_is_probed), cmocka_unit_test(claims_keep_others_away),
     cmocka_unit_test(signatures_on_a_device), cmocka_unit_test(a_mounted_device_is_refused),
     cmocka_unit_test(cache_of_a_device))
