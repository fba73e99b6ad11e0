/* SPDX-License-Identifier: Apache-2.0 */
/* lane: see lane.h. */
#include "passes/measure/lane.h"

#include "passes/walk/walk_solve.h"

#include <string.h>

enum {
  ITERATIONS = 4,     /* of a supposed lane in a cycle, on average */
  STEPS = 64,         /* blocks of a supposed path, in addition to the function's size */
  LARGE_BLOCK = 8,    /* this many instructions cost as much as a block */
  REPEATS = 4,        /* walks to find the numbers of a recorded path */
  LONGEST_AFTER = 16, /* blocks after, at most, for each block before */
};

/* ---- the input's graph ---- */

static uint64_t weight(const SrWalkBlock *b) {
  return 1 + (b->inst_count + b->phi_count + b->edge_count) / LARGE_BLOCK;
}

/* Searches back from the ends. */
static uint32_t *find_homeward(SrArena *arena, const SrWalkCode *code) {
  uint32_t blocks = code->block.count, edges = code->edge.count, count = 0;
  uint32_t *homeward = sr_new_none(arena, blocks), *queue = SR_NEW(arena, uint32_t, blocks);
  uint32_t *first = sr_new_none(arena, blocks), *next = SR_NEW(arena, uint32_t, edges);
  SrBits *seen = sr_bits_new(arena, blocks);
  for (uint32_t e = edges; e-- > 0; first[code->edge.at[e].to] = e)
    next[e] = first[code->edge.at[e].to];
  for (uint32_t b = 0; b < blocks; b++)
    if (code->block.at[b].edge_count == 0) {
      sr_bit_set(seen, b);
      queue[count++] = b;
    }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t e = first[queue[i]]; e != SR_NONE; e = next[e]) {
      uint32_t from = code->edge.at[e].from;
      if (sr_bit(seen, from))
        continue;
      sr_bit_set(seen, from);
      homeward[from] = e;
      queue[count++] = from;
    }
  return homeward;
}

static SrBits *find_uniform(SrArena *arena, const SrUniform *u, const SrWalkCode *code) {
  SrBits *uniform = sr_bits_new(arena, code->block.count);
  for (uint32_t b = 0; b < code->block.count; b++)
    if (sr_uniform_branch(u, code->c->m, code->f, b))
      sr_bit_set(uniform, b);
  return uniform;
}

void sr_lanes_init(SrArena *arena, const SrUniform *u, const SrWalk *walk, SrLanes *lanes) {
  const SrWalkCode *code = walk->before.code;
  *lanes = (SrLanes){.arena = arena,
                     .walk = *walk,
                     .uniform = find_uniform(arena, u, code),
                     .nest = sr_nest_build(arena, sr_cfg_build(arena, code->c->m, code->f)),
                     .homeward = find_homeward(arena, code),
                     .visits = SR_NEW(arena, uint32_t, code->block.count)};
  for (uint32_t b = 0; b < code->block.count; b++)
    lanes->size += weight(&code->block.at[b]);
}

/* ---- decisions ---- */

/* The edge to block `to`, if possible `drawn`; SR_NONE: there is none. */
static uint32_t edge_to(const SrWalkCode *code, uint32_t block, uint32_t to, uint32_t drawn) {
  const SrWalkBlock *b = &code->block.at[block];
  if (drawn != SR_NONE && code->edge.at[drawn].to == to)
    return drawn;
  for (uint32_t e = b->edge; e < b->edge + b->edge_count; e++)
    if (code->edge.at[e].to == to)
      return e;
  return SR_NONE;
}

void sr_lanes_count(SrLanes *s, const SrPath *path) {
  const SrWalkCode *code = s->walk.before.code;
  if (!s->taken)
    s->taken = SR_NEW(s->arena, uint32_t, code->edge.count);
  for (uint32_t i = 0; i + 1 < path->count; i++) {
    uint32_t edge = edge_to(code, path->blocks[i], path->blocks[i + 1], SR_NONE);
    if (edge != SR_NONE)
      s->taken[edge]++;
  }
}

