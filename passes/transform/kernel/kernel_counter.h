/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_counter: the counters of loops.
 *
 * A phi of two operands counts if one operand is the phi plus a constant above zero. A test bounds
 * it if it holds each time the loop continues. Its branch is at the end of the loop, or at the
 * header, with one side that dominates the end of the loop. A branch with both sides inside the
 * loop bounds nothing. */
#ifndef SR_KERNEL_COUNTER_H
#define SR_KERNEL_COUNTER_H

#include "passes/analysis/graph/dom.h"
#include "passes/transform/kernel/kernel_state.h"

typedef struct SrKernelCounter {
  uint32_t start; /* id: the value that the loop starts with */
  uint32_t step;  /* 1 to INT32_MAX */
  SpvOp test;     /* `counter test bound` holds when the loop goes on: OpINotEqual, OpSLessThan,
                     OpSLessThanEqual, or one of these two without sign */
  uint32_t bound; /* id */
  bool of_next;   /* the test compares the next value, not the phi */
  bool fixed;     /* the bound is the same in every iteration */
} SrKernelCounter;

/* Whether the phi is such a counter. `g` and `d`: graph and dominators of k->f. */
bool sr_kernel_counter_find(const SrKernels *k, const SrGraph *g, const SrDom *d, SrRef phi,
                            SrKernelCounter *c);

#endif
