/* SPDX-License-Identifier: Apache-2.0 */
/* The layer's cache of results: what is stored is found again, whatever its size and whatever size
 * the reader expects. */
#include "tests/layer/folders.h"
#include "tests/unit/unit.h"

#include "harness/layer/cache.h"

#include <stdlib.h>
#include <string.h>

typedef struct Place {
  char *path;
  LyLog log;
  LyFolder folder;
} Place;

static Place *new_place(void) {
  Place *p = calloc(1, sizeof *p);
  p->path = folder_new();
  ly_folder_open(&p->folder, "SPVRECONV_CACHE", p->path, &p->log);
  assert_true(p->folder.fd >= 0);
  return p;
}

static void free_place(Place *p) {
  ly_folder_close(&p->folder);
  free(p->path);
  free(p);
}

/* A file is read into a buffer for the expected size and some slack; a result may be smaller, fit
 * the slack, or exceed it by little or much. */
static void test_every_size(void **state) {
  (void)state;
  static const size_t more[] = {0, 4, 4000, 4096, 4100, 6000, 8192, 8196, 50000};
  Place *p = new_place();
  uint32_t *words = calloc(20000, sizeof *words);
  for (uint32_t i = 0; i < 20000; i++)
    words[i] = i * 2654435761u;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    const LyHash key = {.low = i, .high = 7};
    const LyResult result = {.kind = LY_CHANGED, .words = words, .bytes = 1000 + more[i]};
    ly_cache_store(&p->folder, key, &result);
    for (size_t expected = 0; expected <= 1000; expected += 1000) {
      LyResult found;
      assert_true(ly_cache_load(&p->folder, key, expected, &found));
      assert_int_equal(found.kind, LY_CHANGED);
      assert_int_equal(found.bytes, result.bytes);
      assert_memory_equal(found.words, words, result.bytes);
      ly_result_clear(&found);
    }
  }
  free(words);
  free_place(p);
}

static void test_other_kinds(void **state) {
  (void)state;
  Place *p = new_place();
  const LyHash same = {.low = 1}, failed = {.low = 2}, absent = {.low = 3};
  ly_cache_store(&p->folder, same, &(LyResult){.kind = LY_SAME});
  ly_cache_store(&p->folder, failed,
                 &(LyResult){.kind = LY_FAILED, .reason = LY_TIME, .message = "too slow"});
  LyResult found;
  assert_true(ly_cache_load(&p->folder, same, 100, &found));
  assert_int_equal(found.kind, LY_SAME);
  ly_result_clear(&found);
  assert_true(ly_cache_load(&p->folder, failed, 100, &found));
  assert_int_equal(found.reason, LY_TIME);
  assert_string_equal(found.message, "too slow");
  ly_result_clear(&found);
  assert_false(ly_cache_load(&p->folder, absent, 100, &found));
  free_place(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_size),
      cmocka_unit_test(test_other_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
