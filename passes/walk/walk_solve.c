/* SPDX-License-Identifier: Apache-2.0 */
/* walk_solve: see walk_solve.h. Follows a number back through the nodes from which it was
 * computed. The steps are bounded: nodes may be shared, and a sum may span many iterations of a
 * loop. */
#include "passes/walk/walk_solve.h"
#include "passes/walk/walk_compute.h"

enum { MOST_STEPS = 64, TRIES = 8 };

typedef struct Solve {
  const SrWalk *w;
  SrWalkTargets *targets;
  uint32_t steps;
  uint64_t random;
} Solve;

static bool number(Solve *k, uint32_t node, uint64_t has, uint64_t wanted);

static bool set_target(Solve *k, uint64_t term, uint64_t n) {
  SrWalkTargets *x = k->targets;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->term[i] == term)
      return x->number[i] == n;
  if (x->count == SR_WALK_MOST_TARGETS)
    return false;
  x->term[x->count] = term;
  x->number[x->count++] = n;
  return true;
}

static bool left(Solve *k, const SrWalkNode *n, uint64_t wanted) {
  return number(k, n->x_node, n->x, wanted);
}

static bool right(Solve *k, const SrWalkNode *n, uint64_t wanted) {
  return number(k, n->y_node, n->y, wanted);
}

/* Is the left operand tried first? On some walks it is, on others the right one. */
static bool is_left_first(Solve *k) {
  k->random = k->random << 63 | k->random >> 1;
  return k->random & 1;
}

/* Solves for one operand. If that fails, drops the targets of this attempt and solves for the other
 * operand. */
static bool either(Solve *k, const SrWalkNode *n, uint64_t x, uint64_t y) {
  uint32_t count = k->targets->count;
  bool left_first = is_left_first(k);
  if (left_first ? left(k, n, x) : right(k, n, y))
    return true;
  k->targets->count = count;
  return left_first ? right(k, n, y) : left(k, n, x);
}

/* Finds a number whose comparison with `other`, its right or left operand, has the desired result;
 * false if there is none. */
static bool side_of(const SrWalkNode *n, uint64_t other, bool is_right, bool wanted,
                    uint64_t *found) {
  uint64_t mask = sr_walk_mask(n->from_width);
  const uint64_t candidate[] = {other, (other - 1) & mask, (other + 1) & mask};
  for (int i = 0; i < 3; i++) {
    *found = candidate[i];
    uint64_t x = is_right ? *found : other, y = is_right ? other : *found;
    if (sr_walk_compare((SrWalkKind)n->kind, x, y, n->from_width) == wanted)
      return true;
  }
  return false;
}

static bool comparison(Solve *k, const SrWalkNode *n, bool wanted) {
  uint64_t found;
  uint32_t count = k->targets->count;
  if (side_of(n, n->y, true, wanted, &found) && left(k, n, found))
    return true;
  k->targets->count = count;
  return side_of(n, n->x, false, wanted, &found) && right(k, n, found);
}

/* AND: for true both operands must be true, for false one must be false. OR: the reverse. */
static bool logic(Solve *k, const SrWalkNode *n, uint64_t wanted) {
  bool both = n->width == 1 && (n->kind == SR_WALK_AND) == (wanted != 0);
  return both ? left(k, n, wanted) && right(k, n, wanted) : either(k, n, wanted, wanted);
}

/* Are the operands one drawn number? */
static bool is_doubled(const Solve *k, const SrWalkNode *n) {
  const SrWalkNode *x = &k->w->node.at[n->x_node], *y = &k->w->node.at[n->y_node];
  return n->x_node && n->y_node && x->kind == SR_WALK_HASH && y->kind == SR_WALK_HASH &&
         x->term == y->term;
}

/* Half of an odd number modulo 2^n does not exist. */
static bool sum(Solve *k, const SrWalkNode *n, uint64_t wanted) {
  uint64_t mask = sr_walk_mask(n->width);
  if (is_doubled(k, n))
    return wanted % 2 == 0 && left(k, n, wanted / 2);
  return either(k, n, (wanted - n->y) & mask, (wanted - n->x) & mask);
}

static bool computed(Solve *k, const SrWalkNode *n, uint64_t wanted) {
  uint64_t mask = sr_walk_mask(n->width);
  switch (n->kind) {
  case SR_WALK_NOT:
    return left(k, n, !wanted);
  case SR_WALK_ADD:
    return sum(k, n, wanted);
  case SR_WALK_SUB:
    return either(k, n, (wanted + n->y) & mask, (n->x - wanted) & mask);
  case SR_WALK_AND:
  case SR_WALK_OR:
    return logic(k, n, wanted);
  case SR_WALK_ZERO_EXTEND:
  case SR_WALK_SIGN_EXTEND:
    return left(k, n, wanted & sr_walk_mask(n->from_width));
  default:
    return comparison(k, n, wanted);
  }
}

static bool number(Solve *k, uint32_t node, uint64_t has, uint64_t wanted) {
  if (has == wanted)
    return true;
  if (node == 0 || k->steps == MOST_STEPS)
    return false;
  const SrWalkNode *n = &k->w->node.at[node];
  k->steps++;
  if (n->kind == SR_WALK_HASH)
    return set_target(k, n->term, wanted);
  return computed(k, n, wanted);
}

/* Finds a number that is not a case. */
static bool other_number(const SrWalkCode *code, const SrWalkBlock *b, uint64_t random,
                         uint64_t *n) {
  uint64_t mask = sr_walk_mask(b->choice_width), last = b->edge + b->edge_count;
  *n = b->edge_count > 1 ? (code->edge.at[last - 1].literal + 1) & mask : 0;
  for (int i = 0; i < TRIES; i++, *n = sr_walk_mix(random, *n) & mask)
    if (sr_walk_case(code, b, *n) == b->edge)
      return true;
  return false;
}

bool sr_walk_solve(const SrWalk *w, uint32_t edge, uint64_t random, SrWalkTargets *targets) {
  const SrWalkCode *code = w->before.code;
  const SrWalkBlock *b = &code->block.at[code->edge.at[edge].from];
  const SrWalkValue *choice = sr_walk_value(&w->before, w->draw->epoch, b->choice);
  Solve k = {.w = w, .targets = targets, .random = random};
  targets->count = 0;
  if (b->end == SR_WALK_BRANCH)
    return number(&k, choice->node, choice->a, edge == b->edge);
  uint64_t n = code->edge.at[edge].literal;
  if (edge == b->edge && !other_number(code, b, random, &n))
    return false;
  return number(&k, choice->node, choice->a, n);
}
