/* merge_write: writes a merge graph into the module. */
#ifndef SR_MERGE_WRITE_H
#define SR_MERGE_WRITE_H

#include "transform/counts.h"
#include "transform/merge/merge_graph.h"

/* Parameters that some code of a block that is left needs, by place in g->parameter. */
SrBits *sr_merge_live(SrMergeGraph *g);
/* Blocks that are left, in LRPO, with phis for the live parameters; without merge instructions.
 * Counts phis that were added. */
void sr_merge_write(SrMergeGraph *g, const SrBits *live, SrTransformCounts *counts);

#endif
