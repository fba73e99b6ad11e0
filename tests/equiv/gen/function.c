/* SPDX-License-Identifier: Apache-2.0 */
/* function: writes one generated function over a given graph: variables, blocks in reverse
 * post-order, phis; then puts the blocks in an order in which dominators come first. */
#include "tests/equiv/gen/body.h"

#include "tests/equiv/gen/kernel.h"
#include "tests/equiv/gen/rich.h"
#include "tests/equiv/gen/twin.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *numbers(uint32_t n) {
  return emit_resize(NULL, n * sizeof(uint32_t));
}

static bool seen_before(const GraphBlock *k, uint32_t slot) {
  for (uint32_t s = 0; s < slot; s++)
    if (k->succ[s] == k->succ[slot])
      return true;
  return false;
}

static void find_preds(Body *b) {
  const Graph *g = b->g;
  uint32_t *first = numbers(g->count + 2), *from = numbers(graph_edges(g) + 1);
  memset(first, 0, (g->count + 2) * sizeof *first);
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t s = 0; s < g->block[k].count; s++)
      first[g->block[k].succ[s] + 2] += !seen_before(&g->block[k], s);
  for (uint32_t k = 2; k <= g->count + 1; k++)
    first[k] += first[k - 1];
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t s = 0; s < g->block[k].count; s++)
      if (!seen_before(&g->block[k], s))
        from[first[g->block[k].succ[s] + 1]++] = k;
  b->pred_at = first;
  b->pred = from;
}

static void begin(Body *b) {
  uint32_t n = b->g->count;
  graph_facts(b->g, &b->f);
  b->label = numbers(n);
  b->value_first = numbers(n);
  b->value_last = numbers(n);
  b->control = emit_resize(NULL, n * sizeof *b->control);
  b->start = emit_resize(NULL, n * sizeof *b->start);
  b->tail = emit_resize(NULL, n * sizeof *b->tail);
  b->end = emit_resize(NULL, n * sizeof *b->end);
  b->twins = twin_begin(b->g);
  find_preds(b);
  for (uint32_t k = 0; k < n; k++) {
    b->label[k] = emit_id(&b->w->m);
    if (rng_percent(&b->w->rng, 3))
      world_name(b->w, b->label[k], "block");
  }
}

static void end(Body *b) {
  graph_facts_free(&b->f);
  free(b->label);
  free(b->value_first);
  free(b->value_last);
  free(b->control);
  free(b->start);
  free(b->tail);
  free(b->end);
  free(b->passed);
  twin_end(b->twins);
  free(b->pred_at);
  free(b->pred);
  free(b->operands.data);
  free(b->value);
  free(b->phi);
  free(b->words.data);
}

static uint32_t local(Body *b, uint32_t type, uint32_t initial) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpVariable, type, id, SpvStorageClassFunction, initial);
  return id;
}

/* Enough fuel to reach most of the graph, but not so much that runs are long. */
static uint32_t fuel_amount(Body *b) {
  return 8 + rng_below(&b->w->rng, 2 * b->g->count + 8);
}

static void variables(Body *b) {
  World *w = b->w;
  if (!w->plain) {
    b->locals = local(b, w->p_local_locals, w->c_locals);
    b->aggregate = local(b, w->p_local_struct, w->c_struct);
  }
  if (w->rich.on) {
    b->vector = local(b, w->rich.p_local_vec, w->c_vec);
    b->idle = local(b, w->rich.p_local_vec, w->c_vec);
    b->flag = local(b, w->p_local_u32, world_constant(w, rng_below(&w->rng, 3)));
  }
  if (w->calls)
    body_passed_variables(b);
  if (!b->is_main)
    return;
  b->state = local(b, w->p_local_u32, world_fresh_constant(w));
  b->fuel = local(b, w->p_local_u32, world_constant(w, fuel_amount(b)));
  world_name(w, b->state, "state");
  world_name(w, b->fuel, "fuel");
}

/* The lanes that run the block together, as a number. */
static uint32_t ballot(Body *b) {
  World *w = b->w;
  uint32_t scope = world_constant(w, SpvScopeSubgroup), set = emit_id(&w->m), sum = w->small[0];
  EMIT(&b->words, SpvOpGroupNonUniformBallot, w->t_vec, set, scope, w->c_true);
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t part = emit_id(&w->m);
    EMIT(&b->words, SpvOpCompositeExtract, w->t_u32, part, set, k);
    sum = body_result(b, SpvOpIMul, w->t_u32, sum, world_constant(w, 0x01000193));
    sum = body_result(b, SpvOpBitwiseXor, w->t_u32, sum, part);
  }
  return sum;
}

