/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names of every length up to twice the room: each is the names with commas, whole ones
 * only, and says if some are left out. */
#include "tests/unit/unit.h"

#include "passes/names/name_list.h"

#include <stdint.h>

static void test_table(void **state) {
  (void)state;
  static const char *const names[] = {"none", "auto", "guard", "linearize", NULL};
  SrNameList list = {.wanted = "gaurd=", .length = 5};
  assert_string_equal(list.text, "");
  for (int i = 0; names[i]; i++)
    sr_name_list_add(&list, names[i]);
  assert_string_equal(list.text, "none, auto, guard, linearize");
  assert_string_equal(list.near, "guard");
  assert_false(list.full);

  SrNameList places = {0};
  sr_name_list_print(&places, "%u:%u", 0u, 5u);
  sr_name_list_print(&places, "%u:%u (%s)", 1u, 2u, "data");
  assert_string_equal(places.text, "0:5, 1:2 (data)");
  assert_null(places.near);
}

/* Adds `count` names of `length` characters, and compares the text with what it has to be. */
static void try_list(uint32_t count, uint32_t length) {
  char name[2 * SR_NAME_LIST_ROOM + 1], right[64 * (SR_NAME_LIST_ROOM + 2)] = "";
  memset(name, 'a', length);
  name[length] = 0;
  SrNameList list = {0};
  size_t shown = 0;
  uint32_t left_out = 0;
  for (uint32_t i = 0; i < count; i++) {
    sr_name_list_add(&list, name);
    left_out += left_out || shown + (shown ? 2 : 0) + length + strlen(", ...") >= SR_NAME_LIST_ROOM;
    if (!left_out)
      shown += (size_t)sprintf(right + shown, "%s%s", shown ? ", " : "", name);
  }
  if (left_out)
    strcat(right, shown ? ", ..." : "...");
  assert_string_equal(list.text, right);
  assert_int_equal(list.full, left_out > 0);
  assert_int_equal(list.used, strlen(list.text));
}

static void test_room(void **state) {
  (void)state;
  for (uint32_t length = 1; length < 2 * SR_NAME_LIST_ROOM; length++)
    for (uint32_t count = 1; count < 64; count += 1 + count / 4)
      try_list(count, length);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
