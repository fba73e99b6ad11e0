/* SPDX-License-Identifier: Apache-2.0 */
/* compile_lines: reduces a module's debug information to OpSource and OpLine. */
#ifndef COMPILE_LINES_H
#define COMPILE_LINES_H

#include "passes/tool/compile/compile.h"

/* Drops the instructions of OpenCL.DebugInfo.100, because spirv-val refuses some of those that
 * llvm-spirv writes, and adds an OpSource with the text after the OpString that names the text.
 * `compiled` is the path of the file that clang read; the text's name replaces it. The module stays
 * as it is if memory runs out. */
void compile_lines_keep(CompileResult *result, const CompileText *text, const char *compiled);

#endif
