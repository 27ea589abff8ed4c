#include "log/logspool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

enum { MOST = 40 };

struct scene {
	struct logspool spool;
	struct log_block block[MOST];
	uint64_t put, taken;
	char folder[64], beside[80];
};

static struct scene *scene_new(void)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	logspool_init(&s->spool);
	snprintf(s->folder, sizeof(s->folder), "/tmp/fathom-spool-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	snprintf(s->beside, sizeof(s->beside), "%s/x.log", s->folder);
	return s;
}

static void scene_delete(struct scene *s)
{
	logspool_release(&s->spool);
	/* Nothing was left there. */
	assert_int_equal(rmdir(s->folder), 0);
	free(s);
}

static bool put(struct scene *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		s->block[i].base_ns = s->put + i;
	bool ok = logspool_put(&s->spool, s->beside, s->block, n);
	s->put += ok ? n : 0;
	return ok;
}

static unsigned take(struct scene *s)
{
	const struct log_block *b;
	unsigned n = logspool_take(&s->spool, &b);

	for (unsigned i = 0; i < n; i++)
		assert_int_equal(b[i].base_ns, s->taken++);
	return n;
}

static void blocks_come_out_in_order(void **state)
{
	struct scene *s = scene_new();

	(void)state;
	assert_int_equal(take(s), 0);
	for (unsigned round = 0; round < 50; round++) {
		assert_true(put(s, 1 + round % MOST));
		if (round % 3)
			assert_true(take(s) > 0);
	}
	assert_int_equal(logspool_blocks(&s->spool), s->put - s->taken);
	while (take(s))
		;
	assert_int_equal(s->taken, s->put);
	assert_int_equal(logspool_blocks(&s->spool), 0);
	assert_int_equal(s->spool.failed, 0);
	scene_delete(s);
}

static void room_is_given_back(void **state)
{
	struct scene *s = scene_new();
	struct stat st;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		assert_true(put(s, MOST));
	assert_int_equal(fstat(s->spool.fd, &st), 0);
	assert_true(st.st_blocks * 512 >= 100 * MOST * LOGB_BYTES);
	while (s->taken < 90 * MOST)
		take(s);
	assert_int_equal(fstat(s->spool.fd, &st), 0);
	assert_true(st.st_blocks * 512 <= 20 * MOST * LOGB_BYTES);
	/* Once it is empty it begins anew. */
	while (take(s))
		;
	assert_true(put(s, 1));
	assert_int_equal(s->spool.put, 1);
	scene_delete(s);
}

static void without_a_folder_nothing_is_taken_in(void **state)
{
	struct scene *s = scene_new();

	(void)state;
	strcat(s->beside, "/nowhere/x");
	assert_false(put(s, 1));
	assert_false(put(s, 1));
	assert_int_equal(logspool_blocks(&s->spool), 0);
	assert_int_equal(take(s), 0);
	scene_delete(s);
}

/* A limit of the file size stands for a full disk. */
static void a_full_disk_refuses_until_there_is_room(void **state)
{
	struct scene *s = scene_new();
	struct rlimit old, few;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	few = old;
	few.rlim_cur = 20 * LOGB_BYTES + 100;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	assert_true(put(s, 15));
	assert_false(put(s, 10));
	assert_false(put(s, 1));
	while (take(s))
		;
	assert_int_equal(s->taken, 15);
	assert_true(put(s, 10));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	while (take(s))
		;
	assert_int_equal(s->taken, 25);
	assert_int_equal(s->spool.failed, 0);
	scene_delete(s);
}

static void a_file_cut_short_is_a_failure(void **state)
{
	struct scene *s = scene_new();

	(void)state;
	assert_true(put(s, 10));
	assert_int_equal(ftruncate(s->spool.fd, 5 * LOGB_BYTES), 0);
	assert_int_equal(take(s), 0);
	assert_int_not_equal(s->spool.failed, 0);
	assert_int_equal(logspool_blocks(&s->spool), 0);
	scene_delete(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_come_out_in_order),
		cmocka_unit_test(room_is_given_back),
		cmocka_unit_test(without_a_folder_nothing_is_taken_in),
		cmocka_unit_test(a_full_disk_refuses_until_there_is_room),
		cmocka_unit_test(a_file_cut_short_is_a_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
