/* SPDX-License-Identifier: Apache-2.0 */
/* merge_write: writes a merge graph into the module. */
#ifndef SR_MERGE_WRITE_H
#define SR_MERGE_WRITE_H

#include "passes/transform/counts.h"
#include "passes/transform/merge/merge_graph.h"

/* The parameters that the remaining code needs, by index in g->parameter. */
SrBits *sr_merge_live(SrMergeGraph *g);
/* Writes the remaining blocks, in LRPO, with phis for the live parameters and without merge
 * instructions. Counts the phis that were added. */
void sr_merge_write(SrMergeGraph *g, const SrBits *live, SrTransformCounts *counts);

#endif
