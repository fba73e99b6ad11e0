/* SPDX-License-Identifier: Apache-2.0 */
/* newer_vulkan: the declarations that the layer uses and that Debian 12's Vulkan headers (1.3.239)
 * lack: VK_EXT_shader_object and VK_KHR_maintenance5, written from the specification. Included
 * before the layer's sources, so that those parts are compiled and tested too; with headers that
 * have them this file is empty. */
#ifndef NEWER_VULKAN_H
#define NEWER_VULKAN_H

#include <vulkan/vulkan.h>

#ifndef VK_EXT_shader_object
#define VK_EXT_shader_object 1
#define VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT ((VkStructureType)1000482002)

VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkShaderEXT)

typedef enum VkShaderCodeTypeEXT {
  VK_SHADER_CODE_TYPE_BINARY_EXT = 0,
  VK_SHADER_CODE_TYPE_SPIRV_EXT = 1,
} VkShaderCodeTypeEXT;

typedef VkFlags VkShaderCreateFlagsEXT;

typedef struct VkShaderCreateInfoEXT {
  VkStructureType sType;
  const void *pNext;
  VkShaderCreateFlagsEXT flags;
  VkShaderStageFlagBits stage;
  VkShaderStageFlags nextStage;
  VkShaderCodeTypeEXT codeType;
  size_t codeSize;
  const void *pCode;
  const char *pName;
  uint32_t setLayoutCount;
  const VkDescriptorSetLayout *pSetLayouts;
  uint32_t pushConstantRangeCount;
  const VkPushConstantRange *pPushConstantRanges;
  const VkSpecializationInfo *pSpecializationInfo;
} VkShaderCreateInfoEXT;

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShadersEXT(VkDevice device, uint32_t count,
                                                  const VkShaderCreateInfoEXT *infos,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkShaderEXT *shaders);
typedef VkResult(VKAPI_PTR *PFN_vkCreateShadersEXT)(VkDevice device, uint32_t count,
                                                    const VkShaderCreateInfoEXT *infos,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderEXT *shaders);
#endif

#ifndef VK_KHR_maintenance5
#define VK_KHR_maintenance5 1
#define VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000470005)
#define VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR 0x00000800ULL

typedef VkFlags64 VkPipelineCreateFlags2KHR;

typedef struct VkPipelineCreateFlags2CreateInfoKHR {
  VkStructureType sType;
  const void *pNext;
  VkPipelineCreateFlags2KHR flags;
} VkPipelineCreateFlags2CreateInfoKHR;
#endif

#endif
