/* SPDX-License-Identifier: Apache-2.0 */
/* graph_stats: the figures of one function's graph, for --stats and --json.
 *
 * Blocks, edges (a branch's repeated target counts once), instructions and branches are counted
 * over all blocks of the function, including unreachable ones; loops and frontiers over the blocks
 * that the entry reaches. A branch is an OpBranchConditional or OpSwitch; one whose targets are all
 * the same is uniform. A loop is multi-exit if its exits lead to more than one block. Sizes of
 * frontiers are those of one sweep (analysis/graph/priority.h), averaged over all blocks. */
#ifndef SR_GRAPH_STATS_H
#define SR_GRAPH_STATS_H

#include "passes/analysis/graph/order_list.h"
#include "passes/analysis/uniform/uniform.h"

#include <spvreconv/spvreconv.h>

/* Fills every field of *out; fails only if the order of priorities does not fit the function.
 * Near-linear; leaves nothing in `scratch`. */
SR_MUST_USE SrStatus sr_stats_graph(SrArena *scratch, const SrModule *m, const SrFunction *f,
                                    const SrUniform *u, const SrOrderChoice *priorities,
                                    spvreconv_graph *out);

#endif
