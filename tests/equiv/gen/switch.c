/* SPDX-License-Identifier: Apache-2.0 */
/* switch: selectors and literals of a generated switch, and comparisons with constants.
 *
 * A slot is a successor's position, 0 that of the default. Literals are small numbers xor a mask,
 * in any integer type, so that some are negative. Slots that a run may take have literals from 0
 * on, the others from NEVER on; numbers between the two groups go to the default. */
#include "tests/equiv/gen/body.h"

#include <spirv/unified1/spirv.h>

enum { NEVER = 100, MOST_NARROW = 90 };

static uint64_t literal(const Selector *s, uint64_t value) {
  unsigned bits = 8u << s->width;
  value ^= s->mask;
  if (bits == 64)
    return value;
  value &= (UINT64_C(1) << bits) - 1;
  bool negative = s->sign && value >> (bits - 1);
  return negative ? value | ~((UINT64_C(1) << bits) - 1) : value;
}

static uint32_t constant(Body *b, const Selector *s, uint64_t value) {
  return world_wide_constant(b->w, s->sign, s->width, literal(s, value));
}

static Selector random_type(Body *b) {
  Rng *r = &b->w->rng;
  if (!b->w->t_int[0][0] || rng_percent(r, 40))
    return (Selector){0, 2, 0};
  uint32_t sign = rng_below(r, 2);
  return (Selector){b->w->rich.kernel ? 0 : sign, rng_below(r, 4), 0};
}

