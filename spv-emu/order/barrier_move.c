/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_move: see barrier_move.h. */
#include "spv-emu/order/barrier_move.h"

typedef struct Places {
  const EmuBlockTable *table;
  const EmuCallSchedule *schedule;
  uint32_t *place;  /* by block: its place in the order */
  uint32_t *last;   /* by cycle: place of its last block */
  uint32_t *until;  /* by cycle: place that barriers in it must be after; 0: none */
  uint32_t *inside; /* by function: the same, for the cycles around its calls */
} Places;

static uint32_t most(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Does a back edge to the cycle's header come from a block other than the cycle's last one, or from
 * a block of an inner cycle, in which other lanes may iterate meanwhile? */
static bool iterates_early(const Places *p, uint32_t f, uint32_t cycle) {
  const EmuFunctionBlocks *function = &p->table->functions[f];
  const SrNest *nest = p->schedule->nest[f];
  for (SR_PREDS(from, p->schedule->graph[f], nest->cycles[cycle].header))
    if (sr_cycle_has(nest, cycle, *from) &&
        (nest->inner[*from] != cycle ||
         p->place[function->first + *from] != p->last[p->schedule->first_cycle[f] + cycle]))
      return true;
  return false;
}

static void look_at_cycles(Places *p, uint32_t f) {
  const SrNest *nest = p->schedule->nest[f];
  uint32_t first = p->table->functions[f].first;
  uint32_t *last = p->last + p->schedule->first_cycle[f];
  uint32_t *until = p->until + p->schedule->first_cycle[f];
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r], c = nest->inner[b];
    if (c != SR_NONE && p->place[first + b] != SR_NONE)
      last[c] = most(last[c], p->place[first + b]);
  }
  for (uint32_t c = nest->cycle_count; c-- > 0;)
    if (nest->cycles[c].parent != SR_NONE)
      last[nest->cycles[c].parent] = most(last[nest->cycles[c].parent], last[c]);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    uint32_t outer = nest->cycles[c].parent;
    until[c] = most(outer == SR_NONE ? 0 : until[outer], iterates_early(p, f, c) ? last[c] : 0);
  }
}

/* Sets target[b], for each block b with a barrier, to the place that b must be after. */
static void find_targets(Places *p, uint32_t f, uint32_t *target) {
  const EmuBlockTable *table = p->table;
  const SrNest *nest = p->schedule->nest[f];
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = table->functions[f].first + nest->order[r], c = nest->inner[nest->order[r]];
    uint32_t after = p->inside[f];
    if (c != SR_NONE)
      after = most(after, p->until[p->schedule->first_cycle[f] + c]);
    if (table->callee[b] != SR_NONE)
      p->inside[table->callee[b]] = most(p->inside[table->callee[b]], after);
    if (table->stops[b])
      target[b] = after;
  }
}

static void move(SrArena *arena, const uint32_t *target, uint32_t *order, uint32_t count,
                 uint32_t blocks) {
  uint32_t *old = SR_NEW_RAW(arena, uint32_t, count), placed = 0;
  uint32_t *after = sr_new_none(arena, count), *other = sr_new_none(arena, blocks);
  for (uint32_t i = count; i-- > 0;) {
    uint32_t b = old[i] = order[i];
    if (target[b] > i) {
      other[b] = after[target[b]];
      after[target[b]] = b;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    if (target[old[i]] <= i)
      order[placed++] = old[i];
    for (uint32_t b = after[i]; b != SR_NONE; b = other[b])
      order[placed++] = b;
  }
}

void emu_barrier_move(SrArena *scratch, const EmuBlockTable *table, const EmuCallSchedule *schedule,
                      uint32_t *order, uint32_t count) {
  if (!table->stops)
    return;
  SrArena arena = sr_arena_new(scratch->heap);
  Places p = {.table = table,
              .schedule = schedule,
              .place = sr_new_none(&arena, table->count),
              .last = SR_NEW(&arena, uint32_t, schedule->cycle_count),
              .until = SR_NEW(&arena, uint32_t, schedule->cycle_count),
              .inside = SR_NEW(&arena, uint32_t, table->function_count)};
  uint32_t *target = SR_NEW(&arena, uint32_t, table->count);
  for (uint32_t i = 0; i < count; i++)
    p.place[order[i]] = i;
  for (uint32_t i = 0; i < schedule->count; i++) { /* callers first */
    look_at_cycles(&p, schedule->order[i]);
    find_targets(&p, schedule->order[i], target);
  }
  move(&arena, target, order, count, table->count);
  sr_arena_free(&arena);
}
