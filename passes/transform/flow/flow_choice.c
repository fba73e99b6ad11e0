/* SPDX-License-Identifier: Apache-2.0 */
/* flow_choice: see flow_choice.h. Flow blocks are numbered so that the blocks whose paths lead
 * through a given block have consecutive numbers; edges that name a target are sorted by the target
 * and by the number of the block that they lead to. */
#include "passes/transform/flow/flow_choice.h"

#include "passes/base/sort.h"

/* An edge of a block that is not a flow block. */
typedef struct SrFlowTarget {
  uint32_t rank, place;
} EdgeTarget;

static const SrFlowBlock *at(const SrFlowChoices *t, uint32_t x) {
  return &t->flow->block.at[x];
}

static const SrSlot *slot_at(const SrFlowChoices *t, uint32_t x, uint32_t i) {
  return &t->flow->slot.at[at(t, x)->slot + i];
}

static const SrSlot *last_slot(const SrFlowChoices *t, uint32_t x) {
  return slot_at(t, x, at(t, x)->slot_count - 1);
}

/* ---- which targets pass a flow block ---- */

/* Computes the sizes of subtrees from the starts of paths to their ends, and then the places from
 * the ends to the starts. */
static void number_places(SrFlowChoices *t, SrArena *arena, const SrFlowPaths *paths) {
  uint32_t n = t->flow->block.count, none = 0;
  uint32_t *size = SR_NEW(arena, uint32_t, n), *next = SR_NEW(arena, uint32_t, n);
  t->first = SR_NEW(arena, uint32_t, n);
  t->end = SR_NEW(arena, uint32_t, n);
  for (uint32_t i = paths->count; i-- > 0;) {
    uint32_t x = paths->made[i], up = paths->up[x];
    size[x]++;
    if (up != SR_NONE)
      size[up] += size[x];
  }
  for (uint32_t i = 0; i < paths->count; i++) {
    uint32_t x = paths->made[i], up = paths->up[x], *place = up == SR_NONE ? &none : &next[up];
    t->first[x] = *place;
    t->end[x] = *place += size[x];
    next[x] = t->first[x] + 1;
  }
}

static int by_rank(const void *a, const void *b) {
  const EdgeTarget *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void find_targets(SrFlowChoices *t, SrArena *arena) {
  const SrFlowGraph *f = t->flow;
  t->target = SR_NEW_RAW(arena, EdgeTarget, f->slot.count);
  for (uint32_t b = 0; b < f->block.count; b++)
    for (uint32_t i = 0; f->block.at[b].role != SR_ROLE_GUARD && i < at(t, b)->slot_count; i++)
      if (slot_at(t, b, i)->set != SR_NONE)
        t->target[t->target_count++] =
            (EdgeTarget){slot_at(t, b, i)->set, t->first[slot_at(t, b, i)->to]};
  sr_sort(arena, t->target, t->target_count, sizeof *t->target, by_rank);
}

/* Do lanes whose target has that rank pass flow block x? */
static bool passes_target(const SrFlowChoices *t, uint32_t x, uint32_t rank) {
  EdgeTarget least = {rank, t->first[x]};
  uint32_t low = 0, high = t->target_count;
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (by_rank(&t->target[i], &least) < 0)
      low = i + 1;
    else
      high = i;
  }
  return low < t->target_count && t->target[low].rank == rank && t->target[low].place < t->end[x];
}

/* ---- edges ---- */

static SrFlowMatch match_from_flow_block(const SrFlowChoices *t, uint32_t from, uint32_t rank) {
  uint32_t set = last_slot(t, from)->set;
  if (set != SR_NONE)
    return set == rank ? SR_MATCH_YES : SR_MATCH_NO;
  return passes_target(t, from, rank) ? SR_MATCH_UNKNOWN : SR_MATCH_NO;
}

