/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules recorded for the page: steps as text, numbers of masks, sums in bins of time. */
#include "spv-emu/report/report_places.h"
#include "tests/unit/unit.h"

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

/* The first four subgroups of each dispatch. */
static void again(EmuRecording *r) {
  EmuRecordedPlaces places[EMU_RECORDED_DISPATCHES];
  for (uint32_t i = 0; i < EMU_RECORDED_DISPATCHES; i++) {
    uint32_t lanes = r->dispatches[i].lanes;
    places[i] = (EmuRecordedPlaces){.count = 4};
    for (uint32_t k = 0; k < 4; k++)
      places[i].at[k] = (EmuRecordedPlace){.invocation = (uint64_t)k * lanes, .main = true};
  }
  emu_recording_again(r, places);
}

/* A recording of one dispatch, in its second run. */
static void record(EmuRecording *r, uint32_t lanes) {
  emu_recording_start(r);
  begin(r, first, lanes);
  again(r);
  begin(r, first, lanes);
}

static void end(EmuRecording *r, uint64_t subgroups) {
  const spv_emu_result result = {.subgroups = subgroups};
  r->schedule.ended(r->schedule.user, &result);
}

/* The subgroup as JSON text, to be freed; "" if nothing is added. */
static char *text_of(EmuRecordedDispatch *d, uint32_t subgroup, size_t most, size_t least,
                     size_t *taken) {
  json_t *array = json_array();
  *taken = emu_recording_add(d, subgroup, most, least, array);
  json_t *added = json_array_get(array, 0);
  char *text = added ? json_dumps(added, JSON_COMPACT | JSON_SORT_KEYS) : strdup("");
  json_decref(array);
  return text;
}

static void expect(EmuRecordedDispatch *d, uint32_t subgroup, size_t most, size_t least,
                   const char *wanted) {
  size_t taken;
  char *text = text_of(d, subgroup, most, least, &taken);
  assert_string_equal(text, wanted);
  assert_true(taken <= most);
  free(text);
}

static void test_steps(void **state) {
  (void)state;
  EmuRecording r;
  record(&r, 8);
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
  EmuRecordedDispatch *d = emu_recording_find(&r, first, 0);
  expect(d, 0, 1000, 0,
         "{\"masks\":[\"ff\",\"f\",\"0\"],\"slot\":0,\"steps\":\"0.0 1 2.1x3 +3 +3 2 10.2 "
         "3.0\",\"subgroup\":0}");
  expect(d, 1, 1000, 0, "{\"masks\":[\"1\"],\"slot\":1,\"steps\":\"5.0\",\"subgroup\":1}");
  expect(d, 2, 1000, 0, "");
  assert_true(emu_recording_is_whole(&r));
  emu_recording_free(&r);
}

/* A schedule that does not fit is summed: how much it issued, and with how many lanes, stays. */
static void test_budget(void **state) {
  (void)state;
  EmuRecording r;
  record(&r, 8);
  for (uint32_t i = 0; i < 10; i++)
    tell(&r, 0, i % 2, 3, i % 2 ? 0xf0 : 0xff, 0);
  tell(&r, 0, SPV_EMU_NO_PART, 2, 0, 0);
  EmuRecordedDispatch *d = emu_recording_find(&r, first, 0);
  expect(d, 0, 20, 30, "");
  expect(d, 0, 48, 0,
         "{\"bins\":[[32,\"0.5.40.ff 1.5.20.f0 +.2\",\"eeee8888\"]],\"slot\":0,\"subgroup\":0}");
  assert_true(emu_recording_is_whole(&r));
  emu_recording_free(&r);
}

/* If the lanes of a part are those of the part before, they are left out. */
static void test_same_lanes(void **state) {
  (void)state;
  EmuRecording r;
  record(&r, 4);
  for (uint32_t i = 0; i < 30; i++)
    tell(&r, 0, i % 3, 1, i % 3 == 2 ? 3 : 15, 0);
  expect(emu_recording_find(&r, first, 0), 0, 50, 0,
         "{\"bins\":[[30,\"0.10.40.f 1.10.40 2.10.20.3\",\"//qq\"]],\"slot\":0,\"subgroup\":0}");
  emu_recording_free(&r);
}

/* Sums over all bins of an array of bins. */
typedef struct Sums {
  uint64_t issues, executions[2], lanes[2], own;
} Sums;

