/* SPDX-License-Identifier: Apache-2.0 */
/* check_steer: see check_steer.h. */
#include "passes/check/check_steer.h"
#include "passes/walk/walk_solve.h"

#include <assert.h>
#include <string.h>

enum {
  GIVE_UP = 8,       /* failures after which an edge is given up */
  GIVE_UP_LAPS = 16, /* for SR_CHECK_LAPS; only walks that took the edge, and could not cover it,
                      * bring it above GIVE_UP */
  MOST_RESTARTS = 4,
  MOST_ON_PATH = 24,    /* the same limit for a walk along a given path */
  PAIRS_OF_BLOCK = 64,  /* pairs of one block that are counted; more are not */
  MOST_BLOCKS_EACH = 4, /* blocks of the input for one of the output, at most, on a repeated walk */
  PATIENCE = 24,        /* blocks without progress after which a walk heads for the end */
  LONGEST_TAIL = 80,    /* and blocks after which it is cut off */
  AGAIN_COST = 4,       /* extra distance of an edge that this walk has taken before */
  MEASURE_AGAIN = 16,   /* blocks without progress after which distances are measured again */
  STALE_PART = 16,      /* or when one in this many open edges has been closed */
  /* costs equal to a visit of one block: */
  MEASURE_COST = 8, /* measuring this many blocks, */
  EDGES_COST = 16,  /* scanning this many edges of a switch, */
  INSTS_COST = 64,  /* this many additional instructions, */
  START_COST = 16,  /* drawing this many numbers at the start */
  INSTS_OF_BLOCK =
      16, /* additional instructions that count as one block in the size of a function, */
  EDGES_OF_BLOCK = 2 /* and additional edges out of a block that do */
};

/* ---- tables ---- */

static void find_edges_in(SrCheckSteer *s) {
  const SrWalkCode *code = s->code;
  for (uint32_t e = 0; e < code->edge.count; e++)
    s->in_at[code->edge.at[e].to + 1]++;
  for (uint32_t b = 0; b < code->block.count; b++)
    s->in_at[b + 1] += s->in_at[b];
  for (uint32_t e = 0; e < code->edge.count; e++) {
    uint32_t to = code->edge.at[e].to;
    s->in[s->in_at[to] + s->place[e]] = e;
  }
}

static void number_edges_in(SrCheckSteer *s, uint32_t *seen) {
  for (uint32_t e = 0; e < s->code->edge.count; e++)
    s->place[e] = seen[s->code->edge.at[e].to]++;
}

/* The number of live pairs that begin with an edge. */
static uint32_t live_pairs(const SrCheckSteer *s, uint32_t in) {
  const SrWalkBlock *b = &s->code->block.at[s->code->edge.at[in].to];
  uint32_t count = 0;
  if (!s->live.live[in])
    return 0;
  if (s->live.next[in] != SR_NONE)
    return 1;
  for (uint32_t e = b->edge; e < b->edge + b->edge_count; e++)
    count += s->live.live[e];
  return count;
}

/* Numbers the pairs of each block with several edges in and several edges out; in other blocks a
 * pair says no more than an edge. Returns how many numbers were given. */
static uint32_t number_pairs(SrCheckSteer *s) {
  uint32_t room = 0;
  for (uint32_t b = 0; b < s->code->block.count; b++) {
    uint32_t in = s->in_at[b + 1] - s->in_at[b], out = s->code->block.at[b].edge_count;
    s->pair_at[b] = SR_NONE;
    if (in < 2 || out < 2 || (uint64_t)in * out > PAIRS_OF_BLOCK)
      continue;
    s->pair_at[b] = room;
    room += in * out;
    for (uint32_t i = s->in_at[b]; i < s->in_at[b + 1]; i++) {
      s->pairs_open[s->in[i]] = live_pairs(s, s->in[i]);
      s->pairs += s->pairs_open[s->in[i]];
    }
  }
  return room;
}

