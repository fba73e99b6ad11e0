/* SPDX-License-Identifier: Apache-2.0 */
/* control_tree: reduces a function's graph to regions, from the inside out. This is the control
 * tree of Muchnick, Advanced Compiler Design and Implementation, 1997, as used in section 3 of Wu,
 * Diamos et al., Characterization and Transformation of Unstructured Control Flow in Bulk
 * Synchronous GPU Applications, 2012.
 *
 * An arm of a region (region.h) is a sequence of regions. The graph B1 -> B2 B3, B2 -> B3 Exit, B3
 * -> B4 B5, B4 -> B5 Exit, B5 -> Exit becomes this tree; a ' marks copies:
 *
 *   B1                  B1's exit is Exit; its arms hold B3, and B2 (whose arm holds a copy of B3)
 *   |-- B3              B3's exit is Exit; its arms hold B5, and B4
 *   |   |-- B5
 *   |   `-- B4
 *   |       `-- B5'
 *   `-- B2
 *       `-- B3' ...
 *
 * Blocks are reduced in reversed LRPO, so everything after a block has been reduced already and has
 * an exit: exits form trees, the post-dominator trees of the graph so far. A block's exit is where
 * its arms meet; the regions before the exit go into its arms. A region to which several blocks
 * lead is copied (forward_copy.h); the original goes to the block that is reduced last, which is
 * the first of them in LRPO. In terms of control dependence (Ferrante, Ottenstein and Warren, The
 * Program Dependence Graph and Its Use in Optimization, 1987): a region gets one instance for each
 * arm that it is control dependent on.
 *
 * The blocks of a cycle are reduced as a graph of their own; then the cycle becomes one region, and
 * tests after it distinguish its exits (cut.h). SPIR-V has break and continue, so edges to a
 * cycle's header, to its continue target and out of it are jumps and require no copy. (If all back
 * edges have one source, and this block lies in no inner cycle, it is the continue target.) Leaves
 * (OpReturn, OpKill) to which only one arm leads require no copy either, nor do cases of an
 * OpSwitch into which one other case falls through. The paper has none of these exceptions: its
 * only regions are hammocks.
 *
 * Cost: O(E log V), plus the number of regions copied and of exits of all cycles. */
#ifndef SR_CONTROL_TREE_H
#define SR_CONTROL_TREE_H

#include "passes/transform/copy/region.h"

/* Reduces the graph, with the copies that this needs. */
SR_MUST_USE SrStatus sr_control_tree_build(SrControlTree *t, SrArena *arena, SrCopyGraph *c,
                                           SrGrowth *growth, SrCopyRule rule);

#endif
