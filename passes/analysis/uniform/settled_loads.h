/* SPDX-License-Identifier: Apache-2.0 */
/* settled_loads: loads of memory that no lane writes at the same time.
 *
 *   if (lane == 0) stop = …;
 *   barrier();
 *   if (stop != 0) break;     settled: between the two barriers around the load, no path has a store
 *   barrier();
 *
 * In a buffer, which other workgroups may write, a load is settled if no path has a store before it.
 *
 * If all lanes of a workgroup reach each barrier together, as SPIR-V demands, and there are no data
 * races, then a settled load at one address gives all of them one value. The uniformity analysis
 * assumes neither for transforms; the lint does, since it reports barriers that only some lanes may
 * reach anyhow. Only loads in entry points, of the first 64 variables, are looked at. Near-linear. */
#ifndef SR_SETTLED_LOADS_H
#define SR_SETTLED_LOADS_H

#include "passes/ir/module.h"

/* By index of an instruction: it is a settled load. */
SrBits *sr_settled_loads(SrArena *arena, const SrModule *m);

#endif