static uint32_t count_live(const SrCheckSteer *s) {
  uint32_t live = 0;
  for (uint32_t e = 0; e < s->code->edge.count; e++)
    live += s->live.live[e];
  return live;
}

/* Computes the distances from all blocks to those that are in the queue at first. */
static void spread(SrCheckSteer *s, uint32_t *distance, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t b = s->queue[i];
    for (uint32_t k = s->in_at[b]; k < s->in_at[b + 1]; k++) {
      uint32_t from = s->code->edge.at[s->in[k]].from;
      if (distance[from] == SR_NONE) {
        distance[from] = distance[b] + 1;
        s->queue[count++] = from;
      }
    }
  }
}

static uint64_t size_of(const SrWalkCode *code) {
  uint64_t size = 0;
  for (uint32_t b = 0; b < code->block.count; b++) {
    const SrWalkBlock *block = &code->block.at[b];
    size += 1 + (block->inst_count + block->phi_count) / INSTS_OF_BLOCK;
    if (block->edge_count > EDGES_OF_BLOCK)
      size += block->edge_count - EDGES_OF_BLOCK;
  }
  return size;
}

static void find_ends(SrCheckSteer *s) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < s->code->block.count; b++)
    if (s->code->block.at[b].edge_count == 0) {
      s->to_end[b] = 0;
      s->queue[count++] = b;
    }
  spread(s, s->to_end, count);
}

/* Is there something to cover at the edge, and has it failed less often than `most`? */
static bool is_left(const SrCheckSteer *s, uint32_t e, uint32_t failures) {
  return s->live.live[e] && s->failures[e] < failures && (!s->covered[e] || s->pairs_open[e]);
}

static bool is_open(const SrCheckSteer *s, uint32_t e) {
  return is_left(s, e, GIVE_UP);
}

static bool has_effect(const SrWalkCode *code, const SrWalkBlock *b) {
  if (b->end == SR_WALK_LEAVE)
    return true;
  for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
    if (code->inst.at[i].kind == SR_WALK_EFFECT)
      return true;
  return false;
}

/* Gives up the edges after which nothing can be observed: endless cycles without effects. */
static void give_up_silent(SrCheckSteer *s) {
  uint32_t count = 0, blocks = s->code->block.count;
  for (uint32_t b = 0; b < blocks; b++)
    if (has_effect(s->code, &s->code->block.at[b])) {
      s->distance[b] = 0;
      s->queue[count++] = b;
    }
  spread(s, s->distance, count);
  for (uint32_t e = 0; e < s->code->edge.count; e++)
    if (s->distance[s->code->edge.at[e].to] == SR_NONE && is_open(s, e)) {
      s->failures[e] = GIVE_UP_LAPS;
      s->open--;
    }
  memset(s->distance, 0xff, blocks * sizeof *s->distance);
}

void sr_check_steer_init(SrArena *arena, SrWalk *w, uint32_t folds_from, uint32_t *fact,
                         SrCheckSteer *s) {
  const SrWalkCode *code = w->before.code;
  uint32_t blocks = code->block.count, edges = code->edge.count;
  *s = (SrCheckSteer){.arena = arena,
                      .code = code,
                      .walk = w,
                      .covered = SR_NEW(arena, uint8_t, edges),
                      .failures = SR_NEW(arena, uint8_t, edges),
                      .tried = SR_NEW(arena, SrCheckTried, edges),
                      .pair_at = SR_NEW(arena, uint32_t, blocks),
                      .pairs_open = SR_NEW(arena, uint32_t, edges),
                      .place = SR_NEW(arena, uint32_t, edges),
                      .in_at = SR_NEW(arena, uint32_t, blocks + 1),
                      .in = SR_NEW(arena, uint32_t, edges),
                      .distance = sr_new_none(arena, blocks),
                      .to_end = sr_new_none(arena, blocks),
                      .queue = SR_NEW(arena, uint32_t, blocks),
                      .next_edge = SR_NEW(arena, uint32_t, blocks),
                      .size = size_of(code),
                      .sparse = 1};
  sr_check_laps_init(arena, code, &s->laps);
  sr_check_live(arena, code, folds_from, fact, &s->live);
  s->edges = s->open = s->closed = count_live(s);
  number_edges_in(s, SR_NEW(arena, uint32_t, blocks));
  find_edges_in(s);
  uint32_t room = number_pairs(s);
  s->pair = SR_NEW(arena, uint8_t, room);
  s->pair_walk = SR_NEW(arena, uint32_t, room);
  find_ends(s);
  give_up_silent(s);
}

