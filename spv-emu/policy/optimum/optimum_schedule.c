/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_schedule: see optimum_schedule.h. */
#include "spv-emu/policy/optimum/optimum_schedule.h"

#include "spv-emu/policy/optimum/path_index.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

enum {
  WIDE = 8, /* width of the second beam; the first has one state */
  WIDEST = 4096,
  LIKELY_SHARE = 2, /* divisor that estimates the issues of a schedule from the lanes' issues,
                       before any schedule is known */
};

typedef struct Step { /* of a schedule */
  uint32_t before, block;
} Step;

typedef struct State {
  uint64_t cost, estimate;
  uint64_t left; /* issues of all paths together */
  uint32_t step; /* the last step; SR_NONE: none */
} State;

typedef struct Next { /* a state that may be in the next beam */
  double guess;
  uint64_t cost, estimate, left;
  uint32_t from, block;
} Next;

typedef struct Beam {
  SrArena *arena;
  EmuPathIndex index;
  uint32_t width, count; /* number of states that the beam may hold; that it holds */
  State *states, *new_states;
  uint32_t *at, *new_at; /* positions of the states, `paths` for each */
  uint64_t *hashes;      /* of new_at */
  double share, weight;  /* of the guess: cost of an issue of one lane; weight of the estimate */
  SR_VEC(Next) next;
  SR_VEC(Step) steps;
  uint64_t best;
  uint32_t end; /* the last step of the best schedule */
  bool full;    /* states were left out */
} Beam;

/* ---- the beam -------------------------------------------------------------------------------- */

static double guess_of(const Beam *b, const Next *n) {
  double met = b->share * (double)n->left, least = (double)n->estimate;
  double guess = b->weight * least + (1 - b->weight) * met;
  return (double)n->cost + (guess > least ? guess : least);
}

/* Lists the steps from a state. If a state has a forced step, lists only that one. */
static void list_steps(Beam *b, uint32_t from) {
  const State *s = &b->states[from];
  EmuPathIndex *x = &b->index;
  const uint32_t *at = b->at + (size_t)from * x->paths;
  uint32_t first = b->next.count;
  for (uint32_t i = 0; i < x->paths && x->work; i++) {
    if (at[i] == x->path[i].count || !emu_path_index_first(x, at, i))
      continue;
    uint32_t block = x->path[i].blocks[at[i]], lanes = 0;
    EmuPathStep step = emu_path_index_look(x, at, block);
    for (uint32_t k = i; k < x->paths; k++)
      lanes += emu_path_index_next(x, at, k, block);
    Next n = {.cost = s->cost + x->issues[block],
              .estimate = s->estimate - (uint64_t)x->issues[block] * step.lowers,
              .left = s->left - (uint64_t)x->issues[block] * lanes,
              .from = from,
              .block = block};
    n.guess = guess_of(b, &n);
    if (step.forced)
      b->next.count = first;
    if (n.cost + n.estimate < b->best)
      SR_PUSH(b->arena, &b->next, n);
    if (step.forced)
      break;
  }
}

