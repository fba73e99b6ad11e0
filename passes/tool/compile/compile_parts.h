/* SPDX-License-Identifier: Apache-2.0 */
/* compile_parts: the compilers of the languages, for compile.c. Each compiles for source->target,
 * which is not NULL. */
#ifndef COMPILE_PARTS_H
#define COMPILE_PARTS_H

#include "passes/tool/compile/compile.h"

CompileOutcome compile_glsl(const CompileSource *source, CompileResult *result);
CompileOutcome compile_hlsl(const CompileSource *source, CompileResult *result);
CompileOutcome compile_opencl(const CompileSource *source, CompileResult *result);

#endif
