/* SPDX-License-Identifier: Apache-2.0 */
/* plain_layer: see plain_layer.h. */
#include "tests/harness/plain_layer.h"

#include <string.h>

PFN_vkGetInstanceProcAddr plain_next_instance;
PFN_vkGetDeviceProcAddr plain_next_device;
static VkInstance instance;

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *handle) {
  VkLayerInstanceCreateInfo *link = ly_instance_link(info);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  plain_next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)plain_next_instance(VK_NULL_HANDLE, "vkCreateInstance");
  VkResult result = create(info, allocator, handle);
  instance = result == VK_SUCCESS ? *handle : VK_NULL_HANDLE;
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *handle) {
  VkLayerDeviceCreateInfo *link = ly_device_link(info);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  plain_next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateDevice create = (PFN_vkCreateDevice)plain_next_instance(instance, "vkCreateDevice");
  VkResult result = create(physical, info, allocator, handle);
  if (result == VK_SUCCESS)
    plain_created(instance, physical, *handle);
  return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_device(VkDevice device, const char *name) {
  PFN_vkVoidFunction hook = plain_hook(name);
  return hook ? hook : plain_next_device(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_instance(VkInstance handle, const char *name) {
  if (strcmp(name, "vkCreateInstance") == 0)
    return (PFN_vkVoidFunction)create_instance;
  if (strcmp(name, "vkCreateDevice") == 0)
    return (PFN_vkVoidFunction)create_device;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0)
    return (PFN_vkVoidFunction)find_device;
  PFN_vkVoidFunction hook = plain_hook(name);
  if (hook)
    return hook;
  return plain_next_instance ? plain_next_instance(handle, name) : NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate) {
  negotiate->loaderLayerInterfaceVersion = 2;
  negotiate->pfnGetInstanceProcAddr = find_instance;
  negotiate->pfnGetDeviceProcAddr = find_device;
  negotiate->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
