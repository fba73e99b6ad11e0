/* SPDX-License-Identifier: Apache-2.0 */
/* structure: does a function obey SPIR-V's rules of structured control flow?
 *
 * Problem. The rules (SPIR-V 1.6, 2.11) define constructs as sets of blocks. Storing those sets, as
 * SPIRV-Tools' validator does, takes memory in proportion to blocks × nesting depth.
 *
 * Method. A construct is a subtree of the structural dominator tree without the subtrees of its
 * exits. With D(x) the subtree of x:
 *
 *   selection of h, merge m               D(h) \ D(m)
 *   loop of h, merge m, target c          D(h) \ D(m) \ D(c)      (no such construct if c is h)
 *   continue of c, back-edge block l      D(c) \ (D(l) \ {l})
 *
 * so the question "is this block in that construct" is decided by comparing preorder numbers. Five
 * steps:
 *   1. declarations: merge and continue target of each header, and what dominates what;
 *   2. back edges, by one depth-first search: one per loop, from inside its continue construct;
 *   3. one walk down the dominator tree gives every block its innermost construct, and every
 *      construct the innermost loop, switch and continue construct around it;
 *   4. each edge is checked against the innermost constructs of its source alone: an exit that is
 *      legal for the innermost selection is legal for all the selections around it up to the loop
 *      or switch that is left, and an edge that enters a construct at a block other than its header
 *      is found by a test of the innermost construct of the target. For each switch the check
 *      records which case falls through to which, and compares that with the order of the operands;
 *   5. under MaximallyReconvergesKHR, each block with several predecessors must be a declared join.
 *
 * Invariants. Steps 3 and 4 rely on 1 and 2 (a header is the parent of its merge block and of its
 * continue target in the tree), so the check stops after step 2 if it found a violation there.
 *
 * Structural post-dominance needs no second tree: every structural cycle has an edge to its merge
 * block, so a back-edge block post-dominates the continue target if and only if no block of the
 * continue construct ends the invocation and no other block of it leaves the loop.
 *
 * Unreachable code. Like SPIRV-Tools' validator, the check counts back edges in unreachable code,
 * and, if the linked version is 2024.3 or older, branches from there to a continue target. It does
 * not count fall-through from blocks that only merge instructions reach. tests/structure/
 * test_agree.c lists the remaining differences between check and validator.
 *
 * Cost: that of one dominator tree, then O(blocks + edges). */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/structure/structure_check.h"
#include "passes/ir/promise.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>
#include <string.h>

/* ---- 5. joins ---- */

/* The blocks where lanes may reconverge (SPV_KHR_maximal_reconvergence, Non-reconvergence). */
static SrBits *declared_joins(SrStructureCheck *c) {
  SrBits *joins = sr_bits_new(&c->scratch, c->f->block_count);
  for (uint32_t b = 0; b < c->f->block_count; b++) {
    const SrStructureNode *n = &c->node[b];
    if (n->merge_op != SpvOpNop)
      sr_bit_set(joins, n->merge);
    if (sr_structure_is_loop(c, b)) {
      sr_bit_set(joins, b);
      sr_bit_set(joins, n->target);
    }
    if (n->end_op == SpvOpSwitch)
      for (SR_SUCCS(v, c->cfg, b))
        sr_bit_set(joins, *v);
  }
  return joins;
}

static void check_labels(SrStructureCheck *c, uint32_t b) {
  if (c->node[b].end_op == SpvOpBranchConditional && sr_succ_count(c->cfg, b) == 1)
    sr_structure_add(
        c, SR_RULE_distinct_labels, b, b, c->cfg->succ[c->cfg->succ_at[b]],
        "both labels of the OpBranchConditional of block %%%u are %%%u; use OpBranch, without a "
        "merge instruction",
        sr_structure_id(c, b), sr_structure_id(c, c->cfg->succ[c->cfg->succ_at[b]]));
}

