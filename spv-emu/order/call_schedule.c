/* SPDX-License-Identifier: Apache-2.0 */
/* call_schedule: see call_schedule.h.
 *
 * A list schedule. A block is ready when everything that must come before it is placed: the sources
 * of its incoming edges except back edges; for an edge that leaves cycles, all blocks of the
 * outermost one; after a call, all blocks of the callee. The target of an edge into a cycle is
 * taken to be its header. Each step places the first of the following that exists:
 *
 *   1. a ready block, function by function, callers first, in the function's own LRPO
 *   2. the entry of a function that a placed block calls; callers first, since they may call the
 *      others, too. (All calls of it that can be placed so far come before it, by 1.)
 *   3. the header of a ready cycle that contains calls; cycles of callees first, so that a call in
 *      the cycle never waits for a function that has begun and itself waits for a cycle
 *
 * Since nothing else is ready when such a cycle is entered, every block that becomes ready until
 * the whole cycle is placed is in it, or called from it. So the blocks of the cycle are contiguous.
 *
 * The schedule cannot get stuck. A block waits for a ready block, or for a function that is called
 * and has not begun (2), or for a function that has begun and in which a block waits. The last such
 * function in the order of calls waits for a cycle, which is ready and comes first in (3).
 *
 * Callers first: in a topological order of the call graph; among the functions whose callers have
 * all been taken, the one whose entry is first in the LRPO of the whole graph is next. If that
 * graph has no cycles except those of the functions, no function comes before one of its calls, as
 * in LRPO. */
#include "spv-emu/order/call_schedule.h"
#include "spv-emu/order/call_reach.h"

#include "passes/base/rank_set.h"

#include <assert.h>

typedef struct Body { /* of a function */
  const SrGraph *graph;
  const SrNest *nest; /* nest of that graph; NULL: the entry does not reach the function */
  SrAncestors cycles;
  uint32_t position;            /* callers before callees */
  uint32_t number, first_cycle; /* numbers of its first block and its first cycle in the whole
                                   program */
  uint32_t left;                /* blocks that are not placed */
  uint32_t calls;               /* list of placed calls of it, after which blocks wait */
  uint32_t callers;             /* calls by functions that have no position yet */
  uint32_t around;              /* innermost cycle around its forward calls, or SR_NONE */
  bool begun;
} Body;

typedef struct Exit { /* an edge that leaves cycles */
  uint32_t to, next;
} Exit;

typedef struct Schedule {
  SrArena *arena;
  const EmuBlockTable *table;
  const uint32_t *lrpo, *rank; /* LRPO of the whole graph, and the rank of each block in it */
  const SrBits *reached;       /* blocks that lanes can reach */
  Body *bodies;                /* by function */
  uint32_t *order;             /* the functions by position */
  uint32_t count;              /* functions that the entry reaches */
  uint32_t *waits;             /* by block: number of blocks, cycles and functions that it waits
                                  for */
  uint32_t *block;  /* by number: functions by position, each function's blocks in its LRPO */
  uint32_t *other;  /* by block: the next in the list of calls */
  uint32_t *left;   /* by cycle: number of its inner cycles, and of blocks in none of these, that
                       are not placed */
  uint32_t *exits;  /* by cycle: list of the edges that leave it, but no cycle around it */
  uint32_t *header; /* by cycle: number of its header */
  bool *calls;      /* by cycle: there are calls in it */
  uint32_t cycle_count;
  bool *forward;     /* by block: a call of a function that had not begun */
  SR_VEC(Exit) exit; /* exits of all cycles */
  SrRankSets sets;
  uint32_t blocks, callees, cycles; /* what can be placed now: numbers, positions, cycles */
} Schedule;

/* Removes and returns the least element of the set. */
static uint32_t take_first(Schedule *s, uint32_t set) {
  uint32_t first = sr_ranks_min(&s->sets, set);
  sr_ranks_drop(&s->sets, set, first);
  return first;
}

/* ---- the order of the functions -------------------------------------------------------------- */

/* Does the call return? If not, no lane reaches the block after it. */
static bool returns(const Schedule *s, uint32_t b) {
  return sr_bit(s->reached, s->table->next[b]);
}

static bool is_lost(const Schedule *s, uint32_t b) {
  return s->table->callee[b] != SR_NONE && !returns(s, b);
}

