/* dispatch: what the layer keeps for each instance and each device.
 *
 * Records are found by the dispatch key: the pointer that the loader puts at the start of every
 * dispatchable handle, one for an instance and its physical devices, one for a device, its queues
 * and command buffers. The table of records is the layer's only state that outlives a call; it has
 * a lock of its own, and Vulkan forbids to destroy what another thread still uses. */
#ifndef LY_DISPATCH_H
#define LY_DISPATCH_H

#include "layer/convert.h"
#include "layer/hooks.h"
#include "layer/patch.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct LyRecord {
  void *key;
  struct LyRecord *next;
} LyRecord;

typedef struct LyInstance {
  LyRecord record;
  VkInstance handle;
  LyConverter *converter;
  PFN_vkGetInstanceProcAddr get;
  PFN_GetPhysicalDeviceProcAddr get_physical; /* or NULL */
  PFN_vkDestroyInstance destroy;
} LyInstance;

/* What a deferred operation may read until it is complete. */
typedef struct LyDeferred {
  VkDeferredOperationKHR operation;
  LyPatch patch;
  struct LyDeferred *next;
} LyDeferred;

typedef struct LyDevice {
  LyRecord record;
  LyConverter *converter;
  PFN_vkGetDeviceProcAddr get;
  /* The next layer's functions; NULL: it has none. */
#define LY_DEVICE(name) PFN_vk##name name;
#include "layer/hooks.def"
  pthread_mutex_t lock; /* of the list below */
  LyDeferred *deferred;
} LyDevice;

static inline void *ly_key(const void *dispatchable) {
  return *(void *const *)dispatchable;
}

/* A record of this key is there already: false, and nothing was added. */
bool ly_instance_add(LyInstance *instance);
bool ly_device_add(LyDevice *device);
/* By any handle of the instance or device; NULL: the layer does not know it. */
LyInstance *ly_instance_find(const void *handle);
LyDevice *ly_device_find(const void *handle);
/* Takes it out of the table; the caller frees it. */
LyInstance *ly_instance_take(const void *handle);
LyDevice *ly_device_take(const void *handle);

#endif
