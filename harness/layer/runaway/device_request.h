/* SPDX-License-Identifier: Apache-2.0 */
/* device_request: asks a device for the features that the code of records needs (runaways.h), besides
 * what the application asks for: addresses of buffers, and stores and atomics in all stages.
 *
 * The application's structures are constant, so those that change are copied, with the structures
 * before them in the chain. */
#ifndef LY_DEVICE_REQUEST_H
#define LY_DEVICE_REQUEST_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

typedef struct LyDeviceRequest {
  const char *refused;      /* why there can be no records; NULL: there can */
  bool fragments, vertices; /* may fragments store? Vertices, tessellation and geometry? */
  bool extended;            /* addresses come from the extension, not from the core */
  VkDeviceCreateInfo info;
  /* what `info` points to */
  VkPhysicalDeviceBufferDeviceAddressFeatures address;
  VkPhysicalDeviceFeatures features;
  const char **extensions;
  void *copies;
} LyDeviceRequest;

/* An instance, as the layer knows it. */
typedef struct LyAsker {
  VkInstance instance;
  PFN_vkGetInstanceProcAddr get;
  uint32_t api; /* the version that the application asks for; 0: 1.0 */
} LyAsker;

/* Returns the create-info to use: a changed copy in `request`, or `info` itself if `refused` is set.
 * To be freed in either case, after the call that reads it. */
const VkDeviceCreateInfo *ly_request_make(LyDeviceRequest *request, const LyAsker *asker,
                                          VkPhysicalDevice physical,
                                          const VkDeviceCreateInfo *info);
void ly_request_free(LyDeviceRequest *request);

#endif
