/* SPDX-License-Identifier: Apache-2.0 */
/* dom: dominator trees over any SrGraph (Lengauer and Tarjan 1979, the O(E log V) version with path
 * compression, iterative). Post-dominators are dominators of sr_graph_reverse_with_exit. */
#ifndef SR_DOM_H
#define SR_DOM_H

#include "passes/analysis/graph/cfg.h"

typedef struct SrDom {
  uint32_t count, root;
  uint32_t *idom;          /* SR_NONE for the root and for unreachable nodes */
  uint32_t *enter, *leave; /* preorder interval in the tree, without `leave`; enter is SR_NONE if
                            unreachable */
  uint32_t *preorder;      /* reachable nodes in tree preorder, children by discovery */
  uint32_t reached;
} SrDom;

SrDom *sr_dom_build(SrArena *arena, const SrGraph *g, uint32_t root);
/* Does a dominate b (reflexive)? False if either is unreachable. */
static inline bool sr_dominates(const SrDom *d, uint32_t a, uint32_t b) {
  return d->enter[a] != SR_NONE && d->enter[b] != SR_NONE && d->enter[a] <= d->enter[b] &&
         d->leave[b] <= d->leave[a];
}

#endif
