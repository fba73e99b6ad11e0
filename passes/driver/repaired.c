/* SPDX-License-Identifier: Apache-2.0 */
/* repaired: see repaired.h. Functions that the pipeline has confirmed as structured are not checked
 * again. */
#include "passes/driver/repaired.h"

#include "passes/analysis/structure/structure.h"
#include "passes/base/text.h"

uint32_t *sr_repaired_count(SrArena *arena, SrArena *scratch, const SrModule *m) {
  uint32_t *violations = SR_NEW_RAW(arena, uint32_t, m->function_count);
  for (uint32_t i = 0; i < m->function_count; i++)
    violations[i] = sr_structure_count(scratch, m, &m->functions[i]);
  return violations;
}

static bool is_sound(const SrPipeline *p, uint32_t i) {
  return p->known[i] & SR_STRUCTURED ||
         sr_structure_count(p->scratch, p->m, &p->m->functions[i]) == 0;
}

void sr_repaired_list(spvreconv_result *result, const SrPipeline *p, const uint32_t *violations) {
  for (uint32_t i = 0; i < p->m->function_count; i++) {
    const SrFunction *f = &p->m->functions[i];
    if (violations[i] == 0 || !is_sound(p, i))
      continue;
    SrMark mark = sr_arena_mark(p->scratch);
    const char *name = sr_function_name(p->m, p->scratch, f);
    SR_PUSH(&result->arena, &result->repairs,
            (spvreconv_repair){.function = sr_text_copy(&result->arena, name),
                               .function_id = f->id,
                               .violations = violations[i]});
    sr_arena_reset(p->scratch, mark);
  }
}
