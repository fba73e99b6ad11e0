/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_ipdom: the placements `ipdom`, `frontier` and `speculative` (barrier_place.h). They
 * differ in the blocks at which lanes wait for one another, the *points*, and in which lanes wait
 * for which others.
 *
 * A point J has a barrier and a *region*: the blocks whose lanes are expected at J. A *head* is a
 * block outside of the region whose branch may diverge and leads into it.
 *
 *   - Lanes join at the end of a head (BSSY), and on other edges into the region.
 *   - Lanes that come from the region or from a head wait at J (BSYNC); others pass.
 *   - They leave on edges to anywhere else (BREAK).
 *
 *   ipdom     J is the immediate post-dominator of some branches that may diverge. The
 *             region holds the blocks that their targets reach before J. J post-dominates the
 *             region, so no edge leaves it and there is no BREAK. A branch in a loop without J is
 *             in the region itself, so its lanes join once, before the loop.
 *   frontier  J is a block where lanes of a thread frontier may wait. While lanes are at block b,
 *             others wait at J if J comes after b by priority, and b leads to J through blocks
 *             before J only. These blocks b make up the region, except those at which no earlier
 *             branch can have divided the lanes. So lanes at J wait for exactly those lanes that
 *             would run before them under `tf-stack` and may reach J next. A branch that is not
 *             before J by priority is a head, too, if some of its lanes may go to the region, and
 *             others to J on a different path; then lanes join and wait on all edges to J. Calls and
 *             returns are edges.
 *
 *   speculative  as ipdom; and in cycles that have a point (barrier_speculative.c) the region is the
 *             rest of the cycle, and the point a head. Lanes that wait at the cycle's point would
 *             wait forever if others waited for them elsewhere in the cycle. So points of ipdom in
 *             the cycle are dropped if their region has the cycle's point. A point of ipdom at the
 *             same block is dropped, too, if its region is in the cycle, since it adds nothing.
 *
 * No deadlock under `frontier`: lanes wait only for lanes at blocks of higher priority, so those at
 * the highest never wait. (Diamos et al., SIMD Re-convergence at Thread Frontiers, MICRO-44, 2011,
 * defines frontiers; to get them from a compiler alone, by barriers, is this project's idea.)
 *
 * Registers: barriers get the lowest one that is not taken by a barrier whose region shares a
 * block, the largest regions first. Cost: the sum of all regions. */
#include "spv-emu/policy/barrier/barrier_plan.h"

#include "passes/analysis/graph/dom.h"

#include <stdlib.h>

/* Limit on the blocks of all regions together. */
enum { MOST_BLOCKS = 1 << 24 };

typedef struct Region {
  uint32_t bar;
  uint32_t first, count; /* range in `blocks`: the region and its point */
} Region;

typedef struct Build {
  EmuBarrierPlan *p;
  const EmuBlockTable *table;
  uint32_t *caller_of;          /* by block after a call: the block of the call */
  uint32_t *stamp;              /* by block: the point of the last region that it is in */
  uint32_t *head;               /* by block: the point of the last region that it is a head of */
  uint32_t *near, *late;        /* by block: the last point that it leads to; `near` if it comes
                                   before the point by priority, else `late` */
  bool reentered;               /* a head of the current region is not before its point */
  uint32_t now;                 /* the current stamp */
  SR_VEC(uint32_t) work, heads; /* heads: those of the current region */
  SR_VEC(uint32_t) blocks;
  SR_VEC(Region) regions;
} Build;

static bool in_region(const Build *b, uint32_t block) {
  return b->stamp[block] == b->now;
}

/* Do lanes that leave the block have the barrier? */
static bool has_it(const Build *b, uint32_t block) {
  return in_region(b, block) || b->head[block] == b->now;
}

static void add_to_region(Build *b, uint32_t block) {
  b->stamp[block] = b->now;
  SR_PUSH(b->p->arena, &b->work, block);
  SR_PUSH(b->p->arena, &b->blocks, block);
}

/* ---- instructions on edges ------------------------------------------------------------------- */

static void add_once(Build *b, EmuBarrierOps *ops, EmuBarrierOp op, uint32_t bar) {
  if (ops->count && SR_LAST(ops).bar == bar && SR_LAST(ops).op == op)
    return;
  emu_barrier_add(b->p, ops, op, bar);
}

/* Adds what an edge with the code `ops` needs. `pos`: where the edge enters its target. */
static void treat_edge(Build *b, bool has, uint32_t to, uint32_t point, uint32_t bar,
                       EmuBarrierOps *ops, uint32_t *pos) {
  if (to == point && !has && b->reentered)
    add_once(b, ops, EMU_BARRIER_BSSY, bar);
  else if (to == point)
    *pos = has ? 0 : 1;
  else if (in_region(b, to) && !has)
    add_once(b, ops, EMU_BARRIER_BSSY, bar);
  else if (has && !in_region(b, to))
    add_once(b, ops, EMU_BARRIER_BREAK, bar);
}

/* Treats an edge of the whole program's graph. The code of a return lies after the call, where
 * lanes come from all returns of the callee. BSSY and BREAK have no effect on lanes that do not
 * need them. */
static void treat_any_edge(Build *b, uint32_t from, uint32_t to, uint32_t point, uint32_t bar) {
  const EmuBlockTable *t = b->table;
  if (t->callee[from] != SR_NONE) {
    treat_edge(b, has_it(b, from), to, point, bar, &b->p->end[from], &b->p->call_pos[from]);
    return;
  }
  const EmuFunctionBlocks *fn = &t->functions[t->function[from]];
  uint32_t i = 0;
  for (SR_SUCCS(s, fn->graph, from - fn->first)) {
    if (fn->first + *s == to) {
      EmuBarrierEdge *edge = emu_barrier_edge(b->p, from, i);
      treat_edge(b, has_it(b, from), to, point, bar, &edge->ops, &edge->pos);
      return;
    }
    i++;
  }
  EmuBarrierEdge *edge = emu_barrier_edge(b->p, b->caller_of[to], 0);
  treat_edge(b, has_it(b, from), to, point, bar, &edge->ops, &edge->pos);
  edge->pos = 0; /* BSYNC lets lanes pass that are not in the barrier */
}

static const SrGraph *graph_of(const Build *b, const EmuFunctionBlocks *fn) {
  return fn ? fn->graph : b->table->graph;
}

/* Places the barrier of the current region, in one function or (NULL) in the whole program. */
static void place_region(Build *b, const EmuFunctionBlocks *fn, uint32_t point, uint32_t first) {
  uint32_t base = fn ? fn->first : 0, bar = emu_barrier_new(b->p, 0, point);
  const SrGraph *g = graph_of(b, fn);
  emu_barrier_add(b->p, &b->p->entry[point], EMU_BARRIER_BSYNC, bar);
  for (uint32_t i = 0; i < b->heads.count; i++)
    emu_barrier_add(b->p, &b->p->end[b->heads.at[i]], EMU_BARRIER_BSSY, bar);
  uint32_t count = b->blocks.count - first;
  for (uint32_t i = 0; i < count + b->heads.count; i++) {
    uint32_t from = i < count ? b->blocks.at[first + i] : b->heads.at[i - count];
    for (SR_SUCCS(t, g, from - base))
      treat_any_edge(b, from, base + *t, point, bar);
  }
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t to = i < count ? b->blocks.at[first + i] : point;
    for (SR_PREDS(from, g, to - base))
      if (!has_it(b, base + *from))
        treat_any_edge(b, base + *from, to, point, bar);
  }
  SR_PUSH(b->p->arena, &b->blocks, point);
  SR_PUSH(b->p->arena, &b->regions, (Region){bar, first, b->blocks.count - first});
}

