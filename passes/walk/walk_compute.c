/* SPDX-License-Identifier: Apache-2.0 */
/* walk_compute: see walk_compute.h. An undefined operand makes the result undefined, unless the
 * other operand decides, or a select does not choose it. */
#include "passes/walk/walk_compute.h"
#include "passes/walk/walk_parts.h"

#include <string.h>

static const SrWalkValue undefined = {.undefined = true};

/* Sets fields one by one: copying a struct that was just written would stall until its parts are
 * stored. */
static void put(SrWalkValue *out, uint64_t a, uint32_t node, bool drawn) {
  out->a = a;
  out->narrow = 0;
  out->node = node;
  out->drawn = drawn;
  out->undefined = false;
  out->raw = false;
  out->splat = SR_SPLAT_NO;
  out->marks = 0;
  out->parts = 0;
}

static void put_undefined(SrWalkValue *out) {
  put(out, 0, 0, false);
  out->undefined = true;
}

void sr_walk_number(SrWalk *w, SrWalkValue *out, uint64_t term, unsigned width, uint32_t visit) {
  if (!visit) {
    put(out, sr_walk_draw_again(w->draw, term, width), 0, true);
    return;
  }
  SR_RESERVE(w->arena, &w->node, 1);
  uint32_t node = w->node.count++;
  w->node.at[node].term = term;
  w->node.at[node].kind = SR_WALK_HASH;
  put(out, sr_walk_draw(w->draw, term, width, visit), node, true);
}

bool sr_walk_compare(SrWalkKind kind, uint64_t x, uint64_t y, unsigned width) {
  int64_t i = sr_walk_signed(x, width), j = sr_walk_signed(y, width);
  switch (kind) {
  case SR_WALK_EQUAL:
    return x == y;
  case SR_WALK_NOT_EQUAL:
    return x != y;
  case SR_WALK_ULESS:
    return x < y;
  case SR_WALK_ULESS_EQUAL:
    return x <= y;
  case SR_WALK_SLESS:
    return i < j;
  case SR_WALK_SLESS_EQUAL:
    return i <= j;
  case SR_WALK_UGREATER:
    return x > y;
  case SR_WALK_UGREATER_EQUAL:
    return x >= y;
  case SR_WALK_SGREATER:
    return i > j;
  default:
    return i >= j;
  }
}

/* Marks a result with the NonUniform operands of its instruction, and with the marks of these. A
 * transform may add marks, so they cannot be part of a hash. */
static void mark(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  uint32_t marks = 0;
  if (in->width == 1)
    return;
  for (uint8_t bits = in->nonuniform; bits; bits &= (uint8_t)(bits - 1))
    marks++;
  for (uint32_t k = 0; k < in->count; k++)
    marks += sr_walk_value(s, w->draw->epoch, id[k])->marks;
  out->marks = marks < UINT8_MAX ? (uint8_t)marks : UINT8_MAX;
}

/* ---- uninterpreted ---- */

static void hashed(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint64_t h, uint32_t visit,
                   SrWalkValue *out) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  for (uint32_t k = 0; k < in->count; k++) {
    const SrWalkValue *v = sr_walk_value(s, w->draw->epoch, id[k]);
    if (v->undefined) {
      put_undefined(out);
      return;
    }
    h = sr_walk_mix(h, v->a);
  }
  if (in->width)
    sr_walk_number(w, out, h, in->width, visit);
  else
    put(out, h, 0, false);
  mark(w, s, in, out);
}

/* If a vector is made of components, the extracted component is known. */
static void extract(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint32_t visit,
                    SrWalkValue *out) {
  SrWalkValue part = sr_walk_part(w, s, in);
  uint64_t h = sr_walk_mix(in->hash, part.a);
  if (part.undefined)
    put_undefined(out);
  else if (!part.raw)
    *out = part;
  else if (in->width)
    sr_walk_number(w, out, h, in->width, visit);
  else
    put(out, h, 0, false);
}

