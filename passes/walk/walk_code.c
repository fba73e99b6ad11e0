/* SPDX-License-Identifier: Apache-2.0 */
/* walk_code: see walk_code.h. Linear in the function's words, except that the cases of switches
 * are sorted, so that walks can look them up. */
#include "passes/walk/walk_code.h"

#include "passes/base/sort.h"
#include "passes/ir/integer.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/pointer.h"

enum { LONGEST_CHAIN = 64 };

typedef struct Decode {
  SrArena *arena;
  SrWalkCode *code;
  const SrWalkModule *c;
  const SrModule *m;
  uint32_t own_from;
  const SrMap *place;
  const SrModule *after; /* for the input: the other one; else NULL */
} Decode;

/* ---- instructions ---- */

/* Records a specialization constant in use: a walk draws those that the function uses, not all of
 * the module's. */
static void note_use(Decode *d, uint32_t id) {
  uint32_t *in = &d->c->drawn_in[id];
  if (*in == SR_NONE || *in == d->code->f->id)
    return;
  *in = d->code->f->id;
  SR_PUSH(d->arena, &d->code->drawn, id);
}

static void add_operand(Decode *d, uint32_t id) {
  note_use(d, id);
  SR_PUSH(d->arena, &d->code->operand, id);
}

/* The words of an instruction that the grammar does not know are compared as they are. Which word
 * is the instruction's result is only guessed from the rest of the module, and the guesses on the
 * two sides may differ, since transforms drop unreachable code. */
static void read_words(const Decode *d, SrRef r, SrWalkInst *in) {
  const uint32_t *w = sr_words(d->m, r);
  in->operand = d->code->operand.count;
  in->count = 0;
  in->hash = sr_walk_mix(4, w[0]);
  for (uint32_t i = 1; i < w[0] >> 16; i++)
    in->hash = sr_walk_mix(in->hash, w[i]);
}

/* Ids become operands, everything else goes into the hash, with its place. */
static void read_operands(Decode *d, SrRef r, SrWalkInst *in) {
  const SrModule *m = d->m;
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->unknown) {
    read_words(d, r, in);
    return;
  }
  uint64_t h = sr_walk_mix(4, sr_inst(m, r)->op);
  if (sr_inst(m, r)->type)
    h = sr_walk_mix(h, d->c->value[sr_inst(m, r)->type].a);
  if (sr_inst(m, r)->result)
    h = sr_walk_mix(h, d->c->decoration[sr_inst(m, r)->result]);
  in->operand = d->code->operand.count;
  for (uint32_t i = sr_inst(m, r)->first; i < w[0] >> 16; i++) {
    if (!sr_word_is_id(m, r, i)) {
      h = sr_walk_mix(h, (uint64_t)i << 32 | w[i]);
      continue;
    }
    uint32_t k = d->code->operand.count - in->operand;
    if (k < 8 && sr_bit(d->c->nonuniform, w[i]))
      in->nonuniform |= (uint8_t)(1u << k);
    add_operand(d, w[i]);
  }
  in->count = (uint16_t)(d->code->operand.count - in->operand);
  in->hash = h;
}

/* Is the variable volatile, so that every load of it is observed? (Volatile members are not
 * detected.) */
static bool is_volatile(const Decode *d, uint32_t pointer) {
  for (int i = 0; i < LONGEST_CHAIN; i++) {
    SrRef def = sr_def(d->m, pointer);
    uint32_t base = def == SR_NONE ? 0 : sr_chain_base(d->m, def);
    if (!base)
      break;
    pointer = base;
  }
  return sr_bit(d->c->is_volatile, pointer);
}

static SrWalkKind kind_of(const Decode *d, SrRef r) {
  SrWalkKind kind = sr_walk_kind(d->m, r);
  bool observed = sr_inst(d->m, r)->op == SpvOpLoad && kind == SR_WALK_READ &&
                  is_volatile(d, sr_words(d->m, r)[3]);
  return observed ? SR_WALK_EFFECT : kind;
}

/* Is it one of the transforms' variables: one that they added, or one that they dropped? */
static bool is_own(const Decode *d, SrRef r) {
  uint32_t id = sr_inst(d->m, r)->result;
  if (sr_inst(d->m, r)->op != SpvOpVariable || sr_map_get(d->place, id) != SR_NONE)
    return false;
  bool added = id >= d->own_from && sr_word_count(d->m, r) == 4;
  return added || (d->after && sr_def(d->after, id) == SR_NONE && !sr_bit(d->c->is_volatile, id));
}

