/* SPDX-License-Identifier: Apache-2.0 */
/* compile: see compile.h. */
#include "passes/tool/compile/compile_parts.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

void compile_free(CompileResult *result) {
  free(result->words);
  free(result->log);
  free(result->note);
  *result = (CompileResult){0};
}

static CompileOutcome compile_for(const CompileSource *source, const CompileTarget *target,
                                  CompileResult *result) {
  CompileSource one = *source;
  one.target = target;
  compile_free(result);
  return source->language == COMPILE_HLSL ? compile_hlsl(&one, result) : compile_glsl(&one, result);
}

static uint32_t version_of_capability(uint32_t capability) {
  return capability >= SpvCapabilityGroupNonUniform &&
                 capability <= SpvCapabilityGroupNonUniformQuad
             ? 0x10300
             : 0x10000;
}

static uint32_t version_of_loop(uint32_t control) {
  return control >= SpvLoopControlMinIterationsMask        ? 0x10400
         : control >= SpvLoopControlDependencyInfiniteMask ? 0x10100
                                                           : 0x10000;
}

/* Does the module have subgroup operations or hints of loops that its version of SPIR-V lacks?
 * glslang does not refuse all of them. */
static bool is_too_old(const CompileResult *made) {
  uint32_t needed = 0x10000;
  for (size_t at = 5, words; at < made->count && needed <= made->words[1]; at += words) {
    words = made->words[at] >> 16;
    uint32_t op = made->words[at] & 0xffff;
    if (!words || words > made->count - at)
      return false;
    if (op == SpvOpCapability && words == 2)
      needed = version_of_capability(made->words[at + 1]);
    else if (op == SpvOpLoopMerge && words >= 4)
      needed = version_of_loop(made->words[at + 3]);
  }
  return made->count > 5 && needed > made->words[1];
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
        is_too_old(result))
      outcome = COMPILE_NEWER;
  return outcome;
}

void compile_prepare(void) {
  const CompileText text = {"", "#version 450\nvoid main() {}\n", 0};
  const CompileSource empty = {.language = COMPILE_GLSL,
                               .stage = COMPILE_FRAGMENT,
                               .texts = &text,
                               .text_count = 1,
                               .target = &compile_targets[0]};
  CompileResult result;
  compile_run(&empty, &result);
  compile_free(&result);
}
