/* SPDX-License-Identifier: Apache-2.0 */
/* new_shader: the shader of a new case, and the features that it needs. */
#include "new/new_parts.h"

#include "compile/compile_include.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5 };

/* Features that a case must name, by capability. */
static const struct {
  SpvCapability capability;
  const char *feature;
} features[] = {
    {SpvCapabilityGroupNonUniform, "SubgroupSupportedOperations.basic"},
    {SpvCapabilityGroupNonUniform, "SubgroupSupportedStages.compute"},
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
};

void hn_new_features(const HnNew *n, FILE *out) {
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  for (size_t at = HEADER; at + 1 < count && words[at] == (2u << 16 | SpvOpCapability); at += 2)
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
      if (words[at + 1] == (uint32_t)features[i].capability)
        fprintf(out, "DEVICE_FEATURE %s\n", features[i].feature);
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
    fprintf(out, "SHADER compute shader GLSL TARGET_ENV spv1.%u\n", minor);
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
    fprintf(out, "SHADER compute shader SPIRV-ASM TARGET_ENV spv1.%u\n", minor);
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
