/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch: the layer's records, one for each instance and each device.
 *
 * Records are found by the dispatch key: the pointer that the loader writes at the start of every
 * dispatchable handle, one key for an instance and its physical devices, another for a device, its
 * queues and its command buffers. The tables of records have locks; a record that was found needs
 * none, since Vulkan forbids destroying an object that another thread still uses. */
#ifndef LY_DISPATCH_H
#define LY_DISPATCH_H

#include "harness/capture/capture.h"
#include "harness/layer/convert.h"
#include "harness/layer/hooks.h"
#include "harness/layer/patch.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct LyRecord {
  void *key;
  struct LyRecord *next;
} LyRecord;

typedef struct LyInstance {
  LyRecord record;
  VkInstance handle;
  uint32_t api; /* the version that the application asks for; 0: 1.0 */
  LyConverter *converter;
  PFN_vkGetInstanceProcAddr get;
  PFN_GetPhysicalDeviceProcAddr get_physical; /* or NULL */
  PFN_vkDestroyInstance destroy;
} LyInstance;

/* The copies that a deferred operation may read until it is complete. */
typedef struct LyDeferred {
  VkDeferredOperationKHR operation;
  LyPatch patch;
  struct LyDeferred *next;
} LyDeferred;

typedef struct LyDevice {
  LyRecord record;
  LyConverter *converter;
  LyRunaways *runaways; /* or NULL */
  CpDevice *capture;    /* NULL: nothing is captured */
  PFN_vkGetDeviceProcAddr get;
  /* The next layer's functions; NULL: not available. */
#define LY_DEVICE(name) PFN_vk##name name;
#include "harness/layer/hooks.def"
  pthread_mutex_t lock; /* of the list below */
  LyDeferred *deferred;
} LyDevice;

static inline void *ly_key(const void *dispatchable) {
  return *(void *const *)dispatchable;
}

/* False: there is a record with this key already, and nothing was added. */
bool ly_instance_add(LyInstance *instance);
bool ly_device_add(LyDevice *device);
/* Finds the record by any handle of the instance or device; NULL: unknown. */
LyInstance *ly_instance_find(const void *handle);
LyDevice *ly_device_find(const void *handle);
/* Removes the record from the table; the caller frees it. */
LyInstance *ly_instance_take(const void *handle);
LyDevice *ly_device_take(const void *handle);

/* hook_instance.c: creates a device and its record. */
VkResult ly_device_create(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                          const VkAllocationCallbacks *allocator, VkDevice *device);

#endif
