/* SPDX-License-Identifier: Apache-2.0 */
/* vk_device: an open Vulkan device with one queue and one command buffer (vk_submit.h). */
#ifndef VH_DEVICE_H
#define VH_DEVICE_H

#include "harness/vulkan/vk_debug.h"
#include "harness/vulkan/vk_features.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct VhDevice {
  VhFuncs vk;
  VhError error;
  VhMessages messages;
  void *library;
  VkInstance instance;
  VkDebugUtilsMessengerEXT messenger;
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkPhysicalDeviceMemoryProperties memory;
  uint32_t api_version; /* version of the device, at most the newest that the harness knows */
  VkDevice handle;
  VkQueue queue;
  uint32_t queue_family;
  uint32_t timestamp_bits; /* 0: the queue has no timestamps */
  VkCommandPool pool;
  VkCommandBuffer commands;
  bool recording; /* between vh_begin and vh_submit */
  VkFence fence;
  VkQueryPool timestamps;
  uint64_t fence_timeout_ns;
  bool gone; /* lost or hung: no further run */
  bool hung; /* still busy at the timeout: nothing may be destroyed */
} VhDevice;

/* Calls a Vulkan function that returns VkResult; true if it succeeded: VH_CALL(device, CreateFence,
 * device->handle, &info, NULL, &fence). */
#define VH_CALL(device, name, ...)                                                                 \
  vh_check(&(device)->error, (device)->vk.name(__VA_ARGS__), "vk" #name)

/* Loads the driver and creates the instance. If `script` is NULL, it can only list devices. */
bool vh_instance_open(VhDevice *device, const HnBackendOptions *options,
                      const AmberScript *script) VH_MUST_USE;
/* All physical devices of the instance; the caller frees the array. */
bool vh_physical_devices(VhDevice *device, VkPhysicalDevice **all, uint32_t *count) VH_MUST_USE;
/* vh_is_called: is `name` NULL, or a part of the device's name? vh_none_is_called reports that no
 * device has this name, and returns false. */
bool vh_is_called(const VkPhysicalDeviceProperties *properties, const char *name);
bool vh_none_is_called(VhDevice *device, const char *name);
/* Opens the instance, a physical device, and the device with what the script requires. Close it
 * whatever the result. */
bool vh_device_open(VhDevice *device, const HnBackendOptions *options,
                    const AmberScript *script) VH_MUST_USE;
void vh_device_close(VhDevice *device);

#endif