/* How does the instruction access memory, if it is a load or store that is not volatile? */
static SrWalkAccess access_of(const Decode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  if ((op != SpvOpLoad && op != SpvOpStore) || sr_memory_has(d->m, r, SpvMemoryAccessVolatileMask))
    return SR_WALK_NO_ACCESS;
  return op == SpvOpLoad ? SR_WALK_LOADS : SR_WALK_STORES;
}

/* Records that one of the transforms' variables holds a value: the walk finds its loads and stores
 * by the pointer's value. Variables come before all other instructions. Any other use of a dropped
 * variable has a value, or is an effect, that the output lacks, if a walk gets there. */
static void note_own(const Decode *d, SrRef r, SrWalkInst *in) {
  if (is_own(d, r))
    in->own = ++d->code->own_count;
  else if (d->code->own_count)
    in->access = (uint8_t)access_of(d, r);
}

static void add_inst(Decode *d, SrRef r, SrWalkKind kind) {
  const SrModule *m = d->m;
  SrWalkInst in = {.kind = (uint8_t)kind,
                   .width = (uint8_t)sr_walk_width(m, sr_inst(m, r)->type),
                   .result = sr_inst(m, r)->result,
                   .source = r};
  read_operands(d, r, &in);
  note_own(d, r, &in);
  if (in.count)
    in.from_width = (uint8_t)sr_walk_width(m, sr_walk_type_of(m, d->code->operand.at[in.operand]));
  if (kind == SR_WALK_VARIABLE) {
    uint32_t place = sr_map_get(d->place, in.result);
    in.place = place == SR_NONE ? in.result : place;
  }
  if (in.result)
    d->code->inst_of[in.result] = d->code->inst.count;
  SR_PUSH(d->arena, &d->code->inst, in);
}

/* ---- ends of blocks ---- */

static void add_edge(Decode *d, uint32_t from, uint32_t target, uint64_t literal) {
  SR_PUSH(d->arena, &d->code->edge,
          (SrWalkEdge){
              .literal = literal, .from = from, .to = sr_block_of(d->m, target), .row = SR_NONE});
}

