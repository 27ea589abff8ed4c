#include "host/task.h"

#include "base/time.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The name stands in brackets and may hold anything, brackets too (proc(5)). */
int task_read(const struct host *h, const char *which, struct task *out)
{
	char text[1024], *open, *close;
	unsigned long user, system, start;
	struct task t = {.threads = 1};
	int ret = host_read_text(h, text, sizeof(text), "/proc/%s/stat", which);
	if (ret)
		return ret;
	if (!(open = strchr(text, '(')) || !(close = strrchr(text, ')')) || close < open)
		return -EINVAL;
	*close = '\0';
	snprintf(t.name, sizeof(t.name), "%s", open + 1);
	/* Fields 14 and 15 are the times, 20 the threads, 22 the start, 39 the CPU; 3 follows the
	 * bracket. */
	int n = sscanf(close + 1,
		       " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu %*s %*s %*s %*s %u %*s "
		       "%lu %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %u",
		       &t.state, &user, &system, &t.threads, &start, &t.cpu);
	if (n < 5)
		return -EINVAL;
	t.ticks = user + system;
	t.start = start;
	*out = t;
	return 0;
}

uint64_t task_tick_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);
	return NS_PER_SEC / (uint64_t)(hz > 0 ? hz : 100);
}
