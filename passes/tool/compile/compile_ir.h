/* SPDX-License-Identifier: Apache-2.0 */
/* compile_ir: optimizes a kernel in LLVM's text, so that llvm-spirv can translate the result.
 *
 * Without native widths of integers in the data layout, LLVM narrows switches to integers of two
 * bits, which SPIR-V does not have; and llvm-spirv does not know freeze. So the widths are added
 * before the optimizer runs, and a freeze becomes a select of one value afterwards. */
#ifndef COMPILE_IR_H
#define COMPILE_IR_H

#include "passes/tool/compile/compile_program.h"

/* Makes k.bc of k.ll with the program `clang` at an optimization level. `pointers`: one more
 * option, or NULL. */
bool compile_ir(const CompileWork *work, const char *clang, const char *pointers,
                const char *level);

#endif