typedef enum Outcome { TAKEN, EARLIER, IN_VAIN } Outcome;

/* Makes the lane take the edge at the end of its block, if numbers drawn in this block decide.
 * EARLIER: older numbers do, which `targets` lists. */
static Outcome redirect(SrWalk *w, uint32_t block, SrWalkSpot start, uint32_t wanted,
                        SrWalkTargets *targets) {
  uint32_t visit = w->before.path.count;
  if (!sr_walk_solve(w, wanted, sr_walk_mix(w->draw->seed, visit), targets))
    return IN_VAIN;
  for (uint32_t i = 0; i < targets->count; i++) {
    const SrWalkDrawn *d = sr_walk_drawn(w->draw, targets->term[i]);
    if (!d || d->visit != visit)
      return d && d->visit ? EARLIER : IN_VAIN;
  }
  for (uint32_t i = 0; i < targets->count; i++)
    sr_walk_draw_fix(w->draw, targets->term[i], targets->number[i], visit);
  sr_walk_go_back(w, start);
  sr_walk_before(w, block);
  return sr_walk_edge(&w->before, block) == wanted ? TAKEN : IN_VAIN;
}

static bool leaves(const SrLanes *s, uint32_t block, uint32_t edge) {
  uint32_t cycle = s->nest->inner[block];
  return cycle != SR_NONE && !sr_cycle_has(s->nest, cycle, s->walk.before.code->edge.at[edge].to);
}

/* Chooses an edge with the probability with which it was recorded; SR_NONE: the block was not
 * left. */
static uint32_t as_recorded(const SrLanes *s, const SrWalkBlock *b, uint64_t random) {
  uint64_t sum = 0;
  for (uint32_t e = b->edge; e < b->edge + b->edge_count; e++)
    sum += s->taken[e];
  uint64_t at = sum ? (random >> 8) % sum : 0;
  for (uint32_t e = b->edge; sum && e < b->edge + b->edge_count; e++) {
    if (at < s->taken[e])
      return e;
    at -= s->taken[e];
  }
  return SR_NONE;
}

/* The target edge of a supposed lane. Without a recorded probability, a draw decides whether the
 * lane leaves the cycle, and the edge is the first such one among a few from a random edge on. */
static uint32_t supposed(const SrLanes *s, uint32_t block, uint64_t lane) {
  const SrWalkBlock *b = &s->walk.before.code->block.at[block];
  uint64_t who = sr_bit(s->uniform, block) ? 0 : lane + 1;
  uint64_t random = sr_walk_mix(sr_walk_mix(who, block), s->visits[block]);
  uint32_t recorded = s->taken ? as_recorded(s, b, random) : SR_NONE;
  if (recorded != SR_NONE)
    return recorded;
  bool leave = random % ITERATIONS == 0;
  uint32_t first = (uint32_t)((random >> 8) % b->edge_count);
  for (uint32_t i = 0; i < b->edge_count && i < ITERATIONS; i++) {
    uint32_t edge = b->edge + (first + i) % b->edge_count;
    if (leaves(s, block, edge) == leave)
      return edge;
  }
  return b->edge + first;
}

/* ---- the input ---- */

static void begin(SrLanes *s, uint64_t seed) {
  sr_walk_draw_begin(s->walk.draw, seed);
  memset(s->visits, 0, s->walk.before.code->block.count * sizeof *s->visits);
}

