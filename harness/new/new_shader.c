/* SPDX-License-Identifier: Apache-2.0 */
/* new_shader: the shader of a new case, and the features that it needs. */
#include "harness/new/new_parts.h"

#include "passes/tool/compile/compile_include.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5 };

/* What a case must name, by capability. */
typedef struct Need {
  SpvCapability capability;
  const char *name;
} Need;

static const Need features[] = {
    {SpvCapabilityGroupNonUniform, "SubgroupSupportedOperations.basic"},
    {SpvCapabilityGroupNonUniformVote, "SubgroupSupportedOperations.vote"},
    {SpvCapabilityGroupNonUniformArithmetic, "SubgroupSupportedOperations.arithmetic"},
    {SpvCapabilityGroupNonUniformBallot, "SubgroupSupportedOperations.ballot"},
    {SpvCapabilityGroupNonUniformShuffle, "SubgroupSupportedOperations.shuffle"},
    {SpvCapabilityGroupNonUniformShuffleRelative, "SubgroupSupportedOperations.shuffleRelative"},
    {SpvCapabilityGroupNonUniformClustered, "SubgroupSupportedOperations.clustered"},
    {SpvCapabilityGroupNonUniformQuad, "SubgroupSupportedOperations.quad"},
    {SpvCapabilityFloat64, "shaderFloat64"},
    {SpvCapabilityInt64, "shaderInt64"},
    {SpvCapabilityInt16, "shaderInt16"},
    {SpvCapabilityInt8, "Float16Int8Features.shaderInt8"},
    {SpvCapabilityFloat16, "Float16Int8Features.shaderFloat16"},
    {SpvCapabilityStorageBuffer16BitAccess, "Storage16BitFeatures.storageBuffer16BitAccess"},
    {SpvCapabilityUniformAndStorageBuffer16BitAccess,
     "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess"},
    {SpvCapabilityStorageBuffer8BitAccess, "Storage8BitFeatures.storageBuffer8BitAccess"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {SpvCapabilityVariablePointers, "VariablePointerFeatures.variablePointers"},
    {SpvCapabilityVariablePointersStorageBuffer,
     "VariablePointerFeatures.variablePointersStorageBuffer"},
    {SpvCapabilitySampleRateShading, "sampleRateShading"},
    {SpvCapabilityInterpolationFunction, "sampleRateShading"},
    {SpvCapabilityImageGatherExtended, "shaderImageGatherExtended"},
    {SpvCapabilityGeometry, "geometryShader"}, /* PrimitiveId */
    {SpvCapabilityDemoteToHelperInvocation,
     "ShaderDemoteToHelperInvocationFeatures.shaderDemoteToHelperInvocation"},
    {SpvCapabilityFragmentBarycentricKHR,
     "FragmentShaderBarycentricFeatures.fragmentShaderBarycentric"},
    {SpvCapabilityFragmentShaderPixelInterlockEXT,
     "FragmentShaderInterlockFeatures.fragmentShaderPixelInterlock"},
    {SpvCapabilityFragmentShaderSampleInterlockEXT,
     "FragmentShaderInterlockFeatures.fragmentShaderSampleInterlock"},
};

static const Need extensions[] = {
    {SpvCapabilityFragmentBarycentricKHR, "VK_KHR_fragment_shader_barycentric"},
    {SpvCapabilityFragmentShaderPixelInterlockEXT, "VK_EXT_fragment_shader_interlock"},
    {SpvCapabilityFragmentShaderSampleInterlockEXT, "VK_EXT_fragment_shader_interlock"},
};

static bool writes_memory(const HnNew *n) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(n->program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (b[i].written)
      return true;
  return false;
}

static void write_needs(FILE *out, const char *command, const Need *needs, size_t count,
                        uint32_t capability) {
  for (size_t i = 0; i < count; i++)
    if (capability == (uint32_t)needs[i].capability)
      fprintf(out, "%s %s\n", command, needs[i].name);
}

void hn_new_features(const HnNew *n, FILE *out) {
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  for (size_t at = HEADER; at + 1 < count && words[at] == (2u << 16 | SpvOpCapability); at += 2) {
    if (words[at + 1] == SpvCapabilityGroupNonUniform)
      fprintf(out, "DEVICE_FEATURE SubgroupSupportedStages.%s\n", hn_new_stage(n));
    write_needs(out, "DEVICE_EXTENSION", extensions, sizeof extensions / sizeof *extensions,
                words[at + 1]);
    write_needs(out, "DEVICE_FEATURE", features, sizeof features / sizeof *features, words[at + 1]);
  }
  if (n->draws && writes_memory(n))
    fputs("DEVICE_FEATURE fragmentStoresAndAtomics\n", out);
}

/* Would a line of the text end the SHADER? */
static bool has_end(const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *word = line + strspn(line, " \t");
    if (strncmp(word, "END", 3) == 0 && strchr(" \t\r\n", word[3]))
      return true;
  }
  return false;
}

static void write_body(FILE *out, const char *text) {
  fputs(text, out);
  if (*text && text[strlen(text) - 1] != '\n')
    fputc('\n', out);
  fputs("END\n\n", out);
}

/* Writes GLSL as it is, with the text of each #include, and anything else as assembly. */
static bool write_glsl(HnNew *n, FILE *out, unsigned minor) {
  CompileLanguage language;
  CompileStage stage;
  compile_kind_of(n->wanted->path, &language, &stage);
  if (!n->module.source || language != COMPILE_GLSL)
    return false;
  const CompileText text = {n->wanted->path, n->module.source, strlen(n->module.source)};
  char *whole = compile_include(&text, n->wanted->source.options, n->wanted->source.option_count);
  bool usable = whole && !has_end(whole);
  if (usable) {
    fprintf(out, "SHADER %s shader GLSL TARGET_ENV spv1.%u\n", hn_new_stage(n), minor);
    write_body(out, whole);
  }
  free(whole);
  return usable;
}

static bool write_assembly(HnNew *n, FILE *out, unsigned minor) {
  spvreconv_options none;
  spvreconv_result *result = NULL;
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  none.want = SPVRECONV_WANT_ASSEMBLY;
  bool good = spvreconv_run(&none, words, count, &result) == SPVRECONV_OK;
  const char *text = good ? spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY) : NULL;
  if (text) {
    fprintf(out, "SHADER %s shader SPIRV-ASM TARGET_ENV spv1.%u\n", hn_new_stage(n), minor);
    write_body(out, text);
  }
  spvreconv_result_destroy(result);
  return text || hn_new_fail(n, "SPIRV-Tools cannot print the module as text");
}

bool hn_new_shader(HnNew *n, FILE *out, bool *glsl) {
  size_t count;
  unsigned minor = hn_trial_words(&n->module, &count)[1] >> 8 & 0xff;
  *glsl = write_glsl(n, out, minor);
  return *glsl || write_assembly(n, out, minor);
}