/* ---- what is open ---- */

static SrCheckTried *tried(SrCheckSteer *s, uint32_t e) {
  SrCheckTried *t = &s->tried[e];
  if (t->epoch != s->walk->draw->epoch)
    *t = (SrCheckTried){.epoch = s->walk->draw->epoch};
  return t;
}

/* Is the edge a target, and not yet taken on this walk? */
static bool is_aim(SrCheckSteer *s, uint32_t e) {
  if (s->laps.left)
    return e == s->laps.by;
  return is_left(s, e, s->aim_by == SR_CHECK_LAPS ? GIVE_UP_LAPS : GIVE_UP) &&
         tried(s, e)->times == 0 && (sr_walk_mix(s->walk->draw->seed, e) & (s->sparse - 1)) == 0;
}

static void changed(SrCheckSteer *s, uint32_t e, bool was_open) {
  if (was_open && !is_open(s, e)) {
    s->open--;
    s->closed++;
  }
}

static void fail(SrCheckSteer *s, uint32_t e, uint32_t most) {
  bool was_open = is_open(s, e);
  if (s->failures[e] < most)
    s->failures[e]++;
  changed(s, e, was_open);
}

static uint32_t pair_of(const SrCheckSteer *s, uint32_t in, uint32_t out) {
  uint32_t b = s->code->edge.at[out].from;
  if (in == SR_NONE || s->pair_at[b] == SR_NONE)
    return SR_NONE;
  const SrWalkBlock *block = &s->code->block.at[b];
  return s->pair_at[b] + s->place[in] * block->edge_count + (out - block->edge);
}

static void cover(SrCheckSteer *s, uint32_t in, uint32_t out) {
  uint32_t pair = pair_of(s, in, out);
  if (!s->covered[out]) {
    bool was_open = is_open(s, out);
    s->covered[out] = 1;
    s->failures[out] = 0; /* success here says nothing about the edge's pairs */
    s->edges_covered++;
    if (!was_open && is_open(s, out))
      s->open++;
    changed(s, out, was_open);
  }
  if (pair != SR_NONE && !s->pair[pair]) {
    bool was_open = is_open(s, in);
    s->pair[pair] = 1;
    s->pairs_covered++;
    s->pairs_open[in]--;
    changed(s, in, was_open);
  }
}

/* May the lane go from edge `in` to edge `out`? A walk through the output may do what sr_check_live
 * considers impossible, if it draws a comparison of constants. */
static bool is_live(const SrCheckSteer *s, uint32_t in, uint32_t out) {
  return s->live.live[out] &&
         (in == SR_NONE || s->live.next[in] == SR_NONE || s->live.next[in] == out);
}

void sr_check_steer_cover(SrCheckSteer *s, const SrWalkSide *side, uint32_t blocks) {
  for (uint32_t i = 0; i + 1 < blocks && i < side->edge.count; i++) {
    uint32_t in = i ? side->edge.at[i - 1] : SR_NONE, out = side->edge.at[i];
    if (is_live(s, in, out))
      cover(s, in, out);
  }
}

void sr_check_steer_fail(SrCheckSteer *s) {
  const SrWalkSide *side = &s->walk->before;
  for (uint32_t i = 0; i < side->edge.count; i++)
    if (!s->covered[side->edge.at[i]])
      fail(s, side->edge.at[i], GIVE_UP_LAPS);
}