void sr_lane_suppose(SrLanes *s, uint32_t lane) {
  SrWalk *w = &s->walk;
  const SrWalkCode *code = w->before.code;
  uint64_t budget = STEPS + s->size, spent = 0;
  uint32_t edge = SR_NONE, block = 0;
  begin(s, sr_walk_mix(code->f->id, lane));
  sr_walk_begin(w);
  for (; spent <= 2 * budget; spent += weight(&code->block.at[block])) {
    block = edge == SR_NONE ? 0 : code->edge.at[edge].to;
    const SrWalkBlock *b = &code->block.at[block];
    sr_walk_enter(w, &w->before, edge);
    SrWalkSpot start = sr_walk_spot(w);
    sr_walk_before(w, block);
    s->visits[block]++;
    if (b->edge_count == 0) {
      w->trace.whole = b->end == SR_WALK_LEAVE;
      return;
    }
    edge = sr_walk_edge(&w->before, block);
    if (edge == SR_NONE)
      return;
    bool hurries = spent > budget && s->homeward[block] != SR_NONE;
    uint32_t wanted = b->edge_count == 1 ? edge
                      : hurries          ? s->homeward[block]
                                         : supposed(s, block, lane);
    SrWalkTargets targets;
    if (wanted != edge) {
      redirect(w, block, start, wanted, &targets);
      edge = sr_walk_edge(&w->before, block);
      if (edge == SR_NONE)
        return;
    }
  }
}

typedef SR_VEC(SrWalkDrawn) Numbers;

/* Walks the path once. Where the drawn numbers lead elsewhere, the lane follows the path
 * nevertheless, and the numbers that would lead it along the path are added to `fixed`. Returns how
 * often that happened; SR_NONE if the path has no such edge. */
static uint32_t replay_once(SrLanes *s, const SrPath *path, Numbers *fixed) {
  SrWalk *w = &s->walk;
  const SrWalkCode *code = w->before.code;
  uint32_t edge = SR_NONE, forced = 0;
  for (uint32_t i = 0; i < path->count; i++) {
    uint32_t block = path->blocks[i];
    const SrWalkBlock *b = &code->block.at[block];
    sr_walk_enter(w, &w->before, edge);
    SrWalkSpot start = sr_walk_spot(w);
    sr_walk_before(w, block);
    if (i + 1 == path->count) {
      w->trace.whole = b->end == SR_WALK_LEAVE;
      break;
    }
    uint32_t drawn = b->edge_count ? sr_walk_edge(&w->before, block) : SR_NONE;
    edge = edge_to(code, block, path->blocks[i + 1], drawn);
    if (edge == SR_NONE)
      return SR_NONE;
    SrWalkTargets targets;
    Outcome done = drawn == edge      ? TAKEN
                   : drawn == SR_NONE ? IN_VAIN
                                      : redirect(w, block, start, edge, &targets);
    for (uint32_t k = 0; done == EARLIER && k < targets.count; k++)
      SR_PUSH(s->arena, fixed, (SrWalkDrawn){.term = targets.term[k], .number = targets.number[k]});
    forced += done != TAKEN;
  }
  return forced;
}

bool sr_lane_replay(SrLanes *s, const SrPath *path) {
  Numbers fixed = {0};
  if (path->count == 0 || path->blocks[0] != 0)
    return false;
  for (int i = 0; i < REPEATS; i++) {
    uint32_t before = fixed.count;
    begin(s, s->walk.before.code->f->id);
    for (uint32_t k = 0; k < fixed.count; k++)
      sr_walk_draw_fix(s->walk.draw, fixed.at[k].term, fixed.at[k].number, 0);
    sr_walk_begin(&s->walk);
    uint32_t forced = replay_once(s, path, &fixed);
    if (forced == 0)
      return true;
    if (forced == SR_NONE || fixed.count == before)
      return false;
  }
  return false;
}

/* ---- the output ---- */

bool sr_lane_after(SrLanes *s, SrArena *arena, SrPath *path) {
  SrWalk *w = &s->walk;
  uint64_t limit = STEPS + LONGEST_AFTER * (uint64_t)w->before.path.count +
                   2 * (uint64_t)w->after.code->block.count;
  for (int as_copies = 1; as_copies >= 0; as_copies--) {
    w->as_copies = as_copies;
    sr_walk_after(w, limit);
    if (!w->difference || !w->doubtful)
      break;
  }
  if (w->difference)
    return false;
  path->count = w->trace.whole ? w->after.path.count : w->agreed;
  uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, path->count);
  if (path->count != 0) // nothing was entered: no path to read
    memcpy(blocks, w->after.path.at, path->count * sizeof *blocks);
  path->blocks = blocks;
  return true;
}