static const SrGraph *graph_of(const Schedule *s, const EmuFunctionBlocks *function) {
  SR_VEC(SrEdge) edges = {0};
  uint32_t lost = 0;
  for (uint32_t b = 0; b < function->count; b++)
    lost += is_lost(s, function->first + b);
  for (uint32_t b = 0; b < function->count && lost; b++)
    for (SR_SUCCS(t, function->graph, b))
      if (!is_lost(s, function->first + b))
        SR_PUSH(s->arena, &edges, (SrEdge){b, *t});
  return lost ? sr_graph_new(s->arena, function->count, edges.at, edges.count) : function->graph;
}

static void reach(Schedule *s, uint32_t f, uint32_t *reached, uint32_t *count) {
  Body *body = &s->bodies[f];
  if (body->nest)
    return;
  body->graph = graph_of(s, &s->table->functions[f]);
  body->nest = sr_nest_build(s->arena, body->graph);
  body->left = body->nest->count;
  reached[(*count)++] = f;
}

/* The function that a block (numbered in its function) calls, or SR_NONE. */
static uint32_t callee_of(const Schedule *s, uint32_t f, uint32_t b) {
  return s->table->callee[s->table->functions[f].first + b];
}

static void reach_functions(Schedule *s) {
  reach(s, s->table->entry_function, s->order, &s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    const SrNest *nest = s->bodies[s->order[i]].nest;
    for (uint32_t r = 0; r < nest->count; r++) {
      uint32_t callee = callee_of(s, s->order[i], nest->order[r]);
      if (callee == SR_NONE)
        continue;
      reach(s, callee, s->order, &s->count);
      s->bodies[callee].callers++;
    }
  }
}

/* Frees the functions that only functions with a position call. */
static void free_callees(Schedule *s, uint32_t f, uint32_t set) {
  const SrNest *nest = s->bodies[f].nest;
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t callee = callee_of(s, f, nest->order[r]);
    if (callee != SR_NONE && --s->bodies[callee].callers == 0)
      sr_ranks_add(&s->sets, set, s->rank[s->table->functions[callee].first]);
  }
}

/* Assigns positions: the next one to the free function whose entry has the lowest rank. */
static void order_functions(Schedule *s) {
  const EmuBlockTable *table = s->table;
  uint32_t set = sr_ranks_new(&s->sets);
  s->count = 0;
  sr_ranks_add(&s->sets, set, s->rank[table->functions[table->entry_function].first]);
  while (!sr_ranks_empty(&s->sets, set)) {
    uint32_t f = table->function[s->lrpo[take_first(s, set)]];
    s->bodies[f].position = s->count;
    s->order[s->count++] = f;
    free_callees(s, f, set);
  }
}

/* ---- what waits for what --------------------------------------------------------------------- */

/* What the target of an edge between blocks of a function waits for. */
typedef struct Wait {
  uint32_t target; /* the block that waits; SR_NONE: none, since it is a back edge */
  uint32_t left;   /* the cycle that must be placed wholly; SR_NONE: only the edge's source must */
} Wait;

static Wait wait_of(const Body *body, uint32_t from, uint32_t to) {
  const SrNest *nest = body->nest;
  if (nest->rank[to] <= nest->rank[from])
    return (Wait){SR_NONE, SR_NONE};
  uint32_t entered = sr_ancestors_entered(&body->cycles, nest->inner[from], nest->inner[to]);
  uint32_t left = sr_ancestors_entered(&body->cycles, nest->inner[to], nest->inner[from]);
  return (Wait){entered == SR_NONE ? to : nest->cycles[entered].header, left};
}

static void number_function(Schedule *s, uint32_t f, uint32_t *number) {
  Body *body = &s->bodies[f];
  body->number = *number;
  for (uint32_t r = 0; r < body->nest->count; r++)
    s->block[(*number)++] = s->table->functions[f].first + body->nest->order[r];
}

/* Numbers the function's cycles, and marks those with calls. */
static void number_cycles(Schedule *s, uint32_t f, uint32_t first_cycle) {
  Body *body = &s->bodies[f];
  const SrNest *nest = body->nest;
  body->first_cycle = first_cycle;
  body->cycles = sr_nest_ancestors(s->arena, nest);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    s->header[first_cycle + c] = s->table->functions[f].first + nest->cycles[c].header;
    if (nest->cycles[c].parent != SR_NONE)
      s->left[first_cycle + nest->cycles[c].parent]++;
  }
  for (uint32_t b = 0; b < s->table->functions[f].count; b++)
    if (nest->inner[b] != SR_NONE) {
      s->left[first_cycle + nest->inner[b]]++;
      s->calls[first_cycle + nest->inner[b]] |= callee_of(s, f, b) != SR_NONE;
    }
  for (uint32_t c = nest->cycle_count; c-- > 0;)
    if (nest->cycles[c].parent != SR_NONE)
      s->calls[first_cycle + nest->cycles[c].parent] |= s->calls[first_cycle + c];
}