static void check_joins(SrStructureCheck *c) {
  const SrBits *joins = declared_joins(c);
  for (uint32_t b = 0; b < c->f->block_count; b++) {
    check_labels(c, b);
    if (sr_pred_count(c->cfg, b) < 2 || sr_bit(joins, b))
      continue;
    const uint32_t *from = &c->cfg->pred[c->cfg->pred_at[b]];
    sr_structure_add(
        c, SR_RULE_declared_join, b, from[1], b,
        "block %%%u is reached from %%%u and from %%%u, but no instruction declares it as a place "
        "where lanes meet; give one of the branches before it an OpSelectionMerge that names it",
        sr_structure_id(c, b), sr_structure_id(c, from[0]), sr_structure_id(c, from[1]));
  }
}

uint32_t sr_structure_validator(const char *version) {
  const char *v = strchr(version, 'v');
  if (!v)
    return 0;
  char *dot;
  uint32_t year = (uint32_t)strtoull(v + 1, &dot, 10);
  return *dot == '.' ? year * 100 + (uint32_t)strtoull(dot + 1, NULL, 10) : 0;
}

static uint32_t check(SrStructureCheck c, bool portably) {
  const SrFunction *f = c.f;
  *c.out = (SrViolations){0};
  if (f->block_count == 0)
    return 0;
  c.scratch = sr_arena_new(c.arena->heap);
  c.cfg = sr_cfg_build(&c.scratch, c.m, f);
  c.structural = sr_cfg_structural(&c.scratch, c.m, f);
  c.dom = sr_dom_build(&c.scratch, c.structural, 0);
  c.live = sr_graph_reachable(&c.scratch, c.cfg, 0);
  c.node = SR_NEW_RAW(&c.scratch, SrStructureNode, f->block_count);
  sr_structure_check_misplaced(&c);
  sr_structure_check_declarations(&c);
  if (!c.kernel)
    sr_structure_check_back_edges(&c);
  if (c.out->count == 0 && !c.kernel) {
    sr_structure_build_constructs(&c);
    sr_structure_check_edges(&c);
    if (f->promises & SR_PROMISE_MAXIMAL)
      check_joins(&c);
    if (portably && c.out->count == 0)
      sr_structure_check_portable(&c);
  }
  sr_arena_free(&c.scratch);
  return c.out->count;
}

static uint32_t linked_validator(void) {
  return sr_structure_validator(spvSoftwareVersionString());
}

uint32_t sr_structure_check(SrArena *arena, const SrModule *m, const SrFunction *f, uint32_t limit,
                            SrViolations *out) {
  return sr_structure_check_as(arena, m, f, limit, linked_validator(), out);
}

uint32_t sr_structure_check_as(SrArena *arena, const SrModule *m, const SrFunction *f,
                               uint32_t limit, uint32_t validator, SrViolations *out) {
  return check(
      (SrStructureCheck){
          .m = m, .f = f, .arena = arena, .out = out, .limit = limit, .validator = validator},
      false);
}

uint32_t sr_structure_check_portably(SrArena *arena, const SrModule *m, const SrFunction *f,
                                     uint32_t limit, SrViolations *out) {
  return check((SrStructureCheck){.m = m,
                                  .f = f,
                                  .arena = arena,
                                  .out = out,
                                  .limit = limit,
                                  .validator = linked_validator()},
               true);
}

uint32_t sr_structure_count(SrArena *scratch, const SrModule *m, const SrFunction *f) {
  SrArena arena = sr_arena_new(scratch->heap);
  SrViolations found;
  uint32_t count = check((SrStructureCheck){.m = m,
                                            .f = f,
                                            .arena = &arena,
                                            .out = &found,
                                            .limit = UINT32_MAX,
                                            .validator = linked_validator(),
                                            .counts = true,
                                            .kernel = !m->shader},
                         false);
  sr_arena_free(&arena);
  return count;
}