/* ---- registers ------------------------------------------------------------------------------- */

static int by_size(const void *x, const void *y) {
  const Region *a = x, *b = y;
  if (a->count != b->count)
    return a->count < b->count ? 1 : -1;
  return (a->bar > b->bar) - (a->bar < b->bar);
}

/* The registers that regions with the block have. */
typedef struct Registers {
  uint64_t first; /* bits of the first 64 registers */
  uint32_t end;   /* one more than the highest register */
} Registers;

static uint32_t lowest_free(const Registers *taken) {
  if (~taken->first)
    return (uint32_t)__builtin_ctzll(~taken->first);
  return taken->end < 64 ? 64 : taken->end;
}

static void take(Registers *used, uint32_t reg) {
  if (reg < 64)
    used->first |= (uint64_t)1 << reg;
  if (used->end <= reg)
    used->end = reg + 1;
}

/* Gives registers from `floor` on to the regions from `from` on. `used`: by block, the registers of
 * the regions that have been served. */
static void allot(Build *b, uint32_t from, uint32_t floor, Registers *used) {
  if (b->regions.count > from)
    qsort(&b->regions.at[from], b->regions.count - from, sizeof *b->regions.at, by_size);
  for (uint32_t i = from; i < b->regions.count; i++) {
    const Region *r = &b->regions.at[i];
    Registers taken = {0};
    for (uint32_t k = r->first; k < r->first + r->count; k++) {
      const Registers *of = &used[b->blocks.at[k]];
      taken.first |= of->first;
      taken.end = taken.end < of->end ? of->end : taken.end;
    }
    uint32_t reg = lowest_free(&taken);
    b->p->out->all.at[r->bar].reg = floor + reg;
    for (uint32_t k = r->first; k < r->first + r->count; k++)
      take(&used[b->blocks.at[k]], reg);
  }
}

