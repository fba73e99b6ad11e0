/* SPDX-License-Identifier: Apache-2.0 */
/* best_inline: see best_inline.h. */
#include "driver/best_inline.h"

#include "driver/options.h"
#include "ir/finish.h"
#include "ir/reader.h"
#include "ir/writer.h"

enum { LEAST_FUNCTIONS = 3 }; /* a caller, one that is called once, and one that both call */

/* The calls in the module, and those whose functions have moved to them. */
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

/* How many calls a list joins with others, on a copy of the module: 0 if it fails. */
static uint32_t count_joined(const SrPipeline *p, const SrOptions *list, const uint32_t *words,
                             size_t count) {
  SrArena arena = sr_arena_new(p->scratch->heap), scratch = sr_arena_new(p->scratch->heap);
  SrDiag diag = {0};
  SrModule *m;
  uint32_t before = 0, after = 0;
  if (sr_read(&arena, &diag, words, count, &m) == SR_OK) {
    SrPipeline copy = sr_pipeline_new(&arena, m);
    copy.scratch = &scratch;
    copy.steps = list->steps;
    copy.step_count = list->step_count;
    copy.options = p->options;
    copy.options.drawing = NULL;
    before = count_calls(m);
    SrStatus status = sr_pipeline_run(&copy);
    after = status == SR_OK ? count_calls(m) : before;
    if (status == SR_BUG)
      sr_notice(p->m->diag, SR_NOWHERE, "transform best does not inline, which has a bug: %s",
                diag.text);
  }
  sr_arena_free(&scratch);
  sr_arena_free(&arena);
  return before - after;
}

SrStatus sr_best_inline(SrPipeline *p, SrArena *arena, bool *took) {
  SrModule *m = p->m;
  SrOptions inlines, shares, both;
  size_t count;
  if (m->function_count < LEAST_FUNCTIONS)
    return SR_OK;
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "inline", &inlines));
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "share-calls", &shares));
  SR_CHECK(sr_options_read_transforms(m->diag, arena, "inline,share-calls", &both));
  SR_CHECK(sr_finish(m));
  const uint32_t *words = sr_write(m, arena, &count);
  uint32_t joined = count_joined(p, &both, words, count);
  if (!joined || joined <= count_joined(p, &shares, words, count))
    return SR_OK;
  uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, m->function_count);
  for (uint32_t i = 0; i < m->function_count; i++)
    blocks[i] = m->functions[i].block_count;
  SR_CHECK(sr_pipeline_run_part(p, inlines.steps, inlines.step_count, NULL));
  for (uint32_t i = 0; i < m->function_count; i++)
    took[i] = m->functions[i].block_count > blocks[i];
  return SR_OK;
}
