/* The live status line (compatibility 19). */
#include "report/status.h"

#include "base/time.h"
#include "base/units.h"
#include <assert.h>
#include <inttypes.h>

#define QUIET_NS 3000000000u /* only the number of jobs before that */

static void status_rate_text(const struct status_line *s, uint64_t bytes_per_s, bool bits,
			     struct str *out)
{
	char text[32];

	units_print(bytes_per_s, bits ? 8 : 1, 4, s->kb_base != 1000,
		    bits ? UNITS_BITS_SEC : UNITS_BYTES_SEC, text, sizeof(text));
	str_add(out, text);
}

static void status_count_text(uint64_t n, struct str *out)
{
	char text[32];

	units_print(n, 1, 4, false, UNITS_NONE, text, sizeof(text));
	str_add(out, text);
}

static void status_limits(const struct status_line *s, const struct progress *p, struct str *out)
{
	if (p->rate_min || p->rate_max) {
		str_add(out, ", ");
		status_rate_text(s, p->rate_min, false, out);
		str_add(out, "-");
		status_rate_text(s, p->rate_max, false, out);
	} else if (p->rate_iops_min || p->rate_iops_max) {
		str_add(out, ", ");
		status_count_text(p->rate_iops_min, out);
		str_add(out, "-");
		status_count_text(p->rate_iops_max, out);
		str_add(out, " IOPS");
	}
}

static void status_states(const struct progress *p, struct str *out)
{
	str_addc(out, '[');
	for (unsigned i = 0; i < p->states_n;) {
		unsigned n = 1;

		while (i + n < p->states_n && p->states[i + n] == p->states[i])
			n++;
		str_printf(out, "%s%c(%u)", i ? "," : "", p->states[i], n);
		i += n;
	}
	str_addc(out, ']');
}

static void status_rates(const struct status_line *s, const struct progress *p, struct str *out)
{
	static const char letter[DIRS] = {'r', 'w', 't'};
	uint64_t ns = p->now_ns;
	struct str ios;
	unsigned n = 0;

	if (s->have_last)
		ns = p->now_ns > s->last.now_ns ? p->now_ns - s->last.now_ns : 0;
	if (ns == 0)
		return;
	str_init(&ios, 256);
	for (unsigned d = 0; d < DIRS; d++) {
		uint64_t bytes = p->bytes[d] - (s->have_last ? s->last.bytes[d] : 0);
		uint64_t count = p->ios[d] - (s->have_last ? s->last.ios[d] : 0);

		/* A direction that has begun stays: that it stands still is news. */
		if (!p->ios[d])
			continue;
		str_printf(out, "%s%c=", n ? "," : "[", letter[d]);
		status_rate_text(s, (uint64_t)((unsigned __int128)bytes * NS_PER_SEC / ns), s->bits,
				 out);
		str_printf(&ios, "%s%c=", n ? "," : "[", letter[d]);
		status_count_text((uint64_t)((unsigned __int128)count * NS_PER_SEC / ns), &ios);
		n++;
	}
	if (n)
		str_printf(out, "]%s IOPS]", ios.s);
	str_release(&ios);
}

static void status_eta(uint64_t eta_ns, struct str *out)
{
	if (eta_ns == UINT64_MAX) {
		str_add(out, "[eta --]");
		return;
	}
	uint64_t s = eta_ns / NS_PER_SEC, d = s / 86400, h = s / 3600 % 24;
	str_add(out, "[eta ");
	if (d)
		str_printf(out, "%02" PRIu64 "d:", d);
	if (d || h)
		str_printf(out, "%02" PRIu64 "h:", h);
	str_printf(out, "%02" PRIu64 "m:%02" PRIu64 "s]", s / 60 % 60, s % 60);
}

static void status_pad(struct status_line *s, size_t start, struct str *out)
{
	size_t width = out->len - start;

	if (width >= s->width) {
		s->width = (unsigned)width;
		return;
	}
	for (size_t i = width; i < s->width; i++)
		str_addc(out, ' ');
}

void status_line(struct status_line *s, const struct progress *p, struct str *out)
{
	size_t start = out->len;

	assert(s && p && out);
	str_printf(out, "Jobs: %u (f=%u)", p->running, p->open_files);
	status_limits(s, p, out);
	if (p->now_ns >= QUIET_NS) {
		str_add(out, ": ");
		status_states(p, out);
		if (p->done < 0)
			str_add(out, "[-.-%]");
		else
			str_printf(out, "[%3.1f%%]", p->done * 100);
		status_rates(s, p, out);
		status_eta(p->eta_ns, out);
	}
	status_pad(s, start, out);
	s->last = *p;
	s->last.states = NULL;
	s->have_last = true;
}
