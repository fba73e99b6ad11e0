/* flow_choice: what reconverge's flow blocks choose by.
 *
 * A flow block leads lanes that want one block (`low`) there, and others on. On most edges into it
 * it is known whether they do: a user block's edge names the block wanted, and from another flow
 * block no lane comes for `low` if no edge that names it leads through that one. Then a phi of
 * booleans does, of constants and of conditions:
 *
 *     A: c ? X : X, wanting B and C       X: phi(c from A, false from Y) ? B : go on
 *     Y: flow block that none wanting B comes through
 *
 * Otherwise the selector is compared, and has to be handed on to there. For reconverge's programs,
 * where a flow block's test is SR_TEST_EQ. */
#ifndef SR_FLOW_CHOICE_H
#define SR_FLOW_CHOICE_H

#include "base/bitset.h"
#include "transform/flow/flow_route.h"

/* Do the lanes of an edge want `low`? */
typedef enum SrFlowMatch {
  SR_MATCH_NO,
  SR_MATCH_YES,
  SR_MATCH_IF,     /* if their branch's condition holds; both its ways are this edge */
  SR_MATCH_IF_NOT, /* if it does not */
  SR_MATCH_UNKNOWN,
  SR_MATCHES
} SrFlowMatch;

typedef struct SrFlowChoices {
  const SrFlowGraph *flow;
  SrBits *known;  /* by flow block: it has a test, and what lanes want is known on all edges */
  SrBits *turned; /* of these: better chosen by whether lanes do not want `low` */
  SrBits *asked;  /* by flow block: the selector is compared there, or further on */
  uint32_t *first, *end; /* by flow block: the places of those whose way leads through it */
  struct SrFlowTarget *wish;
  uint32_t wishes;
  uint32_t instructions; /* that compare, negate, and set the selector by a condition */
} SrFlowChoices;

/* In `arena`. O(E log E). */
SrFlowChoices sr_flow_choice_build(SrArena *arena, const SrFlowRoutes *ways);
/* Of the edge from block `from` into flow block x, which has a test. */
SrFlowMatch sr_flow_choice_match(const SrFlowChoices *t, uint32_t from, uint32_t x);
/* Does the slot, or the block of its own that it has, lead to a flow block where the selector is
 * asked for? */
bool sr_flow_choice_needs_sel(const SrFlowChoices *t, const SrSlot *slot);

#endif
