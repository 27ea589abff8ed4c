/* The job line as fio 3.33 prints it for the same options (compatibility 18.1); the lines were
 * taken from its runs. */
#include "fixture.h"
#include "plan/jobline.h"

#define N "[a]\nioengine=null\nsize=64m\n"

static const struct {
	const char *text, *line;
} lines[] = {
	{N "bs=4k", "a: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
		    "ioengine=null, iodepth=1"},
	{N "rw=randread\nbsrange=4k-16k",
	 "a: (g=0): rw=randread, bs=(R) 4096B-16.0KiB, (W) 4096B-16.0KiB, (T) 4096B-16.0KiB, "
	 "ioengine=null, iodepth=1"},
	{N "rw=randrw\nbssplit=4k/50:64k/50,512/10:1m/90",
	 "a: (g=0): rw=randrw, bs=(R) 4096B-64.0KiB, (W) 512B-1024KiB, (T) 512B-1024KiB, "
	 "ioengine=null, iodepth=1"},
	{N "rw=trimwrite\nbs=4k,8k",
	 "a: (g=0): rw=trimwrite, bs=(R) 4096B-4096B, (W) 8192B-8192B, (T) 8192B-8192B, "
	 "ioengine=null, iodepth=1"},
	{N "rw=randtrim\nbs=4k,,1000",
	 "a: (g=0): rw=randtrim, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 1000B-1000B, "
	 "ioengine=null, iodepth=1"},
	{N "rw=randread:8\nbs=1m,2m,3m\niodepth=7",
	 "a: (g=0): rw=randread, bs=(R) 1024KiB-1024KiB, (W) 2048KiB-2048KiB, (T) 3072KiB-3072KiB, "
	 "ioengine=null, iodepth=7"},
	{N "rw=read:8k\nbs=1536,10k,1025k\niodepth=7",
	 "a: (g=0): rw=read, bs=(R) 1536B-1536B, (W) 10.0KiB-10.0KiB, (T) 1025KiB-1025KiB, "
	 "ioengine=null, iodepth=7"},
	{N "rw=rw\nbs_is_seq_rand=1\nbs=4k,16k,8k",
	 "a: (g=0): rw=rw, bs=(R) 4096B-4096B, (W) 16.0KiB-16.0KiB, bs_is_seq_rand, ioengine=null, "
	 "iodepth=1"},
	{N "bsrange=4000-1048576,1000-2000", "a: (g=0): rw=read, bs=(R) 4000B-1024KiB, (W) "
					     "1000B-2000B, (T) 1000B-2000B, ioengine=null, "
					     "iodepth=1"},
	{N "bs=12544\nkb_base=1000",
	 "a: (g=0): rw=read, bs=(R) 12.5kB-12.5kB, (W) 12.5kB-12.5kB, (T) 12.5kB-12.5kB, "
	 "ioengine=null, iodepth=1"},
	{N "bs=4k\nunit_base=1",
	 "a: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=null, "
	 "iodepth=1"},
	{N "bs=1234567",
	 "a: (g=0): rw=read, bs=(R) 1206KiB-1206KiB, (W) 1206KiB-1206KiB, (T) 1206KiB-1206KiB, "
	 "ioengine=null, iodepth=1"},
	{N "bs=1m,2m\nsignificant_figures=2",
	 "a: (g=0): rw=read, bs=(R) 1MiB-1MiB, (W) 2MiB-2MiB, (T) 2MiB-2MiB, ioengine=null, "
	 "iodepth=1"},
	{N "bs=10239\nrw=randread",
	 "a: (g=0): rw=randread, bs=(R) 10.00KiB-10.00KiB, (W) 10.00KiB-10.00KiB, (T) "
	 "10.00KiB-10.00KiB, ioengine=null, iodepth=1"},
	/* what was declared, not what a synchronous engine makes of it */
	{"[a]\nioengine=pvsync2\nsize=64k\nrw=randrw\nbs=4k\niodepth=16",
	 "a: (g=0): rw=randrw, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
	 "ioengine=pvsync2, iodepth=16"},
};

static void job_lines_are_those_of_fio(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct fixture f;
		struct str s;
		plan_good(&f, lines[i].text);
		str_init(&s, 4096);
		explain_job_line(&f.plan->jobs[0], &s);
		assert_string_equal(s.s, lines[i].line);
		str_release(&s);
		plan_release(&f);
	}
}

static void groups_are_numbered(void **state)
{
	(void)state;
	struct fixture f;
	struct str s;
	plan_good(&f, N "[b]\nname=shown\nstonewall\nioengine=null\nsize=64k\n");
	str_init(&s, 4096);
	explain_job_line(&f.plan->jobs[1], &s);
	assert_memory_equal(s.s, "shown: (g=1): rw=read", 21);
	str_release(&s);
	plan_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_lines_are_those_of_fio),
		cmocka_unit_test(groups_are_numbered),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
