/* SPDX-License-Identifier: Apache-2.0 */
/* call_group: calls that the lanes of a divergent branch may run together.
 *
 * The candidates are the calls of a function with a body that is called at least twice in the same
 * innermost cycle of the nest (or in no cycle). The *level* of a candidate is the largest number of
 * candidates of its cycle on a path before it, through the cycle without its back edges and with
 * each inner cycle taken as one node. A *group* has the candidates of one callee, one cycle and one
 * level; more than 64 make several groups. Cycles with several entries have no candidates.
 *
 * Call a path *direct* if it has no back edge of the cycle (any path, if there is none). It cannot
 * leave the cycle and return, since it would pass the header. Each candidate on it has a higher
 * level than those before: without the inner cycles the rest is acyclic. Therefore
 *
 *   - no direct path leads from one call of a group to another one, so none dominates another: a
 *     shortest path from the header (the entry) to a call is direct
 *   - direct paths lead to groups of ever higher levels. So if the calls of each group are joined
 *     in one block, direct paths still make no cycle, and the nest stays as it is. */
#ifndef SR_CALL_GROUP_H
#define SR_CALL_GROUP_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"

enum { SR_CALL_ARGUMENTS = 4 }; /* index of the first argument's word in an OpFunctionCall */

typedef struct SrCallSite {
  SrRef call;      /* the OpFunctionCall */
  uint32_t number; /* its place in the order of sites: by the rank of its block in the nest, then by
                      the position in the block */
  uint32_t block, callee, cycle;
  uint32_t level;
} SrCallSite;

typedef struct SrCallGroup {
  uint32_t first, count; /* in SrCallGroups.site: at least two, in different blocks */
  uint32_t above;        /* the nearest block that dominates all of them */
} SrCallGroup;

typedef struct SrCallGroups {
  const SrGraph *graph;
  const SrNest *nest;
  const SrDom *dom;
  SR_VEC(SrCallSite) site; /* by group; within a group by rank of their blocks in the nest */
  SR_VEC(SrCallGroup) group;
} SrCallGroups;

/* Is it a call of a function with a body, with as many arguments as it has parameters?
 * `parameters`: by id of OpFunction, how many it has; SR_NONE: it has no body. */
bool sr_is_candidate_call(const SrModule *m, SrRef r, const uint32_t *parameters);
/* Finds the groups. If there is none, the other fields may be unset. O(n log n). */
SrCallGroups sr_call_groups(SrArena *arena, const SrModule *m, const SrFunction *f,
                            const uint32_t *parameters);

#endif
