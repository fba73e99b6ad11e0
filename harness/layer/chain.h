/* SPDX-License-Identifier: Apache-2.0 */
/* chain: the links that the loader adds to the create-infos of instances and devices for a layer
 * (LoaderLayerInterface.md of Vulkan-Loader). */
#ifndef LY_CHAIN_H
#define LY_CHAIN_H

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

/* The link to the next layer; NULL: the caller is not a loader. The caller advances
 * u.pLayerInfo. */
static inline VkLayerInstanceCreateInfo *ly_instance_link(const VkInstanceCreateInfo *info) {
  VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                   link->function == VK_LAYER_LINK_INFO))
    link = (VkLayerInstanceCreateInfo *)link->pNext;
  return link;
}

static inline VkLayerDeviceCreateInfo *ly_device_link(const VkDeviceCreateInfo *info) {
  VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                   link->function == VK_LAYER_LINK_INFO))
    link = (VkLayerDeviceCreateInfo *)link->pNext;
  return link;
}

#endif
