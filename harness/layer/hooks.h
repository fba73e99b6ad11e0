/* hooks: the functions of hooks.def, and how the loader finds them. */
#ifndef LY_HOOKS_H
#define LY_HOOKS_H

#include "layer/chain.h"

/* By Vulkan's own declarations; headers older than an extension lack its function and its hook. */
#define LY_INSTANCE(name) __typeof__(vk##name) ly_##name;
#define LY_DEVICE(name) __typeof__(vk##name) ly_##name;
#include "layer/hooks.def"

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetInstanceProcAddr(VkInstance handle,
                                                                const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetDeviceProcAddr(VkDevice handle, const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ly_GetPhysicalDeviceProcAddr(VkInstance handle,
                                                                      const char *name);

#endif
