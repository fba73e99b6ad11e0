/* SPDX-License-Identifier: Apache-2.0 */
/* peel: see peel.h. */
#include "passes/transform/copy/peel.h"

enum { MOST_ENTRIES = 8 };

/* Does the node lie in the cycle, or is it a copy of one that does? */
static bool is_in(const SrTails *t, uint32_t cycle, uint32_t n) {
  return sr_cycle_has(t->nest, cycle, t->node.at[n].like);
}

static bool is_entry(const SrTails *t, uint32_t cycle, uint32_t n) {
  for (uint32_t e = t->node.at[n].in; e != SR_NONE; e = t->edge.at[e].next)
    if (!is_in(t, cycle, t->edge.at[e].from))
      return true;
  return false;
}

/* Puts the node into the tail, unless it is there. */
static void take(SrTails *t, uint32_t n) {
  SrTailNode *node = &t->node.at[n];
  if (node->epoch == t->epoch)
    return;
  node->epoch = t->epoch;
  node->seen = 0;
  t->size += t->c->size[t->c->block.at[n]];
  SR_PUSH(t->scratch, &t->tail, n);
}

/* Sets the tail to the blocks that lanes entering at blocks other than `header` may run before they
 * reach it. False: these are too many. */
static bool reach(SrTails *t, uint32_t cycle, const uint32_t *entries, uint32_t count,
                  uint32_t header, uint32_t most) {
  t->epoch++;
  t->tail.count = t->size = 0;
  for (uint32_t i = 0; i < count; i++)
    if (entries[i] != header)
      take(t, entries[i]);
  for (uint32_t i = 0; i < t->tail.count && t->size <= most; i++) {
    const SrTailNode *n = &t->node.at[t->tail.at[i]];
    for (uint32_t e = n->first; e < n->first + n->count; e++) {
      uint32_t to = t->edge.at[e].to;
      if (to != header && is_in(t, cycle, to))
        take(t, to);
    }
  }
  return t->size <= most;
}

/* Lanes that come from copies meet the others in another iteration than before. So no block of a
 * cycle that edge e enters may depend on which lanes run it together. (If the edge also enters
 * cycles around this one, the copies lie outside of all of them.) */
static bool is_free(const SrTails *t, uint32_t cycle, uint32_t e) {
  uint32_t from = t->edge.at[e].from, outermost = cycle;
  for (uint32_t c = cycle; c != SR_NONE && !is_in(t, c, from); c = t->nest->cycles[c].parent)
    outermost = c;
  return !sr_tails_fixed_in(t, outermost);
}

/* Finds at most MOST_ENTRIES entries; returns how many there are. */
static uint32_t find_entries(const SrTails *t, uint32_t cycle, uint32_t *entries) {
  const SrCycle *k = &t->nest->cycles[cycle];
  uint32_t count = 0;
  for (uint32_t rank = k->first; rank <= k->last && count <= MOST_ENTRIES; rank++)
    if (is_entry(t, cycle, t->nest->order[rank])) {
      if (count < MOST_ENTRIES)
        entries[count] = t->nest->order[rank];
      count++;
    }
  return count;
}

/* Sets t->in to the edges from outside to entries other than `header`. False: one of them must not
 * lead to a copy. */
static bool lead_in(SrTails *t, uint32_t cycle, const uint32_t *entries, uint32_t count,
                    uint32_t header) {
  t->in.count = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t e = t->node.at[entries[i]].in; entries[i] != header && e != SR_NONE;
         e = t->edge.at[e].next) {
      if (is_in(t, cycle, t->edge.at[e].from))
        continue;
      if (!is_free(t, cycle, e))
        return false;
      SR_PUSH(t->scratch, &t->in, e);
    }
  return true;
}

bool sr_peel_find(SrTails *t, uint32_t cycle, uint32_t most) {
  const SrCycle *k = &t->nest->cycles[cycle];
  uint32_t entries[MOST_ENTRIES], header = SR_NONE;
  if (k->entries < 2 || k->entries > MOST_ENTRIES)
    return false;
  uint32_t count = find_entries(t, cycle, entries);
  if (count > MOST_ENTRIES)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (lead_in(t, cycle, entries, count, entries[i]) &&
        reach(t, cycle, entries, count, entries[i], most)) {
      header = entries[i];
      most = t->size - 1; /* the tail of another header must be smaller */
    }
  return header != SR_NONE && lead_in(t, cycle, entries, count, header) &&
         reach(t, cycle, entries, count, header, UINT32_MAX);
}

void sr_peel(SrTails *t) {
  sr_tails_copy_once(t);
  for (uint32_t i = 0; i < t->in.count; i++) {
    SrTailEdge *e = &t->edge.at[t->in.at[i]];
    e->to = t->node.at[e->to].copy;
  }
  sr_tails_forget(t);
}
