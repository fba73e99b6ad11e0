/* SPDX-License-Identifier: Apache-2.0 */
/* control: the branches of a generated function.
 *
 * Termination. Once the fuel is used up, a branch with CONTROL_FUEL takes its exit slot, an edge
 * that leads nearer to a leaf; other branches keep all their edges. These edges form the *dry
 * graph*. A branch may be FREE if no path of the dry graph returns to it. It may be a COUNTER if
 * every such path stays among the blocks that it dominates: the counter restarts only when control
 * comes from outside of them, so on a cycle of the dry graph the counter that was created last runs
 * out and breaks the cycle there; and so on for the other counters. Both tests are searches of the
 * dry graph, tried for a bounded number of branches. Only free branches and counters can have
 * uniform conditions: fuel is memory, which no analysis proves uniform. */
#include "tests/equiv/gen/body.h"

#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 24, COUNTERS = 3 };

typedef struct Search {
  bool *seen;
  uint32_t *stack, depth;
} Search;

/* Can a run take more than one edge of the block? */
static bool is_choice(const GraphBlock *k) {
  return k->term == GRAPH_SWITCH || (k->term == GRAPH_COND && !k->never);
}

static bool dry_edge(const Body *b, uint32_t block, uint32_t slot, uint32_t open) {
  const GraphBlock *k = &b->g->block[block];
  if (graph_never(k, slot))
    return false;
  bool bound = is_choice(k) && b->control[block] == CONTROL_FUEL;
  return !bound || block == open || slot == b->f.exit_slot[block];
}

static void push(Search *s, uint32_t block) {
  if (s->seen[block])
    return;
  s->seen[block] = true;
  s->stack[s->depth++] = block;
}

/* Marks the blocks that those on the stack reach in the dry graph, in which `open` has all its
 * edges. */
static void spread(const Body *b, Search *s, uint32_t open) {
  while (s->depth) {
    uint32_t block = s->stack[--s->depth];
    for (uint32_t k = 0; k < b->g->block[block].count; k++)
      if (dry_edge(b, block, k, open))
        push(s, b->g->block[block].succ[k]);
  }
}

static void push_successors(const Body *b, Search *s, uint32_t block) {
  for (uint32_t k = 0; k < b->g->block[block].count; k++)
    push(s, b->g->block[block].succ[k]);
}

static bool comes_back(const Body *b, Search *s, uint32_t block) {
  memset(s->seen, 0, b->g->count);
  push_successors(b, s, block);
  spread(b, s, block);
  return s->seen[block];
}

/* After comes_back: does a path leave the blocks that `block` dominates and return? */
static bool comes_back_from_outside(const Body *b, Search *s, uint32_t block) {
  bool *reached = emit_resize(NULL, b->g->count);
  memcpy(reached, s->seen, b->g->count);
  memset(s->seen, 0, b->g->count);
  for (uint32_t k = 0; k < b->g->count; k++)
    if (reached[k] && !graph_dominates(&b->f, block, k))
      push(s, k);
  spread(b, s, block);
  free(reached);
  return s->seen[block];
}

static void make_counter(Body *b, uint32_t block) {
  Phi *p = body_phi(b, block, KIND_U32);
  p->step = emit_id(&b->w->m);
  b->control[block] = CONTROL_COUNTER;
}

/* The block may be free if no path of the dry graph returns to it, else a counter. */
static void classify(Body *b, Search *s, uint32_t k, uint32_t *counters) {
  if (!is_choice(&b->g->block[k]) || b->control[k] != CONTROL_FUEL ||
      b->g->block[k].twin != GRAPH_NONE)
    return;
  if (!comes_back(b, s, k)) {
    b->control[k] = CONTROL_FREE;
  } else if (!b->w->plain && *counters < COUNTERS && b->g->block[k].term == GRAPH_COND &&
             !comes_back_from_outside(b, s, k)) {
    make_counter(b, k);
    (*counters)++;
  }
}

