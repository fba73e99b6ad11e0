/* SPDX-License-Identifier: Apache-2.0 */
/* The key of a result in the cache: every bit of the module's hash and of what the result was made
 * by matters, and a file is used under its own key alone. */
#include "tests/unit/unit.h"

#include "harness/layer/cache.h"
#include "harness/layer/key.h"
#include "tests/layer/folders.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const LyHash module = {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};

static bool is_same(LyHash a, LyHash b) {
  return a.high == b.high && a.low == b.low;
}

static void flip(void *bytes, size_t bit) {
  ((uint8_t *)bytes)[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

static void test_every_bit_of_what_made_it(void **state) {
  (void)state;
  LyMadeBy made_by = {.transform = ly_hash("auto", 4), .version = ly_hash("1.0", 3)};
  LyHash key = ly_key(module, &made_by);
  for (size_t bit = 0; bit < 8 * sizeof made_by; bit++) {
    flip(&made_by, bit);
    if (is_same(ly_key(module, &made_by), key))
      fail_msg("bit %zu of LyMadeBy is not in the key", bit);
    flip(&made_by, bit);
  }
  assert_true(is_same(ly_key(module, &made_by), key));
}

static void test_every_bit_of_the_module(void **state) {
  (void)state;
  LyMadeBy made_by = {.validate = 1};
  for (size_t bit = 0; bit < 8 * sizeof module; bit++) {
    LyHash other = module;
    flip(&other, bit);
    if (is_same(ly_key(other, &made_by), ly_key(module, &made_by)))
      fail_msg("bit %zu of the module's hash is not in the key", bit);
  }
}

static char *path_of(const char *folder, LyHash key) {
  char name[LY_HASH_TEXT];
  ly_hash_print(key, name);
  return folder_file(folder, name);
}

/* Is the file of `module`'s entry loaded for the key `other` if it has that key's name, too? */
static bool is_taken(const LyFolder *folder, LyHash other) {
  char *from = path_of(folder->path, module), *to = path_of(folder->path, other);
  LyResult result;
  assert_int_equal(link(from, to), 0);
  bool taken = ly_cache_load(folder, other, 0, &result);
  if (taken)
    ly_result_clear(&result);
  assert_int_equal(unlink(to), 0);
  free(from);
  free(to);
  return taken;
}

static void test_every_bit_in_the_file(void **state) {
  (void)state;
  char *path = folder_new();
  LyLog log = ly_log_open(NULL);
  LyFolder folder;
  LyResult result = {.kind = LY_SAME};
  ly_folder_open(&folder, "SPVRECONV_CACHE", path, &log);
  ly_cache_store(&folder, module, &result);
  assert_true(ly_cache_load(&folder, module, 0, &result));
  ly_result_clear(&result);
  for (size_t bit = 0; bit < 8 * sizeof module; bit++) {
    LyHash other = module;
    flip(&other, bit);
    if (is_taken(&folder, other))
      fail_msg("bit %zu of the key in the file is not compared", bit);
  }
  ly_folder_close(&folder);
  ly_log_close(&log);
  free(path);
}

/* The name of a file has all digits of the hash. */
static void test_every_digit_of_the_name(void **state) {
  (void)state;
  char name[LY_HASH_TEXT];
  ly_hash_print(module, name);
  assert_string_equal(name, "0123456789abcdeffedcba9876543210");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_set_up, folder_tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_every_bit_of_what_made_it),
      TEST(test_every_bit_of_the_module),
      TEST(test_every_bit_in_the_file),
      TEST(test_every_digit_of_the_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