static Sums sums_of(const EmuBins *b) {
  Sums s = {0};
  for (uint32_t i = 0; i < b->count; i++) {
    s.issues += b->bins[i].issues;
    for (uint32_t k = b->bins[i].first; k < b->bins[i].first + b->bins[i].count; k++) {
      const EmuBinEntry *e = &b->entries[k];
      if (e->part == SPV_EMU_NO_PART) {
        s.own += e->executions;
        continue;
      }
      s.executions[e->part] += e->executions;
      s.lanes[e->part] += e->lanes;
    }
  }
  return s;
}

static void test_bins(void **state) {
  (void)state;
  enum { STEPS = 1000000, LANES = 70 };
  EmuBins *b = emu_bins_new(LANES);
  assert_non_null(b);
  uint64_t odd[] = {1, 1u << 5}, all[] = {UINT64_MAX, 63};
  for (uint32_t i = 0; i < STEPS; i++)
    assert_true(emu_bins_add(b, i % 2, 2 + i % 2, i % 2 ? odd : all));
  assert_true(emu_bins_add(b, SPV_EMU_NO_PART, 7, NULL));
  for (int merges = 0; merges < 12; merges++) {
    Sums s = sums_of(b);
    assert_int_equal(s.issues, STEPS / 2 * 5 + 7);
    assert_int_equal(s.own, 7);
    assert_int_equal(s.executions[0], STEPS / 2);
    assert_int_equal(s.executions[1], STEPS / 2);
    assert_int_equal(s.lanes[0], STEPS / 2 * LANES);
    assert_int_equal(s.lanes[1], STEPS / 2 * 2);
    uint64_t first_lane = 0, second_lane = 0;
    for (uint32_t i = 0; i < b->count; i++) {
      first_lane += b->active[i * LANES];
      second_lane += b->active[i * LANES + 1];
    }
    assert_int_equal(first_lane, STEPS / 2 * 5);
    assert_int_equal(second_lane, STEPS / 2 * 2);
    assert_true(merges > 0 || (b->count > EMU_BINS_MOST / 2 && b->count <= EMU_BINS_MOST));
    emu_bins_merge(b);
  }
  assert_int_equal(b->count, 1);
  emu_bins_free(b);
}

/* Many masks, of many words: each keeps its number. */
static void test_masks(void **state) {
  (void)state;
  EmuRecording r;
  size_t taken;
  record(&r, 100);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 300; i++)
      tell(&r, 0, 7, 1, (uint64_t)i << 20, i == 299 ? 0xabc : 1);
  const EmuRecorded *s = &emu_recording_find(&r, first, 0)->subgroups[0];
  assert_int_equal(s->mask_count, 300);
  assert_int_equal(s->count, 600);
  for (uint32_t i = 0; i < 600; i++)
    assert_int_equal(s->steps[i].mask, i % 300);
  char *text = text_of(emu_recording_find(&r, first, 0), 0, 1 << 20, 0, &taken);
  assert_non_null(strstr(text, "\"10000000000000000\",\"10000000000100000\","));
  assert_non_null(strstr(text, "\"abc0000000012b00000\"]"));
  assert_non_null(strstr(text, "7.299 7.0 7.1 "));
  free(text);
  emu_recording_free(&r);
}

/* Runs a dispatch of 200 subgroups of `lanes` lanes, of which `worst` has one active lane. */
static void run_first(EmuRecording *r, uint32_t lanes, uint64_t worst) {
  emu_recording_start(r);
  begin(r, first, lanes);
  for (uint64_t i = 0; i < 200; i++)
    tell(r, i, 0, 2, i == worst ? 1 : 3, 0);
  end(r, 200);
}

static uint32_t place_of(const EmuRecordedPlaces *places, uint64_t invocation) {
  uint32_t i = 0;
  while (i < places->count && places->at[i].invocation != invocation)
    i++;
  return i;
}

/* Places are those of the worst subgroups of all runs and others at equal distances, in order; the
 * worst one of a smaller size is also shown where one of the largest size begins. */
