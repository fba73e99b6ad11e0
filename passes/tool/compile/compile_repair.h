/* SPDX-License-Identifier: Apache-2.0 */
/* compile_repair: repairs modules of llvm-spirv, which may have instructions where SPIR-V forbids
 * them. */
#ifndef COMPILE_REPAIR_H
#define COMPILE_REPAIR_H

#include "passes/tool/compile/compile.h"

/* In the functions of a kernel module, which need no structure:
 *   - an OpVariable after other instructions of the first block (say, llvm-spirv's cast of an
 *     argument) is moved before them
 *   - all loop merges of a function are dropped if llvm-spirv put one of them into another block
 *     than the loop's header, as it does for unrolled loops with metadata
 *   - a phi that names a predecessor several times, as for several cases of its OpSwitch, names it
 *     once
 * The module stays as it is if there is none of these, or if memory runs out. */
void compile_repair(CompileResult *result);

#endif
