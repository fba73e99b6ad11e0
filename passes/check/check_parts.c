/* SPDX-License-Identifier: Apache-2.0 */
/* check_parts: see check_parts.h. A vector's hash is made from its components, so that it does
 * not depend on a base vector of which all components were replaced. Linear in the number of
 * components of the result. */
#include "check/check_parts.h"

static const SrCheckValue *operand(const SrCheckWalk *w, const SrCheckSide *s,
                                   const SrCheckInst *in, uint32_t k) {
  return sr_check_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
}

/* Component k of a vector. It is a hash, whatever its type, if the vector has no parts, or lacks
 * the component because a module has wrong types. */
static SrCheckValue component(const SrCheckWalk *w, const SrCheckValue *vector, uint32_t k) {
  if (vector->parts && vector->parts + k < w->part.count)
    return w->part.at[vector->parts + k];
  return (SrCheckValue){
      .a = sr_check_mix(vector->a, k), .undefined = vector->undefined, .raw = true};
}

static void add(SrCheckWalk *w, SrCheckValue v) {
  SR_PUSH(w->arena, &w->part, v);
}

static void insert(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in, uint32_t count) {
  const SrModule *m = s->code->c->m;
  uint32_t place = sr_words(m, in->source)[5];
  for (uint32_t k = 0; k < count; k++)
    add(w, k == place ? *operand(w, s, in, 0) : component(w, operand(w, s, in, 1), k));
}

/* A literal that selects no component becomes a value of its own, equal on both sides. */
static void shuffle(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in, uint32_t count) {
  const SrModule *m = s->code->c->m;
  const uint32_t *literal = sr_words(m, in->source) + 5;
  uint32_t left = sr_check_components(m, sr_check_type_of(m, s->code->operand.at[in->operand]));
  uint32_t right =
      sr_check_components(m, sr_check_type_of(m, s->code->operand.at[in->operand + 1]));
  for (uint32_t k = 0; k < count; k++)
    if (literal[k] < left)
      add(w, component(w, operand(w, s, in, 0), literal[k]));
    else if (literal[k] - left < right)
      add(w, component(w, operand(w, s, in, 1), literal[k] - left));
    else
      add(w, (SrCheckValue){.a = literal[k], .raw = true});
}

/* Sets *out to a vector made of the parts from `first` on. */
static void assemble(const SrCheckWalk *w, uint32_t first, uint64_t hash, SrCheckValue *out) {
  *out = (SrCheckValue){.a = hash, .parts = first};
  for (uint32_t i = first; i < w->part.count; i++) {
    out->a = sr_check_mix(out->a, w->part.at[i].a);
    out->undefined |= w->part.at[i].undefined;
  }
}

void sr_check_parts(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                    SrCheckValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t type = sr_inst(m, in->source)->type, first = w->part.count;
  uint32_t count = sr_check_components(m, type);
  uint16_t op = sr_inst(m, in->source)->op;
  if (op == SpvOpCompositeInsert)
    insert(w, s, in, count);
  else if (op == SpvOpVectorShuffle)
    shuffle(w, s, in, count);
  else
    for (uint32_t k = 0; k < count; k++)
      add(w, *operand(w, s, in, k));
  assemble(w, first, s->code->c->value[type].a, out);
}

/* Component k of the result. A scalar serves for all components. */
static SrCheckValue lane(const SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                         uint32_t k) {
  SrCheckValue out = {.a = in->hash, .raw = true};
  for (uint32_t i = 0; i < in->count; i++) {
    const SrCheckValue *x = operand(w, s, in, i);
    uint32_t type = sr_check_type_of(s->code->c->m, s->code->operand.at[in->operand + i]);
    SrCheckValue v = sr_check_components(s->code->c->m, type) ? component(w, x, k) : *x;
    out.a = sr_check_mix(out.a, v.a);
    out.undefined |= v.undefined;
  }
  return out;
}

void sr_check_lanes(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                    SrCheckValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t type = sr_inst(m, in->source)->type, first = w->part.count;
  for (uint32_t k = 0; k < sr_check_components(m, type); k++)
    add(w, lane(w, s, in, k));
  assemble(w, first, s->code->c->value[type].a, out);
}

SrCheckValue sr_check_part(const SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in) {
  return component(w, operand(w, s, in, 0), sr_words(s->code->c->m, in->source)[4]);
}
