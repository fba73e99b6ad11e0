/* SPDX-License-Identifier: Apache-2.0 */
/* promise: execution modes of an entry point that promise where its lanes reconverge. They hold for
 * all functions that it calls, directly or not. */
#ifndef SR_PROMISE_H
#define SR_PROMISE_H

#include "passes/ir/module.h"

/* Bits of SrFunction.promises. */
typedef enum SrPromise {
  SR_PROMISE_MAXIMAL = 1,  /* MaximallyReconvergesKHR */
  SR_PROMISE_SUBGROUP = 2, /* SubgroupUniformControlFlowKHR */
  SR_PROMISE_QUADS = 4,    /* QuadDerivativesKHR, RequireFullQuadsKHR */
} SrPromise;

/* Sets `promises` of all functions, from the module's execution modes and calls. Linear; a module
 * without such a mode is not walked. */
void sr_promises_read(SrModule *m);
/* The strongest of the promises, as a message names it. */
const char *sr_promise_name(unsigned promises);

#endif
