/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_rename: see kernel_rename.h. */
#include "passes/transform/kernel/kernel_rename.h"

#include "passes/ir/edit.h"

void sr_kernel_rename(SrKernels *k) {
  SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i))
          sr_words(m, r)[i] = sr_kernel_same(k, sr_words(m, r)[i]);
}

void sr_kernel_rename_remove(SrKernels *k, SrList *list, SrRef r) {
  SrModule *m = k->m;
  uint32_t id = sr_inst(m, r)->result;
  sr_remove(m, list, r);
  if (!id || m->def[id] != r)
    return;
  m->def[id] = m->home[id] = SR_NONE;
  m->ids_gone = true;
}

/* Until now, the definitions of the replaced instructions were kept, because they have the types of
 * the values. */
void sr_kernel_rename_forget(SrKernels *k) {
  SrModule *m = k->m;
  while (k->replaced.count) {
    SrRef r = SR_POP(&k->replaced);
    uint32_t id = sr_inst(m, r)->result;
    if (!id || m->def[id] != r)
      continue;
    m->def[id] = m->home[id] = SR_NONE;
    m->ids_gone = true;
  }
}
