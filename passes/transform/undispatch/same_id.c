/* SPDX-License-Identifier: Apache-2.0 */
/* same_id: see same_id.h. */
#include "passes/transform/undispatch/same_id.h"

uint32_t sr_same_id(SrIdTable *same_as, uint32_t id) {
  for (uint32_t next; (next = sr_ids_get(same_as, id)) != SR_NONE;) {
    uint32_t after = sr_ids_get(same_as, next);
    if (after != SR_NONE)
      sr_ids_set(same_as, id, after);
    id = next;
  }
  return id;
}

void sr_same_id_rename(SrModule *m, const SrFunction *f, SrIdTable *same_as) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i))
          sr_words(m, r)[i] = sr_same_id(same_as, sr_words(m, r)[i]);
}
