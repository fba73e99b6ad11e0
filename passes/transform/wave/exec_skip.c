/* SPDX-License-Identifier: Apache-2.0 */
/* exec_skip: see exec_skip.h. */
#include "passes/transform/wave/exec_skip.h"

typedef struct Sweep {
  const SrGraph *g;
  const SrNest *layout;
  const SrRejoin *r;
  uint32_t *up; /* by rank: rank of the next block on the path; SR_NONE where the path ends */
  SrAncestors ancestors; /* by rank: of `up`, for ranks visited so far */
} Sweep;

static uint32_t secondary(const SrGraph *g, const SrRejoin *r, uint32_t b) {
  const uint32_t *t = &g->succ[g->succ_at[b]];
  return t[0] == r->primary[b] ? t[1] : t[0];
}

/* Does any block between a branch's secondary and primary successor need a lane? A path that leads
 * back in the layout counts as if some block on it did. */
static bool is_needed(const Sweep *s, uint32_t b) {
  uint32_t from = s->layout->rank[secondary(s->g, s->r, b)];
  uint32_t to = s->layout->rank[s->r->primary[b]], here = s->layout->rank[b];
  return from <= here || to <= here || sr_ancestors_common(&s->ancestors, from, to) != to;
}

/* The block to which the wave goes from the block with EXEC empty; SR_NONE: the block needs a
 * lane. */
static uint32_t next_block(const Sweep *s, uint32_t b, bool skips) {
  if (s->r->primary[b] != SR_NONE)
    return skips ? s->r->primary[b] : secondary(s->g, s->r, b);
  return sr_succ_count(s->g, b) == 1 ? s->g->succ[s->g->succ_at[b]] : SR_NONE;
}

SrBits *sr_exec_skip_needed(SrArena *arena, const SrGraph *g, const SrNest *layout,
                            const SrRejoin *r, const SrBits *alive) {
  SrBits *needed = sr_bits_new(arena, g->count);
  Sweep s = {.g = g, .layout = layout, .r = r};
  s.up = sr_new_none(arena, layout->count);
  s.ancestors = sr_ancestors_new(arena, s.up, layout->count);
  for (uint32_t rank = layout->count; rank-- > 0;) {
    uint32_t b = layout->order[rank];
    bool skips = r->primary[b] != SR_NONE && is_needed(&s, b);
    uint32_t next = next_block(&s, b, skips);
    if (skips)
      sr_bit_set(needed, b);
    if (!sr_bit(alive, b) && next != SR_NONE && layout->rank[next] > rank)
      s.up[rank] = layout->rank[next];
    sr_ancestors_add(&s.ancestors, rank);
  }
  return needed;
}
