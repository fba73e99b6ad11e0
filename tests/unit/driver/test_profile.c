/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv_profile_order: a profile whose best order is known, inconsistent profiles, structs of
 * other versions, and an allocator that fails. tests/unit/analysis/test_priority_profile.c tests
 * the search. */
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stddef.h>
#include <string.h>

/* Two lanes through a loop with an expensive arm: 0 head, 1 cheap arm, 2 expensive arm, 3 exit. The
 * expensive arm runs once if the first lane waits there for the second. */
static const uint32_t issues[] = {1, 1, 100, 1};
static const bool no_barrier[4];
static const uint32_t blocks[] = {0, 2, 3, 0, 1, 0, 1, 0, 2, 3};
static const uint32_t path_end[] = {3, 10}, subgroup_end[] = {2};

static spvreconv_profile make_profile(void) {
  return (spvreconv_profile){.size = sizeof(spvreconv_profile),
                             .block_count = 4,
                             .path_count = 2,
                             .subgroup_count = 1,
                             .issues = issues,
                             .reaches_barrier = no_barrier,
                             .blocks = blocks,
                             .path_end = path_end,
                             .subgroup_end = subgroup_end};
}

static uint32_t place_of(const uint32_t *order, uint32_t block) {
  uint32_t i = 0;
  while (order[i] != block)
    i++;
  return i;
}

static void test_lanes_wait_at_the_expensive_block(void **state) {
  (void)state;
  const spvreconv_profile p = make_profile();
  uint32_t order[4], again[4];
  assert_int_equal(spvreconv_profile_order(&p, order), SPVRECONV_OK);
  assert_true(place_of(order, 0) < place_of(order, 2));
  assert_true(place_of(order, 1) < place_of(order, 2));
  assert_int_equal(spvreconv_profile_order(&p, again), SPVRECONV_OK);
  assert_memory_equal(order, again, sizeof order);
}

static void expect_refused(const spvreconv_profile *p) {
  uint32_t order[4] = {7, 7, 7, 7};
  assert_int_equal(spvreconv_profile_order(p, order), SPVRECONV_BAD_OPTION);
  assert_int_equal(order[0], 7);
}

static void test_unsound_profiles(void **state) {
  (void)state;
  static const uint32_t falling[] = {3, 2}, empty_path[] = {3, 3}, beyond[] = {3};
  static const uint32_t no_block[] = {0, 4, 3, 0, 1, 0, 1, 0, 2, 3};
  spvreconv_profile p = make_profile();
  p.path_end = falling;
  expect_refused(&p);
  p.path_end = empty_path;
  expect_refused(&p);
  p = make_profile();
  p.subgroup_end = beyond;
  expect_refused(&p);
  p = make_profile();
  p.blocks = no_block;
  expect_refused(&p);
}

static void *refuse(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user, (void)old_size, (void)new_size;
  assert_null(old);
  return NULL;
}

static void test_sizes(void **state) {
  (void)state;
  struct {
    spvreconv_profile known;
    uint64_t unknown;
  } newer = {.known = make_profile()};
  uint32_t order[4];
  newer.known.size = sizeof newer;
  assert_int_equal(spvreconv_profile_order(&newer.known, order), SPVRECONV_OK);
  newer.unknown = 1;
  expect_refused(&newer.known);
  spvreconv_profile p = make_profile();
  p.size = 0;
  expect_refused(&p);
  p.size = offsetof(spvreconv_profile, budget); /* an older caller */
  p.resize = refuse;
  assert_int_equal(spvreconv_profile_order(&p, order), SPVRECONV_OK);
}

static void test_without_lanes(void **state) {
  (void)state;
  const spvreconv_profile none = {.size = sizeof none};
  assert_int_equal(spvreconv_profile_order(&none, NULL), SPVRECONV_OK);
  spvreconv_profile p = make_profile();
  p.path_count = p.subgroup_count = 0;
  uint32_t order[4];
  assert_int_equal(spvreconv_profile_order(&p, order), SPVRECONV_OK);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(order[i], i);
}

static void test_out_of_memory(void **state) {
  (void)state;
  spvreconv_profile p = make_profile();
  p.resize = refuse;
  uint32_t order[4];
  assert_int_equal(spvreconv_profile_order(&p, order), SPVRECONV_OUT_OF_MEMORY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_wait_at_the_expensive_block),
      cmocka_unit_test(test_unsound_profiles),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_without_lanes),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
