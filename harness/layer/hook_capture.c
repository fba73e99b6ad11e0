/* SPDX-License-Identifier: Apache-2.0 */
/* hook_capture: creates devices, and attaches a capture if one was requested. The capture's hooks
 * are above those of the layer, and see the application's modules. */
#include "harness/layer/dispatch.h"

static void attach(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, VkDevice handle) {
  const LyInstance *instance = ly_instance_find(physical);
  LyDevice *device = ly_device_find(handle);
  if (!instance || !device || device->capture)
    return;
  const CpAttach attached = {.instance = instance->handle,
                             .api = instance->api,
                             .physical = physical,
                             .get_instance = instance->get,
                             .device = handle,
                             .info = info,
                             .get = ly_GetConverting};
  device->capture = cp_attach(&attached);
}

VkResult VKAPI_CALL ly_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                    const VkAllocationCallbacks *allocator, VkDevice *device) {
  VkResult result = ly_device_create(physical, info, allocator, device);
  if (result == VK_SUCCESS)
    attach(physical, info, *device);
  return result;
}
