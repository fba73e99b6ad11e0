/* SPDX-License-Identifier: Apache-2.0 */
/* bound_values: see bound_values.h.
 *
 * A counter is a variable that edges into its cycle set to 0, and the counted back edges to the sum.
 * It is needed where it is counted. If the header dominates all of these blocks, as in every
 * reducible loop, the solver makes only the header's phi.
 *
 * A value is *lost* if a lane may now reach its use without its definition, because it took a new
 * edge out of a loop. Such lanes bring the value zero where they meet the other lanes. */
#include "passes/transform/bound/bound_values.h"

#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/transform/ssa/ssa_lost.h"

typedef struct Values {
  const SrBounded *b;
  SrSsa ssa;
  uint32_t *need; /* by block: the value at its start is needed if this == ssa.epoch */
  SR_VEC(uint32_t) work, wanted;
} Values;

uint32_t sr_bound_zero(SrModule *m, uint32_t type) {
  uint32_t of = type;
  SpvOp op = sr_def_op(m, of);
  while (op == SpvOpTypeMatrix || op == SpvOpTypeVector) {
    of = sr_words(m, sr_def(m, of))[2];
    op = sr_def_op(m, of);
  }
  return op == SpvOpTypeInt || op == SpvOpTypeFloat || op == SpvOpTypeBool ? sr_const_null(m, type)
                                                                           : sr_undef(m, type);
}

static uint32_t need(Values *k, uint32_t block) {
  if (k->need[block] != k->ssa.epoch) {
    k->need[block] = k->ssa.epoch;
    SR_PUSH(k->b->arena, &k->work, block);
  }
  return block;
}

/* Sets the value on all edges into the blocks where it is needed. */
static void set_edges(Values *k,
                      uint32_t (*value_on)(Values *k, const void *of, uint32_t from, uint32_t to),
                      const void *of) {
  const SrGraph *g = k->ssa.graph;
  while (k->work.count) {
    uint32_t b = SR_POP(&k->work);
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      sr_ssa_set(&k->ssa, e, value_on(k, of, g->pred[e], b));
  }
}

/* ---- counters ---- */

/* A cycle and its counted edges. */
typedef struct Counter {
  uint32_t cycle, header, zero; /* `header`: its new block */
  const SrBoundEdge *edge;
  uint32_t count;
} Counter;

/* The sum, if the edge is a counted one; else 0. */
static uint32_t sum_on(const Values *k, const Counter *c, uint32_t from, uint32_t to) {
  const SrModule *m = k->b->m;
  for (uint32_t i = 0; to == c->header && i < c->count; i++)
    if (sr_block_of(m, c->edge[i].label) == from)
      return sr_inst(m, c->edge[i].add)->result;
  return 0;
}

static uint32_t counter_on(Values *k, const void *of, uint32_t from, uint32_t to) {
  const Counter *c = of;
  uint32_t sum = sum_on(k, c, from, to);
  if (sum)
    return sum;
  if (!sr_cycle_has(k->b->nest, c->cycle, k->b->old_of[from]))
    return c->zero;
  return SR_VALUE_AT(need(k, sr_dominates(k->ssa.dom, c->header, from) ? c->header : from));
}

static void set_operand(SrModule *m, SrRef r, uint32_t id) {
  sr_words(m, r)[sr_inst(m, r)->first] = id;
}

static void count_cycle(Values *k, const Counter *c) {
  SrModule *m = k->b->m;
  uint32_t type = sr_type_u32(m);
  k->wanted.count = 0;
  sr_ssa_begin(&k->ssa);
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t block = sr_block_of(m, c->edge[i].counts);
    bool below = sr_dominates(k->ssa.dom, c->header, block);
    SR_PUSH(k->b->arena, &k->wanted, need(k, below ? c->header : block));
  }
  set_edges(k, counter_on, c);
  sr_ssa_solve(&k->ssa, k->wanted.at, k->wanted.count);
  sr_ssa_make_phis(&k->ssa, type, SR_KEPT_OF_NONE);
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t id = sr_ssa_id(&k->ssa, k->wanted.at[i], type);
    set_operand(m, c->edge[i].add, id);
    set_operand(m, c->edge[i].test, id);
  }
}

/* The counted edges of one cycle are contiguous. */
static SrStatus count_cycles(Values *k) {
  const SrBounded *b = k->b;
  uint32_t zero = sr_const_u32(b->m, 0);
  for (uint32_t i = 0, j; i < b->edge_count; i = j) {
    for (j = i + 1; j < b->edge_count && b->edge[j].cycle == b->edge[i].cycle; j++)
      ;
    const Counter c = {b->edge[i].cycle, sr_block_of(b->m, b->edge[i].header), zero, &b->edge[i],
                       j - i};
    count_cycle(k, &c);
    SR_CHECK(sr_check_bound(b->m));
  }
  return SR_OK;
}

/* ---- lost values ---- */

typedef struct Lost {
  uint32_t id, home, zero; /* the value, the block that defines it */
} Lost;

static uint32_t lost_on(Values *k, const void *of, uint32_t from, uint32_t to) {
  const Lost *lost = of;
  (void)to;
  if (sr_dominates(k->ssa.dom, lost->home, from))
    return lost->id;
  if (!sr_dominates(k->b->dom, k->b->old_of[lost->home], k->b->old_of[from]))
    return lost->zero;
  return SR_VALUE_AT(need(k, from));
}

static SrStatus repair(void *user, const SrUse *use, uint32_t count) {
  Values *k = user;
  SrModule *m = k->b->m;
  uint32_t type = sr_inst(m, sr_def(m, use->id))->type;
  const Lost lost = {use->id, m->home[use->id], sr_bound_zero(m, type)};
  k->wanted.count = 0;
  sr_ssa_begin(&k->ssa);
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(k->b->arena, &k->wanted, need(k, use[i].block));
  set_edges(k, lost_on, &lost);
  sr_ssa_rewrite(&k->ssa, use->id, use, count, k->wanted.at);
  return sr_check_bound(m);
}

/* ---- all of them ---- */

SrStatus sr_bound_values(const SrBounded *b) {
  SrModule *m = b->m;
  Values k = {.b = b};
  const SrGraph *g = sr_cfg_build(b->arena, m, b->f);
  k.ssa = (SrSsa){
      .m = m, .f = b->f, .graph = g, .dom = sr_dom_build(b->arena, g, 0), .arena = b->arena};
  k.need = SR_NEW(b->arena, uint32_t, g->count);
  sr_ssa_init(&k.ssa);
  SR_CHECK(count_cycles(&k));
  const SrLost lost = {
      .ssa = &k.ssa, .made = &b->counts->added_instructions, .repair = repair, .user = &k};
  SR_CHECK(sr_ssa_repair_lost(&lost));
  b->counts->added_phis += k.ssa.added_phis;
  return SR_OK;
}