static int by_guess(const void *a, const void *b) {
  const Next *x = a, *y = b;
  if (x->guess != y->guess)
    return x->guess < y->guess ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

static bool is_known(const Beam *b, uint32_t count, const uint32_t *at) {
  size_t bytes = b->index.paths * sizeof *at;
  for (uint32_t i = 0; i < count; i++)
    if (b->hashes[i] == b->hashes[count] &&
        memcmp(b->new_at + (size_t)i * b->index.paths, at, bytes) == 0)
      return true;
  return false;
}

/* Takes the most promising steps, only one to each position. */
static void take_steps(Beam *b) {
  uint32_t count = 0, paths = b->index.paths;
  if (b->next.count)
    qsort(b->next.at, b->next.count, sizeof *b->next.at, by_guess);
  for (uint32_t i = 0; i < b->next.count && count < b->width; i++) {
    const Next *n = &b->next.at[i];
    uint32_t *at = b->new_at + (size_t)count * paths;
    memcpy(at, b->at + (size_t)n->from * paths, paths * sizeof *at);
    emu_path_index_run(&b->index, at, n->block);
    b->hashes[count] = XXH3_64bits(at, paths * sizeof *at);
    if (is_known(b, count, at))
      continue;
    b->new_states[count] = (State){n->cost, n->estimate, n->left, b->steps.count};
    SR_PUSH(b->arena, &b->steps, (Step){b->states[n->from].step, n->block});
    if (!n->left && n->cost < b->best) {
      b->best = n->cost;
      b->end = b->steps.count - 1;
    }
    count += n->left != 0;
  }
  b->full = b->full || count == b->width;
  State *states = b->states;
  uint32_t *positions = b->at;
  b->states = b->new_states;
  b->new_states = states;
  b->at = b->new_at;
  b->new_at = positions;
  b->count = count;
}

/* Finds a schedule that costs less than b->best; false: none was found. */
static bool run(Beam *b, const EmuLanePaths *p) {
  State start = {.estimate = emu_path_index_estimate(&b->index), .step = SR_NONE};
  for (uint32_t i = 0; i < p->at.count; i++)
    start.left += emu_lane_paths_cost(p, &p->at.at[i]);
  memset(b->at, 0, p->at.count * sizeof *b->at);
  b->states[0] = start;
  b->count = 1;
  b->steps.count = 0;
  b->end = SR_NONE;
  while (b->count && b->index.work) {
    b->next.count = 0;
    for (uint32_t i = 0; i < b->count; i++)
      list_steps(b, i);
    if (b->index.work)
      take_steps(b);
  }
  return b->end != SR_NONE;
}

/* ---- blocks that can be left out ------------------------------------------------------------- */

/* Drops blocks that the best schedule can do without. Computes, from the schedule's end, how many
 * blocks of each path the rest of the schedule can run at most, then drops blocks from its
 * start. */
static uint64_t thin(const Beam *b, const EmuLanePaths *p) {
  uint32_t paths = p->at.count, length = 0, *rest, *done;
  uint64_t cost = 0;
  for (uint32_t s = b->end; s != SR_NONE; s = b->steps.at[s].before)
    length++;
  SrArena arena = sr_arena_new(p->arena->heap);
  uint32_t *blocks = SR_NEW_RAW(&arena, uint32_t, length);
  rest = SR_NEW(&arena, uint32_t, ((size_t)length + 1) * paths);
  done = SR_NEW(&arena, uint32_t, paths);
  for (uint32_t s = b->end, i = length; s != SR_NONE; s = b->steps.at[s].before) {
    blocks[--i] = b->steps.at[s].block;
    uint32_t *now = rest + (size_t)i * paths;
    memcpy(now, now + paths, paths * sizeof *now);
    for (uint32_t k = 0; k < paths; k++) {
      const EmuPath *path = &p->at.at[k];
      now[k] += now[k] < path->count && path->blocks[path->count - 1 - now[k]] == blocks[i];
    }
  }
  for (uint32_t i = 0; i < length; i++) {
    const uint32_t *after = rest + ((size_t)i + 1) * paths;
    bool needed = false;
    for (uint32_t k = 0; k < paths && !needed; k++)
      needed = done[k] + after[k] < p->at.at[k].count;
    if (!needed)
      continue;
    cost += p->issues[blocks[i]];
    emu_path_index_run(&b->index, done, blocks[i]);
  }
  for (uint32_t k = 0; k < paths; k++)
    assert(done[k] == p->at.at[k].count);
  sr_arena_free(&arena);
  return cost;
}

/* ---- the choice of the guess ----------------------------------------------------------------- */

static Beam beam_new(SrArena *arena, const EmuLanePaths *p, uint32_t width) {
  size_t positions = (size_t)width * p->at.count;
  Beam b = {.arena = arena,
            .width = width,
            .states = SR_NEW_RAW(arena, State, width),
            .new_states = SR_NEW_RAW(arena, State, width),
            .at = SR_NEW_RAW(arena, uint32_t, positions),
            .new_at = SR_NEW_RAW(arena, uint32_t, positions + p->at.count),
            .hashes = SR_NEW_RAW(arena, uint64_t, (size_t)width + 1),
            .best = UINT64_MAX};
  emu_path_index_init(arena, p, p->work, &b.index);
  return b;
}

/* Searches for a schedule with each guess; false: no wider beam can find a better one. */
static bool try_guesses(EmuLanePaths *p, uint32_t width, uint64_t *best, double all) {
  static const double weights[] = {0.5, 1, 0.75, 0.25, 0};
  bool full = true;
  for (uint32_t i = 0; i < sizeof weights / sizeof *weights && p->work && full; i++) {
    SrArena arena = sr_arena_new(p->arena->heap);
    Beam b = beam_new(&arena, p, width);
    b.share = *best == UINT64_MAX ? (double)LIKELY_SHARE / p->at.count : (double)*best / all;
    b.weight = weights[i];
    uint64_t least = emu_path_index_estimate(&b.index);
    if (run(&b, p)) {
      uint64_t cost = thin(&b, p);
      *best = cost < *best ? cost : *best;
    }
    full = b.full && *best > least;
    p->work = b.index.work;
    sr_arena_free(&arena);
  }
  return full;
}

uint64_t emu_optimum_schedule(EmuLanePaths *p) {
  uint64_t best = UINT64_MAX, all = 0;
  for (uint32_t i = 0; i < p->at.count; i++)
    all += emu_lane_paths_cost(p, &p->at.at[i]);
  for (uint32_t width = 1; p->work && width <= WIDEST; width = width < WIDE ? WIDE : 2 * width)
    if (!try_guesses(p, width, &best, (double)all))
      break;
  return best;
}