static int by_literal(const void *a, const void *b) {
  const SrWalkEdge *x = a, *y = b;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

static void add_switch(Decode *d, SrRef r, uint32_t from, SrWalkBlock *block) {
  const uint32_t *w = sr_words(d->m, r);
  uint32_t step = block->choice_width > 32 ? 3 : 2, type = sr_walk_type_of(d->m, w[1]);
  add_edge(d, from, w[2], 0);
  for (uint32_t i = 3; i + step <= w[0] >> 16; i += step) {
    SrInteger literal = {0}; /* the reader has refused selectors that are not integers */
    sr_integer_read(d->m, type, w + i, &literal);
    add_edge(d, from, w[i + step - 1], literal.bits);
  }
  SrWalkEdge *cases = &d->code->edge.at[block->edge + 1];
  sr_sort(d->arena, cases, d->code->edge.count - block->edge - 1, sizeof *cases, by_literal);
}

static void add_end(Decode *d, SrRef r, uint32_t from, SrWalkBlock *block) {
  const uint32_t *w = sr_words(d->m, r);
  block->edge = d->code->edge.count;
  block->terminator = r;
  switch (sr_inst(d->m, r)->op) {
  case SpvOpBranch:
    block->end = SR_WALK_JUMP;
    add_edge(d, from, w[1], 0);
    break;
  case SpvOpBranchConditional:
    block->end = SR_WALK_BRANCH;
    note_use(d, block->choice = w[1]);
    block->choice_width = 1;
    add_edge(d, from, w[2], 0);
    add_edge(d, from, w[3], 0);
    break;
  case SpvOpSwitch:
    block->end = SR_WALK_SWITCH;
    note_use(d, block->choice = w[1]);
    block->choice_width = (uint8_t)sr_walk_width(d->m, sr_walk_type_of(d->m, w[1]));
    add_switch(d, r, from, block);
    break;
  case SpvOpUnreachable:
    block->end = SR_WALK_NOWHERE;
    break;
  default:
    block->end = SR_WALK_LEAVE;
    add_inst(d, r, SR_WALK_EFFECT);
    break;
  }
  block->edge_count = d->code->edge.count - block->edge;
}

static void add_block(Decode *d, const SrBlock *b, uint32_t index) {
  SrWalkCode *code = d->code;
  SrWalkBlock block = {.inst = code->inst.count, .phi = code->phi.count};
  for (SR_EACH(d->m, r, b->list)) {
    const SrInst *in = sr_inst(d->m, r);
    if (r == sr_terminator(b)) {
      add_end(d, r, index, &block);
    } else if (in->op == SpvOpPhi) {
      SR_PUSH(d->arena, &code->phi, in->result);
    } else {
      SrWalkKind kind = kind_of(d, r);
      if (kind != SR_WALK_SKIP)
        add_inst(d, r, kind);
    }
  }
  block.inst_count = code->inst.count - block.inst;
  block.phi_count = code->phi.count - block.phi;
  SR_PUSH(d->arena, &code->block, block);
}

/* ---- phis ---- */

/* Do the phis of the block have the same number of parents? If not, the module is not valid, and
 * the phis stay undefined: rows for all parents of all phis could take quadratic memory. */
static bool same_counts(const Decode *d, const SrWalkBlock *block) {
  const uint32_t *phi = &d->code->phi.at[block->phi];
  uint32_t count = sr_word_count(d->m, sr_def(d->m, phi[0]));
  for (uint32_t k = 1; k < block->phi_count; k++)
    if (sr_word_count(d->m, sr_def(d->m, phi[k])) != count)
      return false;
  return true;
}

/* Adds one row of operands per parent, in the order of the first phi; each phi may have its own
 * order. */
static void add_rows(Decode *d, uint32_t b, uint32_t *row_of) {
  const SrModule *m = d->m;
  const SrWalkBlock *block = &d->code->block.at[b];
  const uint32_t *phi = &d->code->phi.at[block->phi];
  SrRef first = sr_def(m, phi[0]);
  uint32_t parents = (sr_word_count(m, first) - 3) / 2, base = d->code->operand.count;
  for (uint32_t i = 0; i < parents * block->phi_count; i++)
    add_operand(d, 0);
  for (uint32_t p = 0; p < parents; p++)
    row_of[sr_block_of(m, sr_words(m, first)[4 + 2 * p])] = base + p * block->phi_count;
  for (uint32_t k = 0; k < block->phi_count; k++) {
    const uint32_t *w = sr_words(m, sr_def(m, phi[k]));
    for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2) {
      uint32_t row = row_of[sr_block_of(m, w[i + 1])];
      note_use(d, w[i]);
      if (row != SR_NONE)
        d->code->operand.at[row + k] = w[i];
    }
  }
}

typedef struct Preds {
  uint32_t *first, *next; /* by block; by edge */
} Preds;

static void set_rows(Decode *d) {
  SrWalkCode *code = d->code;
  uint32_t blocks = code->block.count;
  uint32_t *row_of = sr_new_none(d->arena, blocks);
  Preds p = {sr_new_none(d->arena, blocks), SR_NEW(d->arena, uint32_t, code->edge.count)};
  for (uint32_t e = 0; e < code->edge.count; e++) {
    p.next[e] = p.first[code->edge.at[e].to];
    p.first[code->edge.at[e].to] = e;
  }
  for (uint32_t b = 0; b < blocks; b++) {
    if (code->block.at[b].phi_count == 0 || !same_counts(d, &code->block.at[b]))
      continue;
    add_rows(d, b, row_of);
    for (uint32_t e = p.first[b]; e != SR_NONE; e = p.next[e])
      code->edge.at[e].row = row_of[code->edge.at[e].from];
    const uint32_t *w = sr_words(d->m, sr_def(d->m, code->phi.at[code->block.at[b].phi]));
    for (uint32_t i = 4; i < w[0] >> 16; i += 2)
      row_of[sr_block_of(d->m, w[i])] = SR_NONE;
  }
}

void sr_walk_decode(SrArena *arena, const SrWalkModule *c, const SrFunction *f, uint32_t own_from,
                    const SrModule *after, const SrMap *place, uint32_t *inst_of,
                    SrWalkCode *code) {
  *code = (SrWalkCode){.c = c, .f = f, .inst_of = inst_of};
  Decode d = {.arena = arena,
              .code = code,
              .c = c,
              .m = c->m,
              .own_from = own_from,
              .place = place,
              .after = after};
  for (uint32_t b = 0; b < f->block_count; b++)
    add_block(&d, &f->blocks[b], b);
  set_rows(&d);
}
