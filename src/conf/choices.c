#include "conf/choices.h"

const struct opt_choice choices_clocksource[] = {
	{"cpu", CLOCKSOURCE_CPU, "time stamp counter"},
	{"clock_gettime", CLOCKSOURCE_CLOCK_GETTIME, "clock_gettime(2)"},
	{"gettimeofday", CLOCKSOURCE_GETTIMEOFDAY, "read as clock_gettime"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_continue_on_error[] = {
	{"none", 0, "stop at the first error"},
	{"read", CONTINUE_READ, "reads"},
	{"write", CONTINUE_WRITE, "writes, trims and syncs"},
	{"io", CONTINUE_READ | CONTINUE_WRITE, "reads and writes"},
	{"verify", CONTINUE_VERIFY, "verification"},
	{"all", CONTINUE_READ | CONTINUE_WRITE | CONTINUE_VERIFY, "all of them"},
	{"0", 0, "the same as none"},
	{"1", CONTINUE_READ | CONTINUE_WRITE | CONTINUE_VERIFY, "the same as all"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_cpus_allowed_policy[] = {
	{"shared", CPUS_SHARED, "all clones share the CPUs"},
	{"split", CPUS_SPLIT, "one CPU each"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_dataplacement[] = {
	{"none", 0, "no directive"},
	{"fdp", 1, "flexible data placement"},
	{"streams", 2, "streams"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_dedupe_mode[] = {
	{"repeat", 0, "the previous buffer"},
	{"working_set", 1, "one of a set"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_exit_what[] = {
	{"group", EXIT_GROUP, "jobs of the same group"},
	{"stonewall", EXIT_STONEWALL, "all running jobs"},
	{"all", EXIT_ALL, "all jobs, also those to come"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_fadvise_hint[] = {
	{"1", HINT_AUTO, "random or sequential, as the job is"},
	{"0", HINT_NONE, "no advice"},
	{"random", HINT_RANDOM, "POSIX_FADV_RANDOM"},
	{"sequential", HINT_SEQUENTIAL, "POSIX_FADV_SEQUENTIAL"},
	{"noreuse", HINT_NOREUSE, "POSIX_FADV_NOREUSE"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_fallocate[] = {
	{"native", FALLOC_NATIVE, "fallocate(2), if the file system has it"},
	{"none", FALLOC_NONE, "no preallocation"},
	{"posix", FALLOC_POSIX, "posix_fallocate(3)"},
	{"keep", FALLOC_KEEP, "fallocate(2), keeping the size"},
	{"truncate", FALLOC_TRUNCATE, "ftruncate(2) only"},
	{"0", FALLOC_NONE, "the same as none"},
	{"1", FALLOC_POSIX, "the same as posix"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_file_service_type[] = {
	{"roundrobin", SERVICE_ROUNDROBIN, "one after the other"},
	{"random", SERVICE_RANDOM, "drawn at random"},
	{"sequential", SERVICE_SEQUENTIAL, "finish one, then the next"},
	{"zipf", SERVICE_ZIPF, "zipf distributed"},
	{"pareto", SERVICE_PARETO, "pareto distributed"},
	{"normal", SERVICE_NORMAL, "normally distributed"},
	{"gauss", SERVICE_NORMAL, "the same as normal"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_filetype[] = {
	{"none", 0, "find out"},
	{"file", 1, "regular files"},
	{"block", 2, "block devices"},
	{"char", 3, "character devices"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_io_submit_mode[] = {
	{"inline", 0, "from the worker itself"},
	{"offload", 1, "from helper threads"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_kb_base[] = {
	{"1024", 1024, "k is 1024, kib is 1000"},
	{"1000", 1000, "k is 1000, kib is 1024"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_lockfile[] = {
	{"none", 0, "no lock"},
	{"exclusive", 1, "one at a time"},
	{"readwrite", 2, "many readers or one writer"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_log_format[] = {
	{"text", LOG_TEXT, "lines of text, a file for each kind"},
	{"binary", LOG_BINARY, "one file of records for all kinds"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_log_window_value[] = {
	{"avg", LOG_AVG, "average"},	   {"max", LOG_MAX, "maximum"},
	{"both", LOG_BOTH, "both"},	   {"0", LOG_AVG, "the same as avg"},
	{"1", LOG_MAX, "the same as max"}, {NULL, 0, NULL},
};

const struct opt_choice choices_mem[] = {
	{"malloc", MEM_MALLOC, "anonymous memory"},
	{"shm", MEM_SHM, "shared memory segment"},
	{"shmhuge", MEM_SHMHUGE, "the same in huge pages"},
	{"mmap", MEM_MMAP, "private mapping, of a file if given"},
	{"mmapshared", MEM_MMAPSHARED, "shared mapping, of a file if given"},
	{"mmaphuge", MEM_MMAPHUGE, "mapping of huge pages, of a file if given"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_plid_select[] = {
	{"roundrobin", 0, "one after the other"},
	{"random", 1, "drawn at random"},
	{"scheme", 2, "from dp_scheme"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_random_generator[] = {
	{"tausworthe", GENERATOR_TAUSWORTHE, "any range"},
	{"lfsr", GENERATOR_LFSR, "full coverage without a map"},
	{"tausworthe64", GENERATOR_TAUSWORTHE64, "any range"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_rate_process[] = {
	{"linear", RATE_LINEAR, "evenly"},
	{"poisson", RATE_POISSON, "with exponential gaps"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_replay_skip[] = {
	{"read", 1, NULL}, {"write", 2, NULL}, {"trim", 4, NULL},
	{"sync", 8, NULL}, {NULL, 0, NULL},
};

const struct opt_choice choices_rw_sequencer[] = {
	{"sequential", SEQUENCER_SEQUENTIAL, "go on sequentially in between"},
	{"identical", SEQUENCER_IDENTICAL, "repeat the offset"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_steadystate[] = {
	{"iops_slope", 0, "slope of the I/O rate"},
	{"iops", 1, "deviation of the I/O rate"},
	{"bw", 2, "deviation of the bandwidth"},
	{"bw_slope", 3, "slope of the bandwidth"},
	{"lat", 4, "deviation of the latency"},
	{"lat_slope", 5, "slope of the latency"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_sync[] = {
	{"none", SYNC_NONE, "no flag"},	      {"sync", SYNC_SYNC, "O_SYNC"},
	{"dsync", SYNC_DSYNC, "O_DSYNC"},     {"0", SYNC_NONE, "the same as none"},
	{"1", SYNC_SYNC, "the same as sync"}, {NULL, 0, NULL},
};

const struct opt_choice choices_sync_file_range[] = {
	{"wait_before", SFR_WAIT_BEFORE, "wait for earlier write-back first"},
	{"write", SFR_WRITE, "start write-back"},
	{"wait_after", SFR_WAIT_AFTER, "wait for it"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_thinktime_blocks_type[] = {
	{"complete", THINK_COMPLETE, "completed I/Os"},
	{"issue", THINK_ISSUE, "issued I/Os"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_unified_rw_reporting[] = {
	{"none", UNIFIED_NONE, "each direction separately"},
	{"mixed", UNIFIED_MIXED, "all directions as one"},
	{"both", UNIFIED_BOTH, "both views"},
	{"0", UNIFIED_NONE, "the same as none"},
	{"1", UNIFIED_MIXED, "the same as mixed"},
	{"2", UNIFIED_BOTH, "the same as both"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_unit_base[] = {
	{"0", 0, "bytes, unless the engine counts bits"},
	{"8", 8, "bytes"},
	{"1", 1, "bits"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_verify[] = {
	{"0", 0, NULL},
	{"md5", 1, NULL},
	{"crc64", 2, NULL},
	{"crc32", 3, NULL},
	{"crc32c", 4, NULL},
	{"crc32c-intel", 5, NULL},
	{"crc16", 6, NULL},
	{"crc7", 7, NULL},
	{"sha1", 8, NULL},
	{"sha256", 9, NULL},
	{"sha512", 10, NULL},
	{"sha3-224", 11, NULL},
	{"sha3-256", 12, NULL},
	{"sha3-384", 13, NULL},
	{"sha3-512", 14, NULL},
	{"xxhash", 15, NULL},
	{"meta", 16, NULL},
	{"pattern", 17, NULL},
	{"pattern_hdr", 18, NULL},
	{"null", 19, NULL},
	{NULL, 0, NULL},
};

const struct opt_choice choices_verify_policy[] = {
	{"completed", 1, "all completed writes"},
	{"fsynced", 2, "those covered by an fsync"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_write_hint[] = {
	{"none", 0, "no life time"}, {"short", 1, "short lived"},	{"medium", 2, "medium"},
	{"long", 3, "long lived"},   {"extreme", 4, "very long lived"}, {NULL, 0, NULL},
};

const struct opt_choice choices_zonemode[] = {
	{"none", 0, "no zones"},
	{"strided", 1, "zones with gaps"},
	{"zbd", 2, "zoned block device"},
	{NULL, 0, NULL},
};
const struct opt_choice choices_rw[] = {
	{"read", RW_READ, "sequential reads"},
	{"write", RW_WRITE, "sequential writes"},
	{"trim", RW_TRIM, "sequential trims"},
	{"randread", RW_READ | RW_RANDOM, "random reads"},
	{"randwrite", RW_WRITE | RW_RANDOM, "random writes"},
	{"randtrim", RW_TRIM | RW_RANDOM, "random trims"},
	{"rw", RW_READ | RW_WRITE, "sequential mixed reads and writes"},
	{"readwrite", RW_READ | RW_WRITE, "the same as rw"},
	{"randrw", RW_READ | RW_WRITE | RW_RANDOM, "random mixed reads and writes"},
	{"trimwrite", RW_TRIM | RW_WRITE | RW_TRIMWRITE, "trims, each followed by a write"},
	{"randtrimwrite", RW_TRIM | RW_WRITE | RW_TRIMWRITE | RW_RANDOM, "the same at random"},
	{NULL, 0, NULL},
};

const struct opt_choice choices_random_distribution[] = {
	{"random", OPT_DIST_RANDOM, "uniform"},
	{"zipf", OPT_DIST_ZIPF, "zipf[:theta[:center]]"},
	{"pareto", OPT_DIST_PARETO, "pareto[:h[:center]]"},
	{"normal", OPT_DIST_NORMAL, "normal[:deviation[:center]]"},
	{"zoned", OPT_DIST_ZONED, "zoned:access%/size%:..."},
	{"zoned_abs", OPT_DIST_ZONED_ABS, "zoned_abs:access%/bytes:..."},
	{"sequence", OPT_DIST_SEQUENCE, "sequence:block,block,..."},
	{NULL, 0, NULL},
};
