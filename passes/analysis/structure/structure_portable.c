/* SPDX-License-Identifier: Apache-2.0 */
/* structure_portable: the rules of portable structure, which come on top of SPIR-V's.
 *
 * They follow from what readers of SPIR-V refuse or mistranslate (docs/structurize.md names the
 * readers). Each rule is about one edge or one header, given the innermost construct of each block.
 * What SPIR-V's rules imply is not checked again. Cost: that of the structure check, then O(blocks
 * + edges). */
#include "passes/analysis/structure/structure_check.h"

static bool is_header(const SrStructureCheck *c, uint32_t b) {
  return c->node[b].merge_op != SpvOpNop;
}

/* ---- branches ---- */

static bool leads_to(const SrStructureCheck *c, uint32_t u, uint32_t v) {
  for (SR_SUCCS(t, c->cfg, u))
    if (*t == v)
      return true;
  return false;
}

static void check_branch(SrStructureCheck *c, uint32_t u) {
  if (is_header(c, u) || sr_succ_count(c->cfg, u) < 2)
    return;
  const SrConstruct *k = sr_construct_of(c, u);
  if (k->kind == SR_CONSTRUCT_CONTINUE && k->latch == u)
    return;
  if (k->kind == SR_CONSTRUCT_LOOP && leads_to(c, u, k->merge))
    return;
  sr_structure_add(
      c, SR_RULE_branch_merge, u, u, SR_NONE,
      "block %%%u ends in a branch with a condition, but declares no merge block; give it "
      "an OpSelectionMerge",
      sr_structure_id(c, u));
}

/* ---- edges ---- */

/* Does u → v lead from one case of a switch to another one? */
static void check_case(SrStructureCheck *c, uint32_t u, uint32_t v) {
  uint32_t w = c->node[v].case_of;
  if (w == SR_NONE || u == w || v == c->node[w].merge || sr_dominates(c->dom, v, u))
    return;
  sr_structure_add(
      c, SR_RULE_fall_through, w, u, v,
      "edge %%%u -> %%%u falls through into a case of the switch of %%%u; branch to its "
      "merge block %%%u, and test there which lanes go on",
      sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, w),
      sr_structure_id(c, c->node[w].merge));
}

static void check_break(SrStructureCheck *c, uint32_t u, uint32_t v) {
  const SrConstruct *k = sr_construct_of(c, u);
  if (k->switch_ == SR_NONE || k->loop == SR_NONE || c->constructs.at[k->loop].merge != v)
    return;
  const SrConstruct *w = &c->constructs.at[k->switch_];
  sr_structure_add(
      c, SR_RULE_switch_break, w->header, u, v,
      "edge %%%u -> %%%u leaves the loop of %%%u from inside the switch of %%%u; branch to "
      "the switch's merge block %%%u, and leave the loop from there",
      sr_structure_id(c, u), sr_structure_id(c, v),
      sr_structure_id(c, c->constructs.at[k->loop].header), sr_structure_id(c, w->header),
      sr_structure_id(c, w->merge));
}

/* ---- merge blocks of switches ---- */

static bool has_phis(const SrStructureCheck *c, uint32_t b) {
  return sr_has_phis(c->m, &c->f->blocks[b]);
}

/* If switch w has several cases, and several edges to its merge block that all come from one case:
 * that case. Otherwise SR_NONE. */
static uint32_t only_case(const SrStructureCheck *c, uint32_t w) {
  uint32_t merge = c->node[w].merge, only = SR_NONE, edges = 0;
  for (SR_PREDS(p, c->cfg, merge)) {
    if (!sr_structure_reached(c, *p))
      continue;
    if (edges++ == 0)
      for (SR_SUCCS(t, c->cfg, w))
        only = *t != merge && sr_dominates(c->dom, *t, *p) ? *t : only;
    if (only == SR_NONE || !sr_dominates(c->dom, only, *p))
      return SR_NONE;
  }
  return edges > 1 && sr_succ_count(c->cfg, w) > 1 ? only : SR_NONE;
}

/* Tint gives the operand of a phi in the merge block for the switch's own block to default only.
 * SPIRV-Cross declares the phi's variable in the block that dominates the phi. */
static void check_switch_merge(SrStructureCheck *c, uint32_t w) {
  uint32_t merge = c->node[w].merge;
  if (sr_pred_count(c->cfg, merge) < 2 || !has_phis(c, merge))
    return;
  uint32_t first = c->cfg->succ_at[w]; /* default's edge */
  for (uint32_t i = first + 1; i < c->cfg->succ_at[w + 1]; i++)
    if (c->cfg->succ[i] == merge)
      sr_structure_add(c, SR_RULE_case_phi, w, w, merge,
                       "a case of the switch of %%%u that is not its default leads to its merge "
                       "block %%%u, where there are phis; put a block on that edge",
                       sr_structure_id(c, w), sr_structure_id(c, merge));
  uint32_t only = only_case(c, w);
  if (only != SR_NONE)
    sr_structure_add(c, SR_RULE_case_merge, w, only, merge,
                     "the lanes that reach the merge block %%%u of the switch of %%%u, where there "
                     "are phis, all come from the case of %%%u; let them meet in it",
                     sr_structure_id(c, merge), sr_structure_id(c, w), sr_structure_id(c, only));
}

