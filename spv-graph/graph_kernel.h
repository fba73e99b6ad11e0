/* SPDX-License-Identifier: Apache-2.0 */
/* graph_kernel: the code of a graph as a compute shader in SPIR-V assembly, and as an AmberScript
 * case. Lane i of all workgroups writes its result to word i of the storage buffer at set 0,
 * binding 0. The control flow has no merge instructions. */
#ifndef GRAPH_KERNEL_H
#define GRAPH_KERNEL_H

#include "spv-graph/code.h"

#include <stdio.h>

void kernel_write(SrArena *arena, const Code *code, FILE *out);
/* A case that expects these results, one for each lane. */
void kernel_write_case(SrArena *arena, const Code *code, const uint32_t *results, FILE *out);

#endif
