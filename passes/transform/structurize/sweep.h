/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: structurize's algorithm on a bare graph. One pass over the blocks in LRPO; each block
 * is placed once, after all lanes that may target it have met, and a lane whose target comes
 * later bypasses the blocks between. docs/structurize.md describes the algorithm and its
 * invariants. */
#ifndef SR_SWEEP_H
#define SR_SWEEP_H

#include "passes/transform/flow/flow.h"
#include "passes/transform/goal.h"

typedef struct SrSweepOptions {
  uint32_t depth_limit; /* constructs nested deeper are closed early (SPIR-V allows 1023) */
  SrGoal goal; /* ISSUES: in structure that is not portable, a continue construct may have loops */
  bool portable; /* only what structured languages can say (docs/structurize.md) */
  const SrBits
      *hinted; /* blocks whose branch has controls (ir/hint.h): in portable structure the branch
                  gets a merge instruction even if it needs none; NULL: there are none */
} SrSweepOptions;

/* The structured program for graph `g` with nest `nest`. `is_switch` marks blocks that end in an
 * OpSwitch with two or more distinct targets; blocks without a mark have at most two successors.
 * Cost O(E log V); with goal ISSUES O(E) more for each depth of cycles. The result lives in
 * `arena`. */
SrFlowGraph *sr_sweep_build(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrSweepOptions *options);

#endif
