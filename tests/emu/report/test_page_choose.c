/* SPDX-License-Identifier: Apache-2.0 */
/* Which programs the page shows: of each variant the pipelines that issue most, the first of equal
 * ones; compared with a sorted list, for random issues with many ties. */
#include "spv-emu/report/report_page_data.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 6, MOST_VARIANTS = 5, POLICIES = 2, SHOWN = 4 };

static uint64_t seed = 1;

typedef struct Run {
  EmuRow rows[MOST_VARIANTS * POLICIES];
  EmuPart parts[MOST_VARIANTS * POLICIES][MOST_PARTS];
  spv_emu_result results[MOST_VARIANTS * POLICIES][MOST_PARTS];
  EmuRecording recordings[MOST_VARIANTS * POLICIES];
  uint64_t sums[MOST_PARTS];
  uint32_t variant_count, part_count;
} Run;

static const char *const names[MOST_VARIANTS] = {"none", "a", "b", "c", "d"};
static const char programs[MOST_VARIANTS][MOST_PARTS]; /* only their addresses count */

static const spv_emu_program *program_of(uint32_t variant, uint32_t part) {
  return (const spv_emu_program *)(const void *)&programs[variant][part];
}

static void make(Run *run) {
  memset(run, 0, sizeof *run);
  run->variant_count = 1 + unit_below(&seed, MOST_VARIANTS);
  run->part_count = 1 + unit_below(&seed, MOST_PARTS);
  for (uint32_t r = 0; r < run->variant_count * POLICIES; r++) {
    uint32_t variant = r / POLICIES;
    run->rows[r] = (EmuRow){.variant = names[variant],
                            .policy = r % POLICIES ? "pdom" : "structured",
                            .parts = run->parts[r],
                            .part_count = run->part_count};
    emu_recording_start(&run->recordings[r]);
    for (uint32_t p = 0; p < run->part_count; p++) {
      uint64_t issued = unit_below(&seed, 3);
      run->sums[p] += issued;
      run->results[r][p].issued = issued;
      run->parts[r][p] =
          (EmuPart){.program = program_of(variant, p), .result = &run->results[r][p]};
      spv_emu_schedule *s = &run->recordings[r].schedule;
      s->begun(s->user, program_of(variant, p), 8);
    }
  }
}

/* The parts that issue, those with more issues first, else in their order. */
static uint32_t sorted(const Run *run, uint32_t order[MOST_PARTS]) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < run->part_count; p++) {
    if (!run->sums[p])
      continue;
    uint32_t at = count++;
    for (; at && run->sums[order[at - 1]] < run->sums[p]; at--)
      order[at] = order[at - 1];
    order[at] = p;
  }
  return count;
}

static void the_largest_pipelines_are_shown(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    static Run run;
    make(&run);
    EmuReport report = {.rows = run.rows, .row_count = run.variant_count * POLICIES};
    static EmuPage page;
    page = (EmuPage){.report = &report, .recordings = run.recordings};
    emu_page_choose(&page);
    uint32_t order[MOST_PARTS], count = sorted(&run, order);
    uint32_t room = EMU_PAGE_PROGRAMS / run.variant_count;
    room = room > SHOWN ? SHOWN : room;
    count = count < room ? count : room;
    assert_int_equal(page.program_count, count * run.variant_count);
    for (uint32_t i = 0; i < page.program_count; i++) {
      uint32_t part = order[i / run.variant_count], variant = i % run.variant_count;
      assert_int_equal(page.programs[i].part, part);
      assert_string_equal(page.programs[i].variant, names[variant]);
      assert_ptr_equal(page.programs[i].program, program_of(variant, part));
    }
    for (uint32_t r = 0; r < report.row_count; r++)
      emu_recording_free(&run.recordings[r]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_largest_pipelines_are_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
