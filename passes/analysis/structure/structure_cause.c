/* SPDX-License-Identifier: Apache-2.0 */
/* structure_cause: what a message of the structure check names besides the rule. */
#include "passes/analysis/structure/structure_check.h"

#include <stdio.h>

enum { MOST_SEARCHES = 64 };

bool sr_structure_explains(const SrStructureCheck *c) {
  return c->limit > 1 && !c->counts && c->out->count < MOST_SEARCHES;
}

/* Marks the blocks that `from` reaches by edges of g without passing `stop` or a strict dominator
 * of h. With `within`, only blocks of that set. */
static SrBits *reach(SrStructureCheck *c, bool backwards, uint32_t from, uint32_t stop, uint32_t h,
                     const SrBits *within) {
  const SrGraph *g = c->cfg;
  uint32_t depth = 0, *stack = SR_NEW_RAW(&c->scratch, uint32_t, g->count);
  SrBits *seen = sr_bits_new(&c->scratch, g->count);
  sr_bit_set(seen, from);
  stack[depth++] = from;
  while (depth) {
    uint32_t b = stack[--depth];
    const uint32_t *next = backwards ? &g->pred[g->pred_at[b]] : &g->succ[g->succ_at[b]];
    uint32_t count = backwards ? sr_pred_count(g, b) : sr_succ_count(g, b);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t v = next[i];
      if (sr_bit(seen, v) || v == stop || (v != h && sr_dominates(c->dom, v, h)) ||
          (within && !sr_bit(within, v)))
        continue;
      sr_bit_set(seen, v);
      stack[depth++] = v;
    }
  }
  return seen;
}

/* For a header h that does not dominate the block t that it declares: returns the branch by which
 * a path that bypasses h enters t or the blocks between h and t. SR_NONE: there is none. */
SrStructureEdge sr_structure_edge_around(SrStructureCheck *c, uint32_t h, uint32_t t) {
  SrStructureEdge found = {SR_NONE, SR_NONE};
  if (!sr_structure_explains(c) || !sr_structure_reached(c, h) || t == h)
    return found;
  const SrBits *below = reach(c, false, h, t, h, NULL);
  const SrBits *between = reach(c, true, t, h, h, below);
  for (uint32_t v = 0; v < c->f->block_count; v++) {
    if (v == h || !sr_bit(between, v))
      continue;
    for (uint32_t i = 0; i < sr_pred_count(c->cfg, v); i++) {
      uint32_t u = c->cfg->pred[c->cfg->pred_at[v] + i];
      if (u != h && !sr_bit(below, u) && sr_structure_reached(c, u) &&
          (found.to == SR_NONE || found.to == t))
        found = (SrStructureEdge){u, v};
    }
  }
  return found;
}

/* The entries of the innermost cycle that holds both blocks, if it has several. */
void sr_structure_find_entries(SrStructureCheck *c, uint32_t u, uint32_t v,
                               SrViolation *violation) {
  if (!sr_structure_explains(c))
    return;
  if (!c->nest)
    c->nest = sr_nest_build(&c->scratch, c->cfg);
  uint32_t k = c->nest->inner[v];
  while (k != SR_NONE && !sr_cycle_has(c->nest, k, u))
    k = c->nest->cycles[k].parent;
  if (k == SR_NONE || c->nest->cycles[k].entries < 2)
    return;
  const SrCycle *cycle = &c->nest->cycles[k];
  uint32_t *entries = SR_NEW_RAW(c->arena, uint32_t, cycle->last - cycle->first + 1), count = 0;
  for (uint32_t b = 0; b < c->cfg->count; b++) {
    bool entered = false;
    for (uint32_t i = 0; i < sr_pred_count(c->cfg, b) && sr_cycle_has(c->nest, k, b); i++) {
      uint32_t p = c->cfg->pred[c->cfg->pred_at[b] + i];
      entered |= c->nest->rank[p] != SR_NONE && !sr_cycle_has(c->nest, k, p);
    }
    if (entered)
      entries[count++] = b;
  }
  violation->entries = count > 1 ? entries : NULL;
  violation->entry_count = count > 1 ? count : 0;
}

/* "%12, %13 and 3 more" */
void sr_structure_list_blocks(const SrStructureCheck *c, const uint32_t *blocks, uint32_t count,
                              char *text, size_t size) {
  size_t used = 0;
  for (uint32_t i = 0; i < count && i < SR_STRUCTURE_MOST_NAMED && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%%%u",
                             !i               ? ""
                             : i + 1 == count ? " and "
                                              : ", ",
                             sr_structure_id(c, blocks[i]));
  if (count > SR_STRUCTURE_MOST_NAMED && used < size)
    snprintf(text + used, size - used, " and %u more", count - SR_STRUCTURE_MOST_NAMED);
}
