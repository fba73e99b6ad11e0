/* SPDX-License-Identifier: Apache-2.0 */
/* resource_index: accesses that choose a resource of an array by an index that must be the same for
 * all lanes that run them together. */
#ifndef SR_RESOURCE_INDEX_H
#define SR_RESOURCE_INDEX_H

#include "passes/ir/module.h"

/* The index by which an access chain chooses a resource (an image, a sampler, a buffer) from an
 * array, or an array of arrays, without the decoration NonUniform. 0: the instruction is not such a
 * chain, or the index is a constant. If nothing is known of the pointer, the chain counts as one.
 * Vulkan requires the index to be dynamically uniform. */
uint32_t sr_resource_index(SrModule *m, SrRef r);
/* By id of OpFunction: does the function, or one that it calls, have such an instruction?
 * Linear. */
SrBits *sr_resource_index_functions(SrArena *arena, SrModule *m);

#endif