/* ---- ipdom ----------------------------------------------------------------------------------- */

/* The branch of a point, for sorting. */
typedef struct Branch {
  uint32_t point, block;
} Branch;

static int by_point(const void *x, const void *y) {
  const Branch *a = x, *b = y;
  if (a->point != b->point)
    return a->point < b->point ? -1 : 1;
  return (a->block > b->block) - (a->block < b->block);
}

/* Adds the blocks that `from` reaches before the point to the region. */
static void reach(Build *b, const EmuFunctionBlocks *fn, uint32_t from, uint32_t point) {
  for (SR_SUCCS(t, fn->graph, from - fn->first))
    if (fn->first + *t != point && !in_region(b, fn->first + *t))
      add_to_region(b, fn->first + *t);
}

/* Is the current region in the cycle of its point? */
static bool stays_in_cycle(const Build *b, uint32_t point, uint32_t first) {
  const uint32_t *meet = b->p->meet;
  for (uint32_t i = first; i < b->blocks.count; i++)
    if (meet[b->blocks.at[i]] != meet[point])
      return false;
  for (uint32_t i = 0; i < b->heads.count; i++)
    if (meet[b->heads.at[i]] != meet[point])
      return false;
  return true;
}

/* Does `speculative` drop the point of the current region? */
static bool is_given_up(const Build *b, uint32_t point, uint32_t first) {
  uint32_t meet = b->p->meet ? b->p->meet[point] : SR_NONE;
  return meet != SR_NONE && (meet == point ? stays_in_cycle(b, point, first) : in_region(b, meet));
}

static void place_point(Build *b, const EmuFunctionBlocks *fn, const Branch *branches,
                        uint32_t count) {
  uint32_t point = branches->point, first = b->blocks.count;
  b->now++;
  b->heads.count = b->work.count = 0;
  b->reentered = false;
  for (uint32_t i = 0; i < count; i++)
    reach(b, fn, branches[i].block, point);
  while (b->work.count && b->blocks.count < MOST_BLOCKS)
    reach(b, fn, SR_POP(&b->work), point);
  for (uint32_t i = 0; i < count; i++)
    if (!in_region(b, branches[i].block)) {
      b->head[branches[i].block] = b->now;
      SR_PUSH(b->p->arena, &b->heads, branches[i].block);
    }
  if (is_given_up(b, point, first))
    b->blocks.count = first;
  else
    place_region(b, fn, point, first);
}

/* Places the barrier of a cycle's point, at which the lanes of the cycle wait in each iteration. */
static void place_meeting(Build *b, const EmuFunctionBlocks *fn, const SrCycle *cycle,
                          const SrNest *nest, uint32_t point) {
  uint32_t first = b->blocks.count;
  b->now++;
  b->heads.count = 0;
  b->reentered = true;
  for (uint32_t r = cycle->first; r <= cycle->last; r++)
    if (fn->first + nest->order[r] != point)
      add_to_region(b, fn->first + nest->order[r]);
  b->head[point] = b->now;
  SR_PUSH(b->p->arena, &b->heads, point);
  place_region(b, fn, point, first);
}

static void place_meetings(Build *b, uint32_t f) {
  const EmuFunctionBlocks *fn = &b->table->functions[f];
  const SrNest *nest = b->p->nest[f];
  uint32_t end = 0;
  for (uint32_t c = 0; b->p->meet && c < nest->cycle_count; c++) {
    const SrCycle *cycle = &nest->cycles[c];
    uint32_t point = b->p->meet[fn->first + cycle->header];
    if (cycle->first < end || point == SR_NONE)
      continue;
    place_meeting(b, fn, cycle, nest, point);
    end = cycle->last + 1;
  }
}

