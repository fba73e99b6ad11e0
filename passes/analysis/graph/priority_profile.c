/* SPDX-License-Identifier: Apache-2.0 */
/* priority_profile: see priority_profile.h. */
#include "passes/analysis/graph/priority_profile.h"

#include "passes/base/bitset.h"
#include "passes/base/compiler.h"

#include <string.h>

enum { TRY_COST = 16 };       /* the fixed cost of a move, in block executions of one lane */
enum { PATIENCE_FACTOR = 8 }; /* tries without gain, per pair of blocks, before the search ends */
enum { LEAST_PATIENCE = 256, SETTLING_ROUNDS = 3 };

/* ---- thread frontiers on paths ---- */

typedef struct Frontier {
  const SrProfile *profile;
  uint32_t *head; /* by rank: the first in the list of lanes that wait at that block; or SR_NONE */
  uint32_t *next; /* by lane: the next in its list */
  uint32_t *done; /* by lane: how many blocks of its path it has run */
  SrBits *waits;  /* ranks with lanes */
  uint32_t words;
  uint64_t work; /* blocks run so far, counted for each lane */
} Frontier;

static Frontier frontier_new(SrArena *arena, const SrProfile *profile) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < profile->subgroup_count; i++)
    if (profile->subgroups[i].count > lanes)
      lanes = profile->subgroups[i].count;
  return (Frontier){.profile = profile,
                    .head = sr_new_none(arena, profile->block_count),
                    .next = sr_new_none(arena, lanes),
                    .done = SR_NEW(arena, uint32_t, lanes),
                    .waits = sr_bits_new(arena, profile->block_count),
                    .words = (profile->block_count + 63) / 64};
}

static void wait_at(Frontier *f, uint32_t lane, uint32_t rank) {
  f->next[lane] = f->head[rank];
  f->head[rank] = lane;
  sr_bit_set(f->waits, rank);
}

/* The highest priority at which lanes wait, searching from word *word of the set on; SR_NONE: no
 * lanes wait. */
static uint32_t first_waiting(const Frontier *f, uint32_t *word) {
  while (*word < f->words && !f->waits[*word])
    ++*word;
  return *word < f->words ? *word * 64 + sr_trailing_zeros(f->waits[*word]) : SR_NONE;
}

/* Runs a block for its lanes, which go to their next blocks. Returns the first word of the set that
 * has changed. */
static uint32_t run_block(Frontier *f, const SrPaths *lanes, const uint32_t *ranks, uint32_t rank) {
  uint32_t word = rank / 64, lane = f->head[rank];
  f->head[rank] = SR_NONE;
  sr_bit_clear(f->waits, rank);
  while (lane != SR_NONE) {
    uint32_t after = f->next[lane];
    const SrPath *path = &lanes->at[lane];
    f->work++;
    if (++f->done[lane] < path->count) {
      uint32_t to = ranks[path->blocks[f->done[lane]]];
      wait_at(f, lane, to);
      word = to / 64 < word ? to / 64 : word;
    }
    lane = after;
  }
  return word;
}

/* Adds the subgroup's issues to *issues; stops when *issues exceeds `most`. Leaves the lists empty
 * in either case. */
static void run_subgroup(Frontier *f, const SrPaths *lanes, const uint32_t *order,
                         const uint32_t *ranks, uint64_t most, uint64_t *issues) {
  for (uint32_t i = 0; i < lanes->count; i++) {
    f->done[i] = 0;
    wait_at(f, i, ranks[lanes->at[i].blocks[0]]);
  }
  uint32_t word = 0, rank;
  while (*issues <= most && (rank = first_waiting(f, &word)) != SR_NONE) {
    *issues += f->profile->issues[order[rank]];
    word = run_block(f, lanes, ranks, rank);
  }
  for (word = 0; (rank = first_waiting(f, &word)) != SR_NONE;) {
    f->head[rank] = SR_NONE;
    sr_bit_clear(f->waits, rank);
  }
}

/* The issues of all subgroups; a result above `most` is not exact. */
static uint64_t run_all(Frontier *f, const uint32_t *order, const uint32_t *ranks, uint64_t most) {
  uint64_t issues = 0;
  for (uint32_t i = 0; i < f->profile->subgroup_count && issues <= most; i++)
    run_subgroup(f, &f->profile->subgroups[i], order, ranks, most, &issues);
  return issues;
}

static void rank_all(const uint32_t *order, uint32_t count, uint32_t *ranks) {
  for (uint32_t i = 0; i < count; i++)
    ranks[order[i]] = i;
}

uint64_t sr_profile_issues(SrArena *scratch, const SrProfile *profile, const uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  Frontier f = frontier_new(scratch, profile);
  uint32_t *ranks = SR_NEW_RAW(scratch, uint32_t, profile->block_count);
  rank_all(order, profile->block_count, ranks);
  uint64_t issues = run_all(&f, order, ranks, UINT64_MAX);
  sr_arena_reset(scratch, mark);
  return issues;
}

