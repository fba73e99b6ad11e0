/* SPDX-License-Identifier: Apache-2.0 */
/* priority: see priority.h. */
#include "passes/analysis/graph/priority.h"
#include "passes/analysis/graph/dom.h"

static uint32_t *rank_blocks(SrArena *arena, const SrGraph *g, const uint32_t *order,
                             uint32_t count) {
  uint32_t *rank = sr_new_none(arena, g->count);
  for (uint32_t i = 0; i < count; i++)
    rank[order[i]] = i;
  return rank;
}

bool sr_frontier_checks(const SrFrontierSweep *s, uint32_t k) {
  uint32_t b = s->order[s->at], next = s->at + 1;
  const uint32_t *to = s->g->succ + s->g->succ_at[b];
  if (sr_bit(s->pending, s->rank[to[k]]))
    return true;
  return k == 1 && sr_succ_count(s->g, b) == 2 && s->rank[to[0]] != next && s->rank[to[1]] != next;
}

/* The edges out of the current block. They are measured before their targets are added, because
 * these are not in the block's own frontier. */
static void measure_edges(const SrFrontierSweep *w, SrBits *joined, SrFrontierStats *s) {
  const SrGraph *g = w->g;
  uint32_t b = w->order[w->at];
  for (uint32_t k = 0; k < sr_succ_count(g, b); k++) {
    uint32_t to = g->succ[g->succ_at[b] + k];
    s->checks += sr_frontier_checks(w, k);
    if (!sr_bit(w->pending, w->rank[to]))
      continue;
    s->join_edges++;
    s->join_blocks += !sr_bit(joined, to);
    sr_bit_set(joined, to);
  }
}

SrFrontierStats sr_frontier_sweep(SrArena *scratch, const SrGraph *g, const uint32_t *order,
                                  uint32_t count, SrFrontierVisit *visit, void *user) {
  SrMark mark = sr_arena_mark(scratch);
  SrFrontierSweep w = {.g = g, .order = order, .count = count};
  uint32_t waiting = 0;
  w.rank = rank_blocks(scratch, g, order, count);
  w.pending = sr_bits_new(scratch, count);
  SrBits *joined = sr_bits_new(scratch, g->count);
  SrFrontierStats s = {0};
  for (w.at = 0; w.at < count; w.at++) {
    waiting -= sr_bit(w.pending, w.at);
    sr_bit_clear(w.pending, w.at);
    s.sum += waiting;
    s.max = waiting > s.max ? waiting : s.max;
    measure_edges(&w, joined, &s);
    if (visit)
      visit(user, &w);
    for (SR_SUCCS(t, g, order[w.at]))
      if (w.rank[*t] > w.at && !sr_bit(w.pending, w.rank[*t])) {
        sr_bit_set(w.pending, w.rank[*t]);
        waiting++;
      }
  }
  sr_arena_reset(scratch, mark);
  return s;
}

/* ---- fixed point ---- */

/* Sets are kept by rank, so that "of lower priority than r" is a range of bits. */
typedef struct Sets {
  const SrGraph *g;
  const uint32_t *order, *rank;
  uint32_t count, words;
  SrBits *rows; /* by rank */
  SrBits *wait; /* lanes that wait while the current block runs */
} Sets;

/* Adds to the frontier of rank r the waiting blocks after it; returns whether any were new. */
static bool add_waiting(Sets *s, uint32_t r) {
  SrBits *row = s->rows + (size_t)r * s->words, grown = 0;
  for (uint32_t k = (r + 1) / 64; k < s->words; k++) {
    SrBits more = s->wait[k];
    if (k == (r + 1) / 64)
      more &= ~(SrBits)0 << (r + 1) % 64;
    grown |= more & ~row[k];
    row[k] |= more;
  }
  return grown != 0;
}

/* When the block at rank r has run, any block of its frontier and any of its successors may run
 * next. Lanes then still wait at the blocks among these whose priority is lower. */
static uint32_t run_block(Sets *s, uint32_t r, SrBits *dirty) {
  uint32_t first = SR_NONE;
  memcpy(s->wait, s->rows + (size_t)r * s->words, s->words * sizeof *s->wait);
  for (SR_SUCCS(t, s->g, s->order[r]))
    if (s->rank[*t] != SR_NONE)
      sr_bit_set(s->wait, s->rank[*t]);
  for (uint32_t next = 0; next < s->count; next++)
    if (sr_bit(s->wait, next) && add_waiting(s, next)) {
      sr_bit_set(dirty, next);
      first = next < first ? next : first;
    }
  return first;
}

SrFrontiers sr_frontier_sets(SrArena *arena, const SrGraph *g, const uint32_t *order,
                             uint32_t count) {
  SrArena scratch = sr_arena_new(arena->heap);
  Sets s = {.g = g, .order = order, .count = count, .words = (g->count + 63) / 64};
  s.rank = rank_blocks(&scratch, g, order, count);
  s.rows = SR_NEW(&scratch, SrBits, (size_t)count * s.words);
  s.wait = sr_bits_new(&scratch, g->count);
  SrBits *dirty = sr_bits_new(&scratch, g->count);
  for (uint32_t r = 0; r < count; r++)
    sr_bit_set(dirty, r);
  for (uint32_t r = 0; r < count;) { /* rows only grow */
    if (!sr_bit(dirty, r)) {
      r++;
      continue;
    }
    sr_bit_clear(dirty, r);
    uint32_t first = run_block(&s, r, dirty);
    r = first < r ? first : r;
  }
  SrFrontiers f = {s.words, SR_NEW(arena, SrBits, (size_t)g->count * s.words)};
  for (uint32_t r = 0; r < count; r++)
    for (uint32_t x = r + 1; x < count; x++)
      if (sr_bit(s.rows + (size_t)r * s.words, x))
        sr_bit_set(f.rows + (size_t)order[r] * s.words, order[x]);
  sr_arena_free(&scratch);
  return f;
}

uint32_t sr_pdom_join_points(SrArena *scratch, const SrGraph *g) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrDom *d = sr_dom_build(&arena, sr_graph_reverse_with_exit(&arena, g), g->count);
  SrBits *seen = sr_bits_new(&arena, g->count + 1);
  uint32_t n = 0;
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t p = sr_succ_count(g, b) > 1 ? d->idom[b] : SR_NONE;
    if (p == SR_NONE || p == g->count || sr_bit(seen, p))
      continue;
    sr_bit_set(seen, p);
    n++;
  }
  sr_arena_free(&arena);
  return n;
}