static void spend(SrCheckSteer *s, uint64_t visits) {
  s->budget -= visits < s->budget ? visits : s->budget;
}

/* Distances are a hint and may be outdated; measuring is charged to the budget. */
static void measure(SrCheckSteer *s) {
  uint32_t count = 0, blocks = s->code->block.count;
  uint64_t price = s->size / MEASURE_COST;
  if (s->budget < price)
    return;
  spend(s, price);
  memset(s->distance, 0xff, blocks * sizeof *s->distance);
  for (uint32_t e = 0; e < s->code->edge.count; e++) {
    uint32_t from = s->code->edge.at[e].from;
    if (is_aim(s, e) && s->distance[from] == SR_NONE) {
      s->distance[from] = 0;
      s->queue[count++] = from;
    }
  }
  spread(s, s->distance, count);
  s->closed = 0;
}

/* ---- the choice ---- */

typedef struct Lane {
  uint32_t in;   /* the edge by which the lane came */
  uint32_t idle; /* blocks since the last progress */
  uint32_t far;  /* the remaining distance at the last progress */
  uint32_t restarts;
  uint32_t gained; /* blocks entered when the lane last took an edge that is not covered; 0: none */
} Lane;

/* If there is no open edge to aim at, the lane heads for the end: the edges that it took are
 * covered only if an effect follows. */
static const uint64_t FAR = (uint64_t)1 << 40;

/* Is the pair new, and can it be taken? */
static bool is_new_pair(const SrCheckSteer *s, uint32_t in, uint32_t out) {
  uint32_t pair = pair_of(s, in, out);
  return pair != SR_NONE && !s->pair[pair] && s->pair_walk[pair] != s->walk->draw->epoch &&
         (s->live.next[in] == SR_NONE || s->live.next[in] == out);
}

/* The distance from an edge out of the current block to something new; the smaller the better. An
 * edge that was taken before costs more, since its distance may lead through an edge that cannot be
 * taken. */
static uint64_t cost(SrCheckSteer *s, const Lane *lane, uint32_t e) {
  uint32_t to = s->code->edge.at[e].to;
  uint64_t again = s->laps.left ? 0 : AGAIN_COST * (uint64_t)tried(s, e)->times;
  if (is_aim(s, e))
    return s->covered[e] ? 2 : 0;
  if (!s->laps.left && is_new_pair(s, lane->in, e) && is_open(s, lane->in))
    return 1;
  if (lane->idle <= PATIENCE + 2 * lane->far && s->distance[to] != SR_NONE)
    return 3 + s->distance[to] + again;
  return FAR + again + (s->to_end[to] == SR_NONE ? s->code->block.count : s->to_end[to]);
}

/* The best edge; the drawn one if none is better. The search begins where it last succeeded, so
 * that thousands of covered cases are not scanned each time. */
static uint32_t best(SrCheckSteer *s, const Lane *lane, uint32_t block, uint32_t drawn) {
  const SrWalkBlock *b = &s->code->block.at[block];
  uint32_t found = drawn, first = s->next_edge[block], i = 0;
  uint64_t least = cost(s, lane, drawn);
  for (; i < b->edge_count && least > 0; i++) {
    uint32_t k = first + i < b->edge_count ? first + i : first + i - b->edge_count;
    uint64_t c = cost(s, lane, b->edge + k);
    if (c < least && !tried(s, b->edge + k)->in_vain) {
      found = b->edge + k;
      least = c;
      s->next_edge[block] = k;
    }
  }
  spend(s, i / EDGES_COST);
  return found;
}

/* The result of an attempt to take an edge; AGAIN: the walk must be repeated; LATER: another walk
 * may take it. */
typedef enum Outcome { DONE, AGAIN, LATER, IN_VAIN } Outcome;

/* Was the number drawn before the lane took an edge that was not covered yet? A repeated walk with
 * another number might not reach that edge. */
static bool would_lose(const Lane *lane, const SrWalkDrawn *d) {
  return lane->gained && (d->visit == SR_WALK_AT_THE_START || d->visit <= lane->gained);
}

