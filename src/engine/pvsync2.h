/* The options of pvsync2. */
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
