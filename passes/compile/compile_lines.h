/* SPDX-License-Identifier: Apache-2.0 */
/* compile_lines: what modules say of their source, reduced to OpSource and OpLine. */
#ifndef COMPILE_LINES_H
#define COMPILE_LINES_H

#include "compile/compile.h"

/* Drops the instructions of OpenCL.DebugInfo.100, of which llvm-spirv writes some that spirv-val
 * refuses, and adds an OpSource with the text after the OpString that has its name. `compiled`
 * is the path of the file that clang read, which becomes the text's name. The module stays as it is
 * if memory runs out. */
void compile_lines_keep(CompileResult *result, const CompileText *text, const char *compiled);

#endif