static uint32_t most_restarts(const SrCheckSteer *s) {
  return s->aim_by == SR_CHECK_PATH ? MOST_ON_PATH : MOST_RESTARTS;
}

/* Fixes the numbers: immediately if none of them has had an effect, otherwise for a repeated
 * walk. */
static Outcome fix(SrCheckSteer *s, const SrWalkTargets *targets, Lane *lane, bool important) {
  SrWalkDraw *draw = s->walk->draw;
  uint32_t visit = s->walk->before.path.count;
  bool here = true, loses = false;
  for (uint32_t i = 0; i < targets->count; i++) {
    const SrWalkDrawn *d = sr_walk_drawn(draw, targets->term[i]);
    if (!d || d->visit == 0)
      return IN_VAIN;
    here = here && d->visit == visit;
    loses = loses || would_lose(lane, d);
  }
  if (!here && (!important || lane->restarts == most_restarts(s)))
    return IN_VAIN;
  if (!here && loses && s->aim_by != SR_CHECK_PATH)
    return LATER;
  for (uint32_t i = 0; i < targets->count; i++) {
    SrWalkDrawn d = {.term = targets->term[i], .number = targets->number[i]};
    if (here) {
      sr_walk_draw_fix(draw, d.term, d.number, visit);
      SR_PUSH(s->arena, &s->changed, d);
    } else {
      SR_PUSH(s->arena, &s->fixed, d);
    }
  }
  return here ? DONE : AGAIN;
}

/* The edge that fails if `wanted` cannot be taken; SR_NONE if `wanted` only leads to an open edge.
 */
static uint32_t failing(SrCheckSteer *s, const Lane *lane, uint32_t wanted) {
  uint64_t c = cost(s, lane, wanted);
  return c > 2 ? SR_NONE : c == 1 ? lane->in : wanted;
}

/* Records an edge that the lane could not take: it is not tried again on this walk, and if it is
 * open, only a few times more. */
static void give_up(SrCheckSteer *s, uint32_t wanted, uint32_t fails) {
  if (fails != SR_NONE)
    fail(s, fails, GIVE_UP);
  tried(s, wanted)->in_vain = true;
}

/* Does the lane follow the drawn numbers? It does for a while once everything is covered, and on an
 * aimless walk, because the same short path to the end would show nothing new. */
static bool drifts(const SrCheckSteer *s, const Lane *lane) {
  bool goes = s->aim_by != SR_CHECK_NEAREST && s->aim_by != SR_CHECK_DRIFT;
  return (s->open == 0 || s->aim_by == SR_CHECK_DRIFT) && !goes && lane->idle <= PATIENCE;
}

/* The edge to take: the best one or, on a walk that wanders past no open edge, any. */
static uint32_t wanted_edge(SrCheckSteer *s, const Lane *lane, uint32_t block, uint32_t drawn) {
  const SrWalkBlock *b = &s->code->block.at[block];
  uint32_t step = s->walk->before.path.count - 1;
  if (s->aim_by == SR_CHECK_PATH && step < s->given.count &&
      s->code->edge.at[s->given.at[step]].from == block)
    return s->given.at[step];
  uint32_t wanted = best(s, lane, block, drawn);
  if (s->aim_by != SR_CHECK_WANDER || cost(s, lane, wanted) <= 2)
    return wanted;
  uint64_t random = sr_walk_mix(s->walk->draw->seed, ~(uint64_t)s->walk->before.path.count);
  if (random & 1 && cost(s, lane, wanted) < FAR)
    return wanted;
  wanted = b->edge + (uint32_t)((random >> 32) % b->edge_count);
  return tried(s, wanted)->in_vain ? drawn : wanted;
}

