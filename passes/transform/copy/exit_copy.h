/* SPDX-License-Identifier: Apache-2.0 */
/* exit_copy: Forward Copy before Cut, as the authors of Wu, Diamos et al. 2012 (section 3) do it in
 * their compiler: while a cycle still has several exits, each edge that leaves it gets its own copy
 * of the code up to the place where lanes meet those that leave by the main exit.
 *
 *     +-> h --> m            +-> h --> m
 *     |   |     |            |   |     |
 *     |   a --> x    =>      |   a --> x --> e
 *     |   |     |            |   |           ^
 *     |   b --> x --> e      |   b --> x' ---+
 *     +---+                  +---+
 *
 * The main exit is the header's. If the header has none, it is the exit of the last block that
 * repeats the cycle, and if that has none, the last exit in LRPO. Cut then finds more exits than
 * the cycle had. */
#ifndef SR_EXIT_COPY_H
#define SR_EXIT_COPY_H

#include "passes/transform/copy/copy_graph.h"

typedef struct SrExitCopies {
  uint32_t regions; /* regions that were copied */
  uint32_t edges;   /* edges that lead to copies */
} SrExitCopies;

/* Makes the copies in a reducible graph, inner cycles first; it stays reducible. Cost O(E log V)
 * for each round; a round copies all regions that do not overlap. */
SR_MUST_USE SrStatus sr_exit_copy(SrArena *arena, SrCopyGraph *c, SrGrowth *growth,
                                  SrExitCopies *done);

#endif
