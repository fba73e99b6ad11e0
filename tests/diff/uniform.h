/* SPDX-License-Identifier: Apache-2.0 */
/* uniform: statements that the invocations of a workgroup execute together, in uniform control
 * flow: barriers, exchange through shared memory, subgroup operations.
 *
 * Between two barriers an invocation writes only `own[lane]`, and reads other elements only if none
 * is written. Subgroup operations contribute only results that do not depend on the subgroup size,
 * as long as it is a multiple of four and invocations are in order of their index: quad operations,
 * shuffles within four lanes, and reductions that an elected invocation adds to the workgroup's. */
#ifndef DIFF_UNIFORM_H
#define DIFF_UNIFORM_H

#include "tests/diff/source.h"

/* Writes `count` steps of main, with or without subgroup operations. */
void put_uniform(Source *s, uint32_t count, bool subgroups);
/* Writes an operation of a quad. */
void put_quad_operation(Source *s);

#endif
