/* SPDX-License-Identifier: Apache-2.0 */
/* order_plain: the orders of order.h that ignore post-dominance: df, bf, rpo, lrpo, domreg. */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/order.h"

#include <string.h>

/* ---- the exit ---- */

uint32_t sr_order_exit(const SrGraph *g, const uint32_t *order, uint32_t count) {
  uint32_t exit = SR_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (sr_succ_count(g, order[i]) == 0) {
      if (exit != SR_NONE)
        return SR_NONE;
      exit = order[i];
    }
  return exit;
}

void sr_order_exit_last(const SrGraph *g, uint32_t *order, uint32_t count) {
  uint32_t exit = sr_order_exit(g, order, count), at = 0;
  if (exit == SR_NONE)
    return;
  for (uint32_t i = 0; i < count; i++)
    if (order[i] != exit)
      order[at++] = order[i];
  order[at] = exit;
}

/* ---- plain searches ---- */

uint32_t sr_order_df(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrBits *seen = sr_bits_new(scratch, g->count);
  uint32_t *next = SR_NEW(scratch, uint32_t, g->count); /* successors tried so far */
  uint32_t *stack = SR_NEW_RAW(scratch, uint32_t, g->count), depth = 0, count = 0;
  stack[depth++] = order[count++] = 0;
  sr_bit_set(seen, 0);
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == sr_succ_count(g, b)) {
      depth--;
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + next[b]++];
    if (!sr_bit(seen, t)) {
      sr_bit_set(seen, t);
      stack[depth++] = order[count++] = t;
    }
  }
  sr_arena_reset(scratch, mark);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_bf(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrBits *seen = sr_bits_new(scratch, g->count);
  uint32_t count = 0;
  order[count++] = 0;
  sr_bit_set(seen, 0);
  for (uint32_t i = 0; i < count; i++)
    for (SR_SUCCS(t, g, order[i]))
      if (!sr_bit(seen, *t)) {
        sr_bit_set(seen, *t);
        order[count++] = *t;
      }
  sr_arena_reset(scratch, mark);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_rpo(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return sr_graph_rpo(scratch, g, 0, false, order);
}

uint32_t sr_order_lrpo(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrNest *n = sr_nest_build(scratch, g);
  uint32_t count = n->count;
  memcpy(order, n->order, count * sizeof *order);
  sr_arena_reset(scratch, mark);
  return count;
}

/* The path from the root to the exit in the dominator tree. In the order, each block of the path
 * comes after its siblings. */
static SrBits *path_to_exit(SrArena *scratch, const SrGraph *g, const SrDom *d) {
  SrBits *path = sr_bits_new(scratch, g->count);
  uint32_t b = sr_order_exit(g, d->preorder, d->reached);
  for (; b != SR_NONE; b = d->idom[b])
    sr_bit_set(path, b);
  return path;
}

uint32_t sr_order_domreg(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrDom *d = sr_dom_build(scratch, g, 0);
  SrBits *path = path_to_exit(scratch, g, d);
  uint32_t count = 0;
  /* At each block of the path: first the blocks that it dominates, then the rest of the path. */
  for (uint32_t at = 0; at != SR_NONE;) {
    order[count++] = d->preorder[at];
    uint32_t end = d->leave[d->preorder[at]], next = SR_NONE;
    for (uint32_t i = at + 1; i < end;) {
      if (sr_bit(path, d->preorder[i])) {
        next = i;
        i = d->leave[d->preorder[i]];
      } else {
        order[count++] = d->preorder[i++];
      }
    }
    at = next;
  }
  sr_arena_reset(scratch, mark);
  return count;
}
