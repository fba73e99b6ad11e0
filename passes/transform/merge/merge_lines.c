/* SPDX-License-Identifier: Apache-2.0 */
/* merge_lines: see merge_lines.h. */
#include "transform/merge/merge_lines.h"
#include "ir/edit.h"
#include "source/source_walk.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <string.h>

enum { LINE, SCOPE, TRACKS };

/* What applies to the next instruction of a block; SR_NONE: none. */
typedef struct Applied {
  SrRef at[TRACKS];
} Applied;

static const Applied nothing = {{SR_NONE, SR_NONE}};

static void step(const SrModule *m, SrRef r, Applied *a) {
  switch (sr_source_mark(m, r)) {
  case SR_MARK_LINE:
  case SR_MARK_NO_LINE:
    a->at[LINE] = sr_source_mark(m, r) == SR_MARK_LINE ? r : SR_NONE;
    break;
  case SR_MARK_SCOPE:
  case SR_MARK_NO_SCOPE:
    a->at[SCOPE] = sr_source_mark(m, r) == SR_MARK_SCOPE ? r : SR_NONE;
    break;
  case SR_MARK_OTHER:
    break;
  }
}

/* Are the two the same, result ids aside? */
static bool same(const SrModule *m, SrRef a, SrRef b) {
  uint32_t count = sr_word_count(m, a), first = sr_inst(m, a)->first;
  return sr_inst(m, a)->op == sr_inst(m, b)->op && count == sr_word_count(m, b) &&
         memcmp(sr_words(m, a) + first, sr_words(m, b) + first,
                (count - first) * sizeof(uint32_t)) == 0;
}

static void keep_common(SrMergeGraph *g, const Applied *in_x, const Applied *in_y) {
  for (int k = 0; k < TRACKS; k++) {
    SrRef x = in_x->at[k], y = in_y->at[k];
    if (y != SR_NONE && (x == SR_NONE || sr_merge_line_lost(g, x) || !same(g->m, x, y)))
      sr_map_set(&g->lost, y, true);
  }
}

void sr_merge_lines_compare(SrMergeGraph *g, uint32_t x, uint32_t y) {
  const SrModule *m = g->m;
  Applied in_x = nothing, in_y = nothing;
  SrRef j = g->f->blocks[y].list.first;
  for (SR_EACH(m, i, g->f->blocks[x].list)) {
    step(m, i, &in_x);
    if (!sr_merge_is_code(m, i))
      continue;
    for (; !sr_merge_is_code(m, j); j = sr_inst(m, j)->next)
      step(m, j, &in_y);
    keep_common(g, &in_x, &in_y);
    j = sr_inst(m, j)->next;
  }
}

bool sr_merge_line_lost(const SrMergeGraph *g, SrRef r) {
  return sr_map_get(&g->lost, r) != SR_NONE;
}

/* A new instruction that ends a line or scope of this kind. */
static SrRef ending(SrModule *m, SrRef r) {
  bool shader;
  if (sr_inst(m, r)->op == SpvOpLine) {
    sr_begin(m, SpvOpNoLine, 0, 0);
    return sr_end(m);
  }
  bool line = sr_source_opcode(m, r, &shader) == NonSemanticShaderDebugInfo100DebugLine;
  uint32_t set = sr_words(m, r)[3];
  sr_begin(m, SpvOpExtInst, sr_inst(m, r)->type, sr_fresh_id(m));
  SR_LAST(&m->inst).nonsemantic = true;
  sr_put_id(m, set);
  sr_put_literal(m, line ? NonSemanticShaderDebugInfo100DebugNoLine
                         : NonSemanticShaderDebugInfo100DebugNoScope);
  return sr_end(m);
}

void sr_merge_lines_end(SrMergeGraph *g, SrList *list) {
  Applied open = nothing;
  for (SR_EACH(g->m, r, *list)) {
    const Applied before = open;
    step(g->m, r, &open);
    for (int k = 0; k < TRACKS; k++) {
      if (open.at[k] != r || !sr_merge_line_lost(g, r))
        continue;
      if (before.at[k] != SR_NONE)
        sr_insert_before(g->m, list, r, ending(g->m, r));
      open.at[k] = SR_NONE;
    }
  }
}