static void place_function(Build *b, uint32_t f) {
  const EmuFunctionBlocks *fn = &b->table->functions[f];
  SR_VEC(Branch) branches = {0};
  const SrDom *back =
      sr_dom_build(b->p->arena, emu_block_table_backwards(b->p->arena, b->table, fn), fn->count);
  for (uint32_t x = 0; x < fn->count; x++)
    if (b->p->nest[f]->rank[x] != SR_NONE && back->idom[x] < fn->count &&
        emu_barrier_may_diverge(b->p, fn->first + x))
      SR_PUSH(b->p->arena, &branches, (Branch){fn->first + back->idom[x], fn->first + x});
  if (branches.count)
    qsort(branches.at, branches.count, sizeof *branches.at, by_point);
  for (uint32_t i = 0, end; i < branches.count; i = end) {
    for (end = i; end < branches.count && branches.at[end].point == branches.at[i].point;)
      end++;
    place_point(b, fn, &branches.at[i], end - i);
  }
  place_meetings(b, f);
}

/* May lanes that entered the function together return apart? They may if a branch that may diverge
 * has no post-dominator. */
static bool returns_apart(EmuBarrierPlan *p, const EmuFunctionBlocks *fn) {
  SrArena scratch = sr_arena_new(p->arena->heap);
  const SrDom *back =
      sr_dom_build(&scratch, emu_block_table_backwards(&scratch, p->table, fn), fn->count);
  const SrNest *nest = p->nest[fn - p->table->functions];
  bool apart = false;
  for (uint32_t b = 0; b < fn->count; b++)
    apart |= nest->rank[b] != SR_NONE && emu_barrier_may_diverge(p, fn->first + b) &&
             back->idom[b] >= fn->count;
  sr_arena_free(&scratch);
  return apart;
}

/* By function: may lanes that entered it together return apart? */
static bool *find_apart(EmuBarrierPlan *p) {
  bool *apart = SR_NEW(p->arena, bool, p->table->function_count);
  for (uint32_t f = 0; f < p->table->function_count; f++)
    apart[f] = returns_apart(p, &p->table->functions[f]);
  return apart;
}

/* Places the barriers around a function's calls, in registers above those of the regions around
 * them. Sets which registers callees find in use. */
static void place_calls(Build *b, uint32_t f, const bool *apart, const Registers *used) {
  const EmuFunctionBlocks *fn = &b->table->functions[f];
  for (uint32_t x = fn->first; x < fn->first + fn->count; x++) {
    uint32_t callee = b->table->callee[x], reg = b->p->floor[f] + used[x].end;
    if (callee == SR_NONE || b->p->nest[f]->rank[x - fn->first] == SR_NONE)
      continue;
    if (apart[callee])
      emu_barrier_around_call(b->p, x, reg++);
    if (b->p->floor[callee] < reg)
      b->p->floor[callee] = reg;
  }
}

static Build start_build(EmuBarrierPlan *p) {
  const EmuBlockTable *t = p->table;
  Build b = {.p = p,
             .table = t,
             .caller_of = sr_new_none(p->arena, t->count),
             .stamp = SR_NEW(p->arena, uint32_t, t->count),
             .head = SR_NEW(p->arena, uint32_t, t->count),
             .near = SR_NEW(p->arena, uint32_t, t->count),
             .late = SR_NEW(p->arena, uint32_t, t->count)};
  for (uint32_t x = 0; x < t->count; x++)
    if (t->next[x] != SR_NONE)
      b.caller_of[t->next[x]] = x;
  return b;
}

static void check_size(Build *b) {
  if (b->blocks.count < MOST_BLOCKS)
    return;
  b->p->why = "the regions of its barriers have more than 16777216 blocks together";
}

void emu_barriers_place_ipdom(EmuBarrierPlan *p) {
  Build b = start_build(p);
  const bool *apart = find_apart(p);
  const uint32_t *order = emu_barrier_callers_first(p);
  Registers *used = SR_NEW(p->arena, Registers, p->table->count);
  for (uint32_t i = 0; i < p->table->function_count && !p->why; i++) {
    uint32_t from = b.regions.count;
    place_function(&b, order[i]);
    check_size(&b);
    if (p->why)
      return;
    allot(&b, from, p->floor[order[i]], used);
    place_calls(&b, order[i], apart, used);
  }
}

/* ---- frontier -------------------------------------------------------------------------------- */

static bool is_reached(const Build *b, uint32_t block) {
  uint32_t f = b->table->function[block];
  return b->p->nest[f]->rank[block - b->table->functions[f].first] != SR_NONE;
}

