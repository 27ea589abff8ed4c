/* What a value may be, in words. */
#include "conf/opt_describe.h"
#include "conf/opt_out.h"

static const char *const words[] = {
	[OPT_T_FLAG] = "flag",
	[OPT_T_BOOL] = "bool",
	[OPT_T_INT] = "integer",
	[OPT_T_COUNT] = "count",
	[OPT_T_SIZE] = "size",
	[OPT_T_SIZEPCT] = "size, N% or Nz",
	[OPT_T_TIME] = "time",
	[OPT_T_TIMERANGE] = "time or range of times",
	[OPT_T_PERCENT] = "percentage",
	[OPT_T_FLOAT] = "number",
	[OPT_T_FLOATS] = "numbers joined by ':'",
	[OPT_T_ENUM] = "word",
	[OPT_T_ENUMARG] = "word[:argument]",
	[OPT_T_BITS] = "words separated by ','",
	[OPT_T_STR] = "text",
	[OPT_T_STRS] = "names joined by ':'",
	[OPT_T_INT3] = "integer[,integer[,integer]]",
	[OPT_T_SIZE3] = "size[,size[,size]]",
	[OPT_T_TIME3] = "time[,time[,time]]",
	[OPT_T_PERCENT3] = "percentage[,percentage[,percentage]]",
	[OPT_T_RANGE] = "size or range of sizes",
	[OPT_T_RANGE3] = "range[,range[,range]]",
	[OPT_T_SPLIT3] = "size/percentage:...[,...]",
	[OPT_T_CPUS] = "list of numbers such as 0,5,8-15",
	[OPT_T_PATTERN] = "pattern of 0xHEX, decimal, \"text\", 'file'",
	[OPT_T_ERRORS3] = "errors joined by ':', for read,write,verify",
	[OPT_T_RW] = "direction[:N]",
	[OPT_T_DIST] = "distribution[:arguments]",
	[OPT_T_SFR] = "words separated by ','[:N]",
};

static bool opt_describe_has_numeric_limits(const struct opt_row *row)
{
	return row->type != OPT_T_STR && row->type != OPT_T_PATTERN && row->type != OPT_T_SIZEPCT &&
	       (row->min != 0 || row->max != 0);
}

/* A limit that only keeps numbers in their type is not worth telling. */
#define OPEN_END 0x1p62

void opt_describe(const struct opt_row *row, char *buf, size_t size)
{
	struct opt_out o = {.buf = buf, .size = size};

	if (size == 0)
		return;
	buf[0] = '\0';
	opt_out_printf(&o, "%s", words[row->type]);
	if (row->choices) {
		opt_out_printf(&o, ": ");
		for (const struct opt_choice *c = row->choices; c->word; c++)
			opt_out_printf(&o, "%s%s", c == row->choices ? "" : ", ", c->word);
	} else if (opt_describe_has_numeric_limits(row)) {
		bool open = row->max < row->min || row->max >= OPEN_END;
		opt_out_printf(&o, open ? ", at least " : ", ");
		opt_out_double(&o, row->min);
		if (!open) {
			opt_out_printf(&o, "-");
			opt_out_double(&o, row->max);
		}
	} else if (row->type == OPT_T_FLAG || row->type == OPT_T_BOOL) {
		opt_out_printf(&o, row->type == OPT_T_FLAG ? ": nothing, 0 or 1" : ": 0 or 1");
	}
	if (row->unit_ns)
		opt_out_printf(&o, ", a bare number counts %s",
			       row->unit_ns == 1000000000 ? "seconds"
			       : row->unit_ns == 1000000  ? "milliseconds"
			       : row->unit_ns == 1000	  ? "microseconds"
							  : "nanoseconds");
	if (row->def)
		opt_out_printf(&o, ", default %s", row->def);
}
