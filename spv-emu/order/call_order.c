/* SPDX-License-Identifier: Apache-2.0 */
/* call_order: see call_order.h. LRPO of a graph in which
 *
 *   - a call that leads forward (call_schedule.h) is an edge to the callee, any other call an edge
 *     to the block after it;
 *   - each function has a node at which its returns meet. The node has edges to the blocks after
 *     the function's calls, in the order of these blocks in the LRPO of the whole graph. (This
 *     breaks ties, so that lanes that immediately call the function again do so before the others
 *     continue.)
 *   - an edge into a cycle leads to its header.
 *
 * The schedule is a topological order of this graph without back edges. So the graph has only the
 * cycles of the functions, with the same headers, each extended by the functions that are called
 * there first. */
#include "spv-emu/order/call_order.h"

#include "passes/analysis/graph/order.h"
#include "spv-emu/order/barrier_move.h"
#include "spv-emu/order/call_reach.h"
#include "spv-emu/order/call_schedule.h"

typedef struct Build {
  SrArena *arena;
  const EmuBlockTable *table;
  EmuCallSchedule schedule;
  SR_VEC(SrEdge) edges;
} Build;

/* Adds an edge to `to`, or to the header of the cycle that the edge enters; `out`, `in`: the
 * innermost cycles around its ends. */
static void add_edge(Build *b, uint32_t from, uint32_t out, uint32_t to, uint32_t in) {
  uint32_t entered = sr_ancestors_entered(&b->schedule.cycles, out, in);
  SR_PUSH(b->arena, &b->edges,
          (SrEdge){from, entered == SR_NONE ? to : b->schedule.header[entered]});
}

static uint32_t cycle_around(const Build *b, uint32_t block) {
  return emu_cycle_around(&b->schedule, b->table, block);
}

static uint32_t node_of_returns(const Build *b, uint32_t function) {
  return b->table->count + function;
}

static bool is_reached(const Build *b, uint32_t block) {
  uint32_t f = b->table->function[block];
  const SrNest *nest = b->schedule.nest[f];
  return nest && nest->rank[block - b->table->functions[f].first] != SR_NONE;
}

static void add_block(Build *b, uint32_t block) {
  const EmuBlockTable *table = b->table;
  uint32_t f = table->function[block], first = table->functions[f].first;
  uint32_t callee = table->callee[block];
  const SrGraph *g = b->schedule.graph[f];
  if (callee != SR_NONE && b->schedule.forward[block])
    SR_PUSH(b->arena, &b->edges, (SrEdge){block, table->functions[callee].first});
  else if (emu_block_returns(table, block))
    SR_PUSH(b->arena, &b->edges, (SrEdge){block, node_of_returns(b, f)});
  else
    for (SR_SUCCS(t, g, block - first))
      add_edge(b, block, cycle_around(b, block), first + *t, cycle_around(b, first + *t));
}

/* Adds the edges from functions to the blocks after their calls. */
static void add_returns(Build *b, const uint32_t *lrpo, uint32_t count) {
  const EmuBlockTable *table = b->table;
  uint32_t *call = sr_new_none(b->arena, table->count); /* by block: the call before it */
  for (uint32_t c = 0; c < table->count; c++)
    if (table->callee[c] != SR_NONE && is_reached(b, c))
      call[table->next[c]] = c;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t next = lrpo[i], c = call[next];
    if (c != SR_NONE)
      add_edge(b, node_of_returns(b, table->callee[c]), b->schedule.around[table->callee[c]], next,
               cycle_around(b, c));
  }
}

static const SrGraph *graph_of_order(Build *b, const uint32_t *lrpo, uint32_t count) {
  for (uint32_t i = 0; i < b->table->count; i++)
    if (is_reached(b, i))
      add_block(b, i);
  add_returns(b, lrpo, count);
  return sr_graph_new(b->arena, b->table->count + b->table->function_count, b->edges.at,
                      b->edges.count);
}

/* Puts the `count` blocks in order, from LRPO. */
static uint32_t reorder(Build *b, uint32_t *order, uint32_t count) {
  uint32_t nodes = b->table->count + b->table->function_count, placed = 0;
  uint32_t *all = SR_NEW_RAW(b->arena, uint32_t, nodes);
  count = sr_order_lrpo(b->arena, graph_of_order(b, order, count), all);
  for (uint32_t i = 0; i < count; i++)
    if (all[i] < b->table->count)
      order[placed++] = all[i];
  return placed;
}

uint32_t emu_call_order(SrArena *scratch, const EmuBlockTable *table, uint32_t *order) {
  SrArena arena = sr_arena_new(scratch->heap);
  uint32_t count = sr_order_lrpo(&arena, table->graph, order);
  Build b = {.arena = &arena, .table = table};
  b.schedule = emu_call_schedule(&arena, table, order, count);
  if (b.schedule.count > 1)
    count = reorder(&b, order, count);
  emu_barrier_move(&arena, table, &b.schedule, order, count);
  sr_arena_free(&arena);
  return count;
}