/* Chooses the edge out of block `block`, whose instructions have run; AGAIN: repeat the walk. */
static Outcome choose(SrCheckSteer *s, Lane *lane, uint32_t block, SrWalkSpot start,
                      uint32_t *edge) {
  SrWalk *w = s->walk;
  SrWalkTargets targets;
  uint32_t drawn = *edge, wanted = wanted_edge(s, lane, block, drawn);
  if (wanted == drawn)
    return DONE;
  bool important = s->aim_by == SR_CHECK_PATH || cost(s, lane, wanted) < FAR;
  uint64_t random = sr_walk_mix(w->draw->seed, w->before.path.count);
  Outcome outcome = IN_VAIN;
  if (sr_walk_solve(w, wanted, random, &targets)) {
    uint32_t before = s->fixed.count;
    outcome = fix(s, &targets, lane, important);
    if (outcome == AGAIN) {
      s->aim = wanted;
      s->aim_fails = failing(s, lane, wanted);
      s->fixed_before = before;
      return AGAIN;
    }
    if (outcome == DONE) {
      sr_walk_go_back(w, start);
      sr_walk_before(w, block);
      *edge = sr_walk_edge(&w->before, block);
    }
  }
  if (*edge != wanted && *edge != SR_NONE)
    give_up(s, wanted, outcome == LATER ? SR_NONE : failing(s, lane, wanted));
  return DONE;
}

/* ---- one walk ---- */

static void begin(SrCheckSteer *s, uint64_t seed) {
  SrWalkDraw *draw = s->walk->draw;
  sr_walk_draw_begin(draw, seed);
  spend(s, s->code->drawn.count / START_COST);
  s->changed.count = 0;
  for (uint32_t i = 0; i < s->fixed.count; i++)
    sr_walk_draw_fix(draw, s->fixed.at[i].term, s->fixed.at[i].number, 0);
  for (uint32_t i = 0; i < s->missed.count; i++)
    tried(s, s->missed.at[i])->in_vain = true;
  s->laps.left = s->aim_by == SR_CHECK_LAPS ? s->laps.count : 0;
  if (s->laps.left)
    s->closed = s->edges; /* the walk before this one may have measured after its last lap */
  sr_walk_begin(s->walk);
}

/* Are the distances outdated? If a few of thousands of edges have been closed, that does not matter
 * until the lane is sent to them and finds nothing open. */
static bool is_stale(const SrCheckSteer *s, const Lane *lane) {
  if (lane->in == SR_NONE)
    return s->closed * (uint64_t)STALE_PART > s->open;
  return lane->idle && lane->idle % MEASURE_AGAIN == 0 && s->closed;
}

static bool is_spent(const SrCheckSteer *s, const Lane *lane) {
  return s->budget == 0 || lane->idle > LONGEST_TAIL + 2 * lane->far;
}

/* Enters a block, and charges for it. */
static SrWalkSpot enter(SrCheckSteer *s, uint32_t in, uint32_t block) {
  const SrWalkBlock *b = &s->code->block.at[block];
  sr_walk_enter(s->walk, &s->walk->before, in);
  spend(s, 1 + (b->inst_count + b->phi_count) / INSTS_COST);
  return sr_walk_spot(s->walk);
}

/* Moves the lane from edge `in` to edge `out`; returns whether that is new. */
static bool take(SrCheckSteer *s, uint32_t in, uint32_t out) {
  uint32_t pair = pair_of(s, in, out);
  assert(s->walk->scouts || is_live(s, in, out));
  bool news = is_new_pair(s, in, out) || (!s->covered[out] && tried(s, out)->times == 0);
  if (pair != SR_NONE)
    s->pair_walk[pair] = s->walk->draw->epoch;
  tried(s, out)->times++;
  if (s->laps.left && out == s->laps.by)
    news = true;
  if (sr_check_laps_take(&s->laps, s->walk->draw->epoch, out, s->code->edge.at[out].to))
    measure(s); /* now other edges are targets */
  return news;
}

static void set_out(const SrCheckSteer *s, Lane *lane, uint32_t block) {
  lane->idle = 0;
  lane->far = s->distance[block] == SR_NONE ? 0 : s->distance[block];
}

