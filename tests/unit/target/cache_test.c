#include "faults.h"

#include "target/cache.h"
#include <sys/mman.h>

#define SIZE (1u << 20)

static int make_file(struct tree *t)
{
	char path[256], *buf = malloc(SIZE);
	memset(buf, 'x', SIZE);
	snprintf(path, sizeof(path), "%s/f", t->root);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, buf, SIZE), SIZE);
	free(buf);
	return fd;
}

static void dropped_and_filled_again(void **state)
{
	struct tree t;
	uint64_t n = 0, m = 0;
	tree_init(&t);
	int fd = make_file(&t);
	assert_int_equal(cache_resident(fd, 0, 0, &n), 0);
	assert_int_equal(n, SIZE);
	assert_int_equal(cache_resident_mincore(fd, 0, 0, &m), 0);
	assert_int_equal(m, SIZE);
	assert_int_equal(cache_drop(NULL, fd, 0, 0, true), 0);
	assert_int_equal(cache_resident(fd, 0, SIZE, &n), 0);
	if (n == SIZE) {
		/* tmpfs keeps its pages */
		print_message("this file system does not drop pages: skipped\n");
		close(fd);
		tree_release(&t);
		skip();
	}
	assert_int_equal(n, 0);
	assert_int_equal(cache_fill(NULL, fd, 65536, 65536, NULL), 0);
	assert_int_equal(cache_resident(fd, 65536, 65536, &n), 0);
	assert_int_equal(n, 65536);
	assert_int_equal(cache_resident_mincore(fd, 65536, 65536, &m), 0);
	assert_int_equal(m, 65536);
	assert_int_equal(cache_fill(NULL, fd, 0, 0, NULL), 0);
	assert_int_equal(cache_resident(fd, 0, 0, &n), 0);
	assert_int_equal(n, SIZE);
	close(fd);
	tree_release(&t);
}

static void ranges_are_clamped(void **state)
{
	struct tree t;
	uint64_t n = 0, m = 0;
	tree_init(&t);
	int fd = make_file(&t);
	assert_int_equal(cache_resident(fd, 100, 50, &n), 0);
	assert_int_equal(cache_resident_mincore(fd, 100, 50, &m), 0);
	assert_true(n == 50 && m == 50);
	assert_int_equal(cache_resident(fd, SIZE - 10, 8192, &n), 0);
	assert_int_equal(cache_resident_mincore(fd, SIZE - 10, 8192, &m), 0);
	assert_true(n == 10 && m == 10);
	assert_int_equal(cache_resident(fd, SIZE, 0, &n), 0);
	assert_int_equal(cache_resident_mincore(fd, SIZE, 0, &m), 0);
	assert_true(n == 0 && m == 0);
	close(fd);
	tree_release(&t);
}

static void stop_and_errors(void **state)
{
	struct tree t;
	atomic_int stop = 1;
	tree_init(&t);
	int fd = make_file(&t), pipes[2];
	assert_int_equal(cache_fill(NULL, fd, 0, 0, &stop), -EINTR);
	for (unsigned k = 1; k <= 3; k++) {
		faults_arm(k, EIO);
		assert_int_equal(cache_drop(&faulty, fd, 0, 0, true), -EIO);
	}
	faults_arm(1, EIO);
	assert_int_equal(cache_fill(&faulty, fd, 0, 0, NULL), -EIO);
	faults_arm(0, 0);
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(cache_drop(NULL, pipes[0], 0, 0, true), 0);
	close(pipes[0]);
	close(pipes[1]);
	close(fd);
	tree_release(&t);
}

MAIN(cmocka_unit_test(dropped_and_filled_again), cmocka_unit_test(ranges_are_clamped),
     cmocka_unit_test(stop_and_errors))
