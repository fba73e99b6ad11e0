/* SPDX-License-Identifier: Apache-2.0 */
/* capture: a dispatch of the application, with its data, becomes a case.
 *
 * The layer attaches each device. If a capture was requested (SPVRECONV_CAPTURE), it hooks the
 * functions of capture_hooks.def, follows the application's objects, and records copies of the
 * resources around the dispatches that it chooses. When the queue has finished, it writes a case.
 * Without a capture nothing is hooked. If an error occurs, the application still continues, and the
 * index says why a dispatch was not captured. */
#ifndef CP_CAPTURE_H
#define CP_CAPTURE_H

#include <vulkan/vulkan.h>

typedef struct CpDevice CpDevice;

typedef struct CpAttach {
  VkInstance instance;
  uint32_t api; /* version that the application asks for; 0: 1.0 */
  VkPhysicalDevice physical;
  PFN_vkGetInstanceProcAddr get_instance; /* the next layer's */
  VkDevice device;
  const VkDeviceCreateInfo *info; /* as the application gave it */
  /* The functions below the capture's: the layer's own hooks, or those of the next layer. */
  PFN_vkGetDeviceProcAddr get;
} CpAttach;

/* NULL: no capture was requested, or it is impossible (the log says why). The device ends the
 * capture when it is destroyed. */
CpDevice *cp_attach(const CpAttach *attach);
/* The capture's hook of a function of the device; NULL: it has none. */
PFN_vkVoidFunction cp_hook(const char *name);

#endif
