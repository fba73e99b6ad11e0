/* SPDX-License-Identifier: Apache-2.0 */
/* hook_table: finds the hooks of a device's functions. */
#include "harness/layer/dispatch.h"

#include <string.h>

PFN_vkVoidFunction ly_hook_find(const LyHook *hook, const char *name) {
  while (hook->name && strcmp(hook->name, name) != 0)
    hook++;
  return hook->function;
}

const LyHook ly_device_hooks[] = {
#define LY_DEVICE(name) {"vk" #name, (PFN_vkVoidFunction)ly_##name},
#include "harness/layer/hooks.def"
    {NULL, NULL},
};

PFN_vkVoidFunction VKAPI_CALL ly_GetConverting(VkDevice handle, const char *name) {
  LyDevice *device = ly_device_find(handle);
  PFN_vkVoidFunction next = device ? device->get(handle, name) : NULL;
  PFN_vkVoidFunction hook = ly_hook_find(ly_device_hooks, name);
  return next && hook ? hook : next;
}
