/* The options of pvsync2, for the engine and its tests. The fields are written through the rows of
 * pvsync2.c; what each means stands in the help of its row. */
#ifndef FATHOM_ENGINE_PVSYNC2_H
#define FATHOM_ENGINE_PVSYNC2_H

#include <stdbool.h>
#include <stdint.h>

struct pvsync2_opts {
	bool hipri;
	int64_t hipri_percentage; /* chance of an I/O to be polled for */
	int64_t uncached;
	bool nowait;
};

#endif
