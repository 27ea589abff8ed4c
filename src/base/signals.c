#include "base/signals.h"
#include <stddef.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

void signals_ending(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(set, ending[i]);
}

int signals_pending(void)
{
	sigset_t set;

	if (sigpending(&set))
		return 0;
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigismember(&set, ending[i]) == 1)
			return ending[i];
	return 0;
}
