/* The words of ENUM, ENUMARG, BITS and SFR options; options.def refers to them by name. The first
 * word of a value is the one that is printed. */
#ifndef FATHOM_CONF_CHOICES_H
#define FATHOM_CONF_CHOICES_H

#include "conf/option.h"

extern const struct opt_choice choices_clocksource[];
extern const struct opt_choice choices_continue_on_error[];
extern const struct opt_choice choices_cpus_allowed_policy[];
extern const struct opt_choice choices_dataplacement[];
extern const struct opt_choice choices_dedupe_mode[];
extern const struct opt_choice choices_exit_what[];
extern const struct opt_choice choices_fadvise_hint[];
extern const struct opt_choice choices_fallocate[];
extern const struct opt_choice choices_file_service_type[];
extern const struct opt_choice choices_filetype[];
extern const struct opt_choice choices_io_submit_mode[];
extern const struct opt_choice choices_kb_base[];
extern const struct opt_choice choices_lockfile[];
extern const struct opt_choice choices_log_format[];
extern const struct opt_choice choices_log_window_value[];
extern const struct opt_choice choices_mem[];
extern const struct opt_choice choices_plid_select[];
extern const struct opt_choice choices_random_generator[];
extern const struct opt_choice choices_rate_process[];
extern const struct opt_choice choices_replay_skip[];
extern const struct opt_choice choices_random_distribution[];
extern const struct opt_choice choices_rw[];
extern const struct opt_choice choices_rw_sequencer[];
extern const struct opt_choice choices_steadystate[];
extern const struct opt_choice choices_sync[];
extern const struct opt_choice choices_sync_file_range[];
extern const struct opt_choice choices_thinktime_blocks_type[];
extern const struct opt_choice choices_unified_rw_reporting[];
extern const struct opt_choice choices_unit_base[];
extern const struct opt_choice choices_verify[];
extern const struct opt_choice choices_verify_policy[];
extern const struct opt_choice choices_write_hint[];
extern const struct opt_choice choices_zonemode[];

#endif
