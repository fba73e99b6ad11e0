/* SPDX-License-Identifier: Apache-2.0 */
/* linear_admit: see linear_admit.h. */
#include "passes/transform/linear/linear_admit.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/constants.h"
#include "passes/ir/pointer.h"
#include "passes/transform/block_order.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

/* Must the value stay in its block? */
static bool is_bound(SrModule *m, uint32_t id) {
  SrRef def = sr_def(m, id);
  if (def == SR_NONE)
    return true;
  uint32_t type = sr_inst(m, def)->type;
  return type && m->home[id] != SR_NONE && !sr_type_can_phi(m, type) &&
         !sr_is_variable(sr_inst(m, def)->op) && !sr_ssa_can_rematerialize(m, def);
}

/* Is the instruction rematerialized where it is used, so that its operands are needed there? */
static bool takes_along(SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->result && in->type && !sr_type_can_phi(m, in->type) && sr_ssa_can_rematerialize(m, r);
}

/* A block that uses a value of another block which must not leave it, or SR_NONE. */
static uint32_t find_bound_use(SrModule *m, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list)) {
      bool along = takes_along(m, r);
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t id = sr_words(m, r)[i];
        if (sr_word_is_id(m, r, i) && (along || m->home[id] != b) && is_bound(m, id))
          return b;
      }
    }
  return SR_NONE;
}

static const char *find_reason(SrModule *m, SrArena *scratch, const SrFunction *f,
                               const SrBits *cross_lane, uint32_t *block) {
  SrMark mark = sr_arena_mark(scratch);
  *block = sr_cross_lane_apart(scratch, m, f, cross_lane);
  sr_arena_reset(scratch, mark);
  if (*block != SR_NONE)
    return "lanes communicate here, and not all of them run this block together, exactly once";
  *block = find_bound_use(m, f);
  return *block == SR_NONE ? NULL : "a value is used here that cannot be carried here by a phi";
}

bool sr_linear_admits(SrPassRun *r, const SrFunction *f, const char *name) {
  uint32_t block;
  const char *why = find_reason(r->m, r->scratch, f, sr_pass_cross_lane(r), &block);
  if (!why)
    return true;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f),
                   .block = f->blocks[block].id,
                   .word = SR_NONE};
  sr_notice(r->m->diag, where, "%s %s: %s", name,
            sr_is_laid_out(r->m, r->scratch, f) ? "leaves the function alone"
                                                : "only structurizes the function",
            why);
  return false;
}