static void count_waits(Schedule *s, uint32_t f) {
  const Body *body = &s->bodies[f];
  const EmuFunctionBlocks *function = &s->table->functions[f];
  for (uint32_t r = 0; r < body->nest->count; r++) {
    uint32_t b = body->nest->order[r];
    for (SR_SUCCS(t, body->graph, b)) {
      Wait wait = wait_of(body, b, *t);
      if (wait.target == SR_NONE)
        continue;
      s->waits[function->first + wait.target]++;
      if (wait.left != SR_NONE) {
        uint32_t *list = &s->exits[body->first_cycle + wait.left];
        SR_PUSH(s->arena, &s->exit, (Exit){function->first + wait.target, *list});
        *list = s->exit.count - 1;
      }
    }
    if (callee_of(s, f, b) != SR_NONE && returns(s, function->first + b))
      s->waits[s->table->next[function->first + b]]++;
  }
}

static void find_waits(Schedule *s) {
  uint32_t number = 0, cycle = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    number_function(s, s->order[i], &number);
    s->cycle_count += s->bodies[s->order[i]].nest->cycle_count;
  }
  s->left = SR_NEW(s->arena, uint32_t, s->cycle_count);
  s->exits = sr_new_none(s->arena, s->cycle_count);
  s->header = SR_NEW_RAW(s->arena, uint32_t, s->cycle_count);
  s->calls = SR_NEW(s->arena, bool, s->cycle_count);
  for (uint32_t i = s->count; i-- > 0;) {
    number_cycles(s, s->order[i], cycle);
    count_waits(s, s->order[i]);
    cycle += s->bodies[s->order[i]].nest->cycle_count;
  }
}

/* ---- the schedule ---------------------------------------------------------------------------- */

static uint32_t around(const Schedule *s, uint32_t b) {
  const Body *body = &s->bodies[s->table->function[b]];
  uint32_t inner = body->nest->inner[b - s->table->functions[s->table->function[b]].first];
  return inner == SR_NONE ? body->around : body->first_cycle + inner;
}

static void make_ready(Schedule *s, uint32_t b) {
  uint32_t f = s->table->function[b], local = b - s->table->functions[f].first;
  const Body *body = &s->bodies[f];
  uint32_t inner = body->nest->inner[local];
  bool heads = inner != SR_NONE && body->nest->cycles[inner].header == local;
  if (heads && s->calls[body->first_cycle + inner])
    sr_ranks_add(&s->sets, s->cycles, body->first_cycle + inner);
  else
    sr_ranks_add(&s->sets, s->blocks, body->number + body->nest->rank[local]);
}

static void release(Schedule *s, uint32_t b) {
  if (--s->waits[b] == 0)
    make_ready(s, b);
}

/* Called when a block of the cycle, or the last block of a cycle inside it, has been placed. */
static void leave_cycles(Schedule *s, const Body *body, uint32_t cycle) {
  while (cycle != SR_NONE && --s->left[body->first_cycle + cycle] == 0) {
    for (uint32_t e = s->exits[body->first_cycle + cycle]; e != SR_NONE; e = s->exit.at[e].next)
      release(s, s->exit.at[e].to);
    cycle = body->nest->cycles[cycle].parent;
  }
}

static void continue_after(Schedule *s, uint32_t call) {
  if (returns(s, call))
    release(s, s->table->next[call]);
}

static void call(Schedule *s, uint32_t b) {
  Body *callee = &s->bodies[s->table->callee[b]];
  s->forward[b] = !callee->begun;
  if (callee->left == 0) {
    continue_after(s, b);
    return;
  }
  if (!callee->begun && callee->calls == SR_NONE)
    sr_ranks_add(&s->sets, s->callees, callee->position);
  s->other[b] = callee->calls;
  callee->calls = b;
}

static void place(Schedule *s, uint32_t b) {
  uint32_t f = s->table->function[b];
  Body *body = &s->bodies[f];
  const EmuFunctionBlocks *function = &s->table->functions[f];
  for (SR_SUCCS(t, body->graph, b - function->first)) {
    Wait wait = wait_of(body, b - function->first, *t);
    if (wait.target != SR_NONE && wait.left == SR_NONE)
      release(s, function->first + wait.target);
  }
  if (s->table->callee[b] != SR_NONE)
    call(s, b);
  leave_cycles(s, body, body->nest->inner[b - function->first]);
  if (--body->left == 0)
    for (uint32_t c = body->calls; c != SR_NONE; c = s->other[c])
      continue_after(s, c);
}