/* A wide value's hash is made from the narrow value and both types, so that a round trip gives the
 * same value. */
static uint64_t wide_hash(const SrWalkCode *code, const SrWalkInst *in, uint32_t wide_type,
                          uint32_t narrow_type, uint64_t narrow) {
  uint64_t h = sr_walk_mix(5, sr_inst(code->c->m, in->source)->op);
  h = sr_walk_mix(h, code->c->value[wide_type].a);
  return sr_walk_mix(sr_walk_mix(h, code->c->value[narrow_type].a), narrow);
}

static void widen(const SrWalkSide *s, const SrWalkInst *in, const SrWalkValue *x,
                  SrWalkValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t from = sr_walk_type_of(m, s->code->operand.at[in->operand]), parts = x->parts;
  uint64_t narrow = x->a;
  bool any_undefined = x->undefined;
  uint8_t marks = x->marks;
  put(out, wide_hash(s->code, in, sr_inst(m, in->source)->type, from, narrow), 0, false);
  out->narrow = narrow;
  out->narrow_parts = parts;
  out->undefined = any_undefined;
  out->marks = marks;
}

static void narrow(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, const SrWalkValue *x,
                   uint32_t visit, SrWalkValue *out) {
  const SrModule *m = s->code->c->m;
  uint32_t from = sr_walk_type_of(m, s->code->operand.at[in->operand]), parts = x->narrow_parts;
  bool any_undefined = x->undefined;
  uint8_t marks = x->marks;
  if (x->narrow && wide_hash(s->code, in, from, sr_inst(m, in->source)->type, x->narrow) == x->a) {
    put(out, x->narrow, 0, false);
    out->parts = parts;
    out->undefined = any_undefined;
    out->marks = marks;
  } else {
    hashed(w, s, in, in->hash, visit, out);
  }
}

/* ---- computed ---- */

static void splat(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  uint64_t first = sr_walk_value(s, w->draw->epoch, id[0])->a, h = in->hash;
  bool equal = in->from_width == 1, any_undefined = false;
  for (uint32_t k = 0; k < in->count; k++) {
    const SrWalkValue *x = sr_walk_value(s, w->draw->epoch, id[k]);
    any_undefined |= x->undefined;
    h = sr_walk_mix(h, x->a);
    equal &= x->a == first;
  }
  put(out, h, 0, false);
  out->undefined = any_undefined;
  if (equal)
    out->splat = first ? SR_SPLAT_TRUE : SR_SPLAT_FALSE;
}

/* Compilers write `c && b` as a select of b or false, and `c || b` as a select of true or b. If the
 * select chose the constant, which *out is then, the search may change the result through c and, if
 * necessary, b. */
static void note_logic(SrWalk *w, const SrWalkValue *c, const SrWalkValue *b, SrWalkValue *out) {
  if (!c->node || out->node || out->undefined || b->undefined || c->a != out->a)
    return;
  uint32_t node = w->node.count;
  SR_PUSH(w->arena, &w->node,
          (SrWalkNode){.x = c->a,
                       .y = b->a,
                       .x_node = c->node,
                       .y_node = b->node,
                       .kind = c->a ? SR_WALK_OR : SR_WALK_AND,
                       .width = 1,
                       .from_width = 1});
  out->node = node;
}

/* Selects by a boolean, or by a vector of equal booleans; otherwise component by component. */
static void choose(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrWalkValue *c = sr_walk_value(s, w->draw->epoch, id[0]);
  if (in->from_width != 1 && c->splat == SR_SPLAT_NO) {
    sr_walk_lanes(w, s, in, out);
  } else if (c->undefined) {
    put_undefined(out);
  } else {
    bool first = in->from_width == 1 ? c->a : c->splat == SR_SPLAT_TRUE;
    *out = *sr_walk_value(s, w->draw->epoch, id[first ? 1 : 2]);
    if (in->width == 1 && in->from_width == 1)
      note_logic(w, c, sr_walk_value(s, w->draw->epoch, id[first ? 2 : 1]), out);
  }
}

