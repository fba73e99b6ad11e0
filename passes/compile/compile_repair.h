/* SPDX-License-Identifier: Apache-2.0 */
/* compile_repair: modules of llvm-spirv with instructions where SPIR-V forbids them. */
#ifndef COMPILE_REPAIR_H
#define COMPILE_REPAIR_H

#include "compile/compile.h"

/* In the functions of a kernel module, which need no structure:
 *   - an OpVariable after other instructions of the first block (llvm-spirv casts an argument
 * before it) moves before these
 *   - the loop merges of a function are dropped if llvm-spirv put one into another block than the
 *     loop's header, as it does with the metadata of unrolled loops
 * The module stays as it is if there is neither, or if memory runs out. */
void compile_repair(CompileResult *result);

#endif
