/* SPDX-License-Identifier: Apache-2.0 */
/* flow_path: the paths of lanes through reconverge's flow blocks.
 *
 * A lane in flow block X goes to its target if X leads there, and otherwise to the next flow block,
 * which was made later. So flow blocks form a forest, and a lane climbs a path in it. The path ends
 * at the last flow block that was made before the target was visited. Paths are climbed by skip
 * pointers (Myers 1983), O(log n). */
#ifndef SR_FLOW_PATH_H
#define SR_FLOW_PATH_H

#include "passes/transform/flow/flow.h"

typedef struct SrFlowPaths {
  const SrFlowGraph *flow;
  uint32_t *up, *skip;   /* by flow block: its parent, or a further ancestor; SR_NONE */
  uint32_t *depth;       /* number of flow blocks on the path up from it, itself included */
  uint32_t *made, count; /* all flow blocks, newest first */
} SrFlowPaths;

SrFlowPaths sr_flow_path_build(SrArena *arena, const SrFlowGraph *flow);
/* May a lane with target `target` (a flow block of role USER) pass the added block x? */
static inline bool sr_flow_path_passes(const SrFlowGraph *f, uint32_t x, uint32_t target) {
  return f->block.at[x].stamp < f->block.at[target].stamp;
}
/* The last block on the path up from x, x included, for which `holds` is true. It must be true for
 * x, and once it is false it must be false for all further blocks. */
uint32_t sr_flow_path_climb(const SrFlowPaths *r, uint32_t x,
                            bool (*holds)(const void *user, uint32_t x), const void *user);

/* The same flow blocks as a forest of names. A name defined in flow block x is valid along the
 * path up from x for as long as `reaches` holds, that is, while x dominates the block. Once
 * `reaches` is false on a path, it must stay false. `up` of x is the first flow block where the
 * name is no longer valid. Each path is part of a path in `paths`. */
SrFlowPaths sr_flow_path_names(SrArena *arena, const SrFlowPaths *paths,
                               bool (*reaches)(const void *user, uint32_t x, uint32_t y),
                               const void *user);

#endif