static Selector random_selector(Body *b, uint32_t cases) {
  Rng *r = &b->w->rng;
  Selector s = random_type(b);
  if (s.width == 0 && cases > MOST_NARROW)
    s = (Selector){0, 2, 0};
  if (rng_percent(r, 60))
    s.mask = rng_percent(r, 60) ? rng_next(r) : ~(uint64_t)rng_below(r, 4);
  return s;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Cases that a run may take, before `slot`. */
static uint32_t live_cases(const GraphBlock *k, uint32_t slot) {
  uint32_t count = 0;
  for (uint32_t c = 1; c < slot; c++)
    count += !graph_never(k, c);
  return count;
}

/* The literal that leads to the slot, before the mask is applied; for the default slot the first
 * number that leads there. */
static uint32_t slot_value(const GraphBlock *k, uint32_t slot) {
  if (slot == 0)
    return live_cases(k, k->count);
  return graph_never(k, slot) ? NEVER + slot : live_cases(k, slot);
}

/* ---- selectors ------------------------------------------------------------------------------- */

/* Any number, reduced to the slots that may be taken. */
static uint32_t free_value(Body *b, const Selector *s) {
  World *w = b->w;
  const GraphBlock *k = &b->g->block[b->now];
  uint32_t x = body_subject(b, body_wants_uniform(b));
  uint32_t slots = live_cases(k, k->count) + (graph_never(k, 0) ? 0 : 2);
  x = body_result(b, SpvOpUMod, w->t_u32, x, world_constant(w, slots));
  if (b->control[b->now] == CONTROL_FUEL) {
    uint32_t empty = body_burn(b), id = emit_id(&w->m);
    uint32_t exit = world_constant(w, slot_value(k, b->f.exit_slot[b->now]));
    EMIT(&b->words, SpvOpSelect, w->t_u32, id, empty, exit, x);
    x = id;
  }
  x = body_convert(b, x, s->sign, s->width);
  return body_result(b, SpvOpBitwiseXor, w->t_int[s->sign][s->width], x, constant(b, s, 0));
}

/* A phi whose operands are the literals themselves. */
static uint32_t carried_value(Body *b, const Selector *s) {
  World *w = b->w;
  const GraphBlock *k = &b->g->block[b->now];
  uint32_t at = k->carry;
  if (b->f.rank[at] == GRAPH_NONE || !graph_dominates(&b->f, at, b->now))
    at = b->now;
  uint32_t list[PHI_CONSTANTS], first = rng_below(&w->rng, k->count);
  for (uint32_t c = 0; c < PHI_CONSTANTS; c++)
    list[c] = constant(b, s, slot_value(k, (first + c) % k->count));
  Phi *p = body_phi(b, at, body_int_kind(s->sign, s->width));
  for (p->constants = 0; p->constants < PHI_CONSTANTS; p->constants++)
    p->constant[p->constants] = list[p->constants];
  uint32_t x = p->id;
  if (b->control[b->now] == CONTROL_FUEL) {
    uint32_t empty = body_burn(b), id = emit_id(&w->m);
    uint32_t exit = constant(b, s, slot_value(k, b->f.exit_slot[b->now]));
    EMIT(&b->words, SpvOpSelect, w->t_int[s->sign][s->width], id, empty, exit, x);
    x = id;
  }
  return x;
}

/* Is the selector a phi? Not in the entry block, nor in blocks with slots that a run must not
 * take. */
static bool is_carried(const Body *b) {
  const GraphBlock *k = &b->g->block[b->now];
  return k->carry != GRAPH_NONE && !k->never && b->w->wide && b->now != 0 && k->carry != 0;
}

Switch body_switch(Body *b) {
  if (b->f.rank[b->now] == GRAPH_NONE)
    return (Switch){{0, 2, 0}, world_constant(b->w, 0)};
  Switch s = {random_selector(b, b->g->block[b->now].count - 1), 0};
  s.value = is_carried(b) ? carried_value(b, &s.type) : free_value(b, &s.type);
  return s;
}

void body_switch_words(Body *b, const Switch *s) {
  const GraphBlock *k = &b->g->block[b->now];
  uint32_t wide = s->type.width == 3, cases = k->count - 1;
  emit_word(&b->words, (3 + cases * (2 + wide)) << 16 | SpvOpSwitch);
  emit_word(&b->words, s->value);
  emit_word(&b->words, b->label[k->succ[0]]);
  for (uint32_t c = 1; c <= cases; c++) {
    uint64_t value = literal(&s->type, slot_value(k, c));
    emit_word(&b->words, (uint32_t)value);
    if (wide)
      emit_word(&b->words, (uint32_t)(value >> 32));
    emit_word(&b->words, b->label[k->succ[c]]);
  }
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Small numbers, and both ends of the type's range, signed or not. */
static uint32_t edge_constant(Body *b, const Selector *s) {
  uint64_t top = UINT64_C(1) << ((8u << s->width) - 1), small = rng_below(&b->w->rng, 7);
  switch (rng_below(&b->w->rng, 5)) {
  case 0:
    return constant(b, s, top - 1 - small);
  case 1:
    return constant(b, s, top + small);
  case 2:
    return constant(b, s, ~small);
  default:
    return constant(b, s, small);
  }
}

/* Applies no, one or two steps to x; a step subtracts, adds or xors a constant. */
static uint32_t steps(Body *b, const Selector *s, uint32_t x) {
  static const uint32_t ops[] = {SpvOpISub, SpvOpISub, SpvOpISub, SpvOpIAdd, SpvOpBitwiseXor};
  uint32_t type = b->w->t_int[s->sign][s->width];
  for (uint32_t k = rng_geometric(&b->w->rng, 60, 2); k > 0; k--) {
    uint32_t op = ops[rng_below(&b->w->rng, 5)], y = edge_constant(b, s);
    x = rng_percent(&b->w->rng, 75) ? body_result(b, op, type, x, y)
                                    : body_result(b, op, type, y, x);
  }
  return x;
}

/* An integer type, mostly a narrow one. */
static Selector test_type(Body *b) {
  Rng *r = &b->w->rng;
  if (!rng_percent(r, 60))
    return random_type(b);
  uint32_t sign = rng_below(r, 2);
  return (Selector){b->w->rich.kernel ? 0 : sign, rng_below(r, 2), 0};
}

/* (phi of constants) - constant < constant: the outcome is known on each edge. In all widths. */
uint32_t body_test(Body *b) {
  static const uint32_t ops[] = {
      SpvOpIEqual,         SpvOpINotEqual,         SpvOpULessThan,
      SpvOpULessThanEqual, SpvOpUGreaterThan,      SpvOpSLessThan,
      SpvOpSLessThanEqual, SpvOpSGreaterThan,      SpvOpUGreaterThanEqual,
      SpvOpUGreaterThan,   SpvOpSGreaterThanEqual, SpvOpULessThanEqual};
  Selector s = test_type(b);
  uint32_t list[PHI_CONSTANTS], x;
  if (b->now == 0) {
    x = body_pick(b, 0, body_int_kind(s.sign, s.width));
  } else {
    for (uint32_t k = 0; k < PHI_CONSTANTS; k++)
      list[k] = edge_constant(b, &s);
    Phi *p = body_phi(b, b->now, body_int_kind(s.sign, s.width));
    for (p->constants = 0; p->constants < PHI_CONSTANTS; p->constants++)
      p->constant[p->constants] = list[p->constants];
    x = p->id;
  }
  x = steps(b, &s, x);
  uint32_t op = ops[rng_below(&b->w->rng, 12)], y = edge_constant(b, &s);
  if (rng_percent(&b->w->rng, 20))
    return body_result(b, op, b->w->t_bool, y, x);
  return body_result(b, op, b->w->t_bool, x, y);
}
