/* SPDX-License-Identifier: Apache-2.0 */
/* check_laps: see check_laps.h. */
#include "passes/check/check_laps.h"

enum { MOST_LAPS = 8 };

void sr_check_laps_init(SrArena *arena, const SrWalkCode *code, SrCheckLaps *laps) {
  *laps = (SrCheckLaps){.arena = arena,
                        .known = SR_NEW(arena, uint8_t, code->edge.count),
                        .entered = SR_NEW(arena, uint32_t, code->block.count)};
}

void sr_check_laps_plan(SrCheckLaps *laps, uint64_t random) {
  laps->count = 0;
  if (laps->edge.count == 0)
    return;
  laps->by = laps->edge.at[random % laps->edge.count];
  laps->count = 1 + (uint32_t)(random >> 32) % MOST_LAPS;
}

bool sr_check_laps_take(SrCheckLaps *laps, uint32_t epoch, uint32_t edge, uint32_t to) {
  if (laps->entered[to] == epoch && !laps->known[edge]) {
    laps->known[edge] = 1;
    SR_PUSH(laps->arena, &laps->edge, edge);
  }
  laps->entered[to] = epoch;
  return laps->left && edge == laps->by && --laps->left == 0;
}
