/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest names compared with a table, and the distance compared with its recursive definition on
 * random words. */
#include "tests/unit/unit.h"

#include "passes/names/nearest.h"

#include <stdint.h>
#include <string.h>

static const char *nearest(const char *name, const char *const *known) {
  const char *best = NULL;
  size_t distance = 0;
  for (int i = 0; known[i]; i++)
    sr_nearest_try(name, strlen(name), known[i], &best, &distance);
  return best;
}

static void test_table(void **state) {
  (void)state;
  static const char *const known[] = {"none",        "auto",  "structurize", "strip-merges",
                                      "struct-copy", "guard", "linearize",   NULL};
  static const struct {
    const char *name, *wanted;
  } cases[] = {
      {"structurise", "structurize"},
      {"sturcturize", "structurize"},
      {"structurize ", "structurize"},
      {"strip_merges", "strip-merges"},
      {"stripmerges", "strip-merges"},
      {"linearise", "linearize"},
      {"gaurd", "guard"},
      {"aut", "auto"},
      {"guard", "guard"},
      {"", NULL},
      {"polish", NULL},
      {"x", NULL},
      {"loop", NULL},
      {"merge", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *found = nearest(cases[i].name, known);
    if (cases[i].wanted ? !found || strcmp(found, cases[i].wanted) != 0 : found != NULL)
      fail_msg("'%s': %s", cases[i].name, found ? found : "none");
  }
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static size_t by_definition(const char *a, size_t i, const char *b, size_t j) {
  if (i == 0 || j == 0)
    return i + j;
  size_t best = by_definition(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]);
  best = least(best, by_definition(a, i - 1, b, j) + 1);
  best = least(best, by_definition(a, i, b, j - 1) + 1);
  if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
    best = least(best, by_definition(a, i - 2, b, j - 2) + 1);
  return best;
}

static size_t random_word(uint32_t *seed, char word[8]) {
  *seed = *seed * 1664525u + 1013904223u;
  size_t length = (*seed >> 28) % 7;
  for (size_t i = 0; i < length; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    word[i] = (char)('a' + (*seed >> 24) % 3);
  }
  return length;
}

static void test_definition(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 400; i++) {
    char a[8], b[8];
    size_t a_length = random_word(&seed, a), b_length = random_word(&seed, b);
    assert_int_equal(sr_nearest_distance(a, a_length, b, b_length),
                     by_definition(a, a_length, b, b_length));
  }
}

static void test_long_names(void **state) {
  (void)state;
  char name[SR_NEAREST_LONGEST + 2];
  memset(name, 'a', sizeof name);
  name[SR_NEAREST_LONGEST + 1] = 0;
  const char *const known[] = {name, name + 1, NULL};
  assert_null(nearest(name, known));
  assert_ptr_equal(nearest(name + 1, known), name + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table),
                                     cmocka_unit_test(test_definition),
                                     cmocka_unit_test(test_long_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
