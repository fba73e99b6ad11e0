/* uniform: what the invocations of a workgroup do together, in control flow that all of them take:
 * barriers, exchange through shared memory, subgroup operations.
 *
 * Between two barriers an invocation writes `own[lane]` alone, and reads other elements only where
 * no one writes. What a subgroup computes shows only by results that do not depend on its size, as
 * long as it is a multiple of four and its invocations are in order of their index: quads, shuffles
 * inside of four, and folds that an elected invocation adds to the workgroup's. */
#ifndef DIFF_UNIFORM_H
#define DIFF_UNIFORM_H

#include "source.h"

/* `count` steps of main; with or without subgroup operations. */
void put_uniform(Source *s, uint32_t count, bool subgroups);

#endif
