/* The plan in words: lines fit, clones are summarised, and what a reader must learn is there. */
#include "fixture.h"

static void explain(struct str *s, const char *text)
{
	struct fixture f;
	plan_good(&f, text);
	str_init(s, 1 << 20);
	explain_plan(f.plan, s);
	assert_false(s->bad);
	plan_release(&f);
	for (const char *p = s->s; *p; p += strcspn(p, "\n") + 1) {
		if (strcspn(p, "\n") > 100)
			fail_msg("too long: %.*s", (int)strcspn(p, "\n"), p);
		assert_true(strcspn(p, "\n") == 0 || p[strcspn(p, "\n") - 1] != ' ');
	}
}

/* Undo the wrapping: any run of blanks and newlines becomes one blank. */
static void unwrap(char *s)
{
	char *to = s;
	for (; *s; s++)
		if (*s != '\n' && *s != ' ')
			*to++ = *s;
		else if (to[-1] != ' ')
			*to++ = ' ';
	*to = 0;
}

static void must_tell(const char *text, const char *const *words)
{
	struct str s;
	explain(&s, text);
	unwrap(s.s);
	for (; *words; words++)
		if (!strstr(s.s, *words))
			fail_msg("'%s' is missing in:\n%s", *words, s.s);
	str_release(&s);
}

static void a_random_reader_is_told(void **state)
{
	(void)state;
	must_tell("[r]\nnumjobs=4\nrw=randread\nbs=4k\nsize=1m\niodepth=8\nioengine=psync\n"
		  "rate_iops=100\nruntime=2\ndescription=hello\n",
		  (const char *const[]){
			  "r: 4 workers, numbers 0 to 3", "hello",
			  "random reads, blocks of 4096B, full coverage (each block once per pass)",
			  "worker 3: r.3.0", "does not exist yet", "bytes 0 to 1048576",
			  "4 files created or extended by 4096KiB", "1 (requested: 8)",
			  "iodepth: reduced from 8 to 1: psync is synchronous",
			  "by runtime, after 2.00s", "256 I/Os, 1024KiB", "100 I/Os per second",
			  "137 (default)", "group 0", NULL});
}

static void order_and_limits_are_told(void **state)
{
	(void)state;
	must_tell("[w]\nioengine=null\nrw=write\nbs=64k\nsize=1m\nloops=2\nfsync=4\n"
		  "[m]\nstonewall\nwait_for=w\nstartdelay=5\nioengine=null\nrw=randrw\n"
		  "rwmixread=70\nbs=4k,8k\nsize=1m\nnumber_ios=10\nthinktime=1ms\nramp_time=1\n",
		  (const char *const[]){"32 I/Os, 2048KiB in 2 loops", "fsync after every 4 writes",
					"in stage 1, after all workers of stage 0 have ended",
					"and after w has ended", "not before 5.00s", "70% reads",
					"blocks of 4096B for reads, 8192B for writes",
					"by number_ios, after about 10 I/Os",
					"1.00ms after every 1 I/O", "(ramp_time)", NULL});
}

static void many_clones_stay_readable(void **state)
{
	(void)state;
	struct str s;
	unsigned lines = 0;
	explain(&s, "[a]\nioengine=null\nnumjobs=256\nsize=64k\noffset_increment=64k\nnrfiles=20\n"
		    "bs=1k\n");
	for (const char *p = s.s; *p; p++)
		lines += *p == '\n';
	assert_in_range(lines, 10, 40);
	assert_non_null(strstr(s.s, "254 more workers like these"));
	assert_non_null(strstr(s.s, "12 more files like these"));
	str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_random_reader_is_told),
		cmocka_unit_test(order_and_limits_are_told),
		cmocka_unit_test(many_clones_stay_readable),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
