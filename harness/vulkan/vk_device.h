/* vk_device: one Vulkan device, open, with the one queue and command buffer that all goes through.
 *
 * A script is a sequence, so there is never more than one submission under way: vh_begin, calls of
 * vkCmd..., vh_submit, which waits for the end. Invariant between two submissions: the device is
 * idle, and what it wrote is visible to the host and to the next submission. */
#ifndef VH_DEVICE_H
#define VH_DEVICE_H

#include "vulkan/vk_debug.h"
#include "vulkan/vk_features.h"

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
  uint32_t api_version; /* of the device, but no newer than what the harness knows */
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
  bool hung; /* still busy when its time was over: nothing may be destroyed */
} VhDevice;

/* The result of a Vulkan call that returns VkResult, as a truth value: VH_CALL(device,
 * CreateFence, device->handle, &info, NULL, &fence). */
#define VH_CALL(device, name, ...)                                                                 \
  vh_check(&(device)->error, (device)->vk.name(__VA_ARGS__), "vk" #name)

/* Loads the driver and creates the instance; `script` NULL: for a list of devices. */
bool vh_instance_open(VhDevice *device, const HnBackendOptions *options,
                      const AmberScript *script) VH_MUST_USE;
/* All physical devices of the instance; to be freed. */
bool vh_physical_devices(VhDevice *device, VkPhysicalDevice **all, uint32_t *count) VH_MUST_USE;
/* Whether `name`, NULL or a part of the device's name, fits; and the failure where no device's
 * does.
 */
bool vh_is_called(const VkPhysicalDeviceProperties *properties, const char *name);
bool vh_none_is_called(VhDevice *device, const char *name);
/* Both: the instance, a physical device, the device with what the script asks for. To be closed
 * whatever the result. */
bool vh_device_open(VhDevice *device, const HnBackendOptions *options,
                    const AmberScript *script) VH_MUST_USE;
void vh_device_close(VhDevice *device);

/* ---- vk_submit.c ---------------------------------------------------------------------------- */

bool vh_submit_create(VhDevice *device) VH_MUST_USE;
void vh_submit_destroy(VhDevice *device);
/* Starts recording into device->commands; what a failure left unfinished there is dropped. */
bool vh_begin(VhDevice *device) VH_MUST_USE;
/* Between two uses of the same memory inside one submission. */
void vh_barrier(VhDevice *device);
/* Mark the span of a submission whose time counts. */
void vh_time_begin(VhDevice *device);
void vh_time_end(VhDevice *device);
/* Ends recording, submits and waits. */
bool vh_submit(VhDevice *device) VH_MUST_USE;
/* Nanoseconds between the marks of the last submission. */
bool vh_time(VhDevice *device, uint64_t *ns) VH_MUST_USE;

#endif
