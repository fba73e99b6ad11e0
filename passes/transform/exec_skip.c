/* exec_skip: see exec_skip.h. */
#include "transform/exec_skip.h"

typedef struct Sweep {
  const SrGraph *g;
  const SrNest *layout;
  const SrRejoin *r;
  uint32_t *up;    /* by rank: rank of the next block on the way; itself where the way stops */
  uint32_t *jump;  /* by rank: one further on */
  uint32_t *depth; /* by rank: blocks to where the way stops */
} Sweep;

static uint32_t secondary(const SrGraph *g, const SrRejoin *r, uint32_t b) {
  const uint32_t *t = &g->succ[g->succ_at[b]];
  return t[0] == r->primary[b] ? t[1] : t[0];
}

/* Does the way from one block lead to another? Ranks rise on it, so a jump too far is told. */
static bool leads_to(const Sweep *s, uint32_t from, uint32_t to) {
  while (from < to && s->up[from] != from)
    from = s->jump[from] <= to ? s->jump[from] : s->up[from];
  return from == to;
}

/* Is there something that needs a lane between a branch's secondary successor and its primary one?
 * Ways that lead back in the layout count as such. */
static bool is_needed(const Sweep *s, uint32_t b) {
  uint32_t from = s->layout->rank[secondary(s->g, s->r, b)];
  uint32_t to = s->layout->rank[s->r->primary[b]], here = s->layout->rank[b];
  return from <= here || to <= here || !leads_to(s, from, to);
}

/* Where the wave goes from the block with EXEC empty; SR_NONE: that needs a lane. */
static uint32_t way_on(const Sweep *s, uint32_t b, bool skips) {
  if (s->r->primary[b] != SR_NONE)
    return skips ? s->r->primary[b] : secondary(s->g, s->r, b);
  return sr_succ_count(s->g, b) == 1 ? s->g->succ[s->g->succ_at[b]] : SR_NONE;
}

/* Puts a block in front of the way of a later one, with a jump over as much as the two jumps behind
 * it are long, if these are equal. */
static void put_before(Sweep *s, uint32_t rank, uint32_t next) {
  uint32_t j = s->jump[next];
  bool equal = s->depth[next] - s->depth[j] == s->depth[j] - s->depth[s->jump[j]];
  s->up[rank] = next;
  s->jump[rank] = equal ? s->jump[j] : next;
  s->depth[rank] = s->depth[next] + 1;
}

SrBits *sr_exec_skip_needed(SrArena *arena, const SrGraph *g, const SrNest *layout,
                            const SrRejoin *r, const SrBits *alive) {
  SrBits *needed = sr_bits_new(arena, g->count);
  Sweep s = {.g = g, .layout = layout, .r = r};
  s.up = SR_NEW(arena, uint32_t, layout->count);
  s.jump = SR_NEW(arena, uint32_t, layout->count);
  s.depth = SR_NEW(arena, uint32_t, layout->count);
  for (uint32_t rank = layout->count; rank-- > 0;) {
    uint32_t b = layout->order[rank];
    bool skips = r->primary[b] != SR_NONE && is_needed(&s, b);
    uint32_t next = way_on(&s, b, skips);
    if (skips)
      sr_bit_set(needed, b);
    s.up[rank] = s.jump[rank] = rank;
    if (!sr_bit(alive, b) && next != SR_NONE && layout->rank[next] > rank)
      put_before(&s, rank, layout->rank[next]);
  }
  return needed;
}
