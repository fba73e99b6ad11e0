/* SPDX-License-Identifier: Apache-2.0 */
/* vk_newer: structs of Vulkan that are newer than the oldest headers that this project builds
 * with. */
#ifndef VH_NEWER_H
#define VH_NEWER_H

#include <vulkan/vulkan_core.h>

#ifndef VK_KHR_shader_maximal_reconvergence
typedef struct VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderMaximalReconvergence;
} VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR;
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR                \
  ((VkStructureType)1000434000)
#endif

#endif
