/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: the code of a graph as a compute shader in SPIR-V assembly, and as an AmberScript case.
 * Lane i of all workgroups writes its result to word i of the storage buffer at set 0, binding 0.
 * The control flow has no merge instructions. */
#ifndef KERNEL_H
#define KERNEL_H

#include "code.h"

#include <stdio.h>

void kernel_write(SrArena *arena, const Code *code, FILE *out);
/* A case that expects these results, one for each lane. */
void kernel_write_case(SrArena *arena, const Code *code, const uint32_t *results, FILE *out);

#endif
