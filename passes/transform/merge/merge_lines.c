/* SPDX-License-Identifier: Apache-2.0 */
/* merge_lines: see merge_lines.h. */
#include "passes/transform/merge/merge_lines.h"
#include "passes/ir/edit.h"
#include "passes/transform/applied_line.h"

static void keep_common(SrMergeGraph *g, const SrApplied *in_x, const SrApplied *in_y) {
  for (int k = 0; k < SR_APPLIED_TRACKS; k++) {
    SrRef x = in_x->at[k], y = in_y->at[k];
    if (y != SR_NONE && (x == SR_NONE || sr_merge_line_lost(g, x) || !sr_applied_same(g->m, x, y)))
      sr_map_set(&g->lost, y, true);
  }
}

void sr_merge_lines_compare(SrMergeGraph *g, uint32_t x, uint32_t y) {
  const SrModule *m = g->m;
  SrApplied in_x = SR_NOT_APPLIED, in_y = SR_NOT_APPLIED;
  SrRef j = g->f->blocks[y].list.first;
  for (SR_EACH(m, i, g->f->blocks[x].list)) {
    sr_applied_step(m, i, &in_x);
    if (!sr_merge_is_code(m, i))
      continue;
    for (; !sr_merge_is_code(m, j); j = sr_inst(m, j)->next)
      sr_applied_step(m, j, &in_y);
    keep_common(g, &in_x, &in_y);
    j = sr_inst(m, j)->next;
  }
}

bool sr_merge_line_lost(const SrMergeGraph *g, SrRef r) {
  return sr_map_get(&g->lost, r) != SR_NONE;
}

void sr_merge_lines_end(SrMergeGraph *g, SrList *list) {
  SrApplied open = SR_NOT_APPLIED;
  for (SR_EACH(g->m, r, *list)) {
    const SrApplied before = open;
    sr_applied_step(g->m, r, &open);
    for (int k = 0; k < SR_APPLIED_TRACKS; k++) {
      if (open.at[k] != r || !sr_merge_line_lost(g, r))
        continue;
      if (before.at[k] != SR_NONE)
        sr_insert_before(g->m, list, r, sr_applied_ending(g->m, r));
      open.at[k] = SR_NONE;
    }
  }
}
