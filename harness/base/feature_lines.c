/* SPDX-License-Identifier: Apache-2.0 */
/* feature_lines: see feature_lines.h. */
#include "harness/base/feature_lines.h"

#include <spirv/unified1/spirv.h>

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
    {SpvCapabilityUniformBufferArrayDynamicIndexing, "shaderUniformBufferArrayDynamicIndexing"},
    {SpvCapabilitySampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing"},
    {SpvCapabilityStorageBufferArrayDynamicIndexing, "shaderStorageBufferArrayDynamicIndexing"},
    {SpvCapabilityStorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing"},
    {SpvCapabilityStorageImageExtendedFormats, "shaderStorageImageExtendedFormats"},
    {SpvCapabilityVariablePointers, "VariablePointerFeatures.variablePointers"},
    {SpvCapabilityVariablePointersStorageBuffer,
     "VariablePointerFeatures.variablePointersStorageBuffer"},
    {SpvCapabilitySampleRateShading, "sampleRateShading"},
    {SpvCapabilityInterpolationFunction, "sampleRateShading"},
    {SpvCapabilityImageGatherExtended, "shaderImageGatherExtended"},
    {SpvCapabilityGeometry, "geometryShader"}, /* PrimitiveId */
    {SpvCapabilityTessellation, "tessellationShader"},
    {SpvCapabilityGeometryPointSize, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityTessellationPointSize, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityClipDistance, "shaderClipDistance"},
    {SpvCapabilityCullDistance, "shaderCullDistance"},
    {SpvCapabilityDemoteToHelperInvocation,
     "ShaderDemoteToHelperInvocationFeatures.shaderDemoteToHelperInvocation"},
    {SpvCapabilityVulkanMemoryModel, "VulkanMemoryModelFeatures.vulkanMemoryModel"},
    {SpvCapabilityVulkanMemoryModelDeviceScope,
     "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope"},
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

static void write_needs(FILE *out, const char *command, const Need *needs, size_t count,
                        uint32_t capability) {
  for (size_t i = 0; i < count; i++)
    if (capability == (uint32_t)needs[i].capability)
      fprintf(out, "%s %s\n", command, needs[i].name);
}

void hn_feature_lines(FILE *out, const uint32_t *words, size_t count, const char *stage) {
  for (size_t at = HEADER; at + 1 < count && words[at] == (2u << 16 | SpvOpCapability); at += 2) {
    if (words[at + 1] == SpvCapabilityGroupNonUniform)
      fprintf(out, "DEVICE_FEATURE SubgroupSupportedStages.%s\n", stage);
    write_needs(out, "DEVICE_EXTENSION", extensions, sizeof extensions / sizeof *extensions,
                words[at + 1]);
    write_needs(out, "DEVICE_FEATURE", features, sizeof features / sizeof *features, words[at + 1]);
  }
}