/* Does the value decide the operation regardless of the other operand? */
static bool decides(const SrWalkInst *in, const SrWalkValue *x) {
  return !x->undefined &&
         ((in->kind == SR_WALK_AND && x->a == 0) || (in->kind == SR_WALK_OR && x->a != 0));
}

static uint64_t extend(const SrWalkInst *in, uint64_t x) {
  if (in->kind == SR_WALK_SIGN_EXTEND)
    x = (uint64_t)sr_walk_signed(x, in->from_width);
  return x & sr_walk_mask(in->width);
}

static uint64_t binary(const SrWalkInst *in, uint64_t x, uint64_t y) {
  switch (in->kind) {
  case SR_WALK_ADD:
    return (x + y) & sr_walk_mask(in->width);
  case SR_WALK_SUB:
    return (x - y) & sr_walk_mask(in->width);
  case SR_WALK_AND:
    return x & y;
  case SR_WALK_OR:
    return x | y;
  default:
    return sr_walk_compare(in->kind, x, y, in->from_width);
  }
}

/* Sets a number, with its operands if a drawn number is among the values it was computed from. */
static void put_computed(SrWalk *w, const SrWalkInst *in, const SrWalkValue *x,
                         const SrWalkValue *y, uint64_t a, uint32_t visit, SrWalkValue *out) {
  uint32_t node = 0;
  if (visit && (x->node || y->node)) {
    SR_RESERVE(w->arena, &w->node, 1);
    node = w->node.count++;
    SrWalkNode *n = &w->node.at[node];
    n->x = x->a;
    n->y = y->a;
    n->x_node = x->node;
    n->y_node = y->node;
    n->kind = in->kind;
    n->width = in->width;
    n->from_width = in->from_width;
  }
  put(out, a, node, x->drawn || y->drawn);
}

static void learn(const SrWalk *w, const SrWalkInst *in, bool drawn) {
  uint8_t *learned = w->learned ? &w->learned[in - w->after.code->inst.at] : NULL;
  if (learned && *learned != SR_WALK_ADDED)
    *learned = drawn ? SR_WALK_COPIED : SR_WALK_ADDED;
}

/* Is the comparison treated as a copy? A transform may have added it, or it may be a copy of one
 * that the input has and this walk has drawn. If computing and drawing give the same result, it
 * makes no difference; otherwise the walk is doubtful. */
static bool is_copy(SrWalk *w, const SrWalkInst *in, uint64_t x, uint64_t y, uint64_t term) {
  const SrWalkDrawn *d = sr_walk_drawn(w->draw, term);
  learn(w, in, d);
  if (!d || d->number == binary(in, x, y))
    return false;
  w->doubtful = true;
  return w->as_copies;
}

/* The same for a walk that scouts, before the input is walked: a comparison that no walk has
 * reached is a copy if it depends on a number that was drawn. */
static bool seems_copy(const SrWalk *w, const SrWalkInst *in, bool drawn) {
  uint8_t learned = w->learned[in - w->before.code->inst.at];
  return learned == SR_WALK_UNKNOWN ? drawn : learned == SR_WALK_COPIED;
}

static bool is_mask(const SrWalk *w, const SrWalkInst *in, const SrWalkValue *x,
                    const SrWalkValue *y) {
  return w->draws_masks && in->kind == SR_WALK_AND && in->width > 1 && in->result < w->own_from &&
         (x->drawn || y->drawn);
}

/* Is the comparison or the mask drawn instead of computed? If so, *term is the term that it is
 * drawn for. */
