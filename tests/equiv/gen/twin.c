/* SPDX-License-Identifier: Apache-2.0 */
/* twin: see twin.h. Regions of copies have one entry and follow each other in reverse post-order,
 * so when a copy is filled, its source is complete; only phis are filled later. */
#include "tests/equiv/gen/twin.h"

#include "tests/equiv/gen/opcode.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)TWIN_CHANGES == WORLD_CHANGES, "as many as World counts");

Twins *twin_begin(const Graph *g) {
  Twins *t = emit_resize(NULL, sizeof *t);
  memset(t, 0, sizeof *t);
  t->source = emit_resize(NULL, g->count * sizeof *t->source);
  for (uint32_t k = 0; k < g->count; k++)
    t->source[k] = GRAPH_NONE;
  return t;
}

void twin_end(Twins *t) {
  for (int k = 0; k < GRAPH_COPIES; k++)
    free(t->map[k]);
  free(t->source);
  free(t);
}

/* ---- ids ------------------------------------------------------------------------------------- */

static uint32_t mapped(const Twins *t, uint32_t copy, uint32_t id) {
  bool own = id < t->size[copy] && t->map[copy][id].id && t->map[copy][id].region == t->region;
  return own ? t->map[copy][id].id : id;
}

static void map_id(Twins *t, uint32_t copy, uint32_t from, uint32_t to) {
  if (from >= t->size[copy]) {
    uint32_t size = from * 2 + 64;
    t->map[copy] = emit_resize(t->map[copy], size * sizeof(TwinId));
    memset(t->map[copy] + t->size[copy], 0, (size - t->size[copy]) * sizeof(TwinId));
    t->size[copy] = size;
  }
  t->map[copy][from] = (TwinId){to, t->region};
}

/* ---- one difference -------------------------------------------------------------------------- */

static const Value *value_of(const Body *b, uint32_t id) {
  for (uint32_t k = b->value_count; k-- > 0;)
    if (b->value[k].id == id)
      return &b->value[k];
  return NULL;
}

/* May the instruction's result be any number? */
static bool is_any_number(uint32_t op) {
  return op == SpvOpIAdd || op == SpvOpISub || op == SpvOpIMul || op == SpvOpBitwiseXor;
}

static bool change_constant(Body *b, uint32_t *i) {
  bool store = (i[0] & 0xffff) == SpvOpStore;
  uint32_t at = store ? 2 : 4;
  if (!store && (!is_any_number(i[0] & 0xffff) || i[1] != b->w->t_u32))
    return false;
  if (!world_is_constant(b->w, i[at]))
    return false;
  i[at] = world_fresh_constant(b->w);
  return true;
}

static bool change_opcode(uint32_t *i) {
  static const uint32_t pairs[][2] = {
      {SpvOpIAdd, SpvOpISub},
      {SpvOpIMul, SpvOpBitwiseXor},
      {SpvOpULessThan, SpvOpSLessThan},
      {SpvOpULessThanEqual, SpvOpULessThan},
      {SpvOpUGreaterThan, SpvOpSGreaterThan},
      {SpvOpUGreaterThanEqual, SpvOpSGreaterThanEqual},
      {SpvOpSLessThanEqual, SpvOpSLessThan},
      {SpvOpIEqual, SpvOpINotEqual},
      {SpvOpLogicalAnd, SpvOpLogicalOr},
      {SpvOpShiftRightLogical, SpvOpShiftRightArithmetic},
      {SpvOpFAdd, SpvOpFSub},
      {SpvOpFOrdLessThan, SpvOpFUnordGreaterThanEqual},
  };
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    for (int side = 0; side < 2; side++)
      if (pairs[k][side] == (i[0] & 0xffff)) {
        i[0] = (i[0] & 0xffff0000) | pairs[k][!side];
        return true;
      }
  return false;
}

/* An index of an access chain is not changed, since it may separate the invocations. */
static bool change_operand(Body *b, uint32_t *i) {
  uint32_t op = i[0] & 0xffff, first = opcode_has_result(op) ? 3 : 1;
  for (uint32_t k = first; k < i[0] >> 16; k++) {
    const Value *v = value_of(b, i[k]);
    if (!v || (op == SpvOpAccessChain && v->kind < KIND_RECORD_PTR))
      continue;
    uint32_t other = body_pick(b, b->now, v->kind), was = i[k];
    i[k] = other;
    return other != was;
  }
  return false;
}

static bool is_ordered(uint32_t op) {
  return op == SpvOpISub || op == SpvOpFSub ||
         (op >= SpvOpUGreaterThan && op <= SpvOpSLessThanEqual) || op == SpvOpFOrdLessThan;
}

static bool change_place(uint32_t *i) {
  uint32_t op = i[0] & 0xffff, length = i[0] >> 16;
  uint32_t at = op == SpvOpSelect ? 4 : 3;
  if ((is_ordered(op) || op == SpvOpSelect) && i[at] != i[at + 1]) {
    uint32_t t = i[at];
    i[at] = i[at + 1];
    i[at + 1] = t;
    return true;
  }
  if (op == SpvOpCompositeInsert && length == 7) {
    i[6] ^= 1;
    return true;
  }
  return false;
}