/* Copies have the same branches as their sources: if one needs fuel, all do. */
static void bind_twins(Body *b) {
  bool *bound = emit_resize(NULL, b->g->count);
  memset(bound, 0, b->g->count);
  for (uint32_t k = 0; k < b->g->count; k++)
    if (b->g->block[k].twin != GRAPH_NONE && b->control[k] == CONTROL_FUEL)
      bound[b->g->block[k].twin] = true;
  for (uint32_t k = 0; k < b->g->count; k++)
    if (b->g->block[k].twin != GRAPH_NONE && bound[b->g->block[k].twin] &&
        b->f.exit_slot[k] != GRAPH_NONE)
      b->control[k] = CONTROL_FUEL;
  free(bound);
}

void body_classify(Body *b) {
  uint32_t n = b->g->count, counters = 0;
  Search s = {emit_resize(NULL, n), emit_resize(NULL, n * sizeof(uint32_t)), 0};
  for (uint32_t k = 0; k < n; k++)
    b->control[k] = b->f.cyclic[k] && b->f.exit_slot[k] != GRAPH_NONE ? CONTROL_FUEL : CONTROL_FREE;
  bind_twins(b);
  for (uint32_t k = 0, tries = 0; k < n && tries < TRIES; k++)
    if (b->g->block[k].carry != GRAPH_NONE && ++tries)
      classify(b, &s, k, &counters);
  for (uint32_t t = 0; t < TRIES; t++)
    classify(b, &s, b->f.rpo[rng_below(&b->w->rng, b->f.rpo_count)], &counters);
  free(s.seen);
  free(s.stack);
}

static uint32_t number(Body *b, uint32_t value) {
  return world_constant(b->w, value);
}

static uint32_t boolean(Body *b, uint32_t opcode, uint32_t x, uint32_t y) {
  return body_result(b, opcode, b->w->t_bool, x, y);
}

uint32_t body_burn(Body *b) {
  World *w = b->w;
  uint32_t f = body_load(b, w->t_u32, b->fuel);
  uint32_t empty = boolean(b, SpvOpIEqual, f, number(b, 0)), less = emit_id(&w->m);
  uint32_t spent = body_result(b, SpvOpISub, w->t_u32, f, number(b, 1));
  EMIT(&b->words, SpvOpSelect, w->t_u32, less, empty, number(b, 0), spent);
  EMIT(&b->words, SpvOpStore, b->fuel, less);
  return empty;
}

bool body_wants_uniform(Body *b) {
  return b->control[b->now] == CONTROL_FREE && rng_percent(&b->w->rng, 40);
}

uint32_t body_subject(Body *b, bool uniform) {
  if (b->w->plain)
    return uniform ? body_uniform(b) : body_load(b, b->w->t_u32, b->state);
  return uniform ? b->uniform[rng_below(&b->w->rng, 2)] : body_pick(b, b->now, KIND_U32);
}

/* A phi of the block, which is known to lanes that come by some edges. */
static uint32_t steering_phi(Body *b) {
  Phi *p = body_phi(b, b->now, KIND_BOOL);
  p->constant[0] = b->w->c_true;
  p->constant[1] = b->w->c_false;
  p->constants = 2;
  p->steers = true;
  return p->id;
}

static uint32_t random_condition(Body *b) {
  World *w = b->w;
  if (w->rich.on && rng_percent(&w->rng, 15))
    return places_test_flag(b);
  if (w->steers && b->pred_at[b->now + 1] - b->pred_at[b->now] > 1 && rng_percent(&w->rng, 50))
    return steering_phi(b);
  if (b->w->wide && rng_percent(&w->rng, b->g->block[b->now].bare ? 70 : 10))
    return body_test(b);
  bool uniform = body_wants_uniform(b);
  if (!uniform && !w->plain && rng_percent(&w->rng, 30))
    return body_pick(b, b->now, KIND_BOOL);
  uint32_t x = body_subject(b, uniform), by = number(b, rng_below(&w->rng, 31));
  uint32_t bits = body_result(b, SpvOpShiftRightLogical, w->t_u32, x, by);
  bits =
      body_result(b, SpvOpBitwiseAnd, w->t_u32, bits, number(b, rng_percent(&w->rng, 60) ? 1 : 3));
  return boolean(b, rng_percent(&w->rng, 50) ? SpvOpIEqual : SpvOpINotEqual, bits, number(b, 0));
}

