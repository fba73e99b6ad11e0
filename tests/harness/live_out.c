/* SPDX-License-Identifier: Apache-2.0 */
/* live_out: see live_out.h. A value is tainted if it is computed on a cycle by a load, by a call,
 * or from tainted values. */
#include "tests/harness/live_out.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/ir/reader.h"

typedef struct Walk {
  const SrModule *m;
  const SrFunction *f;
  const SrNest *nest;
  SrBits *tainted; /* by id */
} Walk;

/* The block where the word is used; a phi uses its operands at the end of its parents. */
static uint32_t used_in(const Walk *w, SrRef r, uint32_t word, uint32_t block) {
  if (sr_inst(w->m, r)->op != SpvOpPhi)
    return block;
  return sr_block_of(w->m, sr_words(w->m, r)[word + (word & 1)]);
}

static bool is_tainted(const Walk *w, SrRef r, uint32_t block) {
  const SrInst *in = sr_inst(w->m, r);
  if (!in->result || w->nest->rank[block] == SR_NONE || w->nest->inner[block] == SR_NONE)
    return false;
  bool tainted = in->op == SpvOpLoad || in->op == SpvOpFunctionCall;
  for (uint32_t i = in->first; i < sr_word_count(w->m, r); i++)
    if (sr_word_is_id(w->m, r, i))
      tainted |= sr_bit(w->tainted, sr_words(w->m, r)[i]);
  return tainted;
}

static bool taint(Walk *w) {
  bool more = false;
  for (uint32_t b = 0; b < w->f->block_count; b++)
    for (SR_EACH(w->m, r, w->f->blocks[b].list))
      if (is_tainted(w, r, b) && !sr_bit(w->tainted, sr_inst(w->m, r)->result)) {
        sr_bit_set(w->tainted, sr_inst(w->m, r)->result);
        more = true;
      }
  return more;
}

static bool leaves_its_cycle(const Walk *w, uint32_t id, uint32_t block) {
  uint32_t cycle = w->nest->inner[w->m->home[id]];
  return w->nest->rank[block] != SR_NONE && !sr_cycle_has(w->nest, cycle, block);
}

static bool any_leaves(const Walk *w) {
  for (uint32_t b = 0; b < w->f->block_count; b++)
    for (SR_EACH(w->m, r, w->f->blocks[b].list))
      for (uint32_t i = sr_inst(w->m, r)->first; i < sr_word_count(w->m, r); i++) {
        uint32_t id = sr_words(w->m, r)[i];
        if (sr_word_is_id(w->m, r, i) && sr_bit(w->tainted, id) &&
            leaves_its_cycle(w, id, used_in(w, r, i, b)))
          return true;
      }
  return false;
}

bool live_out_of_loop(const uint32_t *words, size_t count) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrDiag diag = {0};
  SrModule *m;
  bool found = false;
  if (sr_read(&arena, &diag, words, count, &m) == SR_OK)
    for (uint32_t i = 0; !found && i < m->function_count; i++) {
      const SrFunction *f = &m->functions[i];
      Walk w = {.m = m, .f = f, .tainted = sr_bits_new(&arena, sr_bound(m))};
      w.nest = sr_nest_build(&arena, sr_cfg_build(&arena, m, f));
      while (taint(&w))
        ;
      found = any_leaves(&w);
    }
  sr_heap_free_all(&heap);
  return found;
}
