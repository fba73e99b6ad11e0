/* reconverging: is a graph in the form that EXEC-mask lowering needs, is a function structured?
 *
 * A graph is reconverging if every divergent branch has exactly two successors, one of which
 * post-dominates it (F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU
 * Munich 2018, definition 15). A branch whose targets are all the same is no branch. In a function,
 * a branch to nothing but empty leaves is none either: the last dispatch of a common exit, behind
 * which there is nothing left to run together. */
#ifndef SR_RECONVERGING_H
#define SR_RECONVERGING_H

#include "analysis/dom.h"
#include "analysis/uniform.h"

/* The pure test; `divergent` by block, NULL: all branches are. Unreachable blocks don't count.
 * O(E log V). */
bool sr_graph_is_reconverging(SrArena *scratch, const SrGraph *g, const SrBits *divergent);
/* The branches of a function that the definition asks something of. */
SrBits *sr_divergent_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *g, const SrUniform *u);
bool sr_is_reconverging(SrArena *scratch, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrUniform *u);
/* Does the function keep SPIR-V's rules of structured control flow? */
bool sr_is_structured(SrArena *scratch, const SrModule *m, const SrFunction *f);

#endif
