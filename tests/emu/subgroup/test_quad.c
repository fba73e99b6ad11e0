/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives and helper lanes (subgroup/quad.h) compared with a model of a single quad. */
#include "spv-emu/subgroup/quad.h"
#include "tests/emu/lanes_bed.h"

#include <math.h>
#include <string.h>

static const uint32_t sizes[] = {4, 8, 32, 64, 100, 1024};
#define SIZES (sizeof sizes / sizeof *sizes)
#define ROUNDS 20

static void each_bed(void (*test)(LanesBed *)) {
  for (size_t n = 0; n < SIZES; n++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      LanesBed bed;
      bed_open(&bed, sizes[n], bed_seed() * 1000 + round);
      test(&bed);
      bed_close(&bed);
    }
}

/* ---- derivatives ----------------------------------------------------------------------------- */

static float value_at(const LanesBed *bed, uint32_t lane) {
  uint32_t bits = (uint32_t)bed_was(bed, 1, 4, lane);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The difference along an axis (bit 0: x, bit 1: y) in the lane's own row or column, or in the
 * first one. */
static float difference(const LanesBed *bed, uint32_t lane, uint32_t axis, bool fine) {
  uint32_t base = fine ? lane & ~axis : lane & ~3u;
  return value_at(bed, base | axis) - value_at(bed, base);
}

static float expected(const LanesBed *bed, SpvOp op, uint32_t lane) {
  switch (op) {
  case SpvOpDPdx:
  case SpvOpDPdxCoarse:
    return difference(bed, lane, 1, false);
  case SpvOpDPdy:
  case SpvOpDPdyCoarse:
    return difference(bed, lane, 2, false);
  case SpvOpDPdxFine:
    return difference(bed, lane, 1, true);
  case SpvOpDPdyFine:
    return difference(bed, lane, 2, true);
  case SpvOpFwidthFine:
    return fabsf(difference(bed, lane, 1, true)) + fabsf(difference(bed, lane, 2, true));
  default:
    return fabsf(difference(bed, lane, 1, false)) + fabsf(difference(bed, lane, 2, false));
  }
}

/* Quads with some, but not all lanes active, at least one of them covered. */
static uint64_t broken(const LanesBed *bed) {
  uint64_t count = 0;
  for (uint32_t first = 0; first < bed->s.size; first += 4) {
    uint32_t on = 0, useful = 0;
    for (uint32_t lane = first; lane < first + 4; lane++) {
      on += bed_on(bed, lane);
      useful += bed_on(bed, lane) && !emu_mask_has(&bed->s.helper, lane);
    }
    count += useful > 0 && on < 4;
  }
  return count;
}

static void derivative(LanesBed *bed) {
  static const SpvOp ops[] = {SpvOpDPdx,       SpvOpDPdy,       SpvOpFwidth,
                              SpvOpDPdxFine,   SpvOpDPdyFine,   SpvOpFwidthFine,
                              SpvOpDPdxCoarse, SpvOpDPdyCoarse, SpvOpFwidthCoarse};
  for (size_t n = 0; n < sizeof ops / sizeof *ops; n++) {
    uint32_t d = unit_below(&bed->rng, 2); /* in another row than the operand, or in its row */
    for (uint32_t lane = 0; lane < bed->s.width; lane++) {
      float value = (float)unit_below(&bed->rng, 1000);
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      bed_put(bed, 1, 4, lane, bits);
    }
    uint64_t breaks = bed->s.counts.quad_breaks;
    for (uint32_t lane = 0; lane < bed->s.size; lane++)
      if (unit_below(&bed->rng, 4) == 0)
        emu_mask_set(&bed->s.helper, lane);
    bool first = unit_below(&bed->rng, 2);
    bed_run(bed, emu_quad_find(ops[n]),
            &(EmuIns){.d = bed_row(bed, d), .a = bed_row(bed, 1), .x = first});
    assert_int_equal(bed->s.counts.quad_breaks - breaks, first ? broken(bed) : 0);
    for (uint32_t lane = 0; lane < bed->s.width; lane++) { /* whole rows */
      float value = expected(bed, ops[n], lane);
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      bed_want(bed, d, 4, lane, bits);
    }
    bed_check(bed, "derivative");
  }
}

static void derivatives(void **state) {
  (void)state;
  each_bed(derivative);
  assert_null(emu_quad_find(SpvOpFAdd));
}

/* ---- helper lanes ---------------------------------------------------------------------------- */

static void helper(LanesBed *bed) {
  EmuLanes *s = &bed->s;
  EmuMask on = s->on, over;
  for (uint32_t lane = 0; lane < s->size; lane++)
    if (unit_below(&bed->rng, 2))
      emu_mask_set(&s->helper, lane);
  EmuMask helpers = s->helper;
  bed_run(bed, emu_quad_hide, &(EmuIns){0});
  for (uint32_t lane = 0; lane < s->size; lane++)
    assert_int_equal(emu_mask_has(&s->on, lane),
                     emu_mask_has(&on, lane) && !emu_mask_has(&helpers, lane));
  bed_run(bed, emu_quad_show, &(EmuIns){0});
  assert_true(emu_mask_equal(&s->on, &on, s->words));
  bed_run(bed, emu_quad_blank, &(EmuIns){.d = bed_row(bed, 2), .x = 4});
  for (uint32_t lane = 0; lane < s->size; lane++)
    if (bed_on(bed, lane) && emu_mask_has(&helpers, lane))
      bed_want(bed, 2, 4, lane, 0);
  bed_check(bed, "blank");
  bool any = emu_quad_over(s, &s->exist, &on, &over);
  bool found = false;
  for (uint32_t lane = 0; lane < s->size; lane++) {
    bool useful = false;
    for (uint32_t mate = lane & ~3u; mate < (lane & ~3u) + 4; mate++)
      useful |= mate < s->size && emu_mask_has(&s->exist, mate) && !emu_mask_has(&helpers, mate);
    assert_int_equal(emu_mask_has(&over, lane), bed_on(bed, lane) && !useful);
    found |= bed_on(bed, lane) && !useful;
  }
  assert_int_equal(any, found);
  bed_run(bed, emu_quad_demote, &(EmuIns){0});
  bed_run(bed, emu_quad_is_helper, &(EmuIns){.d = bed_row(bed, 3)});
  for (uint32_t lane = 0; lane < s->size; lane++)
    if (bed_on(bed, lane))
      bed_want(bed, 3, 4, lane, UINT32_MAX);
  bed_check(bed, "is helper");
}

static void helpers(void **state) {
  (void)state;
  each_bed(helper);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives),
      cmocka_unit_test(helpers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
