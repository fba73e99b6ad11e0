/* SPDX-License-Identifier: Apache-2.0 */
/* The grammars of transforms' arguments, those of the table of transforms included. */
#include "passes/driver/argument.h"
#include "passes/driver/pass.h"
#include "tests/unit/unit.h"

typedef struct Bed {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
} Bed;

static void set_up(Bed *b) {
  *b = (Bed){.diag = {.status = SR_OK}};
  sr_heap_init(&b->heap);
  b->arena = sr_arena_new(&b->heap);
}

/* What the transform "t" says of the argument; "" if it takes it. */
static void check(const char *grammar, const char *argument, const char *expected) {
  Bed b;
  set_up(&b);
  SrStatus status = sr_argument_check(&b.diag, &b.arena, "t", grammar, argument);
  assert_int_equal(status, *expected ? SR_BAD_OPTION : SR_OK);
  assert_string_equal(status == SR_OK ? "" : b.diag.text, expected);
  sr_heap_free_all(&b.heap);
}

static void test_grammar(void **state) {
  (void)state;
  check("", NULL, "");
  check("", "", "transform t takes no argument");
  check("[all]", NULL, "");
  check("[all]", "all", "");
  check("[all]", "al", "transform t: 'al' is not an argument of it; all is");
  check("[all]", "alle", "transform t: 'alle' is not an argument of it; all is");
  check("[all|one|profile:FILE]", "profile:a|b", "");
  check("[all|one|profile:FILE]", "one", "");
  check("[all|one|profile:FILE]", "profile",
        "transform t: 'profile' is not an argument of it; all, one and profile:FILE are");
  check("[+guard]", "guard", "");
  check("[+guard]", "+guard",
        "transform t: '+guard' is not an argument of it; guard is, as t:guard");
  check("SEED", NULL, "transform t needs a seed, as t:1");
  check("SEED", "18", "");
  check("SEED", "", "transform t: '' is not a seed; a number is, as t:1");
  check("SEED", "1x", "transform t: '1x' is not a seed; a number is, as t:1");
  check("[PERCENT]", "100", "");
  check("[PERCENT]", "-1", "transform t: '-1' is not a percentage; a number up to 100 is, as t:20");
  check("[PERCENT]", "101",
        "transform t: '101' is not a percentage; a number up to 100 is, as t:20");
  check("[COPIES]", "any", "");
  check("[COPIES]", "strict", "");
  check("[COPIES]", "forward-first:portable", "");
  check("[COPIES]", "strict:",
        "transform t: 'strict:' is neither what to copy nor a form of structure; strict, "
        "forward-first, portable, any and strict:any are");
  check("[COPIES]", "any:strict",
        "transform t: 'any:strict' is neither what to copy nor a form of structure; strict, "
        "forward-first, portable, any and strict:any are");
  check("[TAILS]", "8:issues:any", "");
}

static void test_pass(void **state) {
  (void)state;
  assert_true(sr_argument_is_pass("[all|+guard]", "guard"));
  assert_false(sr_argument_is_pass("[all|+guard]", "all"));
  assert_false(sr_argument_is_pass("[all|+guard]", NULL));
}

static void test_wrong_grammars(void **state) {
  (void)state;
  assert_false(sr_argument_is_grammar("[all"));
  assert_false(sr_argument_is_grammar("all]"));
  assert_false(sr_argument_is_grammar("[NOTHING]"));
  assert_false(sr_argument_is_grammar("file:FILES"));
}

static const struct {
  const char *argument, *tests;
} rows[] = {
#define SR_PASS(name, argument, tests, ...) {argument, tests},
#include "passes/driver/pass.def"
#undef SR_PASS
};

/* Each grammar is one, asks only for transforms that there are, and allows what tests say. */
static void test_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_true(sr_argument_is_grammar(rows[i].argument));
    for (const char *at = rows[i].tests; *at; at += strspn(at, " ")) {
      char word[32] = "";
      size_t length = strcspn(at, " ");
      assert_true(length < sizeof word);
      memcpy(word, at, length);
      const char *argument = strcmp(word, "-") == 0 ? NULL : word;
      check(rows[i].argument, argument, "");
      assert_true(!sr_argument_is_pass(rows[i].argument, argument) || sr_pass_find(word, length));
      at += length;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grammar),
      cmocka_unit_test(test_pass),
      cmocka_unit_test(test_wrong_grammars),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
