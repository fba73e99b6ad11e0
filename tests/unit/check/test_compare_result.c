/* SPDX-License-Identifier: Apache-2.0 */
/* What spvreconv_compare and SPVRECONV_WANT_CHECK return besides the verdict: figures, the text with
 * its source lines, and errors. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static void test_of_a_run(void **state) {
  (void)state;
  const char *text = BODY(LOOP("OpBranchConditional %33 %30 %34\n"));
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "structurize";
  o.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *r;
  assert_int_equal(spvreconv_run_text(&o, text, strlen(text), &r), SPVRECONV_OK);
  assert_null(spvreconv_result_check(r));
  spvreconv_result_destroy(r);
  o.want = SPVRECONV_WANT_CHECK;
  o.check_walks = 3;
  assert_int_equal(spvreconv_run_text(&o, text, strlen(text), &r), SPVRECONV_OK);
  assert_int_equal(spvreconv_result_check(r)->functions, 1);
  assert_int_equal(spvreconv_result_check(r)->walks, 3);
  assert_null(spvreconv_result_text(r, SPVRECONV_WANT_CHECK));
  spvreconv_result_destroy(r);
}

/* The text shows both paths from where the lanes last agreed, and both instructions. */
static void test_story(void **state) {
  (void)state;
  Words a = pair_words(BODY("OpStore %23 %6\n" BRANCH("%31", "%32") ARMS));
  Words b = pair_words(BODY("OpStore %23 %6\n" BRANCH("%32", "%31") ARMS));
  spvreconv_result *r;
  assert_int_equal(spvreconv_compare(NULL, a.at, a.count, b.at, b.count, &r), SPVRECONV_BUG);
  const char *text = spvreconv_result_text(r, SPVRECONV_WANT_CHECK);
  assert_non_null(text);
  assert_non_null(strstr(text, "after 1 equal effects\n  before: %20 -> %3"));
  assert_non_null(strstr(text, "\n  after:  %20 -> %3"));
  assert_non_null(strstr(text, "OpStore %22"));
  spvreconv_result_destroy(r);
  free(a.at);
  free(b.at);
}

/* The text has the source lines of both instructions, the message that of the first module's. */
static void test_lines(void **state) {
  (void)state;
#define LINED(TEXT) SHADER("", "%60 = OpString \"s.comp\"\n", TEXT)
#define STORE(LINE, VALUE) "OpLine %60 " LINE " 1\nOpStore %22 " VALUE "\n"
  pair_compare(LINED(STORE("3", "%6") STORE("4", "%7")), LINED(STORE("7", "%6") STORE("8", "%6")),
               "an operand has a different value (s.comp:4)");
  pair_compare(LINED(STORE("3", "%6")), LINED(STORE("3", "%6") STORE("4", "%7")),
               "another instruction comes next (s.comp:3)");
  pair_compare(LINED("OpLine %60 5 1\n%30 = OpIAdd %4 %24 %6\nOpStore %22 %30\n"),
               LINED("%30 = OpIMul %4 %24 %6\nOpStore %22 %30\n"), "decoration (s.comp:5)");
  Words a = pair_words(LINED(STORE("3", "%6")));
  Words b = pair_words(LINED(STORE("5", "%7")));
  spvreconv_result *r;
  assert_int_equal(spvreconv_compare(NULL, a.at, a.count, b.at, b.count, &r), SPVRECONV_BUG);
  const char *text = spvreconv_result_text(r, SPVRECONV_WANT_CHECK);
  assert_non_null(strstr(text, "%6=1 (s.comp:3)\n  after:"));
  assert_non_null(strstr(text, " (s.comp:5)\n"));
  spvreconv_result_destroy(r);
  free(a.at);
  free(b.at);
}

/* An allocator: *left allocations succeed, then none. */
static void *some(void *user, void *old, size_t old_size, size_t new_size) {
  int *left = user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

/* Wherever memory runs out, that is reported, and nothing leaks (LeakSanitizer). */
static void test_out_of_memory(void **state) {
  (void)state;
  Words a = pair_words(BODY(BRANCH("%31", "%32") ARMS));
  Words b = pair_words(BODY("OpBranch %40\n%40 = OpLabel\n" BRANCH("%31", "%32") ARMS));
  spvreconv_status status = SPVRECONV_OUT_OF_MEMORY;
  int most = 0;
  for (; status == SPVRECONV_OUT_OF_MEMORY; most++) {
    int left = most;
    spvreconv_options o;
    spvreconv_options_init(&o, sizeof o);
    o.resize = some;
    o.resize_user = &left;
    spvreconv_result *r;
    status = spvreconv_compare(&o, a.at, a.count, b.at, b.count, &r);
    spvreconv_result_destroy(r);
  }
  assert_int_equal(status, SPVRECONV_OK);
  assert_in_range(most, 4, 1000);
  free(a.at);
  free(b.at);
}

static void test_bad_modules(void **state) {
  (void)state;
  const uint32_t garbage[] = {1, 2, 3, 4, 5, 6};
  Words a = pair_words(BODY(""));
  spvreconv_result *r;
  assert_int_equal(spvreconv_compare(NULL, a.at, a.count, garbage, 6, &r), SPVRECONV_BAD_INPUT);
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_compare(NULL, garbage, 6, a.at, a.count, &r), SPVRECONV_BAD_INPUT);
  spvreconv_result_destroy(r);
  /* Words that are not a module. */
  assert_int_equal(spvreconv_compare(NULL, a.at, a.count, NULL, 0, &r), SPVRECONV_BAD_INPUT);
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_compare(NULL, NULL, 0, a.at, a.count, &r), SPVRECONV_BAD_INPUT);
  spvreconv_result_destroy(r);
  free(a.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_of_a_run),    cmocka_unit_test(test_story),
      cmocka_unit_test(test_lines),       cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_bad_modules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
