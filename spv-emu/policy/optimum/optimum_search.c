/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_search: see optimum_search.h. */
#include "spv-emu/policy/optimum/optimum_search.h"

#include <xxhash.h>

typedef struct State {
  uint64_t cost, estimate;
} State;

typedef struct Open { /* a state to visit, as it was when it was opened */
  uint64_t sum, cost;
  uint32_t state;
} Open;

typedef struct Search {
  SrArena *arena;
  EmuPathIndex index;
  uint32_t paths;
  SR_VEC(State) states;
  SR_VEC(uint32_t) positions; /* positions of all states, `paths` for each */
  SR_VEC(Open) heap;
  uint32_t *slots, room; /* hash table of states by position; SR_NONE: empty */
  uint32_t *at;          /* the current position */
} Search;

static void advance(const Search *s, State *state, uint32_t block, EmuPathStep step) {
  state->cost += s->index.issues[block];
  state->estimate -= (uint64_t)s->index.issues[block] * step.lowers;
  emu_path_index_run(&s->index, s->at, block);
}

/* Takes the forced steps from s->at. A path whose next block is not forced is visited again after
 * any other path has advanced. */
static void run_forced(Search *s, State *state) {
  EmuPathIndex *x = &s->index;
  for (uint32_t i = 0, waited = 0; waited < s->paths && x->work; i = (i + 1) % s->paths) {
    waited++;
    while (s->at[i] < x->path[i].count && x->work) {
      uint32_t block = x->path[i].blocks[s->at[i]];
      EmuPathStep step = emu_path_index_look(x, s->at, block);
      if (!step.forced)
        break;
      advance(s, state, block, step);
      waited = 0;
    }
  }
}

/* ---- open states ----------------------------------------------------------------------------- */

static bool before(const Open *a, const Open *b) {
  return a->sum != b->sum ? a->sum < b->sum : a->cost > b->cost;
}

static void heap_push(Search *s, Open open) {
  SR_PUSH(s->arena, &s->heap, open);
  uint32_t i = s->heap.count - 1;
  for (uint32_t up; i && before(&open, &s->heap.at[up = (i - 1) / 2]); i = up)
    s->heap.at[i] = s->heap.at[up];
  s->heap.at[i] = open;
}

static Open heap_pop(Search *s) {
  Open top = s->heap.at[0], last = SR_POP(&s->heap);
  uint32_t i = 0;
  for (uint32_t down; (down = 2 * i + 1) < s->heap.count; i = down) {
    down += down + 1 < s->heap.count && before(&s->heap.at[down + 1], &s->heap.at[down]);
    if (!before(&s->heap.at[down], &last))
      break;
    s->heap.at[i] = s->heap.at[down];
  }
  if (s->heap.count)
    s->heap.at[i] = last;
  return top;
}

static const uint32_t *position_of(const Search *s, uint32_t state) {
  return s->positions.at + (size_t)state * s->paths;
}

static uint64_t hash_of(const Search *s, const uint32_t *at) {
  return XXH3_64bits(at, s->paths * sizeof *at);
}

static void grow_slots(Search *s) {
  s->room = s->room ? 2 * s->room : 1024;
  s->slots = sr_new_none(s->arena, s->room);
  for (uint32_t i = 0; i < s->states.count; i++) {
    uint32_t k = (uint32_t)hash_of(s, position_of(s, i)) & (s->room - 1);
    while (s->slots[k] != SR_NONE)
      k = (k + 1) & (s->room - 1);
    s->slots[k] = i;
  }
}

/* Opens the state at s->at, unless it is known at the same or a lower cost. */
static void open_state(Search *s, const State *state) {
  if (2 * s->states.count >= s->room)
    grow_slots(s);
  size_t bytes = s->paths * sizeof *s->at;
  uint32_t k = (uint32_t)hash_of(s, s->at) & (s->room - 1);
  while (s->slots[k] != SR_NONE && memcmp(position_of(s, s->slots[k]), s->at, bytes) != 0)
    k = (k + 1) & (s->room - 1);
  uint32_t known = s->slots[k];
  if (known != SR_NONE && s->states.at[known].cost <= state->cost)
    return;
  if (known == SR_NONE) {
    known = s->slots[k] = s->states.count;
    SR_PUSH(s->arena, &s->states, *state);
    SR_RESERVE(s->arena, &s->positions, s->paths);
    memcpy(s->positions.at + s->positions.count, s->at, bytes);
    s->positions.count += s->paths;
  } else
    s->states.at[known].cost = state->cost;
  heap_push(s, (Open){state->cost + state->estimate, state->cost, known});
}

/* Opens the states that the steps from a state lead to. */
static void expand(Search *s, const Open *open, uint32_t *from) {
  EmuPathIndex *x = &s->index;
  memcpy(from, position_of(s, open->state), s->paths * sizeof *from);
  State start = s->states.at[open->state];
  for (uint32_t i = 0; i < s->paths && x->work; i++) {
    if (from[i] == x->path[i].count || !emu_path_index_first(x, from, i))
      continue;
    State state = start;
    uint32_t block = x->path[i].blocks[from[i]];
    memcpy(s->at, from, s->paths * sizeof *from);
    advance(s, &state, block, emu_path_index_look(x, s->at, block));
    run_forced(s, &state);
    open_state(s, &state);
  }
}

EmuFound emu_optimum_search(const EmuLanePaths *p, uint64_t most, uint64_t *work) {
  SrArena arena = sr_arena_new(p->arena->heap);
  Search s = {.arena = &arena, .paths = p->at.count};
  s.at = SR_NEW(&arena, uint32_t, s.paths);
  uint32_t *from = SR_NEW_RAW(&arena, uint32_t, s.paths);
  emu_path_index_init(&arena, p, *work, &s.index);
  State start = {.estimate = emu_path_index_estimate(&s.index)};
  EmuFound best = {.issues = start.estimate};
  run_forced(&s, &start);
  open_state(&s, &start);
  while (s.heap.count) {
    Open open = heap_pop(&s);
    if (open.cost != s.states.at[open.state].cost)
      continue; /* the state has been reached at a lower cost since it was opened */
    best.issues = open.sum < most ? open.sum : most;
    best.exact = open.sum == open.cost || open.sum >= most;
    if (best.exact)
      break;
    expand(&s, &open, from);
    if (!s.index.work) /* some successors may not have been opened */
      break;
  }
  *work = s.index.work;
  sr_arena_free(&arena);
  return best;
}
