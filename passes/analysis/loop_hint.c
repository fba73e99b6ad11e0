/* SPDX-License-Identifier: Apache-2.0 */
/* loop_hint: see loop_hint.h. */
#include "passes/analysis/loop_hint.h"

static bool is_entry(const SrGraph *g, const SrNest *nest, uint32_t b) {
  for (SR_PREDS(p, g, b))
    if (nest->rank[*p] != SR_NONE && !sr_cycle_has(nest, nest->inner[b], *p))
      return true;
  return false;
}

const SrLoopHint *sr_loop_hints(SrArena *arena, const SrModule *m, const SrFunction *f,
                                const SrGraph *g, const SrNest *nest) {
  if (!sr_hint_any(m, SpvOpLoopMerge))
    return NULL;
  SrLoopHint *hints = SR_NEW_RAW(arena, SrLoopHint, nest->cycle_count);
  for (uint32_t c = 0; c < nest->cycle_count; c++)
    hints[c] = (SrLoopHint){sr_hint_of(m, f->blocks[nest->cycles[c].header].id, SpvOpLoopMerge),
                            nest->cycles[c].entries == 1};
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    uint32_t b = nest->order[rank], c = nest->inner[b];
    SrRef merge = sr_hint_of(m, f->blocks[b].id, SpvOpLoopMerge);
    if (c != SR_NONE && merge != SR_NONE && hints[c].merge == SR_NONE && is_entry(g, nest, b))
      hints[c] = (SrLoopHint){merge, false};
  }
  return hints;
}
