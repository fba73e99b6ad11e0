/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness of the uniformity analysis: random programs run lane by lane under three policies; a
 * value or branch that is proven uniform must be the same for all lanes that run it together.
 * Precision: small modules with known answers, and a share of branches that must be proven
 * uniform. */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/uniform/uniform.h"
#include "tests/unit/assembled.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/toy_program.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { LANES = 6, STEPS = 120, CYCLES = 64, STACK = 512 };

typedef struct Lane {
  uint32_t at, from; /* `at` SR_NONE: it has returned; `from` SR_NONE: it is in the entry block */
  uint32_t value[64], phi, cell[TOY_CELLS];
  uint32_t turn[CYCLES]; /* by cycle: its iteration */
} Lane;

typedef struct Run {
  const ToyProgram *p;
  const SrNest *nest;
  const SrModule *m;
  const SrUniform *u;
  Lane lanes[LANES];
  uint64_t seed;
  const char *policy;
} Run;

/* ---- lanes ---- */

static uint32_t count_lanes(uint32_t mask) {
  return (uint32_t)__builtin_popcount(mask);
}

static uint32_t compute(const Run *r, uint32_t mask, int lane, uint32_t b) {
  const ToyBlock *k = &r->p->blocks[b];
  const Lane *l = &r->lanes[lane];
  switch (k->op) {
  case TOY_ADD:
    return l->phi + k->constant;
  case TOY_LANE:
    return l->phi ^ (uint32_t)lane;
  case TOY_LOAD:
    return l->cell[k->cell] + k->constant;
  case TOY_FIRST:
    return r->lanes[__builtin_ctz(mask)].phi;
  case TOY_ACTIVE:
    return count_lanes(mask);
  case TOY_OTHER:
    return l->phi + (k->other == b ? l->phi : l->value[k->other]);
  default:
    return k->constant;
  }
}

static uint32_t target(const Run *r, const Lane *l, uint32_t b) {
  const SrGraph *g = r->p->graph;
  const ToyBlock *k = &r->p->blocks[b];
  uint32_t n = sr_succ_count(g, b), bits = l->value[k->tested] >> k->shift;
  uint32_t way = n < 2 ? 0 : n == 2 ? bits & 1 : (bits & 3) < 3 ? bits & 3 : 0;
  return n ? g->succ[g->succ_at[b] + way] : SR_NONE;
}

static void count_turns(const Run *r, Lane *l, uint32_t from, uint32_t to) {
  for (uint32_t c = to == SR_NONE ? SR_NONE : r->nest->inner[to]; c != SR_NONE;
       c = r->nest->cycles[c].parent) {
    if (!sr_cycle_has(r->nest, c, from))
      l->turn[c] = 0;
    else if (r->nest->cycles[c].header == to)
      l->turn[c]++;
  }
}

/* The lanes run their block together; what the analysis proves uniform must be the same. */
static void run_block(Run *r, uint32_t mask, uint32_t b) {
  uint32_t value[LANES], first = (uint32_t)__builtin_ctz(mask);
  for (uint32_t i = 0; i < LANES; i++)
    if (mask >> i & 1)
      r->lanes[i].phi = r->lanes[i].from == SR_NONE ? 0 : r->lanes[i].value[r->lanes[i].from];
  for (uint32_t i = 0; i < LANES; i++)
    if (mask >> i & 1)
      value[i] = compute(r, mask, (int)i, b);
  for (uint32_t i = 0; i < LANES; i++) {
    if (!(mask >> i & 1))
      continue;
    Lane *l = &r->lanes[i];
    if (value[i] != value[first] && sr_uniform_value(r->u, toy_id(TOY_VALUE, b)))
      fail_msg("seed %llu, %s: the value of block %u differs", (unsigned long long)r->seed,
               r->policy, b);
    l->value[b] = value[i];
    if (r->p->blocks[b].stores)
      l->cell[r->p->blocks[b].cell] = value[i];
    l->from = b;
    l->at = target(r, l, b);
    count_turns(r, l, b, l->at);
    if (l->at != r->lanes[first].at && sr_uniform_branch(r->u, r->m, &r->m->functions[0], b))
      fail_msg("seed %llu, %s: the branch of block %u splits", (unsigned long long)r->seed,
               r->policy, b);
  }
}

static void start(Run *r, const char *policy) {
  memset(r->lanes, 0, sizeof r->lanes);
  for (int i = 0; i < LANES; i++)
    r->lanes[i].from = SR_NONE;
  r->policy = policy;
}

