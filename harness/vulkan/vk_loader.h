/* SPDX-License-Identifier: Apache-2.0 */
/* vk_loader: the Vulkan loader and the entry points of one instance and one device.
 *
 * The loader is opened with dlopen, by the process that uses it and after the environment names the
 * driver. So commands that only read results do not load it. Linking it would take the same
 * start-up time (measured: within 0.1 ms), but in every command. Several tables of entry points may
 * coexist: only the environment is global. */
#ifndef VH_LOADER_H
#define VH_LOADER_H

#include "harness/vulkan/vk_error.h"

typedef struct VhFuncs {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define VH_GLOBAL(name) PFN_vk##name name;
#define VH_INSTANCE(name) PFN_vk##name name;
#define VH_DEBUG(name) PFN_vk##name name;
#define VH_DEVICE(name) PFN_vk##name name;
#include "harness/vulkan/vk_funcs.def"
} VhFuncs;

/* Opens the loader; `icd` is the manifest of the one driver to load, or NULL for all installed
 * drivers. Close *library with vh_loader_close, whatever the result. */
bool vh_loader_open(VhFuncs *vk, void **library, const char *icd, VhError *error) VH_MUST_USE;
bool vh_loader_instance(VhFuncs *vk, VkInstance instance, VhError *error) VH_MUST_USE;
bool vh_loader_device(VhFuncs *vk, VkDevice device, VhError *error) VH_MUST_USE;
void vh_loader_close(void *library);

#endif
