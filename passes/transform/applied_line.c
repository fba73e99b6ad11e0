/* SPDX-License-Identifier: Apache-2.0 */
/* applied_line: see applied_line.h. */
#include "passes/transform/applied_line.h"
#include "passes/ir/edit.h"
#include "passes/source/source_walk.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <string.h>

void sr_applied_step(const SrModule *m, SrRef r, SrApplied *a) {
  switch (sr_source_mark(m, r)) {
  case SR_MARK_LINE:
  case SR_MARK_NO_LINE:
    a->at[SR_APPLIED_LINE] = sr_source_mark(m, r) == SR_MARK_LINE ? r : SR_NONE;
    break;
  case SR_MARK_SCOPE:
  case SR_MARK_NO_SCOPE:
    a->at[SR_APPLIED_SCOPE] = sr_source_mark(m, r) == SR_MARK_SCOPE ? r : SR_NONE;
    break;
  case SR_MARK_OTHER:
    break;
  }
}

bool sr_applied_same(const SrModule *m, SrRef a, SrRef b) {
  uint32_t count = sr_word_count(m, a), first = sr_inst(m, a)->first;
  return sr_inst(m, a)->op == sr_inst(m, b)->op && count == sr_word_count(m, b) &&
         memcmp(sr_words(m, a) + first, sr_words(m, b) + first,
                (count - first) * sizeof(uint32_t)) == 0;
}

SrRef sr_applied_ending(SrModule *m, SrRef r) {
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

static bool both_same(const SrModule *m, SrRef a, SrRef b) {
  return a == b || (a != SR_NONE && b != SR_NONE && sr_applied_same(m, a, b));
}

SrApplied sr_applied_common(const SrModule *m, SrApplied a, SrApplied b) {
  for (int k = 0; k < SR_APPLIED_TRACKS; k++)
    if (!both_same(m, a.at[k], b.at[k]))
      a.at[k] = SR_NONE;
  return a;
}

void sr_applied_switch(SrModule *m, SrList *list, SrApplied *now, SrApplied to) {
  for (int k = SR_APPLIED_TRACKS; k-- > 0;) { /* the scope first */
    if (both_same(m, now->at[k], to.at[k]))
      continue;
    SrRef mark = to.at[k] == SR_NONE ? sr_applied_ending(m, now->at[k]) : sr_clone(m, to.at[k]);
    sr_append(m, list, mark);
  }
  *now = to;
}
