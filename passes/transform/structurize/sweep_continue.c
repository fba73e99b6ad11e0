/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_continue: see sweep_continue.h.
 *
 * A continue construct may have several blocks: it begins at any block that all lanes pass that begin another
 * iteration, if from there on lanes leave the loop only at the back edge. Two shapes need fewer blocks so:
 *
 *     +-> h         h: OpLoopMerge with continue target c; branches to a or c. As the header of a
 *     |   | \           selection too, it would need an added block to hold the OpLoopMerge.
 *     |   |  a
 *     |   | /
 *     |   c -> d     c, d, e: the continue construct. If it were e alone, c -> e would need an added block in
 *     |   | /           portable structure (docs/structurize.md, rule 6).
 *     +-- e */
#include "passes/transform/structurize/sweep_continue.h"

/* An added header runs in each iteration, a block on an edge in some. */
enum { HEADER_COST = 2 };

uint32_t sr_sweep_only_latch(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                             uint32_t cycle) {
  const SrCycle *c = &nest->cycles[cycle];
  uint32_t found = SR_NONE;
  for (SR_PREDS(p, g, c->header)) {
    if (!sr_cycle_has(nest, cycle, *p))
      continue;
    if (found != SR_NONE)
      return SR_NONE;
    found = *p;
  }
  return nest->inner[found] != cycle || sr_bit(is_switch, found) ? SR_NONE : found;
}

bool sr_sweep_is_entry(const SrGraph *g, const SrNest *nest, uint32_t cycle, uint32_t b) {
  for (SR_PREDS(p, g, b))
    if (!sr_cycle_has(nest, cycle, *p) && nest->rank[*p] != SR_NONE)
      return true;
  return false;
}

uint32_t sr_sweep_continue(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                           uint32_t cycle) {
  uint32_t found = sr_sweep_only_latch(g, nest, is_switch, cycle);
  bool whole = nest->cycles[cycle].first == nest->cycles[cycle].last;
  return found != SR_NONE && !whole && sr_sweep_is_entry(g, nest, cycle, found) ? SR_NONE : found;
}

/* Do all lanes of header h enter one inner cycle of several entries next? They reach its dispatch
 * by one edge. Only h comes before that cycle in this one, so the targets of both its edges are the
 * entries. */
static bool leads_to_dispatch(const Sweep *s, uint32_t cycle, uint32_t h) {
  uint32_t next = s->nest->rank[h] + 1;
  if (next > s->nest->cycles[cycle].last)
    return false;
  uint32_t inner = s->nest->inner[s->nest->order[next]];
  while (inner != cycle && s->nest->cycles[inner].parent != cycle)
    inner = s->nest->cycles[inner].parent;
  return inner != cycle && s->nest->cycles[inner].entries > 1;
}

bool sr_sweep_needs_selection(const Sweep *s, uint32_t cycle, uint32_t h, uint32_t natural) {
  if (sr_bit(s->is_switch, h))
    return true;
  if (leads_to_dispatch(s, cycle, h))
    return false;
  uint32_t forward = 0;
  for (SR_SUCCS(t, s->g, h))
    forward += sr_cycle_has(s->nest, cycle, *t) && *t != h && *t != natural;
  return forward == 2;
}

/* ---- where the continue construct begins ---- */

/* May the block at this rank, before the latch, belong to the continue construct of cycle c? Only
 * the latch leaves the cycle. In portable structure there is no switch, since Tint of 2023 takes
 * each `break` in a continue construct for one that leaves the loop, and no loop, since no front end
 * writes one there. Otherwise loops are a matter of cost: only goal ISSUES looks at them. */
static bool fits_continue(const Sweep *s, const SrCycle *c, uint32_t rank) {
  uint32_t b = s->nest->order[rank];
  bool in_loop = &s->nest->cycles[s->nest->inner[b]] != c;
  if ((in_loop && (s->portable || s->goal != SR_GOAL_ISSUES)) ||
      (s->portable && sr_bit(s->is_switch, b)))
    return false;
  for (SR_SUCCS(t, s->g, b))
    if (s->nest->rank[*t] > c->last || s->nest->rank[*t] <= c->first)
      return false;
  return true;
}

/* The lowest rank of the blocks that lead to b. */
static uint32_t lowest_source(const Sweep *s, uint32_t b) {
  uint32_t lowest = SR_NONE;
  for (SR_PREDS(p, s->g, b))
    lowest = s->nest->rank[*p] < lowest ? s->nest->rank[*p] : lowest;
  return lowest;
}

static uint32_t count_sources(const Sweep *s, uint32_t b) {
  uint32_t n = 0;
  for (SR_PREDS(p, s->g, b))
    n += s->nest->rank[*p] != SR_NONE;
  return n;
}

/* The edges to continue target b that need a block of their own if there are phis: those from
 * branches and from inner loops, if there are several. */
static uint32_t count_split(const Sweep *s, uint32_t cycle, uint32_t b) {
  uint32_t split = 0;
  for (SR_PREDS(p, s->g, b))
    split += s->nest->rank[*p] != SR_NONE && *p != s->nest->cycles[cycle].header &&
             (sr_succ_count(s->g, *p) > 1 || s->nest->inner[*p] != cycle);
  return count_sources(s, b) > 1 ? split : 0;
}

static bool leads_to(const Sweep *s, uint32_t from, uint32_t to) {
  for (SR_SUCCS(t, s->g, from))
    if (*t == to)
      return true;
  return false;
}

uint32_t sr_sweep_choose_continue(const Sweep *s, uint32_t cycle, uint32_t latch) {
  const SrCycle *c = &s->nest->cycles[cycle];
  if (c->entries > 1 || c->first == c->last || sr_bit(s->is_switch, c->header))
    return latch;
  bool two_ways = sr_sweep_needs_selection(s, cycle, c->header, SR_NONE);
  uint32_t best = latch, least = SR_NONE, lowest = c->last;
  uint32_t merges = 0; /* blocks for selections that end in one block: without a switch to leave,
                          all but one need a merge of their own */
  for (uint32_t rank = c->last; rank > c->first; rank--) {
    uint32_t b = s->nest->order[rank];
    if (b != latch && !fits_continue(s, c, rank))
      break;
    bool header = two_ways && !leads_to(s, c->header, b);
    uint32_t cost = HEADER_COST * header + (s->portable ? merges + count_split(s, cycle, b) : 0);
    /* Do lanes enter the blocks from this rank on only here? */
    if (lowest >= rank && s->nest->inner[b] == cycle && cost < least) {
      best = b;
      least = cost;
    }
    uint32_t source = lowest_source(s, b);
    lowest = source < lowest ? source : lowest;
    uint32_t sources = count_sources(s, b);
    merges += sources > 2 ? sources - 2 : 0;
  }
  return best;
}
