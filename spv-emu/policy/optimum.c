/* SPDX-License-Identifier: Apache-2.0 */
/* optimum: see optimum.h.
 *
 * Reduction. Of equal paths one is kept. A path that is a subsequence of a longer one is dropped,
 * since every schedule that lets lanes run the longer one lets them run the other too. A prefix or
 * suffix that all paths have in common is in every cheapest schedule; it is cut off, and its issues
 * are added to the result.
 *
 * Two paths: the classic table, by rows (Wagner and Fischer 1974).
 *
 * More: A* (Hart, Nilsson and Raphael 1968). A state is a position on each path. A step runs a
 * block, with all paths whose next block it is: leaving a path out never helps. The estimate of the
 * remaining cost is the sum over blocks of the block's issues times the largest number of times
 * that any one path still needs the block. It never overestimates, and a step lowers it by no more
 * than the step's cost, so the least sum of cost and estimate among the open states never
 * decreases, and is a lower bound at any time. Among states with equal sums the one with the
 * highest cost is visited first, so that an exact estimate leads straight to the end.
 *
 * A block that is next on some paths and does not occur again on any other can be run immediately:
 * waiting gains nothing. Such forced steps are taken without alternatives; with them the search is
 * short for most programs.
 *
 * When the budget is spent, the bound is the largest of the search's bound and the exact costs of
 * pairs of paths, of as many pairs as the budget allows outside the search. */
#include "policy/optimum.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>
#include <xxhash.h>

/* The budget is a number of states. Each state of it allows this much work: in the search, so many
 * looks at a path in a step (with many paths, fewer states are visited); outside the search, so
 * many table cells and comparisons of blocks, which are fast. */
#define LOOKS_A_STATE 64u
#define CELLS_A_STATE 512u

/* ---- reduction ------------------------------------------------------------------------------- */

typedef struct Paths {
  SrArena *arena;
  SR_VEC(EmuPath) at;
  const uint32_t *issues; /* by block */
  uint64_t work;          /* remaining cells and comparisons */
} Paths;

static bool same(const EmuPath *a, const EmuPath *b) {
  return a->count == b->count && (a->blocks == b->blocks ||
                                  memcmp(a->blocks, b->blocks, a->count * sizeof *a->blocks) == 0);
}

/* Keeps one of equal paths. */
static void collapse(Paths *p, const EmuPath *paths, uint32_t count) {
  uint64_t *hashes = SR_NEW_RAW(p->arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t hash = XXH3_64bits(paths[i].blocks, paths[i].count * sizeof *paths[i].blocks);
    uint32_t k = 0;
    while (k < p->at.count && !(hashes[k] == hash && same(&p->at.at[k], &paths[i])))
      k++;
    if (k < p->at.count)
      continue;
    hashes[k] = hash;
    SR_PUSH(p->arena, &p->at, paths[i]);
  }
}

static int longer_first(const void *a, const void *b) {
  const EmuPath *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->count ? memcmp(x->blocks, y->blocks, x->count * sizeof *x->blocks) : 0;
}

static bool is_subsequence(Paths *p, const EmuPath *a, const EmuPath *of) {
  uint32_t i = 0, k = 0;
  for (; i < a->count && a->count - i <= of->count - k; k++)
    i += a->blocks[i] == of->blocks[k];
  p->work -= k < p->work ? k : p->work;
  return i == a->count;
}

/* Drops paths that are subsequences of longer ones, while work is left. */
static void drop_subsequences(Paths *p) {
  uint32_t kept = 0;
  qsort(p->at.at, p->at.count, sizeof *p->at.at, longer_first);
  for (uint32_t i = 0; i < p->at.count; i++) {
    bool served = false;
    for (uint32_t k = 0; k < kept && !served && p->work; k++)
      served = is_subsequence(p, &p->at.at[i], &p->at.at[k]);
    if (!served)
      p->at.at[kept++] = p->at.at[i];
  }
  p->at.count = kept;
}

