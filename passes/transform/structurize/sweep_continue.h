/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_continue: the continue construct of a loop of the sweep: which blocks of the cycle form it. */
#ifndef SR_SWEEP_CONTINUE_H
#define SR_SWEEP_CONTINUE_H

#include "passes/transform/flow/sweep_state.h"

/* The only source of the cycle's back edges, the latch; SR_NONE: there are several, or it lies in an
 * inner cycle, or it is a switch, whose cases may not be back edges. */
uint32_t sr_sweep_only_latch(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                             uint32_t cycle);

/* Do edges from outside the cycle lead to block b? */
bool sr_sweep_is_entry(const SrGraph *g, const SrNest *nest, uint32_t cycle, uint32_t b);

/* The block of a cycle that can be its loop's continue target unchanged: the only source of the
 * cycle's back edges. SR_NONE: there are several sources, or the only one ends in an OpSwitch, lies
 * in an inner cycle, or is an entry of the cycle (unless it is the whole cycle). */
uint32_t sr_sweep_continue(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                           uint32_t cycle);

/* Would block h, as loop header, also need a merge instruction for its own branch, if block
 * `natural` (SR_NONE: an added block) is the continue target? */
bool sr_sweep_needs_selection(const Sweep *s, uint32_t cycle, uint32_t h, uint32_t natural);

/* The block at which the cycle's continue construct begins so that the loop needs the fewest added
 * blocks: the latch or, in a cycle of one entry, a block before it. O(edges) for all cycles
 * together; with goal ISSUES in structure that is not portable O(edges) for each depth of cycles. */
uint32_t sr_sweep_choose_continue(const Sweep *s, uint32_t cycle, uint32_t latch);

#endif
