/* SPDX-License-Identifier: Apache-2.0 */
/* settled_loads: loads of memory that no lane writes at the same time.
 *
 *   if (lane == 0) stop = …;
 *   barrier();
 *   if (stop != 0) break;     settled: between the two barriers around the load, no path has a store
 *   barrier();
 *
 * In memory that other workgroups may write (buffers, and what is read by address) a load is settled
 * if no path has a store to it before. It also is if, between the last barrier and the load, no path
 * has a store, an atomic operation or a memory barrier: if two lanes read different values, a write
 * by another workgroup is ordered between them, and one of the lanes has acquired it after the
 * barrier. (What was acquired before the barrier is seen by both.)
 *
 * If all lanes of a workgroup reach each barrier together, as SPIR-V demands, and there are no data
 * races, then a settled load at one address gives all of them one value. The uniformity analysis
 * assumes neither for transforms; the lint does, since it reports barriers that only some lanes may
 * reach anyhow. Of the module's variables the first 62 are looked at. Near-linear. */
#ifndef SR_SETTLED_LOADS_H
#define SR_SETTLED_LOADS_H

#include "passes/ir/module.h"

/* By index of an instruction: it is a settled load. */
SrBits *sr_settled_loads(SrArena *arena, const SrModule *m);

#endif
