#include "rig.h"

static void every_table_is_complete(void **state)
{
	const struct engine_ops *const *list;
	unsigned n;

	list = engine_list(&n);
	assert_int_equal(n, 12);
	assert_string_equal(list[0]->name, "psync");
	for (unsigned i = 0; i < n; i++) {
		const struct engine_ops *o = list[i];

		assert_ptr_equal(engine_find(o->name), o);
		assert_true(o->help && o->help[0]);
		assert_true(o->ctx_size && o->io_size && o->io_size % _Alignof(void *) == 0);
		assert_true(o->probe && o->check && o->caps_with && o->capacity && o->open &&
			    o->attach && o->detach);
		assert_true(o->submit && o->reap && o->next && o->cancel && o->close);
	}
}

static void rows_stay_inside_the_struct_and_do_not_overlap(void **state)
{
	const struct engine_ops *const *list;
	unsigned n;

	list = engine_list(&n);
	for (unsigned i = 0; i < n; i++) {
		char *used = rig_alloc(list[i]->options_size);

		assert_true(list[i]->rows_n <= 64);
		for (unsigned k = 0; k < list[i]->rows_n; k++) {
			const struct opt_row *row = &list[i]->rows[k];

			assert_true(row->name && row->aliases && row->help && row->category);
			assert_true(row->at + opt_field_size(row->type) <= list[i]->options_size);
			for (size_t b = 0; b < opt_field_size(row->type); b++)
				assert_int_equal(used[row->at + b]++, 0);
			for (unsigned m = 0; m < k; m++)
				assert_string_not_equal(row->name, list[i]->rows[m].name);
		}
		free(used);
	}
}

static void unknown_names_are_told_from_those_of_fio(void **state)
{
	assert_null(engine_find("psyncc"));
	assert_null(engine_find(""));
	assert_string_equal(engine_not_built("rbd"), "librbd");
	assert_string_equal(engine_not_built("splice"), "");
	assert_string_equal(engine_not_built("external:/x.so"), "");
	assert_null(engine_not_built("psync"));
	assert_null(engine_not_built("psyncc"));
}

static void atomic_is_refused_where_it_cannot_be(void **state)
{
	static const struct {
		const char *name;
		int result;
	} want[] = {{"psync", -EINVAL}, {"mmap", -EINVAL}, {"posixaio", -EINVAL},
		    {"pvsync2", 0},	{"libaio", 0},	   {"io_uring", 0},
		    {"sim", 0},		{"null", 0}};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct rig r;

		rig_init(&r, want[i].name, 1, 4096);
		r.s.atomic = true;
		assert_int_equal(r.ops->check(&r.s, &r.err), want[i].result);
		rig_free(&r);
	}
}

static void options_that_cannot_take_effect_are_refused(void **state)
{
	static const struct {
		const char *engine, *option, *value;
		bool direct;
	} bad[] = {
		{"pvsync2", "hipri", "1", false},
		{"pvsync2", "uncached", "1", true},
		{"io_uring", "hipri", "1", false},
		{"io_uring", "uncached", "1", true},
		{"io_uring", "sqthread_poll_cpu", "0", false},
		{"io_uring", "cmdprio", "3", false},
		{"libaio", "cmdprio_class", "2", true},
		{"sim", "sim_errno", "EWHAT", false},
		{"sim", "sim_stall_for", "1", false},
		{"sim", "sim_stall_every", "1", false},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rig r;

		rig_init(&r, bad[i].engine, 1, 4096);
		r.s.direct = bad[i].direct;
		assert_int_equal(r.ops->check(&r.s, &r.err), 0);
		rig_option(&r, bad[i].option, bad[i].value);
		assert_int_equal(r.ops->check(&r.s, &r.err), -EINVAL);
		assert_true(r.err.text[0]);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_is_complete),
		cmocka_unit_test(rows_stay_inside_the_struct_and_do_not_overlap),
		cmocka_unit_test(unknown_names_are_told_from_those_of_fio),
		cmocka_unit_test(atomic_is_refused_where_it_cannot_be),
		cmocka_unit_test(options_that_cannot_take_effect_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
