/* SPDX-License-Identifier: Apache-2.0 */
/* kept_tangles: see kept_tangles.h.
 *
 * A nest lists the blocks of a cycle together. So a cycle of the program has the same blocks as an
 * old cycle if it has as many, and the least and the greatest of their ranks lie in the old
 * cycle. */
#include "passes/transform/reconverge/kept_tangles.h"

/* The function's blocks that a cycle of the program holds. */
typedef struct Held {
  uint32_t count, least, greatest; /* number of blocks; the least and the greatest of their old
                                      ranks */
  uint32_t same;                   /* the old cycle with the same blocks; SR_NONE: not looked at */
} Held;

typedef struct Look {
  const SrReconverged *made;
  uint32_t blocks;    /* of the function before */
  const SrNest *nest; /* of the function before */
  Held *held;         /* by cycle of the program */
  uint32_t *seen;     /* by block of the program: the last cycle at whose header it was visited */
  SrArena arena;
} Look;

/* The function's block that block b of the program represents; SR_NONE: b was added. */
static uint32_t old_block(const Look *l, uint32_t b) {
  uint32_t user = l->made->flow->block.at[b].user;
  return user < l->blocks ? user : SR_NONE;
}

static void hold(Held *h, uint32_t count, uint32_t least, uint32_t greatest) {
  h->count += count;
  h->least = least < h->least ? least : h->least;
  h->greatest = greatest > h->greatest ? greatest : h->greatest;
}

static void hold_all(Look *l) {
  const SrNest *after = l->made->nest;
  l->held = SR_NEW(&l->arena, Held, after->cycle_count);
  for (uint32_t c = 0; c < after->cycle_count; c++)
    l->held[c] = (Held){.least = UINT32_MAX, .same = SR_NONE};
  for (uint32_t b = 0; b < l->made->graph->count; b++) {
    uint32_t old = old_block(l, b);
    if (old != SR_NONE && after->inner[b] != SR_NONE)
      hold(&l->held[after->inner[b]], 1, l->nest->rank[old], l->nest->rank[old]);
  }
  for (uint32_t c = after->cycle_count; c-- > 0;) /* parents come before children */
    if (after->cycles[c].parent != SR_NONE)
      hold(&l->held[after->cycles[c].parent], l->held[c].count, l->held[c].least,
           l->held[c].greatest);
}

/* Do all paths inside a cycle of the program, from its header on, reach `old` before any other of
 * the function's blocks? */
static bool begins_at(Look *l, uint32_t cycle, uint32_t old) {
  const SrNest *after = l->made->nest;
  SR_VEC(uint32_t) work = {0};
  SR_PUSH(&l->arena, &work, after->cycles[cycle].header);
  while (work.count) {
    uint32_t b = SR_POP(&work);
    if (!sr_cycle_has(after, cycle, b) || l->seen[b] == cycle || old_block(l, b) == old)
      continue;
    if (old_block(l, b) != SR_NONE)
      return false;
    l->seen[b] = cycle;
    for (SR_SUCCS(t, l->made->graph, b))
      SR_PUSH(&l->arena, &work, *t);
  }
  return true;
}

static bool is_same(Look *l, uint32_t cycle, uint32_t before) {
  const SrCycle *c = &l->nest->cycles[before];
  const Held *h = &l->held[cycle];
  return l->made->nest->cycles[cycle].entries == 1 && h->count == c->last - c->first + 1 &&
         h->least >= c->first && h->greatest <= c->last && begins_at(l, cycle, c->header);
}

/* Are the cycles around block b of the program the same as before? If one of them was checked
 * already, so were all cycles around it. */
static bool same_cycles(Look *l, uint32_t b) {
  const SrNest *after = l->made->nest;
  uint32_t c = after->inner[b], old = l->nest->inner[old_block(l, b)];
  for (; c != SR_NONE && old != SR_NONE; old = l->nest->cycles[old].parent) {
    if (l->held[c].same != SR_NONE)
      return l->held[c].same == old;
    if (!is_same(l, c, old))
      return false;
    l->held[c].same = old;
    c = after->cycles[c].parent;
  }
  return c == old;
}

bool sr_kept_tangles(SrArena *scratch, const SrGraph *before, const SrBits *blocks,
                     const SrReconverged *made) {
  Look l = {.made = made, .blocks = before->count, .arena = sr_arena_new(scratch->heap)};
  bool kept = true;
  l.nest = sr_nest_build(&l.arena, before);
  l.seen = sr_new_none(&l.arena, made->graph->count);
  hold_all(&l);
  for (uint32_t b = 0; b < made->graph->count && kept; b++)
    if (old_block(&l, b) != SR_NONE && sr_bit(blocks, old_block(&l, b)))
      kept = same_cycles(&l, b);
  sr_arena_free(&l.arena);
  return kept;
}