/* ---- the search ---- */

typedef struct Search {
  Frontier frontier;
  uint32_t count;          /* blocks */
  uint32_t *order;         /* the best order so far */
  uint32_t *trial, *ranks; /* the order after one more move; rank by block */
  SrBits *placed;          /* used by keeps_barriers */
  uint64_t issues;         /* of `order` */
  uint64_t random;
} Search;

/* xorshift64 (Marsaglia 2003): the same numbers on every machine. */
static uint32_t draw(Search *s, uint32_t below) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return (uint32_t)((s->random >> 32) * below >> 32);
}

/* Half of the moves are of one block. */
static uint32_t draw_length(Search *s) {
  return draw(s, 2) ? 1 : 1 + draw(s, s->count / 2);
}

/* Moves `length` blocks, from place `from` on, to place `to`. */
static void move(const Search *s, uint32_t from, uint32_t to, uint32_t length) {
  size_t size = sizeof *s->order;
  memcpy(s->trial, s->order, s->count * size);
  if (to < from)
    memcpy(s->trial + to + length, s->order + to, (from - to) * size);
  else
    memcpy(s->trial + from, s->order + from + length, (to - from) * size);
  memcpy(s->trial + to, s->order + from, length * size);
}

/* Does every block that can reach a barrier still follow all blocks that precede it in the start
 * order? */
static bool keeps_barriers(Search *s) {
  const bool *reaches = s->frontier.profile->reaches_barrier;
  uint32_t least = 0; /* the first block that is not placed yet */
  bool good = true;
  memset(s->placed, 0, (s->count + 63) / 64 * sizeof *s->placed);
  for (uint32_t i = 0; i < s->count && good; i++) {
    good = !reaches[s->trial[i]] || least == s->trial[i];
    sr_bit_set(s->placed, s->trial[i]);
    while (least < s->count && sr_bit(s->placed, least))
      least++;
  }
  return good;
}

/* Keeps the move unless the order then issues more; returns whether it issues less. */
static bool try_move(Search *s, uint32_t from, uint32_t to, uint32_t length) {
  s->frontier.work += TRY_COST + s->count / TRY_COST;
  if (from == to)
    return false;
  move(s, from, to, length);
  if (!keeps_barriers(s))
    return false;
  rank_all(s->trial, s->count, s->ranks);
  uint64_t before = s->issues, issues = run_all(&s->frontier, s->trial, s->ranks, before);
  if (issues > before)
    return false;
  uint32_t *old = s->order;
  s->order = s->trial;
  s->trial = old;
  s->issues = issues;
  return issues < before;
}

static void search(Search *s, uint64_t budget) {
  uint64_t patience = (uint64_t)s->count * s->count * PATIENCE_FACTOR + LEAST_PATIENCE;
  for (uint64_t idle = 0; idle < patience && s->frontier.work < budget; idle++) {
    uint32_t length = draw_length(s), places = s->count - length + 1;
    if (try_move(s, draw(s, places), draw(s, places), length))
      idle = 0;
  }
}

/* Moves each block back to directly after the block that precedes it in the start order, if the
 * order then issues no more: the more it differs from the start order, the more flow blocks the
 * transform `reconverge` needs. */
static void settle(Search *s, uint64_t budget) {
  for (uint32_t block = 1; block < s->count && s->frontier.work < budget; block++) {
    uint32_t before = 0, at = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      before = s->order[i] == block - 1 ? i : before;
      at = s->order[i] == block ? i : at;
    }
    try_move(s, at, at > before ? before + 1 : before, 1);
  }
}

/* Do lanes of a subgroup take different paths? If not, priorities make no difference. */
static bool is_worth_it(const SrProfile *profile) {
  for (uint32_t i = 0; i < profile->subgroup_count; i++)
    if (profile->subgroups[i].count > 1)
      return profile->block_count > 2;
  return false;
}

uint32_t *sr_profile_order(SrArena *arena, const SrProfile *profile, uint64_t budget) {
  uint32_t count = profile->block_count;
  Search s = {.frontier = frontier_new(arena, profile),
              .count = count,
              .order = SR_NEW_RAW(arena, uint32_t, count),
              .trial = SR_NEW_RAW(arena, uint32_t, count),
              .ranks = SR_NEW_RAW(arena, uint32_t, count),
              .placed = sr_bits_new(arena, count),
              .random = 0x9e3779b97f4a7c15u};
  for (uint32_t i = 0; i < count; i++)
    s.order[i] = i;
  if (!is_worth_it(profile))
    return s.order;
  uint64_t start = s.issues = sr_profile_issues(arena, profile, s.order);
  search(&s, budget);
  for (uint32_t i = 0; i < count && s.issues == start; i++)
    s.order[i] = i;
  for (int round = 0; round < SETTLING_ROUNDS; round++)
    settle(&s, budget + budget / 2);
  return s.order;
}
