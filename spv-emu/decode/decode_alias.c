/* SPDX-License-Identifier: Apache-2.0 */
/* decode_alias: loads that need no copy.
 *
 * A variable of one invocation is in registers. A loaded value can be these registers themselves if
 * nothing is stored to the variable before the value's last use. A walk backwards over each block
 * finds the last use of every id; if the result of an instruction may share its operands' registers
 * (a shuffle, a copy), the last use of the result is also a use of the operands. Values used in
 * other blocks are copied. Linear. */
#include "spv-emu/decode/decode.h"

#define OUTSIDE UINT32_MAX /* the last use is outside the block, or unknown */

typedef struct Alias {
  EmuDecode *d;
  const SrFunction *f;
  SrMap store;      /* by variable: the next store */
  uint32_t unknown; /* the next store to an unknown place */
} Alias;

/* Does the instruction's result certainly have registers of its own? */
static bool computes(uint16_t op) {
  return (op >= SpvOpConvertFToU && op < SpvOpBitcast) ||
         (op >= SpvOpSNegate && op <= SpvOpBitCount);
}

/* The variable that a pointer points into; 0: unknown. */
static uint32_t root(const SrModule *m, uint32_t pointer) {
  for (;;) {
    SrRef def = sr_def(m, pointer);
    switch (sr_def_op(m, pointer)) {
    case SpvOpVariable:
      return pointer;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
      pointer = sr_words(m, def)[3];
      break;
    default:
      return 0;
    }
  }
}

static void find_escapes(Alias *a) {
  const SrModule *m = a->d->m;
  for (uint32_t b = 0; b < a->f->block_count; b++)
    for (SR_EACH(m, r, a->f->blocks[b].list)) {
      const SrInst *in = sr_inst(m, r);
      uint32_t words = sr_word_count(m, r);
      for (uint32_t i = in->first; i < words; i++) {
        uint32_t id = sr_words(m, r)[i];
        if (!sr_word_is_id(m, r, i) || m->home[id] == SR_NONE)
          continue;
        uint32_t user = b;
        if (in->op == SpvOpPhi && i + 1 < words && (i - in->first) % 2 == 0)
          user = m->home[sr_words(m, r)[i + 1]];
        if (m->home[id] != user)
          sr_bit_set(a->d->escapes, id);
      }
    }
}

static void used(Alias *a, uint32_t id, uint32_t at) {
  if (a->d->last_use[id] < at)
    a->d->last_use[id] = at;
}

static void use_operands(Alias *a, SrRef r, uint32_t at) {
  const SrModule *m = a->d->m;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i))
      used(a, sr_words(m, r)[i], at);
}

static void use_in_phis(Alias *a, uint32_t b, uint32_t at) {
  const SrModule *m = a->d->m;
  uint32_t id = a->f->blocks[b].id;
  SrRef end = sr_terminator(&a->f->blocks[b]);
  for (uint32_t i = 0; (i = sr_next_target(m, end, i)) != 0;)
    for (SR_EACH(m, r, a->f->blocks[m->home[sr_words(m, end)[i]]].list)) {
      if (sr_inst(m, r)->op != SpvOpPhi)
        continue;
      for (uint32_t k = 3; k + 1 < sr_word_count(m, r); k += 2)
        if (sr_words(m, r)[k + 1] == id)
          used(a, sr_words(m, r)[k], at);
    }
}

static void store_to(Alias *a, uint32_t pointer, uint32_t at) {
  uint32_t variable = root(a->d->m, pointer);
  if (variable)
    sr_map_set(&a->store, variable, at);
  else
    a->unknown = at;
}

static void note_stores(Alias *a, SrRef r, uint32_t at) {
  const SrModule *m = a->d->m;
  switch (sr_inst(m, r)->op) {
  case SpvOpStore:
  case SpvOpCopyMemory:
  case SpvOpCopyMemorySized:
    store_to(a, sr_words(m, r)[1], at);
    break;
  case SpvOpFunctionCall:
  case SpvOpExtInst: /* some extended instructions write through a pointer */
    a->unknown = at;
    break;
  }
}

static void look_at_load(Alias *a, SrRef r, uint32_t last) {
  const SrModule *m = a->d->m;
  uint32_t variable = root(m, sr_words(m, r)[3]);
  uint32_t store = variable ? sr_map_get(&a->store, variable) : SR_NONE;
  if (variable && last != OUTSIDE && last < store && last < a->unknown)
    sr_bit_set(a->d->alias_loads, sr_inst(m, r)->result);
}

static void walk_block(Alias *a, uint32_t b) {
  const SrModule *m = a->d->m;
  const SrBlock *block = &a->f->blocks[b];
  uint32_t at = 0;
  for (SR_EACH(m, r, block->list)) {
    at++;
    if (sr_inst(m, r)->result)
      a->d->last_use[sr_inst(m, r)->result] = 0;
  }
  a->unknown = SR_NONE;
  a->store = (SrMap){.arena = a->d->scratch};
  use_in_phis(a, b, at);
  for (SrRef r = block->list.last; r != SR_NONE; r = sr_inst(m, r)->prev, at--) {
    const SrInst *in = sr_inst(m, r);
    uint32_t last = at;
    if (in->result && in->op != SpvOpLabel) {
      last = sr_bit(a->d->escapes, in->result) ? OUTSIDE : a->d->last_use[in->result];
      if (in->op == SpvOpLoad)
        look_at_load(a, r, last);
      last = computes(in->op) || last < at ? at : last;
    }
    note_stores(a, r, at);
    if (in->op != SpvOpPhi)
      use_operands(a, r, last);
  }
}

void emu_alias_loads(EmuDecode *d) {
  Alias a = {.d = d, .f = d->function};
  find_escapes(&a);
  SrMark mark = sr_arena_mark(d->scratch);
  for (uint32_t b = 0; b < a.f->block_count; b++) {
    walk_block(&a, b);
    sr_arena_reset(d->scratch, mark);
  }
}
