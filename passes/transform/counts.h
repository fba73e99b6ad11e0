/* SPDX-License-Identifier: Apache-2.0 */
/* counts: what a transform did to one function, for --stats and --json. */
#ifndef SR_COUNTS_H
#define SR_COUNTS_H

#include <stdint.h>

typedef struct SrTransformCounts {
  uint32_t flow_blocks;     /* blocks where flow joins: merges and guards */
  uint32_t virtual_blocks;  /* reconverge's virtual nodes */
  uint32_t dispatch_blocks; /* headers of cycles with several entries */
  uint32_t selectors;       /* integer variables that hold the rank of a lane's target */
  uint32_t forward_copies, backward_copies, cuts;
  uint32_t duplicated_blocks, duplicated_instructions;
  uint32_t added_blocks, added_instructions, added_phis;
  uint32_t merged_blocks, merged_instructions; /* that merge-copies removed */
  /* Edges that cause copies and cuts: those into a cycle at a block other than its header; those
   * out of a region to a block other than its exit (Wu, Diamos et al. 2012, section 2.1). */
  uint32_t interacting_in_edges, interacting_out_edges;
  uint32_t rerouted_uniform_branches; /* branches that had an edge moved by reconverge, or that
                                         linearize turned into data flow */
  uint32_t phi_variables;             /* phis that became variables */
} SrTransformCounts;

#endif
