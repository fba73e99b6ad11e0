/* check_compute: see check_compute.h. An undefined operand makes the result undefined, but where
 * the other one decides, or a select leaves it aside. */
#include "check/check_compute.h"

#include <string.h>

static const SrCheckValue undefined = {.undefined = true};

SrCheckValue sr_check_number(SrCheckWalk *w, uint64_t term, unsigned width, uint32_t visit) {
  if (!visit)
    return (SrCheckValue){.a = sr_check_draw_again(w->draw, term, width), .drawn = true};
  SR_RESERVE(w->arena, &w->node, 1);
  uint32_t node = w->node.count++;
  w->node.at[node].term = term;
  w->node.at[node].kind = SR_CHECK_HASH;
  return (SrCheckValue){
      .a = sr_check_draw(w->draw, term, width, visit), .node = node, .drawn = true};
}

const SrCheckValue *sr_check_value(const SrCheckSide *s, uint32_t epoch, uint32_t id) {
  const SrCheckValue *v = &s->value[id];
  return v->epoch == epoch || v->epoch == SR_CHECK_ALWAYS ? v : &undefined;
}

bool sr_check_compare(SrCheckKind kind, uint64_t x, uint64_t y, unsigned width) {
  int64_t i = sr_check_signed(x, width), j = sr_check_signed(y, width);
  switch (kind) {
  case SR_CHECK_EQUAL:
    return x == y;
  case SR_CHECK_NOT_EQUAL:
    return x != y;
  case SR_CHECK_ULESS:
    return x < y;
  case SR_CHECK_ULESS_EQUAL:
    return x <= y;
  case SR_CHECK_SLESS:
    return i < j;
  case SR_CHECK_SLESS_EQUAL:
    return i <= j;
  case SR_CHECK_UGREATER:
    return x > y;
  case SR_CHECK_UGREATER_EQUAL:
    return x >= y;
  case SR_CHECK_SGREATER:
    return i > j;
  default:
    return i >= j;
  }
}

/* ---- uninterpreted ---- */

static SrCheckValue hashed(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in, uint64_t h,
                           uint32_t visit) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  for (uint32_t k = 0; k < in->count; k++) {
    const SrCheckValue *v = sr_check_value(s, w->draw->epoch, id[k]);
    if (v->undefined)
      return undefined;
    h = sr_check_mix(h, v->a);
  }
  return in->width ? sr_check_number(w, h, in->width, visit) : (SrCheckValue){.a = h};
}

/* There and back: a wide value remembers the narrow one, and the type it had. */
static uint64_t wide_hash(const SrCheckCode *code, const SrCheckInst *in, uint32_t wide_type,
                          uint32_t narrow_type, uint64_t narrow) {
  uint64_t h = sr_check_mix(5, sr_inst(code->c->m, in->source)->op);
  h = sr_check_mix(h, code->c->value[wide_type].a);
  return sr_check_mix(sr_check_mix(h, code->c->value[narrow_type].a), narrow);
}

static SrCheckValue widen(const SrCheckSide *s, const SrCheckInst *in, const SrCheckValue *x) {
  const SrModule *m = s->code->c->m;
  uint32_t from = sr_check_type_of(m, s->code->operand.at[in->operand]);
  return (SrCheckValue){.a = wide_hash(s->code, in, sr_inst(m, in->source)->type, from, x->a),
                        .narrow = x->a};
}

static SrCheckValue narrow(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                           const SrCheckValue *x, uint32_t visit) {
  const SrModule *m = s->code->c->m;
  uint32_t from = sr_check_type_of(m, s->code->operand.at[in->operand]);
  if (x->narrow && wide_hash(s->code, in, from, sr_inst(m, in->source)->type, x->narrow) == x->a)
    return (SrCheckValue){.a = x->narrow};
  return hashed(w, s, in, in->hash, visit);
}

/* ---- computed ---- */

static SrCheckValue splat(const SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  SrCheckValue v = *sr_check_value(s, w->draw->epoch, id[0]);
  uint64_t first = v.a;
  bool equal = in->from_width == 1;
  v.a = in->hash;
  v.node = 0;
  v.drawn = false;
  v.splat = SR_SPLAT_NO;
  for (uint32_t k = 0; k < in->count; k++) {
    const SrCheckValue *x = sr_check_value(s, w->draw->epoch, id[k]);
    v.undefined |= x->undefined;
    v.a = sr_check_mix(v.a, x->a);
    equal &= x->a == first;
  }
  if (equal)
    v.splat = first ? SR_SPLAT_TRUE : SR_SPLAT_FALSE;
  return v;
}

/* By a boolean, or by a vector of booleans that are all the same; else component by component. */
static SrCheckValue select(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                           uint32_t visit) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrCheckValue *c = sr_check_value(s, w->draw->epoch, id[0]);
  if (c->undefined)
    return undefined;
  if (in->from_width != 1 && c->splat == SR_SPLAT_NO)
    return hashed(w, s, in, in->hash, visit);
  bool first = in->from_width == 1 ? c->a : c->splat == SR_SPLAT_TRUE;
  return *sr_check_value(s, w->draw->epoch, id[first ? 1 : 2]);
}

/* The value that decides the operation whatever the other operand is. */
static bool decides(const SrCheckInst *in, const SrCheckValue *x) {
  return !x->undefined &&
         ((in->kind == SR_CHECK_AND && x->a == 0) || (in->kind == SR_CHECK_OR && x->a != 0));
}

static uint64_t extend(const SrCheckInst *in, uint64_t x) {
  if (in->kind == SR_CHECK_SIGN_EXTEND)
    x = (uint64_t)sr_check_signed(x, in->from_width);
  return x & sr_check_mask(in->width);
}

