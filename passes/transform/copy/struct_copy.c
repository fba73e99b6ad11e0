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
#include "passes/transform/copy/exit_copy.h"
#include "passes/transform/copy/tail_copy.h"
#include "passes/transform/structurize/structurize.h"

#include <string.h>

bool sr_struct_copy_read(const char *text, SrStructCopy *options) {
  static const struct {
    const char *word;
    SrCopyRule rule;
  } rules[] = {{"strict", SR_COPY_STRICT}, {"forward-first", SR_COPY_FORWARD_FIRST}};
  SrTailOptions form = {.structure = options->structure};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    size_t length = strlen(rules[i].word);
    if (strncmp(text, rules[i].word, length) != 0)
      continue;
    options->rule = rules[i].rule;
    if (!text[length])
      return true;
    if (text[length] != ':')
      return false;
    text += length + 1;
    break;
  }
  if ((*text >= '0' && *text <= '9') || !sr_tail_options_read(text, &form))
    return false;
  options->structure = form.structure;
  return true;
}

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  SrArena arena;
  SrCopyRule rule;
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

static void count_copies(Job *j, const SrControlTree *t, const SrBackwardCopies *back,
                         const SrExitCopies *exits) {
  j->counts->forward_copies += t->forward_copies + exits->regions;
  j->counts->forward_copy_edges += t->forward_copy_edges + exits->edges;
  j->counts->backward_copies += back->entries;
  j->counts->cuts += t->cuts;
  j->counts->interacting_in_edges += back->in_edges;
  j->counts->interacting_out_edges += t->out_edges + exits->edges;
}

/* Makes the copies, and sets *nest to the nest in whose order to structurize. */
static SrStatus copy(Job *j, SrGrowth *growth, SrCopyGraph *c, const SrNest **nest) {
  SrBackwardCopies back;
  SrExitCopies exits = {0};
  SrControlTree tree;
  SR_CHECK(sr_backward_copy(&j->arena, c, growth, &back));
  if (j->rule == SR_COPY_FORWARD_FIRST)
    SR_CHECK(sr_exit_copy(&j->arena, c, growth, &exits));
  SR_CHECK(sr_control_tree_build(&tree, &j->arena, c, growth, j->rule));
  const SrCopyPlan *plan = sr_copy_plan_new(&tree);
  count_copies(j, &tree, &back, &exits);
  *nest = plan->nest;
  return sr_copy_blocks(j->m, j->f, &j->arena, plan, j->counts);
}

SrStatus sr_struct_copy(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                        const SrStructCopy *options, SrTransformCounts *counts) {
  Job j = {.m = m,
           .f = f,
           .arena = sr_arena_new(m->arena->heap),
           .rule = options->rule,
           .counts = counts};
  const SrNest *nest = NULL;
  SrCopyGraph c = sr_copy_graph_new(&j.arena, m, f, sr_cfg_build(&j.arena, m, f));
  /* Blocks with a cross-lane operation would run with fewer lanes if they were copied. */
  const SrBits *fixed = sr_cross_lane_blocks(&j.arena, m, f, cross_lane);
  SrGrowth growth = sr_growth_new(m, f, &j.arena, options->max_growth, c.size, fixed);
  SrStatus status = copy(&j, &growth, &c, &nest);
  if (growth.stopped_by != SR_NONE) {
    notice(&j, growth.stopped_by);
    status = SR_OK;
  }
  const SrStructurize rest = {.communicates = sr_bit(cross_lane, f->id),
                              .structure = options->structure};
  if (status == SR_OK)
    status = sr_structurize_in(m, f, nest, &rest, counts);
  sr_arena_free(&j.arena);
  return status;
}
