/* SPDX-License-Identifier: Apache-2.0 */
/* layer: the layer's entry points for the loader, by version 2 of its layer interface. */
#include "harness/layer/dispatch.h"

#include <string.h>

static const LyHook instance_hooks[] = {
    {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)ly_GetInstanceProcAddr},
    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)ly_GetDeviceProcAddr},
#define LY_INSTANCE(name) {"vk" #name, (PFN_vkVoidFunction)ly_##name},
#include "harness/layer/hooks.def"
    {NULL, NULL},
};

PFN_vkVoidFunction VKAPI_CALL ly_GetDeviceProcAddr(VkDevice handle, const char *name) {
  const LyDevice *device = ly_device_find(handle);
  PFN_vkVoidFunction next = ly_GetConverting(handle, name);
  if (next && strcmp(name, "vkGetDeviceProcAddr") == 0)
    return (PFN_vkVoidFunction)ly_GetDeviceProcAddr;
  PFN_vkVoidFunction capturing = next && device && device->capture ? cp_hook(name) : NULL;
  return capturing ? capturing : next;
}

PFN_vkVoidFunction VKAPI_CALL ly_GetInstanceProcAddr(VkInstance handle, const char *name) {
  PFN_vkVoidFunction hook = ly_hook_find(instance_hooks, name);
  if (hook || !handle)
    return hook;
  LyInstance *instance = ly_instance_find(handle);
  PFN_vkVoidFunction next = instance ? instance->get(handle, name) : NULL;
  hook = ly_hook_find(ly_device_hooks, name);
  return next && hook ? hook : next;
}

/* For functions of extensions unknown to the loader, which it must distinguish from functions of
 * devices. */
PFN_vkVoidFunction VKAPI_CALL ly_GetPhysicalDeviceProcAddr(VkInstance handle, const char *name) {
  LyInstance *instance = ly_instance_find(handle);
  return instance && instance->get_physical ? instance->get_physical(handle, name) : NULL;
}

/* The one function that the loader finds by name. */
__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate) {
  if (!negotiate || negotiate->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      negotiate->loaderLayerInterfaceVersion < 2)
    return VK_ERROR_INITIALIZATION_FAILED;
  negotiate->loaderLayerInterfaceVersion = 2;
  negotiate->pfnGetInstanceProcAddr = ly_GetInstanceProcAddr;
  negotiate->pfnGetDeviceProcAddr = ly_GetDeviceProcAddr;
  negotiate->pfnGetPhysicalDeviceProcAddr = ly_GetPhysicalDeviceProcAddr;
  return VK_SUCCESS;
}