static uint64_t binary(const SrCheckInst *in, uint64_t x, uint64_t y) {
  switch (in->kind) {
  case SR_CHECK_ADD:
    return (x + y) & sr_check_mask(in->width);
  case SR_CHECK_SUB:
    return (x - y) & sr_check_mask(in->width);
  case SR_CHECK_AND:
    return x & y;
  case SR_CHECK_OR:
    return x | y;
  default:
    return sr_check_compare(in->kind, x, y, in->from_width);
  }
}

/* Notes what the number was computed from, if a drawn one is among it. */
static SrCheckValue noted(SrCheckWalk *w, const SrCheckInst *in, const SrCheckValue *x,
                          const SrCheckValue *y, uint64_t a, uint32_t visit) {
  SrCheckValue v = {.a = a, .drawn = x->drawn || y->drawn};
  if (visit && (x->node || y->node)) {
    SR_RESERVE(w->arena, &w->node, 1);
    v.node = w->node.count++;
    SrCheckNode *n = &w->node.at[v.node];
    n->x = x->a;
    n->y = y->a;
    n->x_node = x->node;
    n->y_node = y->node;
    n->kind = in->kind;
    n->width = in->width;
    n->from_width = in->from_width;
  }
  return v;
}

/* The comparison may be one of the transforms', or a copy of one that the input has and this walk
 * has drawn. Where both give the same it makes no difference; else it is noted. */
static bool is_copy(SrCheckWalk *w, const SrCheckInst *in, uint64_t x, uint64_t y, uint64_t term) {
  const SrCheckDrawn *d = sr_check_drawn(w->draw, term);
  if (!d || d->number == binary(in, x, y))
    return false;
  w->doubtful = true;
  return w->as_copies;
}

/* Is the comparison drawn, not computed? If so, for which term? */
static bool is_drawn(SrCheckWalk *w, const SrCheckInst *in, const SrCheckValue *x,
                     const SrCheckValue *y, uint32_t visit, uint64_t *term) {
  if (w->comparisons == SR_CHECK_COMPUTE_ALL || in->kind < SR_CHECK_EQUAL || in->from_width == 1)
    return false;
  *term = sr_check_mix(sr_check_mix(sr_check_mix(in->kind, in->from_width), x->a), y->a);
  if (w->comparisons == SR_CHECK_COMPUTE_FIXED)
    return x->drawn || y->drawn;
  return visit || in->result < w->own_from || is_copy(w, in, x->a, y->a, *term);
}

static SrCheckValue computed(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in,
                             uint32_t visit) {
  static const SrCheckValue none = {0};
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrCheckValue *x = sr_check_value(s, w->draw->epoch, id[0]);
  if (in->kind == SR_CHECK_NOT)
    return x->undefined ? undefined : noted(w, in, x, &none, !x->a, visit);
  if (in->kind == SR_CHECK_ZERO_EXTEND || in->kind == SR_CHECK_SIGN_EXTEND)
    return x->undefined ? undefined : noted(w, in, x, &none, extend(in, x->a), visit);
  const SrCheckValue *y = sr_check_value(s, w->draw->epoch, id[1]);
  if (in->width == 1 && (decides(in, x) || decides(in, y)))
    return noted(w, in, x, y, in->kind == SR_CHECK_OR, visit);
  if (x->undefined || y->undefined)
    return undefined;
  uint64_t term;
  if (is_drawn(w, in, x, y, visit, &term))
    return sr_check_number(w, term, 1, visit);
  return noted(w, in, x, y, binary(in, x->a, y->a), visit);
}

/* ---- all ---- */

static SrCheckValue value_of(SrCheckWalk *w, SrCheckSide *s, const SrCheckInst *in,
                             uint32_t visit) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrCheckValue *x = in->count ? sr_check_value(s, w->draw->epoch, id[0]) : &undefined;
  switch (in->kind) {
  case SR_CHECK_UNDEF:
    return undefined;
  case SR_CHECK_VARIABLE:
    return (SrCheckValue){.a = sr_check_mix(2, in->result)};
  case SR_CHECK_COPY:
    return *x;
  case SR_CHECK_OWN_LOAD: /* the variable's id holds what was stored last */
    return *x;
  case SR_CHECK_SELECT:
    return select(w, s, in, visit);
  case SR_CHECK_SPLAT:
    return splat(w, s, in);
  case SR_CHECK_WIDEN:
    return x->undefined ? undefined : widen(s, in, x);
  case SR_CHECK_NARROW:
    return narrow(w, s, in, x, visit);
  case SR_CHECK_READ:
    return hashed(w, s, in, sr_check_mix(in->hash, s->memory), visit);
  case SR_CHECK_HASH:
    return hashed(w, s, in, in->hash, visit);
  default:
    return computed(w, s, in, visit);
  }
}

void sr_check_compute(SrCheckWalk *w, SrCheckSide *s, const SrCheckInst *in, uint32_t visit) {
  uint32_t to = in->result;
  SrCheckValue v;
  if (in->kind == SR_CHECK_OWN_STORE) {
    const uint32_t *id = &s->code->operand.at[in->operand];
    v = *sr_check_value(s, w->draw->epoch, id[1]);
    to = id[0];
  } else {
    v = value_of(w, s, in, visit);
  }
  SrCheckValue *out = &s->value[to];
  out->a = v.a; /* field by field: a copy of the whole would wait for the fields just written */
  out->narrow = v.narrow;
  out->epoch = w->draw->epoch;
  out->node = v.node;
  out->drawn = v.drawn;
  out->undefined = v.undefined;
  out->splat = v.splat;
}
