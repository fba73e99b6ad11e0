/* check_solve: see check_solve.h. Goes from a value to the instructions that computed it. Their
 * operands still have the values they had then: a definition dominates what is computed of it, so
 * that if a lane comes to the one again, it comes to the other again, too. Depth is bounded. */
#include "check/check_solve.h"
#include "check/check_compute.h"

enum { DEEPEST = 12, TRIES = 8 };

typedef struct Solve {
  const SrCheckWalk *w;
  const SrCheckSide *s;
  SrCheckWishes *wishes;
  uint32_t depth;
} Solve;

static bool number(Solve *k, uint32_t id, uint64_t wanted);

static const SrCheckValue *value(const Solve *k, uint32_t id) {
  return sr_check_value(k->s, k->w->draw->epoch, id);
}

static bool wish(Solve *k, uint64_t term, uint64_t n) {
  SrCheckWishes *x = k->wishes;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->term[i] == term)
      return x->number[i] == n;
  if (x->count == SR_CHECK_MOST_WISHES)
    return false;
  x->term[x->count] = term;
  x->number[x->count++] = n;
  return true;
}

/* The one or the other; what the first wished for in vain is forgotten. */
static bool either(Solve *k, uint32_t id, uint64_t n, uint32_t other, uint64_t other_n) {
  uint32_t count = k->wishes->count;
  if (number(k, id, n))
    return true;
  k->wishes->count = count;
  return number(k, other, other_n);
}

/* A number x for which the comparison with y is as wanted; false where there is none. */
static bool left_side(const SrCheckInst *in, uint64_t y, bool wanted, uint64_t *x) {
  uint64_t mask = sr_check_mask(in->from_width);
  const uint64_t candidate[] = {y, (y - 1) & mask, (y + 1) & mask};
  for (int i = 0; i < 3; i++) {
    *x = candidate[i];
    if (sr_check_compare((SrCheckKind)in->kind, *x, y, in->from_width) == wanted)
      return true;
  }
  return false;
}

static bool right_side(const SrCheckInst *in, uint64_t x, bool wanted, uint64_t *y) {
  uint64_t mask = sr_check_mask(in->from_width);
  const uint64_t candidate[] = {x, (x - 1) & mask, (x + 1) & mask};
  for (int i = 0; i < 3; i++) {
    *y = candidate[i];
    if (sr_check_compare((SrCheckKind)in->kind, x, *y, in->from_width) == wanted)
      return true;
  }
  return false;
}

static bool comparison(Solve *k, const SrCheckInst *in, const uint32_t *id, bool wanted) {
  uint64_t n;
  uint32_t count = k->wishes->count;
  if (left_side(in, value(k, id[1])->a, wanted, &n) && number(k, id[0], n))
    return true;
  k->wishes->count = count;
  return right_side(in, value(k, id[0])->a, wanted, &n) && number(k, id[1], n);
}

/* AND: all ones take both operands; a zero one of them. OR is the mirror. */
static bool logic(Solve *k, const SrCheckInst *in, const uint32_t *id, uint64_t wanted) {
  bool both = (in->kind == SR_CHECK_AND) == (wanted != 0);
  if (in->width != 1)
    return either(k, id[0], wanted, id[1], wanted);
  return both ? number(k, id[0], wanted) && number(k, id[1], wanted)
              : either(k, id[0], wanted, id[1], wanted);
}

static bool selected(Solve *k, const uint32_t *id, uint64_t wanted) {
  const SrCheckValue *c = value(k, id[0]);
  const SrCheckValue *other = value(k, id[c->a ? 2 : 1]);
  if (!other->undefined && other->a == wanted)
    return either(k, id[0], !c->a, id[c->a ? 1 : 2], wanted);
  return number(k, id[c->a ? 1 : 2], wanted);
}

static bool computed(Solve *k, const SrCheckInst *in, uint64_t wanted) {
  const uint32_t *id = &k->s->code->operand.at[in->operand];
  uint64_t x = value(k, id[0])->a, y = in->count > 1 ? value(k, id[1])->a : 0;
  uint64_t mask = sr_check_mask(in->width);
  switch (in->kind) {
  case SR_CHECK_COPY:
    return number(k, id[0], wanted);
  case SR_CHECK_NOT:
    return number(k, id[0], !wanted);
  case SR_CHECK_ADD:
    return either(k, id[0], (wanted - y) & mask, id[1], (wanted - x) & mask);
  case SR_CHECK_SUB:
    return either(k, id[0], (wanted + y) & mask, id[1], (x - wanted) & mask);
  case SR_CHECK_AND:
  case SR_CHECK_OR:
    return logic(k, in, id, wanted);
  case SR_CHECK_SELECT:
    return selected(k, id, wanted);
  case SR_CHECK_ZERO_EXTEND:
  case SR_CHECK_SIGN_EXTEND:
    return number(k, id[0], wanted & sr_check_mask(in->from_width));
  default:
    return in->kind >= SR_CHECK_EQUAL && comparison(k, in, id, wanted);
  }
}

/* What a phi took over keeps its term; of what it took over computed, nothing is known. */
static bool number(Solve *k, uint32_t id, uint64_t wanted) {
  const SrCheckValue *v = value(k, id);
  if (v->undefined)
    return false;
  if (v->a == wanted)
    return true;
  if (v->term)
    return wish(k, v->term, wanted);
  uint32_t i = k->s->code->inst_of[id];
  if (i == SR_NONE || k->depth == DEEPEST)
    return false;
  k->depth++;
  bool done = computed(k, &k->s->code->inst.at[i], wanted);
  k->depth--;
  return done;
}

/* A number that no case has. */
static bool other_number(const SrCheckCode *code, const SrCheckBlock *b, uint64_t random,
                         uint64_t *n) {
  uint64_t mask = sr_check_mask(b->choice_width), last = b->edge + b->edge_count;
  *n = b->edge_count > 1 ? (code->edge.at[last - 1].literal + 1) & mask : 0;
  for (int i = 0; i < TRIES; i++, *n = sr_check_mix(random, *n) & mask) {
    bool taken = false;
    for (uint32_t e = b->edge + 1; e < last && !taken; e++)
      taken = code->edge.at[e].literal == *n;
    if (!taken)
      return true;
  }
  return false;
}

bool sr_check_solve(const SrCheckWalk *w, uint32_t edge, uint64_t random, SrCheckWishes *wishes) {
  const SrCheckCode *code = w->before.code;
  const SrCheckBlock *b = &code->block.at[code->edge.at[edge].from];
  Solve k = {.w = w, .s = &w->before, .wishes = wishes};
  wishes->count = 0;
  if (b->end == SR_CHECK_BRANCH)
    return number(&k, b->choice, edge == b->edge);
  uint64_t n = code->edge.at[edge].literal;
  if (edge == b->edge && !other_number(code, b, random, &n))
    return false;
  return number(&k, b->choice, n);
}
