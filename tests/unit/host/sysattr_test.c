/* A attribute reads as the kernel prints it, and is told in the kernel's words. */
#include "tree.h"

#include "host/sysattr.h"

#define FILE_ "/sys/block/sda/queue/scheduler"

static const char *text_of(struct tree *t, struct arena *a, const char *path)
{
	const char *text = NULL;
	assert_int_equal(sysattr_read(&t->host, path, a, &text), 0);
	return text;
}

static void active_word_is_the_one_in_brackets(void **state)
{
	static const struct {
		const char *text, *word;
	} rows[] = {
		{"[none] mq-deadline kyber\n", "none"},
		{"none [mq-deadline]\n", "mq-deadline"},
		{"none\n", "none"},
		{" 2 \n", "2"},
		{"\n", ""},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char word[32];
		assert_int_equal(sysattr_active(rows[i].text, word, sizeof(word)), 0);
		assert_string_equal(word, rows[i].word);
	}
	char tight[4];
	assert_int_equal(sysattr_active("none", tight, sizeof(tight)), -ENAMETOOLONG);
}

static void settings_are_told_from_their_spellings(void **state)
{
	static const struct {
		const char *text, *setting;
		bool is;
	} rows[] = {
		{"[none] mq-deadline\n", "none", true},
		{"[none] mq-deadline\n", "mq-deadline", false},
		{"0-3,8\n", "0,1,2,3,8", true},
		{"0-3\n", "0-2", false},
		{"0000000f\n", "f", true},
		{"00000000,00000010\n", "10", true},
		{"00000000,00000010\n", "20", false},
		{"2\n", "2", true},
		{"2\n", "1", false},
		{"-1\n", "-1", true},
		{"cpuset cpu io\n", "+cpu", true},
		{"cpuset io\n", "+cpu", false},
		{"cpuset io\n", "-cpu", true},
		{"\n", "-cpu", true},
		{"isolated invalid (no CPU)\n", "isolated", false},
		{"\n", "", true},
		{"0\n", "", false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (sysattr_is(rows[i].text, rows[i].setting) != rows[i].is)
			fail_msg("'%s' is '%s'", rows[i].text, rows[i].setting);
}

static void tree_shows_what_the_kernel_would(void **state)
{
	static const struct {
		const char *was, *word, *now;
	} rows[] = {
		{"[mq-deadline] none\n", "none", "mq-deadline [none]\n"},
		{"none [bfq]\n", "none", "[none] bfq\n"},
		{"none [bfq]\n", "kyber", "kyber\n"},
		{"1\n", "2", "2\n"},
		{"cpu io\n", "+cpuset", "cpu io cpuset\n"},
		{"cpuset cpu io\n", "-cpu", "cpuset io\n"},
		{"\n", "+cpu", "cpu\n"},
		{"cpu\n", "-cpu", "\n"},
	};
	struct tree t;
	struct arena a;
	tree_init(&t);
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		tree_put(&t, FILE_, rows[i].was);
		assert_int_equal(sysattr_write(&t.host, FILE_, rows[i].was, rows[i].word), 0);
		assert_string_equal(text_of(&t, &a, FILE_), rows[i].now);
		assert_int_equal(sysattr_restore(&t.host, FILE_, rows[i].was), 0);
		assert_string_equal(text_of(&t, &a, FILE_), rows[i].was);
	}
	arena_release(&a);
	tree_release(&t);
}

static void missing_knob_is_not_made(void **state)
{
	struct tree t;
	struct arena a;
	const char *text = "untouched";
	tree_init(&t);
	arena_init(&a, 0);
	assert_int_equal(sysattr_read(&t.host, FILE_, &a, &text), -ENOENT);
	assert_string_equal(text, "untouched");
	tree_put(&t, FILE_, "none\n");
	assert_int_equal(sysattr_write(&t.host, FILE_ "2", NULL, "none"), -ENOENT);
	assert_false(host_exists(&t.host, FILE_ "2"));
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(active_word_is_the_one_in_brackets),
     cmocka_unit_test(settings_are_told_from_their_spellings),
     cmocka_unit_test(tree_shows_what_the_kernel_would), cmocka_unit_test(missing_knob_is_not_made))