/* Strips blocks that all paths start or end with; returns their issues. */
static uint64_t strip(Paths *p) {
  uint64_t issues = 0;
  uint32_t shortest = p->at.count ? SR_NONE : 0;
  for (uint32_t i = 0; i < p->at.count; i++)
    shortest = p->at.at[i].count < shortest ? p->at.at[i].count : shortest;
  for (int back = 0; back < 2; back++)
    for (; shortest; shortest--) {
      const EmuPath *a = &p->at.at[0];
      uint32_t block = back ? a->blocks[a->count - 1] : a->blocks[0];
      uint32_t i = 1;
      while (i < p->at.count && p->at.at[i].blocks[back ? p->at.at[i].count - 1 : 0] == block)
        i++;
      if (i < p->at.count)
        break;
      issues += p->issues[block];
      for (i = 0; i < p->at.count; i++) {
        p->at.at[i].blocks += !back;
        p->at.at[i].count--;
      }
    }
  return issues;
}

/* ---- two paths ------------------------------------------------------------------------------- */

static uint64_t pair_cost(Paths *p, const EmuPath *a, const EmuPath *b) {
  SrMark mark = sr_arena_mark(p->arena);
  uint64_t *row = SR_NEW_RAW(p->arena, uint64_t, (size_t)b->count + 1);
  row[0] = 0;
  for (uint32_t k = 0; k < b->count; k++)
    row[k + 1] = row[k] + p->issues[b->blocks[k]];
  for (uint32_t i = 0; i < a->count; i++) {
    uint64_t slanted = row[0], own = p->issues[a->blocks[i]];
    row[0] += own;
    for (uint32_t k = 0; k < b->count; k++) {
      uint64_t above = row[k + 1], one = above + own, other = row[k] + p->issues[b->blocks[k]];
      row[k + 1] = a->blocks[i] == b->blocks[k] ? slanted + own : one < other ? one : other;
      slanted = above;
    }
  }
  uint64_t cost = row[b->count];
  sr_arena_reset(p->arena, mark);
  return cost;
}

/* The largest cost of a pair of paths, among as many pairs as the remaining work allows, long paths
 * first. *all: no pair was left out. */
static uint64_t pairs_bound(Paths *p, bool *all) {
  uint64_t bound = 0;
  *all = true;
  for (uint32_t i = 1; i < p->at.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      uint64_t cells = ((uint64_t)p->at.at[i].count + 1) * (p->at.at[k].count + 1);
      if (cells > p->work) {
        *all = false;
        continue;
      }
      p->work -= cells;
      uint64_t cost = pair_cost(p, &p->at.at[i], &p->at.at[k]);
      bound = cost > bound ? cost : bound;
    }
  return bound;
}

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct Carrier { /* a path that holds a symbol */
  uint32_t path;
  uint32_t first, count; /* its positions on the path: in Search.where, ascending */
} Carrier;

typedef struct Symbol { /* a block that occurs */
  uint32_t issues;
  uint32_t first, count; /* in Search.carriers */
} Symbol;

typedef struct State {
  uint64_t cost, estimate;
} State;

typedef struct Open { /* a state to visit, as it was when it was opened */
  uint64_t sum, cost;
  uint32_t state;
} Open;

typedef struct Search {
  SrArena *arena;
  uint32_t paths;
  uint32_t **path; /* by path: symbols */
  uint32_t *length;
  SR_VEC(Symbol) symbols;
  Carrier *carriers;
  uint32_t *where;
  SR_VEC(State) states;
  SR_VEC(uint32_t) positions; /* of all states, `paths` each */
  SR_VEC(Open) heap;
  uint32_t *slots, room; /* hash table of states by position; SR_NONE: empty */
  uint32_t *at;          /* the current position */
  uint64_t work;         /* remaining: one unit for each path visited in a step */
} Search;

/* Indexes the symbols of all paths and the places where they occur: first counts them, then fills
 * them in by symbol and path. */
