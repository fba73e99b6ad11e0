/* SPDX-License-Identifier: Apache-2.0 */
/* writer: header, globals, functions with their blocks in order, tail. Linear. */
#include "passes/ir/writer.h"

typedef struct Out {
  uint32_t *words;
  size_t count;
} Out;

static void put_list(const SrModule *m, const SrList *list, Out *out) {
  for (SR_EACH(m, r, *list)) {
    const uint32_t *w = sr_words(m, r);
    uint32_t n = w[0] >> 16;
    if (out->words)
      memcpy(out->words + out->count, w, n * sizeof *w);
    out->count += n;
  }
}

static void put_module(const SrModule *m, Out *out) {
  if (out->words)
    memcpy(out->words, m->header, sizeof m->header);
  out->count = 5;
  put_list(m, &m->globals, out);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    put_list(m, &f->head, out);
    for (uint32_t b = 0; b < f->block_count; b++)
      put_list(m, &f->blocks[b].list, out);
    put_list(m, &f->tail, out);
  }
  put_list(m, &m->tail, out);
}

uint32_t *sr_write(const SrModule *m, SrArena *arena, size_t *count) {
  Out out = {0};
  put_module(m, &out);
  out.words = SR_NEW_RAW(arena, uint32_t, out.count);
  put_module(m, &out);
  *count = out.count;
  return out.words;
}