/* A conversion to a narrow type that the next instruction widens again. */
static bool change_type(Body *b, uint32_t *i, const uint32_t *next) {
  World *w = b->w;
  uint32_t op = next[0] & 0xffff;
  if ((i[0] & 0xffff) != SpvOpUConvert || (op != SpvOpUConvert && op != SpvOpSConvert) ||
      next[3] != i[2] || value_of(b, i[2]) || next[1] != w->t_u32 ||
      (i[1] != w->t_int[0][0] && i[1] != w->t_int[0][1])) /* wider types have other uses */
    return false;
  i[1] = w->t_int[0][i[1] == w->t_int[0][0] ? 1 : 0];
  return true;
}

static bool change_decoration(Body *b, const uint32_t *i) {
  if (!is_any_number(i[0] & 0xffff) || world_decoration(b->w, i[2]))
    return false;
  world_decorate(b->w, i[2], SpvDecorationNoContraction);
  return true;
}

static bool change_memory(EmitWords *w, size_t at) {
  uint32_t op = w->data[at] & 0xffff, length = w->data[at] >> 16;
  if ((op != SpvOpLoad || length != 4) && (op != SpvOpStore || length != 3))
    return false;
  emit_word(w, SpvMemoryAccessVolatileMask);
  w->data[at] += 1u << 16;
  return true;
}

static bool change(Body *b, size_t at, const uint32_t *next) {
  uint32_t *i = b->words.data + at;
  switch (b->twins->change) {
  case TWIN_CONSTANT:
    return change_constant(b, i);
  case TWIN_OPCODE:
    return change_opcode(i);
  case TWIN_OPERAND:
    return change_operand(b, i);
  case TWIN_PLACE:
    return change_place(i);
  case TWIN_TYPE:
    return change_type(b, i, next);
  case TWIN_DECORATION:
    return opcode_has_result(i[0] & 0xffff) && change_decoration(b, i);
  case TWIN_MEMORY:
    return change_memory(&b->words, at);
  default:
    return false;
  }
}

static void note_change(Body *b) {
  b->w->near[b->twins->change]++;
  b->twins->change = TWIN_SAME;
}

