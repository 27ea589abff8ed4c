#include "result/progress.h"
#include <string.h>

char progress_letter(const struct progress *p, unsigned entry, unsigned *at)
{
	while (*at < p->states_n && p->entries[*at] != entry)
		(*at)++;
	return *at < p->states_n ? p->states[(*at)++] : '\0';
}

bool progress_running(char letter)
{
	return !strchr("PCIp_EXK", letter);
}

bool progress_ended(char letter)
{
	return letter && strchr("_EXK", letter);
}
