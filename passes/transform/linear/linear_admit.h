/* linear_admit: which functions guard and linearize can lay out in one line. */
#ifndef SR_LINEAR_ADMIT_H
#define SR_LINEAR_ADMIT_H

#include "ir/module.h"

/* Why the function cannot be laid out in one line without changing what it computes, as the end of
 * a sentence; NULL if it can. *block is where. The reasons:
 *   - lanes communicate (subgroup operations, barriers, derivatives) in a block that not every lane
 *     comes to, or comes to several times: lanes that left a loop early, or wait for their turn,
 *     would meet others there. A block in no cycle that every way from the entry passes is no
 *     reason.
 *   - a value that neither a phi may hold nor can be computed anew (a pointer that a call returned)
 *     is used outside of its block.
 * `cross_lane`: as sr_cross_lane_functions says. Near-linear. */
const char *sr_linear_refuses(SrModule *m, SrArena *scratch, const SrFunction *f,
                              const SrBits *cross_lane, uint32_t *block);

#endif
