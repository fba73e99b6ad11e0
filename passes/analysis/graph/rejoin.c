/* SPDX-License-Identifier: Apache-2.0 */
/* rejoin: see rejoin.h. */
#include "passes/analysis/graph/rejoin.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/compiler.h"

typedef struct Build {
  SrRejoin *r;
  const SrGraph *g;
  const SrNest *nest;
  SrArena *scratch;
  bool flow; /* blocks that are `entered` get flow blocks */
} Build;

/* ---- primary successors ---- */

/* The successor that post-dominates branch block b. There is at most one besides b itself. If b is
 * one of its own successors, the primary successor is the other one, even if it reaches no exit. */
static uint32_t find_primary(const SrGraph *g, const SrDom *pdom, uint32_t b) {
  const uint32_t *t = &g->succ[g->succ_at[b]];
  if (sr_succ_count(g, b) != 2)
    return SR_NONE;
  for (uint32_t i = 0; i < 2; i++)
    if (t[1 - i] == b || (t[i] != b && sr_dominates(pdom, t[i], b)))
      return t[i];
  return SR_NONE;
}

/* Numbers the masks: one for each block that is a branch's primary successor, in preorder of the
 * post-dominator tree. */
static void number_masks(Build *b, const SrDom *pdom, const SrBits *is_primary) {
  SrRejoin *r = b->r;
  for (uint32_t i = 0; i < pdom->reached; i++) {
    uint32_t x = pdom->preorder[i];
    if (x < b->g->count && sr_bit(is_primary, x)) {
      r->mask[x] = r->masks;
      r->block[r->masks++] = x;
    }
  }
}

static uint32_t find_primaries(Build *b, const SrBits *divergent) {
  const SrGraph *g = b->g;
  const SrDom *pdom = sr_dom_build(b->scratch, sr_graph_reverse_with_exit(b->scratch, g), g->count);
  SrBits *is_primary = sr_bits_new(b->scratch, g->count);
  for (uint32_t i = 0; i < b->nest->count; i++) {
    uint32_t x = b->nest->order[i];
    if (sr_succ_count(g, x) < 2 || !sr_bit(divergent, x))
      continue;
    uint32_t primary = b->r->primary[x] = find_primary(g, pdom, x);
    if (primary == SR_NONE)
      return x;
    sr_bit_set(is_primary, primary);
  }
  number_masks(b, pdom, is_primary);
  return SR_NONE;
}

/* ---- where lanes wait ---- */

static uint32_t own_mask(Build *b, uint32_t x) {
  uint32_t m = b->r->mask[x];
  return m == SR_NONE ? SR_EMPTY_SET : sr_set_single(&b->r->sets, m);
}

/* Evaluates a block; returns whether its out set has grown. */
static bool flow_through(Build *b, uint32_t x) {
  SrRejoin *r = b->r;
  uint32_t in = r->in[x];
  for (SR_PREDS(y, b->g, x))
    if (b->nest->rank[*y] != SR_NONE)
      in = sr_set_union(&r->sets, in, r->out[*y]);
  r->in[x] = in = sr_set_minus(&r->sets, in, own_mask(b, x));
  uint32_t out = in;
  if (r->primary[x] != SR_NONE)
    out = sr_set_union(&r->sets, in, own_mask(b, r->primary[x]));
  bool grown = out != r->out[x];
  r->out[x] = out;
  return grown;
}

/* Sweeps in LRPO over the blocks still to be evaluated; sets only grow, so the sweeps end. Blocks
 * before the current one are left to the next sweep. */
static void settle(Build *b) {
  const SrNest *n = b->nest;
  SrBits *todo = sr_bits_new(b->scratch, n->count);
  for (uint32_t i = 0; i < n->count; i++)
    sr_bit_set(todo, i);
  for (uint32_t words = (n->count + 63) / 64, left = 1; left;) {
    left = 0;
    for (uint32_t w = 0; w < words; w++)
      while (todo[w]) {
        uint32_t rank = w * 64 + sr_trailing_zeros(todo[w]), x = n->order[rank];
        sr_bit_clear(todo, rank);
        if (!flow_through(b, x))
          continue;
        for (SR_SUCCS(t, b->g, x)) {
          sr_bit_set(todo, n->rank[*t]);
          left |= n->rank[*t] / 64 < w;
        }
      }
  }
}

/* ---- P0 and Q ---- */

static void find_first(Build *b, uint32_t x) {
  SrRejoin *r = b->r;
  uint32_t m = r->mask[r->primary[x]];
  bool first = true;
  for (SR_PREDS(y, b->g, x))
    first = first && (b->nest->rank[*y] == SR_NONE || !sr_set_has(&r->sets, r->out[*y], m));
  if (first)
    sr_bit_set(r->first, x);
}

static void find_entered(Build *b, uint32_t x) {
  for (SR_SUCCS(y, b->g, x))
    if (b->r->mask[*y] != SR_NONE && !sr_rejoin_waits(b->r, x, *y))
      sr_bit_set(b->r->entered, *y);
}

/* The masks that must be 0 on an edge into y from a block that ends with `out`. */
static uint32_t to_clear(Build *b, uint32_t y, uint32_t out) {
  SrSharedSets *s = &b->r->sets;
  uint32_t in = b->r->in[y];
  if (!b->flow || !sr_bit(b->r->entered, y))
    in = sr_set_union(s, in, own_mask(b, y));
  return sr_set_minus(s, in, out);
}

static void find_clears(Build *b, uint32_t x) {
  SrRejoin *r = b->r;
  for (SR_SUCCS(y, b->g, x))
    r->clear[x] = sr_set_union(&r->sets, r->clear[x], to_clear(b, *y, r->out[x]));
}

static void find_sets(Build *b) {
  const SrNest *n = b->nest;
  settle(b);
  for (uint32_t i = 0; i < n->count; i++) {
    if (b->r->primary[n->order[i]] != SR_NONE)
      find_first(b, n->order[i]);
    find_entered(b, n->order[i]);
  }
  for (uint32_t i = 0; i < n->count; i++)
    find_clears(b, n->order[i]);
  b->r->begin = to_clear(b, 0, SR_EMPTY_SET);
}

const SrRejoin *sr_rejoin_build(SrArena *arena, const SrGraph *g, const SrBits *divergent,
                                bool flow, uint32_t *bad) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrRejoin *r = SR_NEW(arena, SrRejoin, 1);
  Build b = {.r = r, .g = g, .nest = sr_nest_build(&scratch, g), .scratch = &scratch, .flow = flow};
  r->block = sr_new_none(arena, g->count);
  r->mask = sr_new_none(arena, g->count);
  r->primary = sr_new_none(arena, g->count);
  r->in = SR_NEW(arena, uint32_t, g->count);
  r->out = SR_NEW(arena, uint32_t, g->count);
  r->clear = SR_NEW(arena, uint32_t, g->count);
  r->first = sr_bits_new(arena, g->count);
  r->entered = sr_bits_new(arena, g->count);
  *bad = find_primaries(&b, divergent);
  r->sets = sr_shared_sets_new(arena, r->masks);
  if (*bad == SR_NONE)
    find_sets(&b);
  sr_arena_free(&scratch);
  return *bad == SR_NONE ? r : NULL;
}
