/* SPDX-License-Identifier: Apache-2.0 */
/* compile: see compile.h. */
#include "compile/compile_parts.h"

#include <stdlib.h>

void compile_free(CompileResult *result) {
  free(result->words);
  free(result->log);
  *result = (CompileResult){0};
}

static CompileOutcome compile_for(const CompileSource *source, const CompileTarget *target,
                                  CompileResult *result) {
  CompileSource one = *source;
  one.target = target;
  compile_free(result);
  return source->language == COMPILE_HLSL ? compile_hlsl(&one, result) : compile_glsl(&one, result);
}

CompileOutcome compile_run(const CompileSource *source, CompileResult *result) {
  CompileOutcome outcome = COMPILE_NEWER;
  *result = (CompileResult){0};
  if (source->language == COMPILE_OPENCL_C)
    return compile_opencl(source, result);
  if (source->target)
    return compile_for(source, source->target, result);
  for (size_t i = 0; outcome == COMPILE_NEWER && i < COMPILE_PLAIN_TARGETS; i++)
    outcome = compile_for(source, &compile_targets[i], result);
  return outcome;
}