/* May lanes that leave the block together go to several blocks? */
static bool divides(const Build *b, uint32_t block) {
  const EmuFunctionBlocks *fn = &b->table->functions[b->table->function[block]];
  return sr_succ_count(b->table->graph, block) > 1 &&
         (!sr_succ_count(fn->graph, block - fn->first) || emu_barrier_may_diverge(b->p, block));
}

/* Is the block a point? It is not if all lanes reach it by one edge, from a block that leads
 * nowhere else, because they were together in that block. */
static bool is_point(const Build *b, uint32_t block) {
  const SrGraph *g = b->table->graph;
  uint32_t before = 0, last = SR_NONE;
  for (SR_PREDS(from, g, block))
    if (is_reached(b, *from)) {
      before++;
      last = *from;
    }
  return before > 1 || (before == 1 && sr_succ_count(g, last) > 1);
}

/* Marks the blocks that lead to the point through blocks of higher priority, and puts those whose
 * branch may diverge into `heads`. True: they lead there by several edges, or lanes may take the
 * only edge at different times. */
static bool come_near(Build *b, uint32_t point) {
  const SrGraph *g = b->table->graph;
  uint32_t edges = 0, last = SR_NONE;
  b->work.count = b->heads.count = 0;
  SR_PUSH(b->p->arena, &b->work, point);
  while (b->work.count) {
    uint32_t x = SR_POP(&b->work);
    for (SR_PREDS(from, g, x)) {
      if (!is_reached(b, *from) || b->table->priority[*from] >= b->table->priority[point])
        continue;
      edges += x == point;
      last = x == point ? *from : last;
      if (b->near[*from] == b->now)
        continue;
      b->near[*from] = b->now;
      SR_PUSH(b->p->arena, &b->work, *from);
      if (divides(b, *from))
        SR_PUSH(b->p->arena, &b->heads, *from);
    }
  }
  bool again = false;
  for (uint32_t k = 0; edges == 1 && k < sr_succ_count(g, last); k++)
    again |= b->near[g->succ[g->succ_at[last] + k]] == b->now;
  return edges > 1 || again;
}

static bool leads_near(const Build *b, uint32_t from) {
  for (SR_SUCCS(t, b->table->graph, from))
    if (b->near[*t] == b->now)
      return true;
  return false;
}

/* Adds the heads that are not before the point, that is, blocks whose branch may send some lanes to
 * blocks before the point, and others to the point on a different path. */
static void find_late_heads(Build *b, uint32_t point) {
  b->work.count = 0;
  b->reentered = false;
  SR_PUSH(b->p->arena, &b->work, point);
  while (b->work.count) {
    uint32_t x = SR_POP(&b->work);
    for (SR_PREDS(from, b->table->graph, x)) {
      if (!is_reached(b, *from) || b->near[*from] == b->now || b->late[*from] == b->now)
        continue;
      b->late[*from] = b->now;
      SR_PUSH(b->p->arena, &b->work, *from);
      if (divides(b, *from) && leads_near(b, *from)) {
        SR_PUSH(b->p->arena, &b->heads, *from);
        b->reentered = true;
      }
    }
  }
}

static void reach_near(Build *b, uint32_t from) {
  for (SR_SUCCS(t, b->table->graph, from))
    if (b->near[*t] == b->now && !in_region(b, *t))
      add_to_region(b, *t);
}

static void place_frontier(Build *b, uint32_t point) {
  uint32_t first = b->blocks.count, kept = 0;
  b->now++;
  if (!is_point(b, point))
    return;
  bool joins = come_near(b, point);
  find_late_heads(b, point);
  if (!b->heads.count || !(joins || b->reentered))
    return;
  b->work.count = 0;
  for (uint32_t i = 0; i < b->heads.count; i++)
    reach_near(b, b->heads.at[i]);
  while (b->work.count && b->blocks.count < MOST_BLOCKS)
    reach_near(b, SR_POP(&b->work));
  for (uint32_t i = 0; i < b->heads.count; i++)
    if (!in_region(b, b->heads.at[i])) {
      b->head[b->heads.at[i]] = b->now;
      b->heads.at[kept++] = b->heads.at[i];
    }
  b->heads.count = kept;
  place_region(b, NULL, point, first);
}

void emu_barriers_place_frontier(EmuBarrierPlan *p) {
  Build b = start_build(p);
  for (uint32_t r = 0; r < p->table->count && !p->why; r++) {
    if (is_reached(&b, p->table->order[r]))
      place_frontier(&b, p->table->order[r]);
    check_size(&b);
  }
  if (!p->why)
    allot(&b, 0, 0, SR_NEW(p->arena, Registers, p->table->count));
}
