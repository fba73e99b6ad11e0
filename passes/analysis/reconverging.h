/* reconverging: is a graph in the form that EXEC-mask lowering needs, is a function structured?
 *
 * A graph is reconverging if every divergent branch has exactly two successors, one of which
 * post-dominates it (F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU
 * Munich 2018, definition 15). A branch whose targets are all the same is no branch.
 *
 * Of a function that ends in several ways that cannot be true of the last branch:
 *
 *        S                S
 *       / \              / \         no lane comes out of OpKill; the wave does, and goes on
 *    kill  return      kill->return  to the lanes that wait to return
 *
 * So a function's graph is taken with such edges: from an empty leaf that ends lanes to the other
 * way of the branch that leads to it, which is an empty leaf too, or another such branch. */
#ifndef SR_RECONVERGING_H
#define SR_RECONVERGING_H

#include "analysis/dom.h"
#include "analysis/uniform.h"

/* The pure test; `divergent` by block, NULL: all branches are. Unreachable blocks don't count.
 * O(E log V). */
bool sr_graph_is_reconverging(SrArena *scratch, const SrGraph *g, const SrBits *divergent);
/* The divergent branches of a function, of two targets or more. */
SrBits *sr_divergent_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *g, const SrUniform *u);
/* The function's graph as the wave sees it: `g`, or a copy with the edges that go on from leaves.
 * `divergent` by block. O(E). */
const SrGraph *sr_wave_graph(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrGraph *g, const SrBits *divergent);
bool sr_is_reconverging(SrArena *scratch, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrUniform *u);
/* Does the function keep SPIR-V's rules of structured control flow? */
bool sr_is_structured(SrArena *scratch, const SrModule *m, const SrFunction *f);

#endif
