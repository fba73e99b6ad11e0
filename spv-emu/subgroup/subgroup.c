/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup: see subgroup.h. */
#include "spv-emu/subgroup/subgroup.h"
#include "spv-emu/subgroup/subgroup_row.h"

EmuHandler *emu_lanes_find(SpvOp op, EmuKind kind, uint32_t group_operation) {
  EmuHandler *run = emu_vote_find(op, kind);
  if (!run)
    run = emu_shuffle_find(op, kind);
  if (!run)
    run = emu_ballot_find(op, kind, group_operation);
  return run ? run : emu_fold_find(op, kind, group_operation);
}

bool emu_is_ballot_builtin(uint32_t builtin) {
  switch (builtin) {
  case SpvBuiltInSubgroupEqMask:
  case SpvBuiltInSubgroupGeMask:
  case SpvBuiltInSubgroupGtMask:
  case SpvBuiltInSubgroupLeMask:
  case SpvBuiltInSubgroupLtMask:
    return true;
  default:
    return false;
  }
}