static bool is_drawn(SrWalk *w, const SrWalkInst *in, const SrWalkValue *x, const SrWalkValue *y,
                     uint32_t visit, uint64_t *term) {
  if (is_mask(w, in, x, y)) {
    *term = sr_walk_mix(sr_walk_mix(sr_walk_mix(in->kind, in->width), x->a), y->a);
    return true;
  }
  if (w->comparisons == SR_WALK_COMPUTE_ALL || in->kind < SR_WALK_EQUAL || in->from_width == 1)
    return false;
  *term = sr_walk_mix(sr_walk_mix(sr_walk_mix(in->kind, in->from_width), x->a), y->a);
  if (w->comparisons == SR_WALK_COMPUTE_FIXED && !x->drawn && !y->drawn)
    return false;
  if (w->scouts && in->result >= w->own_from)
    return seems_copy(w, in, x->drawn || y->drawn);
  return visit || in->result < w->own_from || is_copy(w, in, x->a, y->a, *term);
}

static void unary(SrWalk *w, const SrWalkInst *in, const SrWalkValue *x, uint32_t visit,
                  SrWalkValue *out) {
  static const SrWalkValue none = {0};
  if (x->undefined)
    put_undefined(out);
  else
    put_computed(w, in, x, &none, in->kind == SR_WALK_NOT ? !x->a : extend(in, x->a), visit, out);
}

static void computed(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, uint32_t visit,
                     SrWalkValue *out) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrWalkValue *x = sr_walk_value(s, w->draw->epoch, id[0]);
  const SrWalkValue *y = sr_walk_value(s, w->draw->epoch, id[1]);
  uint64_t term;
  if (in->width == 1 && (decides(in, x) || decides(in, y)))
    put_computed(w, in, x, y, in->kind == SR_WALK_OR, visit, out);
  else if (x->undefined || y->undefined)
    put_undefined(out);
  else if (is_drawn(w, in, x, y, visit, &term))
    sr_walk_number(w, out, term, in->width, visit);
  else
    put_computed(w, in, x, y, binary(in, x->a, y->a), visit, out);
}

/* A variable's value is its address and initializer. */
static uint64_t place(const SrWalkInst *in, const SrWalkValue *initializer) {
  uint64_t h = sr_walk_mix(2, in->place);
  return in->count ? sr_walk_mix(h, initializer->a) : h;
}

/* ---- all ---- */

void sr_walk_compute(SrWalk *w, SrWalkSide *s, const SrWalkInst *in, uint32_t visit) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrWalkValue *x = in->count ? sr_walk_value(s, w->draw->epoch, id[0]) : &undefined;
  SrWalkValue *out = &s->value[in->result];
  switch (in->kind) {
  case SR_WALK_UNDEF:
    put_undefined(out);
    break;
  case SR_WALK_VARIABLE:
    if (in->own && in->count)
      s->own.at[in->own - 1] = *x; /* its initializer */
    put(out, place(in, x), 0, false);
    out->own = in->own;
    break;
  case SR_WALK_COPY:
    *out = *x;
    break;
  case SR_WALK_SELECT:
    choose(w, s, in, out);
    break;
  case SR_WALK_SPLAT:
    splat(w, s, in, out);
    break;
  case SR_WALK_PARTS:
    sr_walk_parts(w, s, in, out);
    break;
  case SR_WALK_LANES:
    sr_walk_lanes(w, s, in, out);
    break;
  case SR_WALK_PART:
    extract(w, s, in, visit, out);
    break;
  case SR_WALK_WIDEN:
    widen(s, in, x, out);
    break;
  case SR_WALK_NARROW:
    narrow(w, s, in, x, visit, out);
    break;
  case SR_WALK_READ:
    hashed(w, s, in, sr_walk_mix(in->hash, s->memory), visit, out);
    break;
  case SR_WALK_HASH:
    hashed(w, s, in, in->hash, visit, out);
    break;
  case SR_WALK_NOT:
  case SR_WALK_ZERO_EXTEND:
  case SR_WALK_SIGN_EXTEND:
    unary(w, in, x, visit, out);
    mark(w, s, in, out);
    break;
  default:
    computed(w, s, in, visit, out);
    mark(w, s, in, out);
    break;
  }
  out->epoch = w->draw->epoch;
}
