/* SPDX-License-Identifier: Apache-2.0 */
/* struct_copy: see struct_copy.h.
 *
 *   1. Backward Copy: each cycle gets one entry (backward_copy.h)
 *   2. the control tree is built from the inside out; in the process Cut gives each cycle one exit
 *      (cut.h), and Forward Copy gives each arm regions of its own (forward_copy.h)
 *   3. the copies are written (copy_plan.h, copy_blocks.h)
 *   4. structurize places the merges, and writes the tests of the cycles that were cut; nothing
 *      else is left to do
 *
 * The paper transforms one unstructured region at a time and reduces the tree in between. Here one
 * sweep does the same, since a region is copied only after its reduction. */
#include "passes/transform/copy/struct_copy.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/transform/copy/backward_copy.h"
#include "passes/transform/copy/control_tree.h"
#include "passes/transform/copy/copy_blocks.h"
#include "passes/transform/structurize/structurize.h"

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  SrArena arena;
  SrTransformCounts *counts;
} Job;

static void notice(Job *j, uint32_t b) {
  SrWhere where = {.function = sr_function_name(j->m, &j->arena, j->f),
                   .block = j->f->blocks[b].id,
                   .word = SR_NONE};
  sr_notice(j->m->diag, where,
            "struct-copy copies nothing in the function: a cross-lane operation would run with "
            "fewer lanes; structured as by structurize");
}

static void count_copies(Job *j, const SrControlTree *t, const SrBackwardCopies *back) {
  j->counts->forward_copies += t->forward_copies;
  j->counts->backward_copies += back->entries;
  j->counts->cuts += t->cuts;
  j->counts->interacting_in_edges += back->in_edges;
  j->counts->interacting_out_edges += t->out_edges;
}

/* Makes the copies, and sets *nest to the nest in whose order to structurize. */
static SrStatus copy(Job *j, SrGrowth *growth, SrCopyGraph *c, const SrNest **nest) {
  SrBackwardCopies back;
  SrControlTree tree;
  SR_CHECK(sr_backward_copy(&j->arena, c, growth, &back));
  SR_CHECK(sr_control_tree_build(&tree, &j->arena, c, growth));
  const SrCopyPlan *plan = sr_copy_plan_new(&tree);
  count_copies(j, &tree, &back);
  *nest = plan->nest;
  return sr_copy_blocks(j->m, j->f, &j->arena, plan, j->counts);
}

SrStatus sr_struct_copy(SrModule *m, SrFunction *f, const SrBits *cross_lane, uint32_t max_growth,
                        SrStructureForm structure, SrTransformCounts *counts) {
  Job j = {.m = m, .f = f, .arena = sr_arena_new(m->arena->heap), .counts = counts};
  const SrNest *nest = NULL;
  SrCopyGraph c = sr_copy_graph_new(&j.arena, m, f, sr_cfg_build(&j.arena, m, f));
  /* Blocks with a cross-lane operation would run with fewer lanes if they were copied. */
  const SrBits *fixed = sr_cross_lane_blocks(&j.arena, m, f, cross_lane);
  SrGrowth growth = sr_growth_new(m, f, &j.arena, max_growth, c.size, fixed);
  SrStatus status = copy(&j, &growth, &c, &nest);
  if (growth.stopped_by != SR_NONE) {
    notice(&j, growth.stopped_by);
    status = SR_OK;
  }
  const SrStructurize options = {.communicates = sr_bit(cross_lane, f->id), .structure = structure};
  if (status == SR_OK)
    status = sr_structurize_in(m, f, nest, &options, counts);
  sr_arena_free(&j.arena);
  return status;
}
