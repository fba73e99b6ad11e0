/* SPDX-License-Identifier: Apache-2.0 */
/* layer: the layer's entry points for the loader, by version 2 of its layer interface. */
#include "harness/layer/dispatch.h"

#include <string.h>

typedef struct Hook {
  const char *name;
  PFN_vkVoidFunction function;
} Hook;

static const Hook instance_hooks[] = {
    {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)ly_GetInstanceProcAddr},
#define LY_INSTANCE(name) {"vk" #name, (PFN_vkVoidFunction)ly_##name},
#include "harness/layer/hooks.def"
    {NULL, NULL},
};

static const Hook device_hooks[] = {
    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)ly_GetDeviceProcAddr},
#define LY_DEVICE(name) {"vk" #name, (PFN_vkVoidFunction)ly_##name},
#include "harness/layer/hooks.def"
    {NULL, NULL},
};

static PFN_vkVoidFunction find(const Hook *hook, const char *name) {
  while (hook->name && strcmp(hook->name, name) != 0)
    hook++;
  return hook->function;
}

PFN_vkVoidFunction VKAPI_CALL ly_GetDeviceProcAddr(VkDevice handle, const char *name) {
  LyDevice *device = ly_device_find(handle);
  PFN_vkVoidFunction next = device ? device->get(handle, name) : NULL;
  PFN_vkVoidFunction hook = find(device_hooks, name);
  return next && hook ? hook : next;
}

PFN_vkVoidFunction VKAPI_CALL ly_GetInstanceProcAddr(VkInstance handle, const char *name) {
  PFN_vkVoidFunction hook = find(instance_hooks, name);
  if (hook || !handle)
    return hook;
  LyInstance *instance = ly_instance_find(handle);
  PFN_vkVoidFunction next = instance ? instance->get(handle, name) : NULL;
  hook = find(device_hooks, name);
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
