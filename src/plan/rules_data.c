/* Rules about buffers, caching, files and flushing (compatibility 5, 8, 10). */
#include "plan/rules.h"
#include "plan/say.h"
#include <string.h>

static void rules_data_pattern_fills(struct draft *d)
{
	if (!d->o->buffer_pattern.n)
		return;
	if (d->o->zero_buffers) {
		d->o->zero_buffers = false;
		draft_reason(d, OPT_zero_buffers, "off: buffer_pattern fills the buffers");
	}
	if (d->o->scramble_buffers && !draft_given(d, OPT_scramble_buffers)) {
		d->o->scramble_buffers = false;
		draft_reason(d, OPT_scramble_buffers, "off: buffer_pattern is set");
	}
	if (d->reads && d->writes && !d->o->refill_buffers) {
		d->o->refill_buffers = true;
		draft_reason(d, OPT_refill_buffers, "on: reads overwrite the pattern");
	}
}

static void rules_data_zeros_stay_zeros(struct draft *d)
{
	if (!d->o->zero_buffers || draft_given(d, OPT_scramble_buffers))
		return;
	d->o->scramble_buffers = false;
	draft_reason(d, OPT_scramble_buffers, "off: zero_buffers is set");
}

static void rules_data_compression(struct draft *d)
{
	double p = d->o->buffer_compress_percentage;
	if (!draft_given(d, OPT_buffer_compress_percentage))
		return;
	d->o->scramble_buffers = false;
	if (p >= 100) {
		d->o->zero_buffers = true;
		draft_reason(d, OPT_zero_buffers, "on: fully compressible data are zeros");
	} else if (p > 0 && !d->o->refill_buffers && !draft_given(d, OPT_refill_buffers)) {
		d->o->refill_buffers = true;
		draft_reason(d, OPT_refill_buffers, "on: buffer_compress_percentage needs it");
	}
}

/* Stamps in every block would undo the duplicates. */
static void rules_data_dedupe(struct draft *d)
{
	if (d->o->dedupe_percentage <= 0)
		return;
	if (!d->o->refill_buffers && !draft_given(d, OPT_refill_buffers)) {
		d->o->refill_buffers = true;
		draft_reason(d, OPT_refill_buffers, "on: dedupe_percentage needs it");
	}
	if (d->o->scramble_buffers) {
		if (draft_given(d, OPT_scramble_buffers))
			draft_warn(
				d, "scramble-dedupe", OPT_scramble_buffers, "remove one of them",
				"scramble_buffers is disabled: it would defeat dedupe_percentage");
		d->o->scramble_buffers = false;
		draft_reason(d, OPT_scramble_buffers, "off: it would defeat dedupe_percentage");
	}
}

static void rules_data_pre_read_keeps_cache(struct draft *d)
{
	if (!d->o->pre_read || !d->o->invalidate)
		return;
	d->o->invalidate = false;
	draft_reason(d, OPT_invalidate, "off: pre_read fills the page cache intentionally");
}

static void rules_data_reads_need_whole_file(struct draft *d)
{
	if (d->reads)
		d->o->overwrite = true;
}

static bool rules_data_on_files(const struct draft *d)
{
	return d->engine && !(d->caps & ENGINE_NO_FILES);
}

static void rules_data_poll_needs_direct(struct draft *d)
{
	if (rules_data_on_files(d) && !d->o->direct && (d->traits.polls || d->caps & ENGINE_POLL))
		draft_error(d, ERR_USAGE, "hipri-buffered", OPT_direct, "add direct=1",
			    "hipri polls the device and needs direct=1");
}

static void rules_data_maps_are_buffered(struct draft *d)
{
	if (rules_data_on_files(d) && d->caps & ENGINE_MAPS && d->o->direct)
		draft_warn(d, "unused", OPT_direct, "remove direct, or use another engine",
			   "direct=1 has no effect: ioengine=%s uses the page cache",
			   d->engine->name);
}

static void rules_data_atomic_writes(struct draft *d)
{
	if (!d->o->atomic || !d->asked)
		return;
	if (!(d->asked_caps & ENGINE_ATOMIC))
		draft_error(d, ERR_USAGE, "atomic-engine", OPT_atomic,
			    "use ioengine=pvsync2, libaio or io_uring",
			    "ioengine=%s does not support atomic writes", d->asked->name);
	else if (!d->o->direct)
		draft_error(d, ERR_USAGE, "atomic-engine", OPT_direct, "add direct=1",
			    "atomic=1 needs direct=1");
}

/* The second loop would have nothing to read, or to map. */
static void rules_data_unlink_between_reads(struct draft *d)
{
	bool maps = (d->caps & ENGINE_MAPS) != 0;

	if (d->o->unlink_each_loop && (d->reads || maps) && d->o->loops > 1)
		draft_error(d, ERR_USAGE, "unlink-loops", OPT_unlink_each_loop,
			    "use unlink=1 to delete the file at the end of the job",
			    "unlink_each_loop=1 would delete the file that the next of %llu loops "
			    "must %s",
			    (unsigned long long)d->o->loops, d->reads ? "read" : "map");
}

static void rules_data_append_or_offset(struct draft *d)
{
	if (!d->o->file_append)
		return;
	if (d->o->offset.kind != OPT_SIZE_UNSET || d->o->offset_increment.kind != OPT_SIZE_UNSET)
		draft_error(d, ERR_USAGE, "append-offset", OPT_file_append, "keep one of them",
			    "file_append starts at the end of the file and excludes offset");
	else if (d->reads)
		draft_error(d, ERR_USAGE, "append-offset", OPT_file_append, "use rw=write",
			    "file_append requires a write-only job: there is no data to read "
			    "beyond the end of the file");
}

static void rules_data_number_of_files(struct draft *d)
{
	if (d->o->filename.n && draft_own(d, "nrfiles") && d->o->nrfiles != d->o->filename.n)
		draft_warn(d, "unused", OPT_nrfiles, "leave it out",
			   "nrfiles=%llu has no effect: filename names %u file%s",
			   (unsigned long long)d->o->nrfiles, d->o->filename.n,
			   d->o->filename.n == 1 ? "" : "s");
	if (d->o->filename.n)
		d->o->nrfiles = d->o->filename.n;
	if (d->o->openfiles > d->o->nrfiles)
		draft_reason(d, OPT_openfiles, "reduced to the number of files");
	if (!d->o->openfiles || d->o->openfiles > d->o->nrfiles)
		d->o->openfiles = d->o->nrfiles;
}

const rule_fn rules_data[] = {rules_data_pattern_fills,
			      rules_data_zeros_stay_zeros,
			      rules_data_compression,
			      rules_data_dedupe,
			      rules_data_pre_read_keeps_cache,
			      rules_data_reads_need_whole_file,
			      rules_data_poll_needs_direct,
			      rules_data_maps_are_buffered,
			      rules_data_atomic_writes,
			      rules_data_unlink_between_reads,
			      rules_data_append_or_offset,
			      rules_data_number_of_files,
			      NULL};
