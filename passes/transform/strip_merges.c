/* SPDX-License-Identifier: Apache-2.0 */
/* strip_merges: see strip_merges.h. */
#include "passes/transform/strip_merges.h"
#include "passes/analysis/graph/left_loop.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/hint.h"

uint32_t sr_needs_merges(const SrModule *m, SrArena *scratch, const SrFunction *f,
                         const SrBits *cross_lane) {
  const SrNest *nest = sr_nest_build(scratch, sr_cfg_build(scratch, m, f));
  const SrBits *left = sr_left_loop_blocks(scratch, m, f, nest);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_bit(left, b) && sr_has_cross_lane(m, cross_lane, &f->blocks[b]))
      return b;
  return SR_NONE;
}

bool sr_keeps_merges(const SrModule *m, SrArena *scratch, const SrFunction *f,
                     const SrBits *cross_lane, const char *what) {
  uint32_t b = sr_needs_merges(m, scratch, f, cross_lane);
  if (b == SR_NONE)
    return false;
  SrWhere where = {
      .function = sr_function_name(m, scratch, f), .block = f->blocks[b].id, .word = SR_NONE};
  sr_notice(m->diag, where,
            "%s: a cross-lane operation in a break or return block would run with different lanes",
            what);
  return true;
}

SrStatus sr_strip_merges(SrModule *m, SrArena *scratch, SrFunction *f, const SrBits *cross_lane,
                         bool *changed) {
  if (sr_keeps_merges(m, scratch, f, cross_lane, "strip-merges leaves the function alone"))
    return SR_OK;
  for (uint32_t b = 0; b < f->block_count; b++) {
    *changed |= sr_merge_inst(m, &f->blocks[b]) != SR_NONE;
    sr_hint_take(m, &f->blocks[b]);
  }
  return SR_OK;
}
