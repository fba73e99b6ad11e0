/* SPDX-License-Identifier: Apache-2.0 */
/* fake_driver: replaces the next layer or driver, without a loader and without Vulkan. It records
 * the calls that it gets. */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include "harness/layer/hooks.h"

#include <stdbool.h>

/* Handles begin with the dispatch key, which the loader would write there. */
typedef struct FakeHandle {
  void *key;
  struct FakeHandle *parent;
} FakeHandle;

/* How often each function was called, on which handle, and with what. */
typedef struct FakeCalls {
  unsigned modules, identifiers, pipelines, destroyed_instances, destroyed_devices;
  const void *last; /* handle of the last call */
  const void *info; /* create-infos of the last call, valid during that call */
  uint32_t words;   /* of the last module, or module to identify */
  const void *next; /* its pNext */
} FakeCalls;

extern FakeCalls fake_calls;
extern VkResult fake_result;  /* returned by all functions that create something */
extern bool fake_ray_tracing; /* do devices have ray tracing? */
/* Called while pipelines or shaders are created. */
extern void (*fake_look)(const void *infos, uint32_t count);

/* Creates an instance through the layer, as a loader does; `twice`: the layer is in the chain
 * twice. */
VkInstance fake_instance(bool twice);
VkDevice fake_device(VkInstance instance, bool twice);
void fake_destroy_instance(VkInstance instance);
void fake_destroy_device(VkDevice device);

/* Functions that the layer must return unchanged. */
VKAPI_ATTR void VKAPI_CALL fake_unknown(void);

/* The layer's function of this name, for the device; NULL: it has none. */
#define FAKE_FIND(device, name) ((PFN_vk##name)ly_GetDeviceProcAddr(device, "vk" #name))

#endif