/* ---- loops ---- */

static void check_entry(SrStructureCheck *c, uint32_t h) {
  uint32_t entries = 0, last = SR_NONE;
  for (SR_PREDS(p, c->cfg, h))
    if (sr_structure_reached(c, *p) && !sr_dominates(c->dom, h, *p)) {
      entries++;
      last = *p;
    }
  if (entries > 1)
    sr_structure_add(c, SR_RULE_header_entry, h, last, h,
                     "%u edges enter the loop of %%%u; let them meet in a block before it", entries,
                     sr_structure_id(c, h));
  const SrStructureNode *n = &c->node[h];
  uint32_t other = n->merge_of != SR_NONE ? n->merge_of : n->target_of;
  if (other != SR_NONE)
    sr_structure_add(
        c, SR_RULE_header_alone, h, SR_NONE, h,
        "loop header %%%u is the %s of %%%u, too; put a block between", sr_structure_id(c, h),
        n->merge_of != SR_NONE ? "merge block" : "continue target", sr_structure_id(c, other));
}

/* SPIRV-Cross writes no `continue` where the header of a selection starts the next iteration. */
static void check_continue_header(SrStructureCheck *c, uint32_t h) {
  uint32_t target = c->node[h].target;
  if (target == h)
    return;
  for (SR_PREDS(p, c->cfg, target))
    if (*p != h && c->node[*p].merge_op == SpvOpSelectionMerge && sr_structure_reached(c, *p))
      sr_structure_add(c, SR_RULE_continue_header, h, *p, target,
                       "edge %%%u -> %%%u continues the loop of %%%u from the header of a "
                       "selection; put a block on it",
                       sr_structure_id(c, *p), sr_structure_id(c, target), sr_structure_id(c, h));
}

static void check_continue(SrStructureCheck *c, uint32_t h) {
  uint32_t target = c->node[h].target;
  if (target == h || sr_pred_count(c->cfg, target) < 2 || !has_phis(c, target))
    return;
  for (SR_PREDS(p, c->cfg, target)) {
    uint32_t of = c->node[*p].merge_of;
    bool after_loop = of != SR_NONE && sr_structure_is_loop(c, of);
    if (*p == h || !sr_structure_reached(c, *p) || (sr_succ_count(c->cfg, *p) < 2 && !after_loop))
      continue;
    sr_structure_add(
        c, SR_RULE_continue_edge, h, *p, target,
        "edge %%%u -> %%%u continues the loop of %%%u, whose continue target has phis, "
        "from %s; put a block on it",
        sr_structure_id(c, *p), sr_structure_id(c, target), sr_structure_id(c, h),
        after_loop ? "the merge block of an inner loop" : "a branch with a condition");
  }
}

/* Does the merge block u, which nothing reaches, end with OpUnreachable, or branch to the merge
 * block of the switch around it? (naga 30 assumes that an arm whose last instruction is not a
 * branch falls through.) */
static bool ends_dead(const SrStructureCheck *c, uint32_t u) {
  const SrConstruct *k = sr_construct_of(c, u);
  return c->node[u].end_op == SpvOpUnreachable ||
         (c->node[u].end_op == SpvOpBranch && k->switch_ != SR_NONE &&
          leads_to(c, u, c->constructs.at[k->switch_].merge));
}

static void check_dead_merge(SrStructureCheck *c, uint32_t u) {
  if (c->node[u].merge_of == SR_NONE || ends_dead(c, u))
    return;
  sr_structure_add(c, SR_RULE_dead_merge, c->node[u].merge_of, u, u,
                   "nothing reaches %%%u, the merge block of %%%u, but it does not end in "
                   "OpUnreachable; end it so",
                   sr_structure_id(c, u), sr_structure_id(c, c->node[u].merge_of));
}

/* In program text, the code after merge block u, which nothing reaches, follows a `continue`: a
 * value that is defined there and used in the continue construct would be out of scope. */
static void check_dead(SrStructureCheck *c, uint32_t u) {
  if (!sr_structure_reached(c, u))
    return;
  bool continues = false;
  for (SR_SUCCS(v, c->cfg, u)) {
    uint32_t h = c->node[*v].target_of;
    if (h == SR_NONE || !sr_bit(c->live, *v))
      continue;
    continues = true;
    sr_structure_add(c, SR_RULE_dead_continue, h, u, *v,
                     "edge %%%u -> %%%u continues the loop of %%%u from a block that nothing "
                     "reaches; end that block in OpUnreachable",
                     sr_structure_id(c, u), sr_structure_id(c, *v), sr_structure_id(c, h));
  }
  if (!continues)
    check_dead_merge(c, u);
}

void sr_structure_check_portable(SrStructureCheck *c) {
  for (uint32_t u = 0; u < c->f->block_count && c->out->count < c->limit; u++) {
    if (!sr_bit(c->live, u)) {
      check_dead(c, u);
      continue;
    }
    check_branch(c, u);
    for (SR_SUCCS(v, c->cfg, u)) {
      check_case(c, u, *v);
      check_break(c, u, *v);
    }
    if (sr_structure_is_switch(c, u))
      check_switch_merge(c, u);
    if (sr_structure_is_loop(c, u)) {
      check_entry(c, u);
      check_continue(c, u);
      check_continue_header(c, u);
    }
  }
}