static void index_paths(Search *s, const Paths *p) {
  SrMap map = {.arena = s->arena};
  size_t total = 0;
  for (uint32_t i = 0; i < s->paths; i++) {
    const EmuPath *path = &p->at.at[i];
    s->length[i] = path->count;
    s->path[i] = SR_NEW_RAW(s->arena, uint32_t, path->count);
    total += path->count;
    for (uint32_t k = 0; k < path->count; k++) {
      uint32_t x = sr_map_get(&map, path->blocks[k]);
      if (x == SR_NONE) {
        sr_map_set(&map, path->blocks[k], x = s->symbols.count);
        SR_PUSH(s->arena, &s->symbols, (Symbol){.issues = p->issues[path->blocks[k]]});
      }
      s->path[i][k] = x;
      s->symbols.at[x].count++; /* for now the number of occurrences */
    }
  }
  s->carriers = SR_NEW_RAW(s->arena, Carrier, total);
  s->where = SR_NEW_RAW(s->arena, uint32_t, total);
  uint32_t *end = SR_NEW_RAW(s->arena, uint32_t, s->symbols.count), at = 0;
  for (uint32_t x = 0; x < s->symbols.count; x++) {
    s->symbols.at[x].first = end[x] = at; /* room for one carrier for each occurrence */
    at += s->symbols.at[x].count;
    s->symbols.at[x].count = 0;
  }
  for (uint32_t i = 0; i < s->paths; i++)
    for (uint32_t k = 0; k < s->length[i]; k++) {
      uint32_t x = s->path[i][k];
      Symbol *symbol = &s->symbols.at[x];
      Carrier *of = &s->carriers[symbol->first];
      if (!symbol->count || of[symbol->count - 1].path != i)
        of[symbol->count++] = (Carrier){.path = i, .first = end[x]};
      of[symbol->count - 1].count++;
      s->where[end[x]++] = k;
    }
}

/* How often the carrier's path holds its symbol at `position` or after it. */
static uint32_t left_of(const Search *s, const Carrier *c, uint32_t position) {
  const uint32_t *where = s->where + c->first;
  uint32_t low = 0, high = c->count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (where[mid] < position)
      low = mid + 1;
    else
      high = mid;
  }
  return c->count - low;
}

static bool is_next(const Search *s, const uint32_t *at, uint32_t path, uint32_t symbol) {
  return at[path] < s->length[path] && s->path[path][at[path]] == symbol;
}

typedef struct Step {
  uint32_t lowers; /* by how many occurrences the step lowers the estimate: 0 or 1 */
  bool forced;     /* every path that needs the symbol later needs it now */
} Step;

static Step look(Search *s, const uint32_t *at, uint32_t symbol) {
  const Symbol *x = &s->symbols.at[symbol];
  uint32_t most = 0, most_left = 0;
  Step step = {.forced = true};
  for (const Carrier *c = s->carriers + x->first, *end = c + x->count; c < end; c++) {
    uint32_t left = left_of(s, c, at[c->path]);
    uint32_t later = left - is_next(s, at, c->path, symbol);
    if (left && left == later)
      step.forced = false;
    most = left > most ? left : most;
    most_left = later > most_left ? later : most_left;
  }
  step.lowers = most - most_left;
  s->work -= x->count < s->work ? x->count : s->work;
  return step;
}

static void run_symbol(const Search *s, uint32_t *at, uint32_t symbol) {
  const Symbol *x = &s->symbols.at[symbol];
  for (const Carrier *c = s->carriers + x->first, *end = c + x->count; c < end; c++)
    at[c->path] += is_next(s, at, c->path, symbol);
}

static void advance(const Search *s, State *state, uint32_t symbol, Step step) {
  state->cost += s->symbols.at[symbol].issues;
  state->estimate -= (uint64_t)s->symbols.at[symbol].issues * step.lowers;
  run_symbol(s, s->at, symbol);
}

