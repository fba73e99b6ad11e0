/* SPDX-License-Identifier: Apache-2.0 */
/* flow_choice: the conditions by which reconverge's flow blocks branch.
 *
 * A flow block sends the lanes whose target is block `low` to that block, and the other lanes on.
 * For most edges into it the result of this test is known. The target of a user block's edge is
 * known. An edge from another flow block Y carries no lane for `low` if no user block's edge with
 * target `low` has a path through Y. If the result is known for all edges, a phi of booleans
 * (constants and conditions) replaces the comparison:
 *
 *     A: c ? X : X, for B or C        X: phi(c from A, false from Y) ? B : next
 *     Y: flow block that no lane for B comes through
 *
 * Otherwise the block compares the selector, which must be available there. Only for the flow
 * graphs of reconverge, where the test of a flow block is SR_TEST_EQ. */
#ifndef SR_FLOW_CHOICE_H
#define SR_FLOW_CHOICE_H

#include "passes/base/bitset.h"
#include "passes/transform/flow/flow_path.h"

/* Is `low` the target of an edge's lanes? */
typedef enum SrFlowMatch {
  SR_MATCH_NO,
  SR_MATCH_YES,
  SR_MATCH_IF,     /* if their branch's condition holds; both sides of the branch lead to this flow
                      block */
  SR_MATCH_IF_NOT, /* if that condition does not hold */
  SR_MATCH_UNKNOWN,
  SR_MATCHES
} SrFlowMatch;

typedef struct SrFlowChoices {
  const SrFlowGraph *flow;
  SrBits *known;     /* by flow block: it has a test, and the match is known on all edges into it */
  SrBits *inverted;  /* those of these blocks that are better tested for a target other than
                        `low` */
  SrBits *needs_sel; /* by flow block: it, or one that it leads to, compares the selector */
  uint32_t *first, *end; /* by flow block: range, in `target`, of the targets whose path leads
                            through the flow block */
  struct SrFlowTarget *target;
  uint32_t target_count;
  uint32_t instructions; /* added: comparisons, negations, and selects that set the selector */
} SrFlowChoices;

/* In `arena`. O(E log E). */
SrFlowChoices sr_flow_choice_build(SrArena *arena, const SrFlowPaths *paths);
/* The match on the edge from block `from` into flow block x, which has a test. */
SrFlowMatch sr_flow_choice_match(const SrFlowChoices *t, uint32_t from, uint32_t x);
/* Does the slot, or the case block that it leads to, lead to a flow block that needs the
 * selector? */
bool sr_flow_choice_needs_sel(const SrFlowChoices *t, const SrSlot *slot);

#endif
