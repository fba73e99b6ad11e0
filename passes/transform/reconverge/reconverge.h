/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge: control flow in which every divergent branch has a block where its lanes reconverge
 * (analysis/uniform/reconverging.h), for machines that run both sides of a branch under a mask. No
 * instruction is copied; uniform branches are kept where possible; the result is not structured.
 *
 *   a function → reconverge_prepare (two-way branches, one exit) → an order of its blocks →
 *   reconverge_flow (open tree, flow nodes) → flow_write (phis, selector, branches)
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018. */
#ifndef SR_RECONVERGE_H
#define SR_RECONVERGE_H

#include "passes/analysis/graph/order_list.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/transform/counts.h"
#include "passes/transform/reconverge/reconverge_flow.h"

/* The default order. */
#define SR_RECONVERGE_ORDER "dfpd"

typedef struct SrReconvergeChoice {
  SrOrderChoice order;
  const SrUniform *uniform; /* of the module as it is */
  bool best; /* tries all named orders, and takes the one with the fewest flow blocks, then the
                fewest instructions, then the shortest path through flow blocks in an innermost
                cycle */
  bool unconditional; /* transforms the function even if it is reconverging already */
  bool given; /* the order is a list, whose author is responsible for barriers and promises */
  bool one_condition;       /* as in SrReconvergeInput */
  bool keeps_tangles;       /* as in SrPassOptions */
  const SrBits *barriers;   /* sr_barrier_functions */
  const SrBits *quads;      /* sr_quad_functions */
  const SrBits *cross_lane; /* sr_cross_lane_functions */
  SrOpenStep *step;         /* called after each step of the open tree, or NULL */
  void *user;
} SrReconvergeChoice;

typedef struct SrReconvergeOutcome {
  bool changed;
  const char *best_order; /* the name of the order chosen, if one was to be chosen; else NULL */
  bool parts_lanes; /* with every order tried, and with LRPO, a cross-lane operation would run with
                       other lanes, although tangles must be kept: no flow block was added, but the
                       function may have been prepared */
} SrReconvergeOutcome;

/* If a named order puts blocks with barriers before blocks that lead there (barrier_order.h), and
 * flow blocks are needed, lrpo replaces it, with a notice: otherwise lanes would reach the barrier
 * while others wait. The same holds for blocks with quad operations, such as derivatives, which
 * only some lanes of the quad would reach. If an entry point promises that lanes reconverge
 * (ir/promise.h), or the choice keeps tangles, it holds for blocks with any cross-lane operation,
 * which must also keep their tangles (kept_tangles.h). Adds to `counts`. */
SR_MUST_USE SrStatus sr_reconverge(SrModule *m, SrArena *scratch, SrFunction *f,
                                   const SrReconvergeChoice *choice, SrTransformCounts *counts,
                                   SrReconvergeOutcome *out);

#endif
