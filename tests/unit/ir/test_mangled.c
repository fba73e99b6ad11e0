/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions as the source has them: glslang's codes of parameters go, all else stays. */
#include "passes/ir/mangled.h"
#include "tests/unit/unit.h"

static void names_of_glslang(void **state) {
  (void)state;
  assert_int_equal(sr_mangled_length("scene(vf3;f1;"), 5);
  assert_int_equal(sr_mangled_length("main("), 4);
  assert_int_equal(sr_mangled_length("@main(vf4;"), 5);
  assert_int_equal(sr_mangled_length("f(struct-S-f1-vf41;"), 1);
}

static void other_names(void **state) {
  (void)state;
  assert_int_equal(sr_mangled_length("main"), 4);
  assert_int_equal(sr_mangled_length(""), 0);
  assert_int_equal(sr_mangled_length("_Z3fooi"), 7);
  assert_int_equal(sr_mangled_length("(f1;"), 4);
  assert_int_equal(sr_mangled_length("f(int)"), 6);
  assert_int_equal(sr_mangled_length("f(int); more"), 12);
  assert_int_equal(sr_mangled_length("f;"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_glslang),
      cmocka_unit_test(other_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
