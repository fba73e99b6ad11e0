/* SPDX-License-Identifier: Apache-2.0 */
/* vk_loader: see vk_loader.h. */
#include "harness/vulkan/vk_loader.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Restricts the loader to one driver. Both names of the variable are set: VK_DRIVER_FILES is the
 * newer one, and takes precedence in loaders that know it. */
static bool choose_driver(const char *icd, VhError *error) {
  if (!icd)
    return true;
  if (setenv("VK_DRIVER_FILES", icd, 1) || setenv("VK_ICD_FILENAMES", icd, 1))
    return vh_out_of_memory(error);
  return true;
}

static bool missing(VhError *error, const char *name) {
  return vh_fail(error, HN_FAIL, "the Vulkan loader has no %s", name);
}

bool vh_loader_open(VhFuncs *vk, void **library, const char *icd, VhError *error) {
  *library = NULL;
  if (!choose_driver(icd, error))
    return false;
  *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!*library)
    return vh_fail(error, HN_FAIL, "cannot load the Vulkan loader: %s", dlerror());
  void *symbol = dlsym(*library, "vkGetInstanceProcAddr");
  if (!symbol)
    return missing(error, "vkGetInstanceProcAddr");
  /* ISO C has no conversion from object pointers to function pointers, but POSIX does. */
  *(void **)&vk->GetInstanceProcAddr = symbol;
#define VH_GLOBAL(name)                                                                            \
  if (!(vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(NULL, "vk" #name)))                       \
    return missing(error, "vk" #name);
#include "harness/vulkan/vk_funcs.def"
  return true;
}

bool vh_loader_instance(VhFuncs *vk, VkInstance instance, VhError *error) {
#define VH_INSTANCE(name)                                                                          \
  if (!(vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name)))                   \
    return missing(error, "vk" #name);
#define VH_DEBUG(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name);
#include "harness/vulkan/vk_funcs.def"
  return true;
}

bool vh_loader_device(VhFuncs *vk, VkDevice device, VhError *error) {
#define VH_DEVICE(name)                                                                            \
  if (!(vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name)))                       \
    return missing(error, "vk" #name);
#include "harness/vulkan/vk_funcs.def"
  return true;
}

void vh_loader_close(void *library) {
  if (library)
    dlclose(library);
}
