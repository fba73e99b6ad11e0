/* SPDX-License-Identifier: Apache-2.0 */
/* hooks: the functions of hooks.def, and their lookup for the loader. */
#ifndef LY_HOOKS_H
#define LY_HOOKS_H

#include "harness/layer/chain.h"

/* The hooks have the types of Vulkan's own declarations; headers older than an extension lack the
 * extension's hooks. */
#define LY_INSTANCE(name) __typeof__(vk##name) ly_##name;
#define LY_DEVICE(name) __typeof__(vk##name) ly_##name;
#include "harness/layer/hooks.def"

/* A table of hooks ends with a row without a name. */
typedef struct LyHook {
  const char *name;
  PFN_vkVoidFunction function;
} LyHook;

extern const LyHook ly_device_hooks[];
PFN_vkVoidFunction ly_hook_find(const LyHook *hook, const char *name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetInstanceProcAddr(VkInstance handle,
                                                                const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetDeviceProcAddr(VkDevice handle, const char *name);
/* Without the hooks of a capture, which are above those of the layer. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetConverting(VkDevice handle, const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetPhysicalDeviceProcAddr(VkInstance handle,
                                                                      const char *name);

#endif
