/* SPDX-License-Identifier: Apache-2.0 */
/* capture_device: the state of a capture on one device. `lock` protects all of it; the hooks hold it
 * whenever they use a record. */
#ifndef CP_CAPTURE_DEVICE_H
#define CP_CAPTURE_DEVICE_H

#include "harness/capture/capture.h"
#include "harness/capture/handles.h"
#include "harness/capture/objects.h"
#include "harness/capture/session.h"

#include <pthread.h>

/* The functions below the capture's; NULL: not available. */
typedef struct CpNext {
#define CP_HOOK(name) PFN_vk##name name;
#define CP_CALL(name) PFN_vk##name name;
#include "harness/capture/capture_hooks.def"
} CpNext;

struct CpDevice {
  VkDevice handle;
  CpNext next;
  CpSession *session;
  VkPhysicalDevice physical;
  PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR surface; /* or NULL */
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
  VkPhysicalDeviceMemoryProperties memory;
  VkQueueFamilyProperties *families;
  uint32_t family_count;
  uint32_t subgroup_size; /* 0: unknown */
  bool stores; /* fragment shaders may store to buffers and images (fragmentStoresAndAtomics) */
  bool robust; /* the application may access buffers beyond their ends (robustBufferAccess) */
  double nanoseconds; /* of a unit of timestamps */
  pthread_mutex_t lock;
  CpHandles buffers, images, views, texel_views, samplers;
  CpHandles layouts, sets, templates;
  CpHandles modules, pipeline_layouts, pipelines;
  CpHandles passes, framebuffers, swapchains;
  CpHandles pools, commands; /* command pools, command buffers */
  struct CpPending *pending; /* submissions that may not be complete; oldest first */
};

/* Finds the device by any of its dispatchable handles. */
CpDevice *cp_device_of(const void *dispatchable);
/* Adds it to the table of devices. False: it is there already, or out of memory. */
bool cp_device_add(CpDevice *device);
/* Removes the device from the table of devices. */
void cp_device_forget(CpDevice *device);

/* Keeps a copy of a record of an object in a table of the device. If memory runs out, the object stays
 * unknown, and what uses it is not captured. */
void cp_device_keep(CpDevice *device, CpHandles *handles, uint64_t handle, const void *record,
                    size_t size);

/* The hook that destroys an object: its record leaves the table `records` and is released. */
#define CP_DESTROY(object, records, release)                                                       \
  void VKAPI_CALL cp_Destroy##object(VkDevice device, Vk##object handle,                           \
                                     const VkAllocationCallbacks *allocator) {                     \
    CpDevice *d = cp_device_of(device);                                                            \
    pthread_mutex_lock(&d->lock);                                                                  \
    release(cp_handles_take(&d->records, CP_HANDLE(handle)));                                      \
    pthread_mutex_unlock(&d->lock);                                                                \
    d->next.Destroy##object(device, handle, allocator);                                            \
  }

/* The hooks have the types of Vulkan's own declarations. */
#define CP_HOOK(name) __typeof__(vk##name) cp_##name;
#include "harness/capture/capture_hooks.def"

#endif