/* Begins a function. All waiting calls are in one cycle, since a cycle is entered only if no other
 * call waits. */
static void begin(Schedule *s, uint32_t f) {
  uint32_t c = s->bodies[f].calls;
  s->bodies[f].around = c == SR_NONE ? SR_NONE : around(s, c);
  s->bodies[f].begun = true;
  make_ready(s, s->table->functions[f].first);
}

static bool place_next(Schedule *s) {
  if (!sr_ranks_empty(&s->sets, s->blocks))
    place(s, s->block[take_first(s, s->blocks)]);
  else if (!sr_ranks_empty(&s->sets, s->callees))
    begin(s, s->order[take_first(s, s->callees)]);
  else if (!sr_ranks_empty(&s->sets, s->cycles))
    place(s, s->header[take_first(s, s->cycles)]);
  else
    return false;
  return true;
}

/* ---- the result ------------------------------------------------------------------------------ */

static Schedule schedule_new(SrArena *arena, const EmuBlockTable *table, const uint32_t *lrpo,
                             uint32_t count) {
  uint32_t *rank = sr_new_none(arena, table->count);
  for (uint32_t i = 0; i < count; i++)
    rank[lrpo[i]] = i;
  Schedule s = {.arena = arena,
                .table = table,
                .lrpo = lrpo,
                .rank = rank,
                .reached = emu_call_reach(arena, table),
                .bodies = SR_NEW(arena, Body, table->function_count),
                .order = SR_NEW_RAW(arena, uint32_t, table->function_count),
                .waits = SR_NEW(arena, uint32_t, table->count),
                .block = SR_NEW_RAW(arena, uint32_t, table->count),
                .other = SR_NEW_RAW(arena, uint32_t, table->count),
                .forward = SR_NEW(arena, bool, table->count),
                .sets = {.arena = arena}};
  for (uint32_t f = 0; f < table->function_count; f++)
    s.bodies[f].calls = SR_NONE;
  s.blocks = sr_ranks_new(&s.sets);
  s.callees = sr_ranks_new(&s.sets);
  s.cycles = sr_ranks_new(&s.sets);
  return s;
}

/* Cycles of callers have higher numbers than those of callees. */
static SrAncestors nest_cycles(SrArena *arena, const Schedule *s) {
  uint32_t *parent = SR_NEW_RAW(arena, uint32_t, s->cycle_count);
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, s->cycle_count), count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const Body *body = &s->bodies[s->order[i]];
    for (uint32_t c = 0; c < body->nest->cycle_count; c++) {
      uint32_t outer = body->nest->cycles[c].parent;
      order[count++] = body->first_cycle + c;
      parent[body->first_cycle + c] = outer == SR_NONE ? body->around : body->first_cycle + outer;
    }
  }
  return sr_ancestors_build(arena, parent, count, order, count);
}

EmuCallSchedule emu_call_schedule(SrArena *arena, const EmuBlockTable *table, const uint32_t *lrpo,
                                  uint32_t count) {
  Schedule s = schedule_new(arena, table, lrpo, count);
  reach_functions(&s);
  order_functions(&s);
  find_waits(&s);
  begin(&s, table->entry_function);
  while (place_next(&s)) {
  }
  EmuCallSchedule made = {.graph = SR_NEW(arena, const SrGraph *, table->function_count),
                          .nest = SR_NEW(arena, const SrNest *, table->function_count),
                          .order = s.order,
                          .count = s.count,
                          .cycle_count = s.cycle_count,
                          .first_cycle = SR_NEW(arena, uint32_t, table->function_count),
                          .around = sr_new_none(arena, table->function_count),
                          .cycles = nest_cycles(arena, &s),
                          .header = s.header,
                          .forward = s.forward};
  for (uint32_t i = 0; i < s.count; i++) {
    uint32_t f = s.order[i];
    assert(s.bodies[f].left == 0);
    made.graph[f] = s.bodies[f].graph;
    made.nest[f] = s.bodies[f].nest;
    made.first_cycle[f] = s.bodies[f].first_cycle;
    made.around[f] = s.bodies[f].around;
  }
  return made;
}

uint32_t emu_cycle_around(const EmuCallSchedule *s, const EmuBlockTable *table, uint32_t block) {
  uint32_t f = table->function[block];
  uint32_t inner = s->nest[f]->inner[block - table->functions[f].first];
  return inner == SR_NONE ? s->around[f] : s->first_cycle[f] + inner;
}
