/* SPDX-License-Identifier: Apache-2.0 */
/* best_inline: see best_inline.h. */
#include "passes/best/best_inline.h"

#include "passes/driver/options.h"
#include "passes/ir/copy_module.h"

enum { LEAST_FUNCTIONS = 3 }; /* a caller, one that is called once, and one that both call */

/* Counts the calls in the module, including those whose functions have moved to them. */
static uint32_t count_calls(const SrModule *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    count += f->moved;
    for (uint32_t b = 0; b < f->block_count; b++)
      for (SR_EACH(m, r, f->blocks[b].list))
        count += sr_inst(m, r)->op == SpvOpFunctionCall;
  }
  return count;
}

/* Counts the calls that a list joins, on a copy of the module. If the list fails, the count is
 * 0. */
static SrStatus count_joined(const SrPipeline *p, const SrOptions *list, SrArena *arena,
                             uint32_t *joined) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrModule *m;
  SR_CHECK(sr_copy_module(arena, p->m, &m));
  SrPipeline copy = sr_pipeline_new(arena, m);
  copy.scratch = &scratch;
  copy.steps = list->steps;
  copy.step_count = list->step_count;
  copy.options = p->options;
  copy.options.drawing = NULL;
  uint32_t before = count_calls(m);
  SrStatus status = sr_pipeline_run(&copy);
  *joined = status == SR_OK ? before - count_calls(m) : 0;
  if (status == SR_BUG)
    sr_notice(p->m->diag, SR_NOWHERE, "transform best does not inline, which has a bug: %s",
              m->diag->text);
  sr_arena_free(&scratch);
  return SR_OK;
}

/* Does `inline` let `share-calls` join calls that it cannot join alone? */
static SrStatus find_gain(const SrPipeline *p, const SrOptions *both, const SrOptions *shares,
                          bool *gains) {
  SrArena arena = sr_arena_new(p->scratch->heap);
  uint32_t joined, alone = 0;
  SrStatus status = count_joined(p, both, &arena, &joined);
  if (status == SR_OK && joined)
    status = count_joined(p, shares, &arena, &alone);
  *gains = status == SR_OK && joined > alone;
  sr_arena_free(&arena);
  return status;
}

SrStatus sr_best_inline(SrPipeline *p, SrArena *arena, bool *took) {
  SrModule *m = p->m;
  SrOptions inlines, shares, both;
  bool gains;
  if (m->function_count < LEAST_FUNCTIONS)
    return SR_OK;
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "inline", &inlines));
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "share-calls", &shares));
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "inline,share-calls", &both));
  SR_CHECK(find_gain(p, &both, &shares, &gains));
  if (!gains)
    return SR_OK;
  uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, m->function_count);
  for (uint32_t i = 0; i < m->function_count; i++)
    blocks[i] = m->functions[i].block_count;
  SR_CHECK(sr_pipeline_run_part(p, inlines.steps, inlines.step_count, NULL));
  for (uint32_t i = 0; i < m->function_count; i++)
    took[i] = m->functions[i].block_count > blocks[i];
  return SR_OK;
}
