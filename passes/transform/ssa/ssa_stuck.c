/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_stuck: see ssa_stuck.h. */
#include "passes/transform/ssa/ssa_stuck.h"

#include "passes/ir/constants.h"
#include "passes/ir/id_table.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

static bool is_stuck(SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->result && in->type && sr_def_op(m, in->type) != SpvOpTypeVoid &&
         !sr_type_can_phi(m, in->type) && !sr_ssa_can_rematerialize(m, r);
}

static bool find_values(SrModule *m, const SrFunction *f, const SrNest *nest, SrIdTable *stuck) {
  bool any = false;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      if (nest->rank[b] != SR_NONE && nest->inner[b] != SR_NONE && is_stuck(m, r)) {
        sr_ids_set(stuck, sr_inst(m, r)->result, b);
        any = true;
      }
  return any;
}

SrBits *sr_ssa_stuck_blocks(SrArena *arena, SrModule *m, const SrFunction *f, const SrNest *nest) {
  SrBits *found = sr_bits_new(arena, f->block_count);
  SrIdTable *stuck = sr_ids_take(m);
  bool any = find_values(m, f, nest, stuck);
  for (uint32_t b = 0; any && b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t at = sr_word_is_id(m, r, i) ? sr_ids_get(stuck, sr_words(m, r)[i]) : SR_NONE;
        if (at != SR_NONE && at != b)
          sr_bit_set(found, at);
      }
  sr_ids_give(m, stuck);
  return found;
}
