/* SPDX-License-Identifier: Apache-2.0 */
/* reconverging: does a graph have the form that EXEC-mask lowering needs? Is a function structured?
 *
 * A graph is reconverging if every divergent branch has exactly two successors, one of which
 * post-dominates it (F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU
 * Munich 2018, definition 15). A branch whose targets are all the same does not count as a branch.
 *
 * In a function with several exits the last branch cannot satisfy this:
 *
 *        S                S
 *    kill  return      kill->return  at OpKill lanes end; the wave does not, it continues with the
 *                                    lanes that wait to return
 *
 * So if a branch leads to an empty leaf that ends lanes, the function's graph gets an edge from
 * this leaf to the branch's other target, provided that the latter is an empty leaf too, or a block
 * that only branches to such leaves. */
#ifndef SR_RECONVERGING_H
#define SR_RECONVERGING_H

#include "passes/analysis/graph/dom.h"
#include "passes/analysis/uniform/uniform.h"

/* Is this graph reconverging? `divergent`: by block; NULL: all branches are. Unreachable blocks do
 * not count. O(E log V). */
bool sr_graph_is_reconverging(SrArena *scratch, const SrGraph *g, const SrBits *divergent);
/* The blocks of a function that end in a divergent branch with two or more targets. */
SrBits *sr_divergent_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *g, const SrUniform *u);
/* The function's graph as the wave sees it: `g`, or a copy with the edges out of leaves.
 * `divergent` by block. O(E). */
const SrGraph *sr_wave_graph(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrGraph *g, const SrBits *divergent);
bool sr_is_reconverging(SrArena *scratch, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrUniform *u);
/* Does the function obey SPIR-V's rules of structured control flow? */
bool sr_is_structured(SrArena *scratch, const SrModule *m, const SrFunction *f);

#endif