/* Adds most of the block's phis to the state, so that an error in one changes the result. */
static uint32_t add_phis(Body *b, uint32_t sum) {
  for (uint32_t k = 0; k < b->phi_count; k++) {
    Phi p = b->phi[k];
    if (p.block == b->now && !p.step && rng_percent(&b->w->rng, 70))
      sum = body_result(b, SpvOpIAdd, b->w->t_u32, sum, body_observe(b, p.kind, p.id));
  }
  return sum;
}

/* Does the block follow one that is on a cycle? */
static bool is_exit(const Body *b, uint32_t block) {
  bool any = false;
  for (uint32_t k = b->pred_at[block]; k < b->pred_at[block + 1]; k++)
    any |= b->f.cyclic[b->pred[k]];
  return any;
}

/* Draws the block of the only ballot: one in no cycle; where lanes leave a loop, more often. */
static uint32_t draw_ballot(Body *b) {
  uint32_t count = 0, *found = numbers(b->f.rpo_count + 1), drawn = GRAPH_NONE;
  bool exits = rng_percent(&b->w->rng, 70);
  for (uint32_t k = 0; k < b->f.rpo_count; k++) {
    uint32_t block = b->f.rpo[k];
    if (!b->f.cyclic[block] && (!exits || is_exit(b, block)))
      found[count++] = block;
  }
  if (b->is_main && count)
    drawn = found[rng_below(&b->w->rng, count)];
  free(found);
  return drawn;
}

static bool has_ballot(Body *b) {
  const World *w = b->w;
  if (!w->ballots || w->single)
    return w->ballots && b->now == b->ballot;
  return !w->sparse || rng_percent(&b->w->rng, 33);
}

/* state = (state * odd + value) ^ a constant of this block. */
static void fold_state(Body *b, bool reachable) {
  World *w = b->w;
  uint32_t s = body_load(b, w->t_u32, b->state);
  uint32_t more = world_fresh_constant(w);
  s = body_result(b, SpvOpIMul, w->t_u32, s, world_fresh_constant(w));
  if (reachable && !w->plain)
    more = add_phis(b, body_pick(b, b->now, KIND_U32));
  s = body_result(b, SpvOpIAdd, w->t_u32, s, more);
  if (has_ballot(b))
    s = body_result(b, SpvOpIAdd, w->t_u32, s, ballot(b));
  s = body_result(b, SpvOpBitwiseXor, w->t_u32, s, world_fresh_constant(w));
  EMIT(&b->words, SpvOpStore, b->state, s);
}

/* The trace: stores a constant of this block through a pointer that may be defined far away. */
static void store_mark(Body *b, bool reachable) {
  World *w = b->w;
  if (w->plain || !reachable) {
    EMIT(&b->words, SpvOpStore, b->state, world_fresh_constant(w));
    return;
  }
  Kind k = rng_percent(&w->rng, 50) ? KIND_U32_PTR : KIND_LOCAL_PTR;
  uint32_t pointer = body_pick(b, b->now, k);
  EMIT(&b->words, SpvOpStore, pointer, world_fresh_constant(w));
}

Phi *body_phi(Body *b, uint32_t block, Kind kind) {
  if (b->phi_count == b->phi_capacity) {
    b->phi_capacity = b->phi_capacity * 2 + 16;
    b->phi = emit_resize(b->phi, b->phi_capacity * sizeof *b->phi);
  }
  Phi *p = &b->phi[b->phi_count++];
  *p = (Phi){.block = block, .id = emit_id(&b->w->m), .kind = kind};
  return p;
}

/* A kind that a phi may have. */
static Kind phi_kind(Body *b) {
  static const Kind narrow[] = {KIND_U32, KIND_BOOL, KIND_VEC, KIND_STRUCT, KIND_ARRAY};
  if (b->w->rich.on && rng_percent(&b->w->rng, 30))
    return rich_phi_kind(b);
  return b->w->wide ? (Kind)rng_below(&b->w->rng, KIND_RECORD_PTR)
                    : narrow[rng_below(&b->w->rng, 5)];
}