static uint32_t inverted(Body *b, uint32_t condition) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpLogicalNot, b->w->t_bool, id, condition);
  return id;
}

/* A condition that is never, or always, true at run time. */
static uint32_t known_condition(Body *b, bool always) {
  uint32_t x = body_result(b, SpvOpBitwiseAnd, b->w->t_u32, body_subject(b, false), number(b, 7));
  return boolean(b, always ? SpvOpULessThan : SpvOpUGreaterThan, x, number(b, 8));
}

static uint32_t fuel_condition(Body *b, uint32_t slot) {
  uint32_t condition = random_condition(b), empty = body_burn(b);
  if (slot == 0)
    return boolean(b, SpvOpLogicalOr, condition, empty);
  return boolean(b, SpvOpLogicalAnd, condition, inverted(b, empty));
}

static uint32_t counter_condition(Body *b, uint32_t slot) {
  World *w = b->w;
  const Phi *p = b->phi;
  while (p->block != b->now || !p->step)
    p++;
  uint32_t bound = body_result(b, SpvOpBitwiseAnd, w->t_u32, body_uniform(b), number(b, 3));
  EMIT(&b->words, SpvOpIAdd, w->t_u32, p->step, p->id, number(b, 1));
  return boolean(b, slot == 0 ? SpvOpUGreaterThanEqual : SpvOpULessThan, p->id, bound);
}

static uint32_t condition(Body *b) {
  const GraphBlock *k = &b->g->block[b->now];
  uint32_t slot = b->f.exit_slot[b->now];
  if (b->f.rank[b->now] == GRAPH_NONE)
    return b->w->c_true;
  if (k->never)
    return known_condition(b, graph_never(k, 1));
  if (b->control[b->now] == CONTROL_FUEL)
    return fuel_condition(b, slot);
  if (b->control[b->now] == CONTROL_COUNTER)
    return counter_condition(b, slot);
  return random_condition(b);
}

void body_merge(Body *b) {
  const GraphBlock *k = &b->g->block[b->now];
  Rng *r = &b->w->rng;
  if (!b->w->merges || k->merge == GRAPH_NONE)
    return;
  if (k->cont == GRAPH_NONE)
    EMIT(&b->words, SpvOpSelectionMerge, b->label[k->merge],
         rng_percent(r, 80) ? 0 : rng_range(r, 1, 2));
  else if (b->w->rich.on && rng_percent(r, 50))
    rich_loop_merge(b, b->label[k->merge], b->label[k->cont]);
  else
    EMIT(&b->words, SpvOpLoopMerge, b->label[k->merge], b->label[k->cont],
         rng_percent(r, 80) ? 0 : rng_range(r, 1, 2));
}

static void leave(Body *b) {
  World *w = b->w;
  uint32_t state = body_load(b, w->t_u32, b->state);
  bool killed = w->rich.fragment && rng_percent(&w->rng, 30);
  if (!b->is_main && killed) {
    rich_kill(b);
    return;
  }
  if (!b->is_main) {
    EMIT(&b->words, SpvOpReturnValue, state);
    return;
  }
  uint32_t gid = body_invocation(b), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpAccessChain, w->p_buffer_u32, id, w->v_out, number(b, 0), gid, number(b, 0));
  EMIT(&b->words, SpvOpStore, id, state);
  if (killed)
    rich_kill(b);
  else
    emit_op(&b->words, SpvOpReturn, 0, NULL);
}

void body_terminator(Body *b) {
  const GraphBlock *k = &b->g->block[b->now];
  if (k->term == GRAPH_RETURN) {
    leave(b);
  } else if (k->term == GRAPH_UNREACHABLE) {
    emit_op(&b->words, SpvOpUnreachable, 0, NULL);
  } else if (k->term == GRAPH_BRANCH) {
    body_merge(b);
    EMIT(&b->words, SpvOpBranch, b->label[k->succ[0]]);
  } else if (k->term == GRAPH_COND) {
    uint32_t c = condition(b);
    body_merge(b);
    EMIT(&b->words, SpvOpBranchConditional, c, b->label[k->succ[0]], b->label[k->succ[1]]);
  } else {
    Switch s = body_switch(b);
    body_merge(b);
    body_switch_words(b, &s);
  }
}
