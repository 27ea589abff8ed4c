/* The stream of sections and options, from job files and the command line alike, becomes a struct
 * job_list. Inside of conf. */
#ifndef FATHOM_CONF_BUILD_H
#define FATHOM_CONF_BUILD_H

#include "base/must_check.h"
#include "conf/conf.h"

#define BUILD_JOBS_MAX 4096

struct build_item {
	const char *key;
	const char *text; /* NULL: the key stood alone */
	struct place at;  /* of the key */
	struct place value_at;
};

struct build_section {
	const char *name;
	bool global;
	bool from_file, first_of_file;
	unsigned file;
	struct place at;
	struct build_item *items;
	unsigned n, room;
};

struct build {
	const struct conf_schema *schema;
	struct arena *arena;
	struct diag *diag;
	const struct cmdline *cmdline; /* sets, sections, readonly */
	struct job_list *list;
	struct job defaults;
	struct job *jobs; /* grows with realloc, moved to the arena at the end */
	unsigned jobs_n, jobs_room;
	unsigned sections_room, globals_room;
	bool *set_used;	    /* per --set: some job took it */
	bool *section_seen; /* per --section: some file has it */
	bool iec_said, filename_said, full_said, jobs_said;
};

/* -ENOMEM */
MUST_CHECK int build_init(struct build *b, const struct conf_schema *schema,
			  const struct cmdline *cmdline, struct job_list *list, struct arena *arena,
			  struct diag *diag);
/* Forget what earlier defaults sections set; remarks that are made once a file are due again. */
void build_next_file(struct build *b, bool reset_defaults);
/* Add an item to a section under construction; strings must live in the arena. */
void build_item_add(struct build *b, struct build_section *s, const struct build_item *item);
/* Turn a section into defaults or a job, and empty its items. */
void build_section_end(struct build *b, struct build_section *s);
/* Is this section name wanted (--section)? */
bool build_wants(struct build *b, const char *name);
/* Checks over all jobs; moves them to the list. */
void build_finish(struct build *b);

/* What the help of a removed or moot option advises, without the words that it is one. */
const char *build_advice(const char *help);
/* An error of the user's at a place. */
void build_fault(struct build *b, const char *code, const struct place *at, const char *remedy,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