static void declare_phis(Body *b, uint32_t counters) {
  for (uint32_t k = 0; k < counters; k++)
    if (b->phi[k].block == b->now)
      body_add(b, KIND_U32, b->phi[k].id);
  if (b->now == 0 || b->w->plain)
    return;
  for (uint32_t k = rng_geometric(&b->w->rng, 35, 3); k > 0; k--) {
    const Phi *p = body_phi(b, b->now, phi_kind(b));
    body_add(b, p->kind, p->id);
    if (b->w->rich.on)
      rich_decorate(b, p->id,
                    p->kind > KIND_ARRAY && p->kind != KIND_WILD && p->kind != KIND_MATRIX);
  }
}

static void user_code(Body *b, bool reachable) {
  if (!b->w->plain)
    store_mark(b, reachable);
  fold_state(b, reachable);
  if (reachable && !b->w->plain)
    body_random_values(b);
  if (reachable && b->w->calls)
    body_calls(b);
  if (!reachable && b->w->rich.on)
    rich_unreachable(b);
  if (reachable && b->w->effects)
    body_effects(b);
}

static void fill_block(Body *b, uint32_t block, uint32_t counters) {
  bool reachable = b->f.rank[block] != GRAPH_NONE;
  b->now = block;
  b->start[block] = b->words.count;
  b->value_first[block] = b->value_count;
  if (twin_fill(b)) {
    b->value_last[block] = b->value_count;
    b->end[block] = b->words.count;
    return;
  }
  if (reachable)
    declare_phis(b, counters);
  if (block == 0)
    variables(b);
  if (block == 0 && !b->w->plain)
    body_entry_values(b);
  bool bare = b->g->block[block].bare || (b->w->steers && block && rng_percent(&b->w->rng, 50));
  if (!bare)
    user_code(b, reachable);
  b->tail[block] = b->words.count;
  body_terminator(b);
  b->value_last[block] = b->value_count;
  b->end[block] = b->words.count;
}

static uint32_t some_constant(Body *b, Kind kind) {
  World *w = b->w;
  if ((kind >= KIND_U8 && kind <= KIND_MIX) || kind > KIND_ARRAY)
    return world_null(w, body_type(b, kind));
  return kind == KIND_BOOL     ? w->c_true
         : kind == KIND_VEC    ? w->c_vec
         : kind == KIND_STRUCT ? w->c_struct
         : kind == KIND_ARRAY  ? w->c_array
                               : w->small[0];
}

static uint32_t incoming(Body *b, const Phi *p, uint32_t from) {
  if (b->f.rank[from] == GRAPH_NONE)
    return some_constant(b, p->kind);
  if (p->step)
    return graph_dominates(&b->f, p->block, from) ? p->step : b->w->small[0];
  if (p->constants && rng_percent(&b->w->rng, p->steers ? 50 : 80))
    return p->constant[rng_below(&b->w->rng, p->constants)];
  for (uint32_t k = 0; p->steers && k < b->phi_count; k++)
    if (b->phi[k].block == from && b->phi[k].kind == p->kind && rng_percent(&b->w->rng, 70))
      return b->phi[k].id;
  return body_pick(b, from, p->kind);
}

uint32_t body_operand(const Body *b, const Phi *p, uint32_t from) {
  uint32_t first = b->pred_at[p->block], last = b->pred_at[p->block + 1];
  for (uint32_t k = first; k < last; k++)
    if (b->pred[k] == from)
      return b->operands.data[p->operands + k - first];
  return 0;
}

/* Takes the phis in the order in which they were created, in which a copy's source comes before the
 * copy. */
static void choose_operands(Body *b) {
  for (uint32_t n = 0; n < b->phi_count; n++) {
    Phi *p = &b->phi[n];
    const uint32_t *preds = b->pred + b->pred_at[p->block];
    uint32_t count = b->pred_at[p->block + 1] - b->pred_at[p->block];
    p->operands = b->operands.count;
    for (uint32_t k = 0; k < count; k++) {
      uint32_t id = twin_operand(b, p, preds[k], preds, b->operands.data + p->operands, k);
      emit_word(&b->operands, id ? id : incoming(b, p, preds[k]));
    }
  }
}

static void write_phi(Body *b, const Phi *p, EmitWords *out) {
  uint32_t first = b->pred_at[p->block], count = b->pred_at[p->block + 1] - first;
  emit_word(out, (3 + 2 * count) << 16 | SpvOpPhi);
  emit_word(out, body_type(b, p->kind));
  emit_word(out, p->id);
  for (uint32_t k = 0; k < count; k++) {
    emit_word(out, b->operands.data[p->operands + k]);
    emit_word(out, b->label[b->pred[first + k]]);
  }
}