SrFlowMatch sr_flow_choice_match(const SrFlowChoices *t, uint32_t from, uint32_t x) {
  uint32_t rank = at(t, x)->low, slots = 0;
  bool matches[2] = {false, false};
  if (at(t, from)->role == SR_ROLE_GUARD)
    return match_from_flow_block(t, from, rank);
  for (uint32_t i = 0; i < at(t, from)->slot_count; i++)
    if (slot_at(t, from, i)->to == x)
      matches[slots++ > 0] = slot_at(t, from, i)->set == rank;
  if (slots == 1 || matches[0] == matches[1])
    return matches[0] ? SR_MATCH_YES : SR_MATCH_NO;
  return matches[0] ? SR_MATCH_IF : SR_MATCH_IF_NOT;
}

bool sr_flow_choice_needs_sel(const SrFlowChoices *t, const SrSlot *slot) {
  while (at(t, slot->to)->role == SR_ROLE_CASE)
    slot = &t->flow->slot.at[at(t, slot->to)->slot];
  return at(t, slot->to)->role == SR_ROLE_GUARD && sr_bit(t->needs_sel, slot->to);
}

/* ---- tests ---- */

typedef struct Tally {
  uint32_t of[SR_MATCHES];
} Tally;

/* Counts the edges into all flow blocks with a test. Two edges of one branch to the same flow block
 * count as one. */
static Tally *count_edges(const SrFlowChoices *t, SrArena *arena) {
  Tally *tally = SR_NEW(arena, Tally, t->flow->block.count);
  for (uint32_t b = 0; b < t->flow->block.count; b++) {
    uint32_t before = SR_NONE;
    for (uint32_t i = 0; i < at(t, b)->slot_count; i++) {
      uint32_t x = slot_at(t, b, i)->to;
      if (x != before && at(t, x)->role == SR_ROLE_GUARD && at(t, x)->test != SR_TEST_NONE)
        tally[x].of[sr_flow_choice_match(t, b, x)]++;
      before = x;
    }
  }
  return tally;
}

static void choose_test(SrFlowChoices *t, uint32_t x, const Tally *tally) {
  uint32_t holds = tally->of[SR_MATCH_IF], fails = tally->of[SR_MATCH_IF_NOT];
  if (tally->of[SR_MATCH_UNKNOWN]) {
    t->instructions++;
    return;
  }
  sr_bit_set(t->known, x);
  if (fails > holds)
    sr_bit_set(t->inverted, x);
  t->instructions += fails > holds ? holds : fails;
}

/* Visits the flow blocks from the ends of paths to their beginnings. */
static void find_needs_sel(SrFlowChoices *t, const SrFlowPaths *paths) {
  for (uint32_t i = 0; i < paths->count; i++) {
    uint32_t x = paths->made[i];
    bool compares = at(t, x)->test != SR_TEST_NONE && !sr_bit(t->known, x);
    if (compares ||
        (last_slot(t, x)->set == SR_NONE && sr_flow_choice_needs_sel(t, last_slot(t, x))))
      sr_bit_set(t->needs_sel, x);
  }
}

/* Counts the branches with both edges to a flow block that needs the selector. */
static uint32_t count_selects(const SrFlowChoices *t) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < t->flow->block.count; b++)
    count += at(t, b)->role == SR_ROLE_USER && at(t, b)->slot_count == 2 &&
             slot_at(t, b, 0)->to == slot_at(t, b, 1)->to &&
             sr_flow_choice_needs_sel(t, slot_at(t, b, 0));
  return count;
}

SrFlowChoices sr_flow_choice_build(SrArena *arena, const SrFlowPaths *paths) {
  SrFlowChoices t = {.flow = paths->flow};
  uint32_t n = paths->flow->block.count;
  t.known = sr_bits_new(arena, n);
  t.inverted = sr_bits_new(arena, n);
  t.needs_sel = sr_bits_new(arena, n);
  number_places(&t, arena, paths);
  find_targets(&t, arena);
  const Tally *tally = count_edges(&t, arena);
  for (uint32_t i = 0; i < paths->count; i++)
    if (at(&t, paths->made[i])->test != SR_TEST_NONE)
      choose_test(&t, paths->made[i], &tally[paths->made[i]]);
  find_needs_sel(&t, paths);
  t.instructions += count_selects(&t);
  return t;
}