static void maybe_change(Body *b, size_t at, const uint32_t *next) {
  Twins *t = b->twins;
  if (t->change == TWIN_SAME || (t->wait > 0 && t->wait--))
    return;
  if (change(b, at, next))
    note_change(b);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void begin_region(Body *b) {
  Rng *r = &b->w->rng;
  b->w->twins++;
  b->twins->change = rng_percent(r, 35) ? TWIN_SAME : (TwinChange)rng_below(r, TWIN_CHANGES);
  b->twins->wait = rng_geometric(r, 75, 20);
}

/* Replaces ids from word `first` on, where the operands begin, if the copy has its own. Literals
 * are smaller than any id of a function. */
static void copy_instruction(Body *b, uint32_t copy, size_t from, bool user) {
  Twins *t = b->twins;
  uint32_t length = b->words.data[from] >> 16, op = b->words.data[from] & 0xffff;
  size_t at = b->words.count;
  for (uint32_t k = 0; k < length; k++)
    emit_word(&b->words, b->words.data[from + k]);
  if (opcode_is_line(op))
    return;
  uint32_t *i = b->words.data + at;
  uint32_t result = opcode_has_result(op) ? 2 : 0;
  for (uint32_t k = 1; k < length; k++)
    if (k != result)
      i[k] = mapped(t, copy, i[k]);
  if (result) {
    uint32_t id = emit_id(&b->w->m), decoration = world_decoration(b->w, i[2]);
    map_id(t, copy, i[2], id);
    i[2] = id;
    if (decoration)
      world_decorate(b->w, id, decoration);
  }
  if (!user)
    return;
  uint32_t next[4] = {0};
  size_t after = from + length;
  for (uint32_t k = 0; k < 4 && after + k < b->words.count; k++)
    next[k] = mapped(t, copy, b->words.data[after + k]);
  next[0] = b->words.data[after];
  maybe_change(b, at, next);
}

static void copy_phis(Body *b, uint32_t copy, uint32_t source) {
  for (uint32_t k = 0, n = b->phi_count; k < n; k++) {
    if (b->phi[k].block != source)
      continue;
    Phi *p = body_phi(b, b->now, b->phi[k].kind);
    p->twin = k + 1;
    map_id(b->twins, copy, b->phi[k].id, p->id);
    p->changed = b->twins->change == TWIN_PHI;
    if (p->changed)
      note_change(b);
  }
}

static void copy_values(Body *b, uint32_t copy, uint32_t source) {
  for (uint32_t k = b->value_first[source]; k < b->value_last[source]; k++) {
    uint32_t id = mapped(b->twins, copy, b->value[k].id);
    body_add(b, b->value[k].kind, id);
  }
}

/* A branch that cannot close a cycle may have another condition or literal. */
static void change_branch(Body *b, uint32_t *i) {
  const GraphBlock *k = &b->g->block[b->now];
  if (b->twins->change != TWIN_BRANCH || k->never || b->control[b->now] != CONTROL_FREE ||
      b->f.cyclic[b->now])
    return;
  if (k->term == GRAPH_COND)
    for (uint32_t was = i[1], tries = 0; i[1] == was && tries < 6; tries++)
      i[1] = body_pick(b, b->now, KIND_BOOL);
  else
    i[3 + (k->count - 2) * (((i[0] >> 16) - 3) / (k->count - 1))] ^= 64;
  note_change(b);
}

/* A branch may have its targets swapped. */
static bool turns(Body *b) {
  const GraphBlock *k = &b->g->block[b->now];
  bool may = b->twins->change == TWIN_EDGE && k->term == GRAPH_COND && !k->never &&
             b->control[b->now] == CONTROL_FREE && !b->f.cyclic[b->now];
  if (may)
    note_change(b);
  return may;
}

/* Can the copy have the source's branch? It has as many edges, and takes the same exit once the
 * fuel is used up. */
static bool branches_alike(const Body *b, uint32_t source) {
  const GraphBlock *k = &b->g->block[b->now], *s = &b->g->block[source];
  bool branches = k->term == GRAPH_COND || k->term == GRAPH_SWITCH;
  return branches && k->term == s->term && k->count == s->count &&
         b->control[b->now] == b->control[source] &&
         b->f.exit_slot[b->now] == b->f.exit_slot[source];
}

/* The source's terminator, on the copy's edges. */
static void copy_terminator(Body *b, uint32_t copy, uint32_t source) {
  const GraphBlock *k = &b->g->block[b->now];
  if (!branches_alike(b, source)) {
    body_terminator(b);
    return;
  }
  size_t at = b->tail[source];
  for (; !opcode_is_terminator(b->words.data[at] & 0xffff); at += b->words.data[at] >> 16)
    if (!opcode_is_merge(b->words.data[at] & 0xffff))
      copy_instruction(b, copy, at, false);
  body_merge(b);
  size_t to = b->words.count, length = b->words.data[at] >> 16;
  bool turned = turns(b);
  for (size_t j = 0; j < length; j++)
    emit_word(&b->words, b->words.data[at + j]);
  uint32_t *i = b->words.data + to;
  i[1] = mapped(b->twins, copy, i[1]);
  change_branch(b, i);
  uint32_t stride = k->term == GRAPH_COND ? 1 : (uint32_t)(length - 3) / (k->count - 1);
  for (uint32_t s = 0; s < k->count; s++)
    i[2 + s * stride] = b->label[k->succ[turned ? 1 - s : s]];
}

bool twin_fill(Body *b) {
  Twins *t = b->twins;
  const GraphBlock *k = &b->g->block[b->now];
  if (k->twin == GRAPH_NONE || b->f.rank[b->now] == GRAPH_NONE)
    return false;
  uint32_t source = t->source[k->twin], dominator = b->f.idom[b->now];
  if (source == GRAPH_NONE) {
    t->source[k->twin] = b->now;
    return false;
  }
  t->region = k->region;
  if (b->g->block[dominator].twin == GRAPH_NONE || b->g->block[dominator].region != k->region)
    begin_region(b);
  copy_phis(b, k->copy, source);
  for (size_t at = b->start[source]; at < b->tail[source];) {
    size_t length = b->words.data[at] >> 16;
    copy_instruction(b, k->copy, at, true);
    at += length;
  }
  b->tail[b->now] = b->words.count;
  copy_terminator(b, k->copy, source);
  copy_values(b, k->copy, source);
  return true;
}

/* ---- phis ------------------------------------------------------------------------------------ */

static uint32_t copied_operand(Body *b, const Phi *p, uint32_t from) {
  const GraphBlock *k = &b->g->block[p->block], *g = &b->g->block[from];
  const Phi *q = &b->phi[p->twin - 1];
  b->twins->region = k->region;
  bool inside = g->twin != GRAPH_NONE && g->region == k->region && g->copy == k->copy;
  uint32_t source = inside ? b->twins->source[g->twin] : from;
  uint32_t value = body_operand(b, q, source);
  return value ? mapped(b->twins, k->copy, value) : 0;
}

/* Copies that continue at one block usually bring it the copied value. */
static uint32_t twin_value(Body *b, uint32_t from, const uint32_t *earlier, const uint32_t *values,
                           uint32_t count) {
  const GraphBlock *k = &b->g->block[from];
  b->twins->region = k->region;
  for (uint32_t j = 0; j < count && k->twin != GRAPH_NONE; j++)
    if (b->twins->source[k->twin] == earlier[j] && rng_percent(&b->w->rng, 50))
      return mapped(b->twins, k->copy, values[j]);
  return 0;
}

uint32_t twin_operand(Body *b, const Phi *p, uint32_t from, const uint32_t *earlier,
                      const uint32_t *values, uint32_t count) {
  if (p->twin && !(p->changed && rng_percent(&b->w->rng, 50)))
    return copied_operand(b, p, from);
  return p->twin ? 0 : twin_value(b, from, earlier, values, count);
}
