#include "engine/registry.h"
#include "engine/tables.h"
#include <string.h>

static const struct engine_ops *const engines[] = {
	&engine_psync,	  &engine_sync,	  &engine_vsync,    &engine_pvsync,
	&engine_pvsync2,  &engine_libaio, &engine_io_uring, &engine_mmap,
	&engine_posixaio, &engine_null,	  &engine_sim,
};

/* Names a job file of fio may carry: its other engines, whatever their platform. */
static const char *const elsewhere[] = {
	"io_uring_cmd", "solarisaio", "windowsaio", "splice",	 "sg",	      "libzbc",
	"net",		"netsplice",  "cpuio",	    "rdma",	 "falloc",    "ftruncate",
	"e4defrag",	"rados",      "rbd",	    "http",	 "gfapi",     "gfapi_async",
	"libhdfs",	"mtd",	      "dev-dax",    "libpmem",	 "pmemblk",   "ime_psync",
	"ime_psyncv",	"ime_aio",    "libiscsi",   "nbd",	 "libcufile", "libhipfile",
	"dfs",		"nfs",	      "exec",	    "xnvme",	 "libblkio",  "page_fault",
	"filecreate",	"filestat",   "filedelete", "dircreate", "dirstat",   "dirdelete",
};

const struct engine_ops *const *engine_list(unsigned *n)
{
	*n = sizeof(engines) / sizeof(engines[0]);
	return engines;
}

const struct engine_ops *engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

bool engine_known_elsewhere(const char *name)
{
	if (!strncmp(name, "external:", 9))
		return true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (!strcmp(elsewhere[i], name))
			return true;
	return false;
}

const void *engine_option(const struct engine_ops *ops, const void *options, const char *name)
{
	for (unsigned i = 0; options && i < ops->rows_n; i++)
		if (!strcmp(ops->rows[i].name, name))
			return (const char *)options + ops->rows[i].at;
	return NULL;
}
