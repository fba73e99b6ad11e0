/* control_tree: a function's graph reduced to regions, region by region, from the inside out (the
 * control tree of Muchnick, Advanced Compiler Design and Implementation, 1997, as Wu, Diamos et
 * al., Characterization and Transformation of Unstructured Control Flow in Bulk Synchronous GPU
 * Applications, 2012, section 3, use it).
 *
 * A region is a block, or a cycle, together with all that stands in its arms. It is entered at its
 * top, and control leaves it in one place only (its exit), or not at all (all ways end in leaves,
 * or in jumps to the continue target or out of the cycle around). An arm holds regions one after
 * the other:
 *
 *   B1                  B1's exit is Exit; its arms hold B3, and B2 (whose arm holds a copy of B3)
 *   |-- B3              B3's exit is Exit; its arms hold B5, and B4
 *   |   |-- B5
 *   |   `-- B4
 *   |       `-- B5'
 *   `-- B2
 *       `-- B3' ...
 *
 * Blocks are taken in reversed LRPO, so that everything behind a block is reduced already, and
 * each has its exit: exits form trees, the post-dominator trees of what there is so far. A block's
 * exit is where its arms meet; the regions before that become its own. What other blocks lead to as
 * well is copied (forward_copy.h), and the last who wants it, the first in LRPO, gets the original.
 * In terms of Ferrante, Ottenstein and Warren 1987: a region gets one instance for each arm that it
 * is control dependent on.
 *
 * A cycle is reduced as a graph of its own when all its blocks are, and becomes one region, whose
 * exits are told apart behind it (cut.h). SPIR-V knows break and continue, so edges to a cycle's
 * header, to its continue target (the only source of back edges, if it stands in no inner cycle)
 * and out of it are jumps, and no reason to copy anything; nor are leaves (OpReturn, OpKill) that
 * one arm alone leads to, nor a case of an OpSwitch that one other case falls into. Here we deviate
 * from the document, which knows only hammocks.
 *
 * Cost: O(E log V), the regions copied, and the exits of all cycles. */
#ifndef SR_CONTROL_TREE_H
#define SR_CONTROL_TREE_H

#include "transform/copy/region.h"

/* Reduces the graph, copying what has to be. */
SR_MUST_USE SrStatus sr_control_tree_build(SrControlTree *t, SrArena *arena, SrCopyGraph *c,
                                           SrGrowth *growth);

#endif
