/* SPDX-License-Identifier: Apache-2.0 */
/* cut: see cut.h. */
#include "passes/transform/copy/cut.h"

#include "passes/base/sort.h"
#include "passes/transform/copy/region_reduce.h"
#include "passes/transform/structurize/sweep_continue.h"

#include <assert.h>

/* An exit with its sort key. */
typedef struct Exit {
  uint32_t kind, rank, node;
} Exit;

static bool has(const SrControlTree *t, uint32_t cycle, uint32_t node) {
  return cycle == SR_NONE || sr_cycle_has(t->nest, cycle, node);
}

static bool is_jump(const SrControlTree *t, uint32_t cycle, uint32_t node) {
  return cycle != SR_NONE &&
         (node == t->nest->cycles[cycle].header || node == t->exits[cycle].latch);
}

/* Exits that leave the parent cycle are of kind 0, those that jump within it of kind 1, and those
 * that lead forward in it of kind 2. */
static Exit exit_of(const SrControlTree *t, uint32_t cycle, uint32_t node) {
  uint32_t around = t->nest->cycles[cycle].parent;
  uint32_t kind = !has(t, around, node) ? 0 : is_jump(t, around, node) ? 1 : 2;
  return (Exit){kind, t->nest->rank[node], node};
}

static int compare(const void *a, const void *b) {
  const Exit *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

/* ---- exits ---- */

static void add_exit(SrControlTree *t, uint32_t cycle, uint32_t node) {
  SR_PUSH(t->arena, &t->exits[cycle].node, node);
}

/* Records an edge from a block whose innermost cycle is `cycle`. */
static void note_edge(SrControlTree *t, uint32_t cycle, uint32_t node, uint32_t *refs) {
  if (!has(t, cycle, node))
    add_exit(t, cycle, node);
  else if (!is_jump(t, cycle, node))
    refs[node]++;
}

/* Sorts the exits and drops duplicates. */
static void sort_exits(SrControlTree *t, uint32_t cycle) {
  SrCycleExits *e = &t->exits[cycle];
  SrArena scratch = sr_arena_new(t->arena->heap);
  Exit *sorted = SR_NEW_RAW(&scratch, Exit, e->node.count);
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->node.count; i++)
    sorted[i] = exit_of(t, cycle, e->node.at[i]);
  sr_sort(&scratch, sorted, e->node.count, sizeof *sorted, compare);
  for (uint32_t i = 0; i < e->node.count; i++)
    if (n == 0 || e->node.at[n - 1] != sorted[i].node)
      e->node.at[n++] = sorted[i].node;
  for (uint32_t i = 0; i < e->node.count; i++) /* all edges are extra, except those to the last
                                                  exit */
    t->out_edges += sorted[i].node != e->node.at[n - 1];
  e->node.count = n;
  sr_arena_free(&scratch);
}

static SrStatus finish_exits(SrControlTree *t, uint32_t cycle, uint32_t *refs) {
  sort_exits(t, cycle);
  SrCycleExits *e = &t->exits[cycle];
  if (e->node.count > 1)
    SR_CHECK(
        sr_growth_add(t->growth, e->node.count - 1)); /* tests, of which deep nests can have very
                                                         many */
  for (uint32_t i = 0; i < e->node.count; i++)
    note_edge(t, t->nest->cycles[cycle].parent, e->node.at[i], refs);
  return SR_OK;
}

SrStatus sr_cut_find_exits(SrControlTree *t, uint32_t *refs) {
  const SrNest *nest = t->nest;
  t->exits = SR_NEW(t->arena, SrCycleExits, nest->cycle_count);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    uint32_t latch = t->rule == SR_COPY_LEAST
                         ? sr_sweep_continue(t->c->graph, nest, t->c->is_switch, c)
                         : SR_NONE;
    t->exits[c].latch = latch == nest->cycles[c].header ? SR_NONE : latch;
  }
  for (uint32_t rank = nest->count; rank-- > 0;) {
    uint32_t node = nest->order[rank], cycle = nest->inner[node];
    for (SR_SUCCS(s, t->c->graph, node))
      note_edge(t, cycle, *s, refs);
    if (cycle != SR_NONE && nest->cycles[cycle].header == node)
      SR_CHECK(finish_exits(t, cycle, refs));
  }
  return SR_OK;
}

uint32_t sr_cut_exit(const SrControlTree *t, uint32_t cycle, uint32_t node) {
  const SrCycleExits *e = &t->exits[cycle];
  Exit wanted = exit_of(t, cycle, node);
  uint32_t low = 0, high = e->node.count - 1;
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    Exit at = exit_of(t, cycle, e->node.at[i]);
    if (compare(&at, &wanted) < 0)
      low = i + 1;
    else
      high = i;
  }
  assert(e->node.at[low] == node);
  return low;
}

uint32_t sr_cut_arm(const SrControlTree *t, uint32_t level, uint32_t node) {
  if (!has(t, level, node))
    return SR_ARM_LEAVE(sr_cut_exit(t, level, node));
  if (!is_jump(t, level, node))
    return t->region_of[node];
  return node == t->nest->cycles[level].header ? SR_ARM_REPEAT : SR_ARM_CONTINUE;
}

/* ---- the cycle's region ---- */

static void take_inside(SrControlTree *t, uint32_t r, uint32_t inner) {
  t->region.at[inner].inside = true;
  sr_region_adopt(t, r, inner);
}

/* Puts the cycle's regions into region r: those that follow one another from its header on, and the
 * region of the continue target. */
static void take_body(SrControlTree *t, uint32_t r, uint32_t cycle) {
  SrRegion *n = &t->region.at[r];
  n->body = t->region_of[t->nest->cycles[cycle].header];
  if (t->exits[cycle].latch != SR_NONE) {
    n->latch = t->region_of[t->exits[cycle].latch];
    take_inside(t, r, n->latch);
  }
  for (uint32_t b = n->body; b != SR_NONE; b = t->region.at[b].next) {
    assert(b == n->body || t->region.at[b].refs == 1);
    t->region.at[b].next = t->region.at[b].exit;
    take_inside(t, r, b);
  }
}

static void set_arms(SrControlTree *t, uint32_t r, uint32_t first, uint32_t rest) {
  t->arm.at[t->region.at[r].slot] = first;
  if (t->region.at[r].arm_count > 1)
    t->arm.at[t->region.at[r].slot + 1] = rest;
}

SrStatus sr_cut_cycle(SrControlTree *t, uint32_t cycle, uint32_t *region) {
  const SrCycleExits *e = &t->exits[cycle];
  uint32_t around = t->nest->cycles[cycle].parent, n = e->node.count;
  uint32_t r = sr_region_new(t, SR_REGION_CYCLE, cycle, n < 2 ? n : 2);
  take_body(t, r, cycle);
  *region = r;
  if (n == 0)
    return sr_region_reduce(t, r);
  uint32_t rest = sr_cut_arm(t, around, e->node.at[n - 1]);
  for (uint32_t i = n - 1; i-- > 1;) {
    uint32_t test = sr_region_new(t, SR_REGION_TEST, cycle, 2);
    set_arms(t, test, sr_cut_arm(t, around, e->node.at[i]), rest);
    SR_CHECK(sr_region_reduce(t, test));
    t->region.at[test].refs = 1;
    rest = test;
  }
  set_arms(t, r, n > 1 ? sr_cut_arm(t, around, e->node.at[0]) : rest, rest);
  t->cuts += n > 1;
  return sr_region_reduce(t, r);
}
