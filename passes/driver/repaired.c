/* SPDX-License-Identifier: Apache-2.0 */
/* repaired: see repaired.h. Functions that nothing changes are not counted, and functions that the
 * pipeline has confirmed as structured are not checked again: counting costs about as much as a
 * pass. */
#include "passes/driver/repaired.h"

#include "passes/analysis/structure/structure.h"
#include "passes/base/text.h"

static void count(SrPipeline *p, uint32_t i) {
  if (p->violations[i] == SR_NONE)
    p->violations[i] = sr_structure_count(p->scratch, p->m, &p->m->functions[i]);
}

void sr_repaired_watch(SrArena *arena, SrPipeline *p) {
  p->violations = sr_new_none(arena, p->m->function_count);
  p->before = count;
}

static bool is_sound(const SrPipeline *p, uint32_t i) {
  return p->known[i] & SR_STRUCTURED ||
         sr_structure_count(p->scratch, p->m, &p->m->functions[i]) == 0;
}

void sr_repaired_list(spvreconv_result *result, const SrPipeline *p) {
  for (uint32_t i = 0; i < p->m->function_count; i++) {
    const SrFunction *f = &p->m->functions[i];
    uint32_t violations = p->violations[i];
    if (violations == SR_NONE || violations == 0 || f->block_count == 0 || !is_sound(p, i))
      continue;
    SrMark mark = sr_arena_mark(p->scratch);
    const char *name = sr_function_name(p->m, p->scratch, f);
    SR_PUSH(&result->arena, &result->repairs,
            (spvreconv_repair){.function = sr_text_copy(&result->arena, name),
                               .function_id = f->id,
                               .violations = violations});
    sr_arena_reset(p->scratch, mark);
  }
}
