/* SPDX-License-Identifier: Apache-2.0 */
/* walk_parts: see walk_parts.h. A vector's hash is made from its components, so that it does not
 * depend on a base vector whose components were all replaced. Linear in the number of components of
 * the result. */
#include "passes/walk/walk_parts.h"

static const SrWalkValue *operand(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in,
                                  uint32_t k) {
  return sr_walk_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
}

/* Component k of a vector. It is a hash, whatever its type, if the vector has no parts, or lacks
 * the component because a module has wrong types. */
static SrWalkValue component(const SrWalk *w, const SrWalkValue *vector, uint32_t k) {
  if (vector->parts && vector->parts + k < w->part.count)
    return w->part.at[vector->parts + k];
  return (SrWalkValue){.a = sr_walk_mix(vector->a, k), .undefined = vector->undefined, .raw = true};
}

static void add(SrWalk *w, SrWalkValue v) {
  SR_PUSH(w->arena, &w->part, v);
}

static void insert(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint32_t count) {
  const SrModule *m = s->code->c->m;
  uint32_t place = sr_words(m, in->source)[5];
  for (uint32_t k = 0; k < count; k++)
    add(w, k == place ? *operand(w, s, in, 0) : component(w, operand(w, s, in, 1), k));
}

/* A literal that selects no component gives a value of its own, which is equal on both sides. */
static void shuffle(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint32_t count) {
  const SrModule *m = s->code->c->m;
  const uint32_t *literal = sr_words(m, in->source) + 5;
  uint32_t left = sr_walk_components(m, sr_walk_type_of(m, s->code->operand.at[in->operand]));
  uint32_t right = sr_walk_components(m, sr_walk_type_of(m, s->code->operand.at[in->operand + 1]));
  for (uint32_t k = 0; k < count; k++)
    if (literal[k] < left)
      add(w, component(w, operand(w, s, in, 0), literal[k]));
    else if (literal[k] - left < right)
      add(w, component(w, operand(w, s, in, 1), literal[k] - left));
    else
      add(w, (SrWalkValue){.a = literal[k], .raw = true});
}

/* Sets *out to a vector made from the parts that begin at `first`. */
static void assemble(const SrWalk *w, uint32_t first, uint64_t hash, SrWalkValue *out) {
  *out = (SrWalkValue){.a = hash, .parts = first};
  for (uint32_t i = first; i < w->part.count; i++) {
    out->a = sr_walk_mix(out->a, w->part.at[i].a);
    out->undefined |= w->part.at[i].undefined;
  }
}

void sr_walk_parts(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t type = sr_inst(m, in->source)->type, first = w->part.count;
  uint32_t count = sr_walk_components(m, type);
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
static SrWalkValue lane(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint32_t k) {
  SrWalkValue out = {.a = in->hash, .raw = true};
  for (uint32_t i = 0; i < in->count; i++) {
    const SrWalkValue *x = operand(w, s, in, i);
    uint32_t type = sr_walk_type_of(s->code->c->m, s->code->operand.at[in->operand + i]);
    SrWalkValue v = sr_walk_components(s->code->c->m, type) ? component(w, x, k) : *x;
    out.a = sr_walk_mix(out.a, v.a);
    out.undefined |= v.undefined;
  }
  return out;
}

void sr_walk_lanes(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t type = sr_inst(m, in->source)->type, first = w->part.count;
  for (uint32_t k = 0; k < sr_walk_components(m, type); k++)
    add(w, lane(w, s, in, k));
  assemble(w, first, s->code->c->value[type].a, out);
}

SrWalkValue sr_walk_part(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in) {
  return component(w, operand(w, s, in, 0), sr_words(s->code->c->m, in->source)[4]);
}
