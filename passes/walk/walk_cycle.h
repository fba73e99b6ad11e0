/* SPDX-License-Identifier: Apache-2.0 */
/* walk_cycle: which blocks of a function may run several times in one call of it. */
#ifndef SR_WALK_CYCLE_H
#define SR_WALK_CYCLE_H

#include "passes/ir/module.h"

/* By block: does it lie in a cycle? By strongly connected components (Tarjan, Depth-First Search
 * and Linear Graph Algorithms, 1972). Linear. */
SrBits *sr_walk_cycles(SrArena *arena, const SrModule *m, const SrFunction *f);

#endif
