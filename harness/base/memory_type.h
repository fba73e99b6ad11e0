/* SPDX-License-Identifier: Apache-2.0 */
/* memory_type: chooses the type of a Vulkan allocation. */
#ifndef HN_MEMORY_TYPE_H
#define HN_MEMORY_TYPE_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* The first of the allowed types (a bit mask) that has all the properties; UINT32_MAX: none has. */
static inline uint32_t hn_memory_type_with(const VkPhysicalDeviceMemoryProperties *memory,
                                           uint32_t allowed, VkMemoryPropertyFlags properties) {
  for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
    if (allowed >> i & 1 && (memory->memoryTypes[i].propertyFlags & properties) == properties)
      return i;
  return UINT32_MAX;
}

/* The same for the required properties, with the preferred ones too if a type has them. */
static inline uint32_t hn_memory_type(const VkPhysicalDeviceMemoryProperties *memory,
                                      uint32_t allowed, VkMemoryPropertyFlags required,
                                      VkMemoryPropertyFlags preferred) {
  uint32_t type = hn_memory_type_with(memory, allowed, required | preferred);
  return type == UINT32_MAX ? hn_memory_type_with(memory, allowed, required) : type;
}

#endif
