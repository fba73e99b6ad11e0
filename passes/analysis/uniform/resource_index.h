/* SPDX-License-Identifier: Apache-2.0 */
/* resource_index: accesses that choose a resource of an array by an index that has to be the same
 * for all lanes that run them together. */
#ifndef SR_RESOURCE_INDEX_H
#define SR_RESOURCE_INDEX_H

#include "passes/ir/module.h"

/* The index by which an access chain chooses a resource (an image, a sampler, a buffer) of an
 * array, or an array of an array of them, without the decoration NonUniform; 0: the instruction is
 * none, or the index is a constant. It is one if nothing is known of the pointer. Vulkan requires
 * the index to be dynamically uniform. */
uint32_t sr_resource_index(SrModule *m, SrRef r);
/* By id of OpFunction: has the function, or one that it calls, such an instruction? Linear. */
SrBits *sr_resource_index_functions(SrArena *arena, SrModule *m);

#endif
