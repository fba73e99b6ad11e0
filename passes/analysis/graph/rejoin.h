/* SPDX-License-Identifier: Apache-2.0 */
/* rejoin: where the lanes of a reconverging graph wait for one another, and where the masks that
 * hold them have to be set up: the sets P, P*, P0 and Q.
 *
 * F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018, section
 * 4.2. In a reconverging graph one successor of each divergent branch, its *primary* successor B,
 * post-dominates it; lanes that go to B wait in B's *rejoin mask* while the others run on. For B:
 *
 *   P    the predecessors of B whose primary successor is B
 *   P*   what P reaches on paths to B, P and B included: here lanes may wait in the mask
 *   P0   those of P without predecessors in P*: they set the mask, the others of P add to it
 *   Q    blocks outside of P* with an edge into P* other than to P0: the mask must be 0 there
 *
 *          q                P  = {p, r}    q clears the mask: it enters P* at s
 *         / \               P* = {p, r, s, B}
 *        p   |              P0 = {p}       p sets it, r adds to it
 *       /|   |              Q  = {q}
 *      / r   |
 *     |  |\  |
 *     |  | s-+
 *     |  |/
 *      \ B
 *
 * B counts as two parts: its head is the end of P*, its tail lies outside. So B itself may be in Q,
 * if it leads back into P*.
 *
 * Method. P* is inverted: in(x) holds the masks in which lanes may wait when x begins, out(x) when
 * it ends,
 *
 *   out(x) = in(x) + primary(x)        in(x) = union of out(y) over predecessors y, without x's own
 *
 * so x is in P*(B) if B is in out(x). A block q must clear, for each of its successors y, the masks
 * in in(y), and y's own mask if y has one, except those in out(q). P0 needs no exception: if p is
 * in P0(B), no predecessor of p has B in its out set. The sets are shared (shared_set.h) and reach
 * a fixed point in LRPO, so deep nests cost only the differences between their blocks' sets.
 *
 * Masks are numbered in the preorder of the post-dominator tree. All masks in which lanes wait at a
 * block belong to blocks that post-dominate it, so of these the block with the largest mask number
 * is reached first. */
#ifndef SR_REJOIN_H
#define SR_REJOIN_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"
#include "passes/base/shared_set.h"

typedef struct SrRejoin {
  uint32_t masks;    /* number of masks */
  uint32_t *block;   /* by mask: the block where its lanes wait */
  uint32_t *mask;    /* by block: its mask, or SR_NONE */
  uint32_t *primary; /* by block: primary successor of its divergent branch; SR_NONE: has none */
  uint32_t *in, *out;
  uint32_t *clear; /* by block: the masks whose Q holds the block, to be cleared at its end */
  uint32_t begin;  /* masks to be cleared before the graph is entered */
  SrBits *first;   /* by block: is in P0 of its primary successor */
  SrBits *entered; /* by block with a mask: has predecessors outside of P*, perhaps its own tail */
  SrSharedSets sets;
} SrRejoin;

/* Everything is in `arena`; unreachable blocks have no masks. `divergent` by block. `flow`: a block
 * with a mask that is `entered` gets a flow block of its own (figure 4.3b) where its lanes join,
 * and edges from outside of P* need not clear its mask. NULL: the graph is not reconverging, and
 * *bad is a divergent branch without primary successor. */
const SrRejoin *sr_rejoin_build(SrArena *arena, const SrGraph *g, const SrBits *divergent,
                                bool flow, uint32_t *bad);
/* Does the edge lead from P* of `to` to `to`? */
static inline bool sr_rejoin_waits(const SrRejoin *r, uint32_t from, uint32_t to) {
  return r->mask[to] != SR_NONE && sr_set_has(&r->sets, r->out[from], r->mask[to]);
}

#endif
