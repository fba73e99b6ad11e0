/* SPDX-License-Identifier: Apache-2.0 */
/* compile: see compile.h. */
#include "compile/compile_parts.h"

#include <spirv/unified1/spirv.h>
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

/* Has the module subgroup operations that its version of SPIR-V lacks? glslang does not refuse all
 * of them. */
static bool lacks_groups(const CompileResult *made) {
  bool old = made->count > 5 && made->words[1] < 0x10300;
  for (size_t at = 5; old && at + 1 < made->count; at += 2) {
    if (made->words[at] != (2u << 16 | SpvOpCapability))
      return false;
    if (made->words[at + 1] >= SpvCapabilityGroupNonUniform &&
        made->words[at + 1] <= SpvCapabilityGroupNonUniformQuad)
      return true;
  }
  return false;
}

CompileOutcome compile_run(const CompileSource *source, CompileResult *result) {
  CompileOutcome outcome = COMPILE_NEWER;
  *result = (CompileResult){0};
  if (source->language == COMPILE_OPENCL_C)
    return compile_opencl(source, result);
  if (source->target)
    return compile_for(source, source->target, result);
  for (size_t i = 0; outcome == COMPILE_NEWER && i < COMPILE_PLAIN_TARGETS; i++)
    if ((outcome = compile_for(source, &compile_targets[i], result)) == COMPILE_DONE &&
        lacks_groups(result))
      outcome = COMPILE_NEWER;
  return outcome;
}
