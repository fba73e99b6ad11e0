/* flow_choice: see flow_choice.h. Flow blocks are numbered so that all from which ways lead through
 * one have places in a row; edges that name a block are sorted by it and by the place that they
 * lead to.
 */
#include "transform/flow/flow_choice.h"

#include "base/sort.h"

/* An edge of a block that is no flow block. */
typedef struct SrFlowTarget {
  uint32_t rank, place;
} Wish;

static const SrFlowBlock *at(const SrFlowChoices *t, uint32_t x) {
  return &t->flow->block.at[x];
}

static const SrSlot *slot_at(const SrFlowChoices *t, uint32_t x, uint32_t i) {
  return &t->flow->slot.at[at(t, x)->slot + i];
}

static const SrSlot *last_slot(const SrFlowChoices *t, uint32_t x) {
  return slot_at(t, x, at(t, x)->slot_count - 1);
}

/* ---- who comes through a flow block -----------------------------------------------------------
 */

/* Sizes from where ways begin to where they end, then places the other way round. */
static void number_places(SrFlowChoices *t, SrArena *arena, const SrFlowRoutes *ways) {
  uint32_t n = t->flow->block.count, none = 0;
  uint32_t *size = SR_NEW(arena, uint32_t, n), *next = SR_NEW(arena, uint32_t, n);
  t->first = SR_NEW(arena, uint32_t, n);
  t->end = SR_NEW(arena, uint32_t, n);
  for (uint32_t i = ways->count; i-- > 0;) {
    uint32_t x = ways->made[i], up = ways->up[x];
    size[x]++;
    if (up != SR_NONE)
      size[up] += size[x];
  }
  for (uint32_t i = 0; i < ways->count; i++) {
    uint32_t x = ways->made[i], up = ways->up[x], *place = up == SR_NONE ? &none : &next[up];
    t->first[x] = *place;
    t->end[x] = *place += size[x];
    next[x] = t->first[x] + 1;
  }
}

static int by_rank(const void *a, const void *b) {
  const Wish *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void find_wishes(SrFlowChoices *t, SrArena *arena) {
  const SrFlowGraph *f = t->flow;
  t->wish = SR_NEW_RAW(arena, Wish, f->slot.count);
  for (uint32_t b = 0; b < f->block.count; b++)
    for (uint32_t i = 0; f->block.at[b].role != SR_ROLE_GUARD && i < at(t, b)->slot_count; i++)
      if (slot_at(t, b, i)->set != SR_NONE)
        t->wish[t->wishes++] = (Wish){slot_at(t, b, i)->set, t->first[slot_at(t, b, i)->to]};
  sr_sort(arena, t->wish, t->wishes, sizeof *t->wish, by_rank);
}

/* Do lanes that want the block of that rank come through flow block x? */
static bool comes_through(const SrFlowChoices *t, uint32_t x, uint32_t rank) {
  Wish least = {rank, t->first[x]};
  uint32_t low = 0, high = t->wishes;
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (by_rank(&t->wish[i], &least) < 0)
      low = i + 1;
    else
      high = i;
  }
  return low < t->wishes && t->wish[low].rank == rank && t->wish[low].place < t->end[x];
}

/* ---- edges ------------------------------------------------------------------------------------
 */

static SrFlowMatch of_flow_block(const SrFlowChoices *t, uint32_t from, uint32_t rank) {
  uint32_t set = last_slot(t, from)->set;
  if (set != SR_NONE)
    return set == rank ? SR_MATCH_YES : SR_MATCH_NO;
  return comes_through(t, from, rank) ? SR_MATCH_UNKNOWN : SR_MATCH_NO;
}

SrFlowMatch sr_flow_choice_match(const SrFlowChoices *t, uint32_t from, uint32_t x) {
  uint32_t rank = at(t, x)->low, slots = 0;
  bool wants[2] = {false, false};
  if (at(t, from)->role == SR_ROLE_GUARD)
    return of_flow_block(t, from, rank);
  for (uint32_t i = 0; i < at(t, from)->slot_count; i++)
    if (slot_at(t, from, i)->to == x)
      wants[slots++ > 0] = slot_at(t, from, i)->set == rank;
  if (slots == 1 || wants[0] == wants[1])
    return wants[0] ? SR_MATCH_YES : SR_MATCH_NO;
  return wants[0] ? SR_MATCH_IF : SR_MATCH_IF_NOT;
}

bool sr_flow_choice_needs_sel(const SrFlowChoices *t, const SrSlot *slot) {
  while (at(t, slot->to)->role == SR_ROLE_CASE)
    slot = &t->flow->slot.at[at(t, slot->to)->slot];
  return at(t, slot->to)->role == SR_ROLE_GUARD && sr_bit(t->asked, slot->to);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

typedef struct Tally {
  uint32_t of[SR_MATCHES];
} Tally;

/* Counts the edges into all flow blocks with a test. Both ways of a branch to one are one edge. */
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
    sr_bit_set(t->turned, x);
  t->instructions += fails > holds ? holds : fails;
}

/* From where ways end to where they begin. */
static void find_asked(SrFlowChoices *t, const SrFlowRoutes *ways) {
  for (uint32_t i = 0; i < ways->count; i++) {
    uint32_t x = ways->made[i];
    bool compares = at(t, x)->test != SR_TEST_NONE && !sr_bit(t->known, x);
    if (compares ||
        (last_slot(t, x)->set == SR_NONE && sr_flow_choice_needs_sel(t, last_slot(t, x))))
      sr_bit_set(t->asked, x);
  }
}

/* Branches with both ways to a flow block where the selector is asked for. */
static uint32_t count_selects(const SrFlowChoices *t) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < t->flow->block.count; b++)
    count += at(t, b)->role == SR_ROLE_USER && at(t, b)->slot_count == 2 &&
             slot_at(t, b, 0)->to == slot_at(t, b, 1)->to &&
             sr_flow_choice_needs_sel(t, slot_at(t, b, 0));
  return count;
}

SrFlowChoices sr_flow_choice_build(SrArena *arena, const SrFlowRoutes *ways) {
  SrFlowChoices t = {.flow = ways->flow};
  uint32_t n = ways->flow->block.count;
  t.known = sr_bits_new(arena, n);
  t.turned = sr_bits_new(arena, n);
  t.asked = sr_bits_new(arena, n);
  number_places(&t, arena, ways);
  find_wishes(&t, arena);
  const Tally *tally = count_edges(&t, arena);
  for (uint32_t i = 0; i < ways->count; i++)
    if (at(&t, ways->made[i])->test != SR_TEST_NONE)
      choose_test(&t, ways->made[i], &tally[ways->made[i]]);
  find_asked(&t, ways);
  t.instructions += count_selects(&t);
  return t;
}