static int by_block(const void *x, const void *y) {
  const Phi *p = x, *q = y;
  return p->block != q->block ? (p->block < q->block ? -1 : 1) : (p->id > q->id) - (p->id < q->id);
}

static void write_block(Body *b, const uint32_t *phis, uint32_t block) {
  EmitWords *out = &b->w->m.section[EMIT_FUNCTION];
  EMIT(out, SpvOpLabel, b->label[block]);
  for (uint32_t k = phis[block]; k < phis[block + 1]; k++)
    write_phi(b, &b->phi[k], out);
  emit_append(out, b->words.data + b->start[block], b->end[block] - b->start[block]);
}

/* Reachable blocks in a random order in which each comes after its immediate dominator; or in
 * reverse post-order. */
static uint32_t *layout(Body *b) {
  uint32_t n = b->g->count, count = b->f.rpo_count, ready = 1, *order = numbers(n + 1);
  memcpy(order, b->f.rpo, count * sizeof *order);
  if (b->w->plain || rng_percent(&b->w->rng, 70))
    return order;
  uint32_t *child = numbers(n), *sibling = numbers(n);
  memset(child, 0xff, n * sizeof *child);
  for (uint32_t k = count; k-- > 1;) {
    uint32_t c = b->f.rpo[k], d = b->f.idom[c];
    sibling[c] = child[d];
    child[d] = c;
  }
  for (uint32_t k = 0; k < count; k++) { /* order[k..ready) may come next */
    uint32_t at = k + rng_below(&b->w->rng, ready - k), block = order[at];
    order[at] = order[k];
    order[k] = block;
    for (uint32_t c = child[block]; c != GRAPH_NONE; c = sibling[c])
      order[ready++] = c;
  }
  free(child);
  free(sibling);
  return order;
}

static void head(Body *b) {
  World *w = b->w;
  EmitWords *out = &w->m.section[EMIT_FUNCTION];
  EMIT(out, SpvOpFunction, b->is_main ? w->t_void : w->t_u32, b->function,
       w->rich.on ? rich_function_control(b) : 0, b->is_main ? w->t_main : w->t_helper);
  uint32_t *to[4] = {&b->params[0], &b->params[1], &b->state, &b->fuel};
  for (int k = 0; k < 4 && !b->is_main; k++) {
    *to[k] = emit_id(&w->m);
    EMIT(out, SpvOpFunctionParameter, k < 2 ? w->t_u32 : w->p_local_u32, *to[k]);
  }
  if (w->rich.kernel)
    kernel_parameters(w);
}

static void blocks_out(Body *b) {
  b->now = GRAPH_NONE; /* every block is full */
  choose_operands(b);
  if (b->phi_count)
    qsort(b->phi, b->phi_count, sizeof *b->phi, by_block);
  uint32_t *phis = numbers(b->g->count + 1), *order = layout(b), at = 0;
  for (uint32_t k = 0; k <= b->g->count; k++) {
    while (at < b->phi_count && b->phi[at].block < k)
      at++;
    phis[k] = at;
  }
  for (uint32_t k = 0; k < b->f.rpo_count; k++)
    write_block(b, phis, order[k]);
  for (uint32_t k = 0; k < b->g->count; k++)
    if (b->f.rank[k] == GRAPH_NONE)
      write_block(b, phis, k);
  free(phis);
  free(order);
}

void body_write(World *w, const Graph *g, uint32_t function, uint32_t callees, bool is_main) {
  Body b = {.w = w, .g = g, .callees = callees, .is_main = is_main, .function = function};
  begin(&b);
  b.ballot = w->single ? draw_ballot(&b) : GRAPH_NONE;
  world_constant(w, 0);
  head(&b);
  body_classify(&b);
  uint32_t counters = b.phi_count;
  for (uint32_t k = 0; k < b.f.rpo_count; k++)
    fill_block(&b, b.f.rpo[k], counters);
  for (uint32_t k = 0; k < g->count; k++)
    if (b.f.rank[k] == GRAPH_NONE)
      fill_block(&b, k, counters);
  blocks_out(&b);
  emit_op(&w->m.section[EMIT_FUNCTION], SpvOpFunctionEnd, 0, NULL);
  end(&b);
}
