/* SPDX-License-Identifier: Apache-2.0 */
/* settled_loads: loads of memory that no lane writes at the same time.
 *
 *   if (lane == 0) stop = …;
 *   barrier();
 *   if (stop != 0) break;     settled: between the two barriers around the load, no path has a store
 *   barrier();
 *
 * Other workgroups may also write some memory (buffers, and what is read by address). There a load
 * is settled if no path has a store to that memory before it. It is also settled if, between the
 * last barrier and the load, no path has a store, an atomic operation or a memory barrier. Suppose
 * that two lanes then read different values. A write by another workgroup would be ordered between
 * the two loads, and one of the lanes would have acquired it after the barrier, which needs one of
 * these operations. (Both lanes see what was acquired before the barrier.)
 *
 * If all lanes of a workgroup reach each barrier together, as SPIR-V demands, and there are no data
 * races, then a settled load at one address gives all of them one value. For transforms, the
 * uniformity analysis assumes neither. The lint assumes both, since it reports barriers that only
 * some lanes may reach in any case. Only the module's first 62 variables are considered.
 * Near-linear. */
#ifndef SR_SETTLED_LOADS_H
#define SR_SETTLED_LOADS_H

#include "passes/ir/module.h"

/* By index of an instruction: it is a settled load. */
SrBits *sr_settled_loads(SrArena *arena, const SrModule *m);

#endif
