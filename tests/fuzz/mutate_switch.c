/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_switch: see mutate_switch.h. */
#include "tests/fuzz/mutate_switch.h"

#include "passes/ir/edit.h"

typedef struct Type {
  uint32_t id, width, sign;
} Type;

static Type type_of(const SrModule *m, uint32_t value) {
  uint32_t id = sr_inst(m, sr_def(m, value))->type;
  const uint32_t *w = sr_words(m, sr_def(m, id));
  return (Type){id, w[2], w[3]};
}

static bool needs(SrModule *m, SpvCapability capability) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpCapability && sr_words(m, r)[1] == (uint32_t)capability)
      return false;
  return true;
}

static void require(SrModule *m, SpvCapability capability) {
  if (!needs(m, capability))
    return;
  sr_begin(m, SpvOpCapability, 0, 0);
  sr_put_literal(m, capability);
  sr_insert_before(m, &m->globals, m->globals.first, sr_end(m));
}

/* The module's own type of this width and sign if it has one: integer types may not be declared
 * twice. */
static uint32_t int_type(SrModule *m, uint32_t width, uint32_t sign) {
  if (width != 32)
    require(m, width == 8    ? SpvCapabilityInt8
               : width == 16 ? SpvCapabilityInt16
                             : SpvCapabilityInt64);
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpTypeInt && sr_words(m, r)[2] == width &&
        sr_words(m, r)[3] == sign)
      return sr_inst(m, r)->result;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeInt, 0, id);
  sr_put_literal(m, width);
  sr_put_literal(m, sign);
  sr_append(m, &m->globals, sr_end(m));
  return id;
}

/* The number as SPIR-V writes it in one or two words: sign-extended or zero-extended. */
static uint64_t extended(const Type *t, uint64_t v) {
  if (t->width == 64)
    return v;
  v &= (UINT64_C(1) << t->width) - 1;
  return t->sign && v >> (t->width - 1) ? v | ~UINT64_C(0) << t->width : v;
}

static void put_number(SrModule *m, const Type *t, uint64_t v) {
  v = extended(t, v);
  sr_put_literal(m, (uint32_t)v);
  if (t->width == 64)
    sr_put_literal(m, (uint32_t)(v >> 32));
}

typedef struct Place {
  SrList *list;
  SrRef before;
  uint32_t block;
} Place;

static uint32_t put(SrModule *m, const Place *p, SrRef r) {
  sr_insert_before(m, p->list, p->before, r);
  m->home[sr_inst(m, r)->result] = p->block;
  return sr_inst(m, r)->result;
}

static uint32_t convert(SrModule *m, const Place *p, SpvOp op, uint32_t type, uint32_t value) {
  sr_begin(m, op, type, sr_fresh_id(m));
  sr_put_id(m, value);
  return put(m, p, sr_end(m));
}

static uint32_t new_selector(SrModule *m, const Place *p, Type from, const Type *to, uint32_t x,
                             uint64_t mask) {
  uint32_t mask_id = sr_fresh_id(m);
  sr_begin(m, SpvOpConstant, to->id, mask_id);
  put_number(m, to, mask);
  sr_append(m, &m->globals, sr_end(m));
  if (to->width != from.width) {
    uint32_t plain = int_type(m, to->width, 0);
    x = convert(m, p, SpvOpUConvert, plain, x);
    from.id = plain;
  }
  if (to->id != from.id)
    x = convert(m, p, SpvOpBitcast, to->id, x);
  sr_begin(m, SpvOpBitwiseXor, to->id, sr_fresh_id(m));
  sr_put_id(m, x);
  sr_put_id(m, mask_id);
  return put(m, p, sr_end(m));
}

/* Writes the literals and targets of the old switch, whose numbers have one word or two. */
static void put_cases(SrModule *m, SrRef old, const Type *from, const Type *to, uint64_t mask) {
  uint32_t step = from->width > 32 ? 3 : 2;
  for (uint32_t i = 3; i < sr_word_count(m, old); i += step) {
    const uint32_t *w = sr_words(m, old);
    uint64_t value = w[i] | (step == 3 ? (uint64_t)w[i + 1] << 32 : 0);
    uint32_t target = w[i + step - 1];
    put_number(m, to, value ^ mask);
    sr_put_id(m, target);
  }
}

void mutate_switch_type(SrModule *m, Rng *rng, SrList *list, SrRef before, uint32_t block) {
  Place p = {list, before, block};
  SrRef old = list->last;
  uint32_t selector = sr_words(m, old)[1], other = sr_words(m, old)[2];
  Type from = type_of(m, selector), to = {0, 8u << rng_below(rng, 4), rng_below(rng, 2)};
  uint64_t mask = rng_percent(rng, 50) ? rng_next(rng) : ~(uint64_t)rng_below(rng, 4);
  to.id = int_type(m, to.width, to.sign);
  uint32_t x = new_selector(m, &p, from, &to, selector, mask);
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, x);
  sr_put_id(m, other);
  put_cases(m, old, &from, &to, mask);
  SrRef fresh = sr_end(m);
  sr_remove(m, list, old);
  sr_append(m, list, fresh);
}
