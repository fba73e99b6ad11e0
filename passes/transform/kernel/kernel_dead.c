/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_dead: see kernel_dead.h. What has an effect is live, and what a live instruction uses. */
#include "passes/transform/kernel/kernel_dead.h"

#include "passes/analysis/uniform/dataflow.h"
#include "passes/ir/edit.h"
#include "passes/ir/effects.h"
#include "passes/ir/pointer.h"

typedef struct Live {
  SrModule *m;
  SrArena *arena;
  SrBits *live; /* by id */
  SR_VEC(uint32_t) work;
} Live;

static void mark(Live *l, uint32_t id) {
  if (sr_bit(l->live, id))
    return;
  sr_bit_set(l->live, id);
  SR_PUSH(l->arena, &l->work, id);
}

static void mark_operands(Live *l, SrRef r) {
  const SrModule *m = l->m;
  const uint32_t *w = sr_words(m, r), count = sr_word_count(m, r);
  for (uint32_t i = 1; i < count; i++)
    if (sr_word_is_id(m, r, i))
      mark(l, w[i]);
}

static void mark_all(Live *l) {
  while (l->work.count) {
    SrRef r = sr_def(l->m, SR_POP(&l->work));
    if (r != SR_NONE)
      mark_operands(l, r);
  }
}

/* ---- values ---- */

/* May the instruction do more than compute its result? Those that are not known to be harmless may:
 * a pipe that is read, a kernel that is enqueued, inline assembly. */
static bool has_effect(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  if (sr_is_polling(m, r) || sr_is_cross_lane(m, r))
    return true;
  switch (sr_dataflow(m, r, false)) {
  case SR_DATAFLOW_PURE:
  case SR_DATAFLOW_LOAD:
  case SR_DATAFLOW_PHI:
    return false;
  case SR_DATAFLOW_NONE:
    return in->op != SpvOpUndef && in->op != SpvOpVariable;
  default:
    return in->op != SpvOpImageRead && in->op != SpvOpGenericPtrMemSemantics;
  }
}

void sr_kernel_dead_values(SrKernels *k) {
  SrModule *m = k->m;
  SrMark start = sr_arena_mark(k->arena);
  Live l = {m, k->arena, sr_bits_new(k->arena, sr_bound(m)), {0}};
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      if (has_effect(m, r)) {
        if (sr_inst(m, r)->result)
          sr_bit_set(l.live, sr_inst(m, r)->result);
        mark_operands(&l, r);
      }
  mark_all(&l);
  /* has_effect is not asked again: it looks at operands, which may be gone by now. */
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    SrBlock *block = &k->f->blocks[b];
    for (SR_EACH_SAFE(m, r, block->list)) {
      uint32_t id = sr_inst(m, r)->result;
      if (!id || sr_bit(l.live, id))
        continue;
      sr_remove(m, &block->list, r);
      m->def[id] = m->home[id] = SR_NONE;
      m->ids_gone = true;
    }
  }
  sr_arena_reset(k->arena, start);
}

/* ---- globals ---- */

static bool is_root(const SrModule *m, SrRef r) {
  switch (sr_inst(m, r)->op) {
  case SpvOpEntryPoint:
  case SpvOpExecutionMode:
  case SpvOpExecutionModeId:
  case SpvOpLine:
  case SpvOpSource:
    return true;
  case SpvOpExtInst:
    return sr_inst(m, r)->nonsemantic;
  default:
    return false;
  }
}

static bool may_go(const SrModule *m, SrRef r) {
  switch (sr_inst(m, r)->op) {
  case SpvOpExtInst:
  case SpvOpString:
  case SpvOpDecorationGroup:
    return false;
  case SpvOpExtInstImport:
    return true;
  default:
    return sr_inst(m, r)->result != 0;
  }
}

static void mark_list(Live *l, SrList list) {
  for (SR_EACH(l->m, r, list))
    mark_operands(l, r);
}

void sr_kernel_dead_globals(SrKernels *k) {
  SrModule *m = k->m;
  Live l = {m, k->arena, sr_bits_new(k->arena, sr_bound(m)), {0}};
  for (SR_EACH(m, r, m->globals))
    if (is_root(m, r))
      mark_operands(&l, r);
  mark_list(&l, m->tail);
  if (k->size_vector)
    mark(&l, k->size_vector);
  for (uint32_t i = 0; i < m->function_count; i++) {
    mark_list(&l, m->functions[i].head);
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      mark_list(&l, m->functions[i].blocks[b].list);
  }
  mark_all(&l);
  for (SR_EACH_SAFE(m, r, m->globals)) {
    uint32_t id = sr_inst(m, r)->result;
    if (!may_go(m, r) || sr_bit(l.live, id))
      continue;
    sr_remove(m, &m->globals, r);
    m->def[id] = SR_NONE;
    m->ids_gone = true;
  }
}
