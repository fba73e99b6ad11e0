/* SPDX-License-Identifier: Apache-2.0 */
/* meld_cost: what an instruction costs a subgroup, for meld's choices. */
#ifndef SR_MELD_COST_H
#define SR_MELD_COST_H

#include "passes/ir/module.h"

/* The costs of what meld adds and removes; one issue of simple arithmetic costs 2. */
enum {
  SR_MELD_SELECT = 2, /* an OpSelect */
  SR_MELD_BRANCH = 2, /* a branch, of either kind */
  SR_MELD_CHEAP = 4,  /* the most that an instruction may cost to run unguarded for all lanes */
};

/* Costs are issue slots of common GPUs: arithmetic runs at full rate, division and transcendental
 * functions at a quarter of it, and memory as much; what has no machine code costs nothing. */
uint32_t sr_meld_cost(const SrModule *m, SrRef r);

#endif