static void test_places(void **state) {
  (void)state;
  static EmuRecording runs[2];
  static EmuRecordedPlaces places[EMU_RECORDED_DISPATCHES];
  run_first(&runs[0], 8, 77);
  run_first(&runs[1], 4, 5);
  emu_places_choose(runs, 2, places);
  assert_int_equal(places[0].count, 64 + 3);
  assert_int_equal(places[1].count, 0);
  for (uint32_t i = 1; i < places[0].count; i++)
    assert_true(places[0].at[i - 1].invocation < places[0].at[i].invocation);
  uint32_t large = place_of(&places[0], 77 * 8), small = place_of(&places[0], 5 * 4);
  assert_true(places[0].at[large].main && places[0].at[small].main);
  assert_true(places[0].at[place_of(&places[0], 16)].main);
  assert_true(places[0].at[place_of(&places[0], 0)].main);
  assert_false(places[0].at[place_of(&places[0], 8 * (200 / 64))].main);
  for (uint32_t k = 0; k < 2; k++) {
    emu_recording_again(&runs[k], places);
    assert_int_equal(runs[k].dispatches[0].worst, k ? small : large);
    assert_int_equal(runs[k].dispatches[0].subgroups[large].subgroup, k ? 154 : 77);
    assert_int_equal(runs[k].dispatches[0].subgroups[small].there, k);
    begin(&runs[k], first, k ? 4 : 8);
    tell(&runs[k], k ? 154 : 77, 3, 2, 1, 0);
    assert_int_equal(runs[k].dispatches[0].subgroups[large].count, 1);
    emu_recording_free(&runs[k]);
  }
}

/* Sums of equal waste: the first subgroup; without waste there is no worst one. */
static void test_worst(void **state) {
  (void)state;
  static EmuTally tally;
  uint64_t worst = 0;
  assert_true(emu_tally_add(&tally, 3, 10, 40));
  assert_false(emu_tally_worst(&tally, 4, &worst));
  assert_true(emu_tally_add(&tally, 9000, 5, 10));
  assert_true(emu_tally_add(&tally, 8000, 10, 30));
  assert_true(emu_tally_worst(&tally, 4, &worst));
  assert_int_equal(worst, 8000);
  emu_tally_free(&tally);
}

/* A subgroup that is not a main one is dropped if it is long. */
static void test_dropped(void **state) {
  (void)state;
  EmuRecording r;
  static EmuRecordedPlaces places[EMU_RECORDED_DISPATCHES];
  places[0] = (EmuRecordedPlaces){.at = {{0, true}, {8, false}}, .count = 2};
  emu_recording_start(&r);
  begin(&r, first, 8);
  emu_recording_again(&r, places);
  begin(&r, first, 8);
  for (uint32_t i = 0; i <= EMU_RECORDED_SHORT; i++)
    for (uint64_t k = 0; k < 2; k++)
      tell(&r, k, i % 2, 1, 1, 0);
  EmuRecordedDispatch *d = emu_recording_find(&r, first, 0);
  assert_int_equal(d->subgroups[0].count, EMU_RECORDED_SHORT + 1);
  assert_true(d->subgroups[1].dropped);
  expect(d, 1, 1 << 20, 0, "");
  emu_recording_free(&r);
}

/* The first dispatches of each program are recorded; a long one is summed while it runs. */
static void test_what_is_kept(void **state) {
  (void)state;
  EmuRecording r;
  size_t taken;
  emu_recording_start(&r);
  for (int run = 0; run < 2; run++) {
    begin(&r, first, 8);
    tell(&r, 0, 1, 1, 1, 0);
    begin(&r, second, 4);
    for (uint32_t i = 0; i < EMU_RECORDED_STEPS + 5; i++)
      tell(&r, 0, i % 3, 1, 1, 0);
    for (uint32_t i = 0; i < EMU_RECORDED_TIMES; i++) {
      begin(&r, first, 8);
      tell(&r, 0, 2, 1, 1, 0);
    }
    if (!run)
      again(&r);
  }
  assert_int_equal(emu_recording_find(&r, first, 0)->subgroups[0].count, 1);
  assert_int_equal(emu_recording_find(&r, first, 0)->number, 1);
  assert_int_equal(emu_recording_find(&r, first, 1)->number, 3);
  assert_int_equal(emu_recording_find(&r, first, 1)->subgroups[0].steps[0].part, 2);
  assert_null(emu_recording_find(&r, first, EMU_RECORDED_TIMES));
  EmuRecordedDispatch *d = emu_recording_find(&r, second, 0);
  assert_int_equal(d->lanes, 4);
  assert_non_null(d->subgroups[0].bins);
  assert_null(d->subgroups[0].steps);
  char *text = text_of(d, 0, 100, 0, &taken);
  assert_non_null(strstr(text, "\"/AAA\""));
  free(text);
  assert_null(emu_recording_find(&r, NULL, 0));
  emu_recording_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),        cmocka_unit_test(test_budget),
      cmocka_unit_test(test_same_lanes),   cmocka_unit_test(test_places),
      cmocka_unit_test(test_worst),        cmocka_unit_test(test_dropped),
      cmocka_unit_test(test_bins),         cmocka_unit_test(test_masks),
      cmocka_unit_test(test_what_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
