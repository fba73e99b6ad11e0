/* reconverge: control flow in which every divergent branch has a block where its lanes meet again
 * (analysis/reconverging.h), for machines that run both sides of a branch under a mask. Copies no
 * instruction; uniform branches stay where they can; the result is not structured.
 *
 *   a function → reconverge_prepare (two-way branches, one exit) → an order of its blocks →
 *   reconverge_flow (open tree, flow nodes) → flow_write (phis, selector, branches)
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018. */
#ifndef SR_RECONVERGE_H
#define SR_RECONVERGE_H

#include "analysis/order_list.h"
#include "analysis/uniform.h"
#include "transform/counts.h"
#include "transform/reconverge/reconverge_flow.h"

/* The order where none is asked for. */
#define SR_RECONVERGE_ORDER "dfpd"

typedef struct SrReconvergeChoice {
  SrOrderChoice order;
  bool best;          /* try all named orders: least flow blocks, then least instructions, then the
                         least path through flow blocks inside an innermost cycle */
  bool unconditional; /* also where the function is reconverging already */
  bool given;         /* the order is a list: its author knows of the barriers */
  const SrBits *barriers; /* sr_barrier_functions */
  SrOpenStep *step;       /* called after each step of the open tree, or NULL */
  void *user;
} SrReconvergeChoice;

/* Where blocks with barriers would come before blocks that lead there (barrier_order.h), and flow
 * blocks are needed, lrpo takes the place of a named order, with a notice: else lanes would come to
 * the barrier while others wait. `u` is of the module as it is. `counts` is added to. *best: the
 * name of the order chosen, where one was to be chosen and the function was changed, else NULL. */
SR_MUST_USE SrStatus sr_reconverge(SrModule *m, SrArena *scratch, SrFunction *f, const SrUniform *u,
                                   const SrReconvergeChoice *choice, SrTransformCounts *counts,
                                   bool *changed, const char **best);

#endif
