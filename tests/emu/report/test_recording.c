/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that are recorded for the page: steps as text, numbers of masks, cut schedules. */
#include "report/report_recording.h"
#include "unit.h"

#include <string.h>

enum { WORDS = 16 };

static const spv_emu_program *const first = (const spv_emu_program *)"a",
                                    *const second = (const spv_emu_program *)"b";

static void tell(EmuRecording *r, uint64_t subgroup, uint32_t part, uint32_t count, uint64_t low,
                 uint64_t high) {
  uint64_t lanes[WORDS] = {low, high};
  r->schedule.issued(r->schedule.user, subgroup, part, count, lanes);
}

static void begin(EmuRecording *r, const spv_emu_program *program, uint32_t lanes) {
  r->schedule.begun(r->schedule.user, program, lanes);
}

/* The subgroup as JSON text, to be freed; "" if nothing is added. */
static char *text_of(const EmuRecordedDispatch *d, uint32_t subgroup, size_t most, bool may_cut,
                     size_t *taken) {
  json_t *array = json_array();
  *taken = emu_recording_add(d, subgroup, most, may_cut, array);
  json_t *added = json_array_get(array, 0);
  char *text = added ? json_dumps(added, JSON_COMPACT | JSON_SORT_KEYS) : strdup("");
  json_decref(array);
  return text;
}

static void expect(const EmuRecordedDispatch *d, uint32_t subgroup, size_t most, bool may_cut,
                   const char *wanted) {
  size_t taken;
  char *text = text_of(d, subgroup, most, may_cut, &taken);
  assert_string_equal(text, wanted);
  assert_true(taken <= most);
  free(text);
}

static void test_steps(void **state) {
  (void)state;
  EmuRecording r;
  emu_recording_start(&r);
  begin(&r, first, 8);
  tell(&r, 0, 0, 4, 0xff, 0);
  tell(&r, 0, 1, 4, 0xff, 0);
  tell(&r, 0, 2, 4, 0x0f, 0);
  tell(&r, 0, 2, 4, 0x0f, 0);
  tell(&r, 0, 2, 4, 0x0f, 0);
  tell(&r, 0, SPV_EMU_NO_PART, 3, 0, 0);
  tell(&r, 0, SPV_EMU_NO_PART, 3, 0, 0);
  tell(&r, 0, 2, 4, 0x0f, 0);
  tell(&r, 0, 10, 4, 0, 0);
  tell(&r, 0, 3, 4, 0xff, 0);
  tell(&r, 1, 5, 4, 0x01, 0);
  const EmuRecordedDispatch *d = emu_recording_find(&r, first);
  expect(d, 0, 1000, true,
         "{\"cut\":false,\"masks\":[\"ff\",\"f\",\"0\"],\"steps\":\"0.0 1 2.1x3 +3 +3 2 10.2 "
         "3.0\",\"subgroup\":0}");
  expect(d, 1, 1000, true, "{\"cut\":false,\"masks\":[\"1\"],\"steps\":\"5.0\",\"subgroup\":1}");
  expect(d, 2, 1000, true, "");
  assert_true(emu_recording_is_whole(&r));
  emu_recording_free(&r);
}

static void test_budget(void **state) {
  (void)state;
  EmuRecording r;
  emu_recording_start(&r);
  begin(&r, first, 8);
  for (uint32_t i = 0; i < 10; i++)
    tell(&r, 0, i, 1, i % 2 ? 0xf0 : 0xff, 0);
  const EmuRecordedDispatch *d = emu_recording_find(&r, first);
  expect(d, 0, 20, true,
         "{\"cut\":true,\"masks\":[\"ff\",\"f0\"],\"steps\":\"0.0 1.1\",\"subgroup\":0}");
  expect(d, 0, 20, false, "");
  expect(d, 0, 0, true, "{\"cut\":true,\"masks\":[],\"steps\":\"\",\"subgroup\":0}");
  emu_recording_free(&r);
}

/* Many masks, of many words: each keeps its number. */
static void test_masks(void **state) {
  (void)state;
  EmuRecording r;
  size_t taken;
  emu_recording_start(&r);
  begin(&r, first, 100);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 300; i++)
      tell(&r, 0, 7, 1, (uint64_t)i << 20, i == 299 ? 0xabc : 1);
  const EmuRecorded *s = &emu_recording_find(&r, first)->subgroups[0];
  assert_int_equal(s->mask_count, 300);
  assert_int_equal(s->count, 600);
  for (uint32_t i = 0; i < 600; i++)
    assert_int_equal(s->steps[i].mask, i % 300);
  char *text = text_of(emu_recording_find(&r, first), 0, 1 << 20, false, &taken);
  assert_non_null(strstr(text, "\"10000000000000000\",\"10000000000100000\","));
  assert_non_null(strstr(text, "\"abc0000000012b00000\"]"));
  assert_non_null(strstr(text, "7.299 7.0 7.1 "));
  free(text);
  emu_recording_free(&r);
}

/* Only the first dispatch of each program is recorded, and a limited number of steps of a
 * subgroup. */
static void test_what_is_kept(void **state) {
  (void)state;
  EmuRecording r;
  emu_recording_start(&r);
  begin(&r, first, 8);
  tell(&r, 0, 1, 1, 1, 0);
  begin(&r, second, 4);
  for (uint32_t i = 0; i < EMU_RECORDED_STEPS + 5; i++)
    tell(&r, 0, i % 3, 1, 1, 0);
  begin(&r, first, 8);
  tell(&r, 0, 2, 1, 1, 0);
  assert_int_equal(emu_recording_find(&r, first)->subgroups[0].count, 1);
  const EmuRecordedDispatch *d = emu_recording_find(&r, second);
  assert_int_equal(d->lanes, 4);
  assert_int_equal(d->subgroups[0].count, EMU_RECORDED_STEPS);
  assert_true(d->subgroups[0].cut);
  assert_null(emu_recording_find(&r, NULL));
  emu_recording_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_what_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
