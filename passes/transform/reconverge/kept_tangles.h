/* SPDX-License-Identifier: Apache-2.0 */
/* kept_tangles: does a reconverging program keep the tangles of a function?
 *
 * A tangle is the lanes that run a block in the same iteration of the cycles around it. Structured
 * code, and policy `maximal`, run a block only after all lanes headed for it have arrived, so the
 * nest of cycles decides: a block keeps its tangles if each cycle around it has the same blocks as
 * before, and its iterations begin at the same block. Flow blocks can change that: lanes that stay
 * in an inner loop but pass a flow block outside it begin an iteration of an outer cycle; or a
 * cycle gets a second entry. */
#ifndef SR_KEPT_TANGLES_H
#define SR_KEPT_TANGLES_H

#include "passes/transform/reconverge/reconverge_flow.h"

/* Do the blocks of the set keep their tangles? `before`: the function's graph; blocks of the
 * program that the graph lacks were added. False if that is not known, because a cycle around such
 * a block has several entries in the program. Cost: near-linear, but added blocks at the header of
 * several cycles are visited once for each. */
bool sr_kept_tangles(SrArena *scratch, const SrGraph *before, const SrBits *blocks,
                     const SrReconverged *made);

#endif
