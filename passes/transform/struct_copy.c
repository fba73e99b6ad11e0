/* struct_copy: see struct_copy.h.
 *
 *   1. Backward Copy: each cycle gets one entry (backward_copy.h)
 *   2. the control tree is built from the inside out; on the way Cut gives each cycle one exit
 *      (cut.h), and Forward Copy gives each region arms of its own (forward_copy.h)
 *   3. the copies are written (copy_plan.h, copy_blocks.h)
 *   4. structurize places the merges, and writes the tests of the cycles that were cut; it finds
 *      nothing else to do
 *
 * The document transforms one unstructured region at a time and reduces the tree in between; since
 * a region is copied as it has been reduced, one sweep does the same. */
#include "transform/struct_copy.h"
#include "analysis/cross_lane.h"
#include "transform/backward_copy.h"
#include "transform/copy_blocks.h"
#include "transform/structurize.h"

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  const SrBits *cross_lane;
  SrArena arena;
  SrTransformCounts *counts;
} Job;

/* A block with a cross-lane operation that would run with fewer lanes, or SR_NONE. */
static uint32_t find_sensitive(const Job *j, const SrCopyPlan *plan, const SrBits *peeled) {
  for (uint32_t n = 0; n < plan->graph->count; n++) {
    uint32_t b = plan->block[n];
    if ((sr_bit(plan->copy, n) || sr_bit(peeled, b)) &&
        sr_has_cross_lane(j->m, j->cross_lane, &j->f->blocks[b]))
      return b;
  }
  return SR_NONE;
}

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

/* The nest to structurize in is set unless nothing is copied. */
static SrStatus copy(Job *j, uint32_t max_growth, const SrNest **nest) {
  const SrGraph *old = sr_cfg_build(&j->arena, j->m, j->f);
  SrCopyGraph c = sr_copy_graph_new(&j->arena, j->m, j->f, old);
  SrGrowth growth = sr_growth_new(j->m, j->f, &j->arena, max_growth, c.size);
  SrBackwardCopies back;
  SrControlTree tree;
  SR_CHECK(sr_backward_copy(&j->arena, &c, &growth, &back));
  SR_CHECK(sr_control_tree_build(&tree, &j->arena, &c, &growth));
  const SrCopyPlan *plan = sr_copy_plan_new(&tree);
  uint32_t b = find_sensitive(j, plan, back.peeled);
  if (b != SR_NONE) {
    notice(j, b);
    return SR_OK;
  }
  count_copies(j, &tree, &back);
  *nest = plan->nest;
  return sr_copy_blocks(j->m, j->f, &j->arena, plan, j->counts);
}

SrStatus sr_struct_copy(SrModule *m, SrFunction *f, const SrBits *cross_lane, uint32_t max_growth,
                        SrTransformCounts *counts) {
  Job j = {.m = m,
           .f = f,
           .cross_lane = cross_lane,
           .arena = sr_arena_new(m->arena->heap),
           .counts = counts};
  const SrNest *nest = NULL;
  SrStatus status = copy(&j, max_growth, &nest);
  if (status == SR_OK)
    status = sr_structurize_in(m, f, nest, counts);
  sr_arena_free(&j.arena);
  return status;
}