/* One walk; AGAIN: numbers were fixed for a repeated walk. */
static Outcome walk(SrCheckSteer *s, Lane *lane) {
  SrWalk *w = s->walk;
  lane->in = SR_NONE;
  lane->gained = 0;
  for (uint32_t block = 0; !is_spent(s, lane); lane->idle++) {
    const SrWalkBlock *b = &s->code->block.at[block];
    SrWalkSpot start = enter(s, lane->in, block);
    if (is_stale(s, lane))
      measure(s);
    if (lane->in == SR_NONE)
      set_out(s, lane, block);
    sr_walk_before(w, block);
    if (b->edge_count == 0) {
      w->trace.whole = b->end == SR_WALK_LEAVE;
      return DONE;
    }
    uint32_t edge = sr_walk_edge(&w->before, block);
    if (edge == SR_NONE)
      return DONE;
    if (b->edge_count > 1 && !drifts(s, lane) && choose(s, lane, block, start, &edge) == AGAIN)
      return AGAIN;
    if (edge == SR_NONE)
      return DONE;
    if (!s->covered[edge])
      lane->gained = w->before.path.count;
    bool news = take(s, lane->in, edge);
    lane->in = edge;
    block = s->code->edge.at[edge].to;
    if (news)
      set_out(s, lane, block);
  }
  return DONE;
}

/* Must the walk be repeated after it ended with `end`? If the lane did not take the edge for which
 * numbers were fixed last, these numbers are dropped. */
static bool repeats(SrCheckSteer *s, Lane *lane, Outcome end) {
  if (end == AGAIN)
    return ++lane->restarts <= most_restarts(s);
  if (s->aim == SR_NONE || tried(s, s->aim)->times)
    return false;
  give_up(s, s->aim, s->aim_fails);
  SR_PUSH(s->arena, &s->missed, s->aim);
  s->fixed.count = s->fixed_before;
  s->aim = SR_NONE;
  return true;
}

void sr_check_steer(SrCheckSteer *s, uint64_t seed, uint32_t sparse) {
  Lane lane = {0};
  s->fixed.count = s->missed.count = 0;
  s->aim = SR_NONE;
  if (sparse != 1 || s->sparse != 1 || s->laps.count)
    s->closed = s->edges; /* other edges become targets */
  if (s->aim_by != SR_CHECK_LAPS && s->aim_by != SR_CHECK_PATH)
    s->laps.count = 0; /* the plan ends with the walks that follow it */
  s->sparse = sparse;
  Outcome end;
  do {
    begin(s, seed);
    end = walk(s, &lane);
  } while (repeats(s, &lane, end) && s->budget > 0);
}

void sr_check_steer_repeat(SrCheckSteer *s, const SrCheckSteer *scout) {
  const SrWalk *led = scout->walk;
  SrWalk *w = s->walk;
  uint64_t visits = MOST_BLOCKS_EACH * (uint64_t)led->before.path.count + LONGEST_TAIL;
  uint32_t in = SR_NONE, block = 0;
  s->fixed.count = s->missed.count = 0;
  for (uint32_t i = 0; i < scout->fixed.count; i++)
    SR_PUSH(s->arena, &s->fixed, scout->fixed.at[i]);
  for (uint32_t i = 0; i < scout->changed.count; i++)
    SR_PUSH(s->arena, &s->fixed, scout->changed.at[i]);
  begin(s, w->draw->seed);
  for (; visits > 0 && s->budget > 0; visits--) {
    enter(s, in, block);
    sr_walk_before(w, block);
    if (s->code->block.at[block].edge_count == 0) {
      w->trace.whole = s->code->block.at[block].end == SR_WALK_LEAVE;
      return;
    }
    in = sr_walk_edge(&w->before, block);
    if (in == SR_NONE || (!led->trace.whole && w->trace.event.count > led->trace.event.count))
      return;
    block = s->code->edge.at[in].to;
  }
}