static bool is_first_with(const Search *s, const uint32_t *at, uint32_t path) {
  for (uint32_t i = 0; i < path; i++)
    if (is_next(s, at, i, s->path[path][at[path]]))
      return false;
  return true;
}

/* Takes the forced steps from s->at. A path whose next block is not forced is visited again after
 * any other path has advanced. */
static void run_forced(Search *s, State *state) {
  for (uint32_t i = 0, waited = 0; waited < s->paths && s->work; i = (i + 1) % s->paths) {
    waited++;
    while (s->at[i] < s->length[i] && s->work) {
      uint32_t symbol = s->path[i][s->at[i]];
      Step step = look(s, s->at, symbol);
      if (!step.forced)
        break;
      advance(s, state, symbol, step);
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
  memcpy(from, position_of(s, open->state), s->paths * sizeof *from);
  State start = s->states.at[open->state];
  for (uint32_t i = 0; i < s->paths && s->work; i++) {
    if (from[i] == s->length[i] || !is_first_with(s, from, i))
      continue;
    State state = start;
    uint32_t symbol = s->path[i][from[i]];
    memcpy(s->at, from, s->paths * sizeof *from);
    advance(s, &state, symbol, look(s, s->at, symbol));
    run_forced(s, &state);
    open_state(s, &state);
  }
}

/* The sum over symbols of the issues for the path that holds the symbol most often. */
static uint64_t first_estimate(const Search *s) {
  uint64_t estimate = 0;
  for (uint32_t x = 0; x < s->symbols.count; x++) {
    const Symbol *symbol = &s->symbols.at[x];
    uint32_t most = 0;
    for (const Carrier *c = s->carriers + symbol->first, *end = c + symbol->count; c < end; c++)
      most = c->count > most ? c->count : most;
    estimate += (uint64_t)most * symbol->issues;
  }
  return estimate;
}

static EmuOptimum search(const Paths *p, uint64_t work) {
  Search s = {.arena = p->arena, .paths = p->at.count, .work = work};
  s.path = SR_NEW_RAW(p->arena, uint32_t *, s.paths);
  s.length = SR_NEW_RAW(p->arena, uint32_t, s.paths);
  s.at = SR_NEW(p->arena, uint32_t, s.paths);
  uint32_t *from = SR_NEW_RAW(p->arena, uint32_t, s.paths);
  index_paths(&s, p);
  State start = {.estimate = first_estimate(&s)};
  EmuOptimum best = {.issues = start.estimate};
  run_forced(&s, &start);
  open_state(&s, &start);
  while (s.heap.count) {
    Open open = heap_pop(&s);
    if (open.cost != s.states.at[open.state].cost)
      continue; /* it has been reached at a lower cost since it was opened */
    best.issues = open.sum;
    if (open.sum == open.cost) {
      best.exact = true;
      break;
    }
    expand(&s, &open, from);
    if (!s.work) /* some successors may not have been opened */
      break;
  }
  return best;
}

EmuOptimum emu_optimum(SrArena *arena, const EmuPath *paths, uint32_t count, const uint32_t *issues,
                       uint32_t budget) {
  SrArena scratch = sr_arena_new(arena->heap);
  Paths p = {.arena = &scratch, .issues = issues, .work = (uint64_t)budget * CELLS_A_STATE};
  EmuOptimum best = {.exact = true};
  collapse(&p, paths, count);
  if (p.at.count > 1)
    drop_subsequences(&p);
  uint64_t common = strip(&p);
  if (p.at.count > 1) {
    bool all = false;
    uint64_t pairs = p.at.count == 2 ? pairs_bound(&p, &all) : 0;
    best = all ? (EmuOptimum){pairs, true} : search(&p, (uint64_t)budget * LOOKS_A_STATE);
    if (!best.exact && p.at.count > 2)
      pairs = pairs_bound(&p, &all);
    best.issues = pairs > best.issues ? pairs : best.issues;
  }
  sr_arena_free(&scratch);
  best.issues += common;
  return best;
}