/* ---- policies ---- */

/* Does lane a come before lane b: by position and iteration down the nest (`by_turn`), or by
 * priority alone? 0: they run together. */
static int compare(const Run *r, const Lane *a, const Lane *b, bool by_turn) {
  const SrNest *n = r->nest;
  uint32_t chain[CYCLES], depth = 0;
  for (uint32_t c = n->inner[a->at]; c != SR_NONE; c = n->cycles[c].parent)
    chain[depth++] = c;
  while (by_turn && depth--) {
    uint32_t c = chain[depth];
    if (!sr_cycle_has(n, c, b->at))
      break;
    if (a->turn[c] != b->turn[c])
      return a->turn[c] < b->turn[c] ? -1 : 1;
  }
  uint32_t ra = n->rank[a->at], rb = n->rank[b->at];
  return (ra > rb) - (ra < rb);
}

static void run_sorted(Run *r, bool by_turn) {
  start(r, by_turn ? "maximal" : "thread frontiers");
  for (int step = 0; step < STEPS; step++) {
    uint32_t mask = 0, best = SR_NONE;
    for (uint32_t i = 0; i < LANES; i++) {
      if (r->lanes[i].at == SR_NONE)
        continue;
      int c = best == SR_NONE ? -1 : compare(r, &r->lanes[i], &r->lanes[best], by_turn);
      if (c < 0) {
        mask = 0;
        best = i;
      }
      mask |= (uint32_t)(c <= 0) << i;
    }
    if (best == SR_NONE)
      return;
    run_block(r, mask, r->lanes[best].at);
  }
}

typedef struct Entry {
  uint32_t next, stop, mask;
} Entry;

/* The stack of immediate post-dominators. Returned lanes are at the virtual exit. */
static void run_pdom(Run *r, const SrDom *pdom) {
  start(r, "pdom");
  uint32_t exit = r->p->graph->count, depth = 1;
  Entry stack[STACK] = {{0, exit, (1u << LANES) - 1}};
  for (int step = 0; step < STEPS && depth && depth + LANES < STACK;) {
    Entry *top = &stack[depth - 1];
    if (top->next == top->stop || top->next == exit) {
      depth--;
      continue;
    }
    uint32_t b = top->next, mask = top->mask, stop = pdom->idom[b], ways = 0;
    run_block(r, mask, b);
    step++;
    for (uint32_t i = 0; i < LANES; i++)
      if (mask >> i & 1 && r->lanes[i].at == SR_NONE)
        r->lanes[i].at = exit;
    for (uint32_t left = mask; left; ways++) {
      uint32_t to = r->lanes[__builtin_ctz(left)].at, side = 0;
      for (uint32_t i = 0; i < LANES; i++)
        side |= (uint32_t)(left >> i & 1 && r->lanes[i].at == to) << i;
      left &= ~side;
      if (ways == 0 && !left) {
        top->next = to;
        break;
      }
      if (ways == 0)
        top->next = stop;
      if (to != stop)
        stack[depth++] = (Entry){to, stop, side};
    }
  }
}

static uint32_t branches, uniform_branches;

static void try_program(uint64_t seed) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  ToyProgram *p = toy_program_new(&arena, seed, 2 + (uint32_t)(seed % 18));
  Run r = {.p = p, .seed = seed};
  r.m = assembled(&arena, toy_program_text(&arena, p));
  r.nest = sr_nest_build(&arena, p->graph);
  r.u = sr_uniform_build(&arena, r.m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  assert_true(r.nest->cycle_count <= CYCLES);
  for (uint32_t b = 0; b < p->graph->count; b++)
    if (r.nest->rank[b] != SR_NONE && sr_succ_count(p->graph, b) > 1) {
      branches++;
      uniform_branches += sr_uniform_branch(r.u, r.m, &r.m->functions[0], b);
    }
  run_sorted(&r, false);
  run_sorted(&r, true);
  run_pdom(&r, sr_dom_build(&arena, sr_graph_reverse_with_exit(&arena, p->graph), p->graph->count));
  sr_heap_free_all(&heap);
}

static void uniform_branches_never_split(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(12000); seed++)
    try_program(seed);
  printf("%u of %u branches proved uniform\n", uniform_branches, branches);
  assert_true(uniform_branches * 10 > branches);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_branches_never_split),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
