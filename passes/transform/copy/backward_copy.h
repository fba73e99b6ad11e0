/* SPDX-License-Identifier: Apache-2.0 */
/* backward_copy: gives cycles with several entries a single one (Wu, Diamos et al.,
 * Characterization and Transformation of Unstructured Control Flow in Bulk Synchronous GPU
 * Applications, 2012, section 3, Backward Copy).
 *
 * Edges that enter a cycle at a block other than its header are redirected to a copy of the cycle
 * without the header. This copy is the peeled first iteration, and continues at the header:
 *
 *        q    r                 q        r
 *        |    |                 |        |
 *     +> h -> e -+     =>    +> h -> e -+ e' -+
 *     |          |           |          |     |
 *     +----------+           +----------+     |
 *                            +----------------+
 *
 * Unlike in the paper, edges to the header stay, which saves a copy, and one peeled iteration
 * serves all entries but the header.
 *
 * Outermost cycles come first. A copy may contain irreducible cycles again, but smaller ones than
 * the cycle it was copied from, so the process ends. With each depth the number of irreducible
 * cycles can double; so growth is limited (SrGrowth). */
#ifndef SR_BACKWARD_COPY_H
#define SR_BACKWARD_COPY_H

#include "passes/transform/copy/copy_graph.h"

typedef struct SrBackwardCopies {
  uint32_t entries;  /* number of entries peeled */
  uint32_t in_edges; /* edges that entered a cycle at a block other than its header */
} SrBackwardCopies;

/* Makes the graph reducible. Cost O(E log V) for each depth at which irreducible cycles nest. */
SR_MUST_USE SrStatus sr_backward_copy(SrArena *arena, SrCopyGraph *c, SrGrowth *growth,
                                      SrBackwardCopies *done);

#endif
