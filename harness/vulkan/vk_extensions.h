/* SPDX-License-Identifier: Apache-2.0 */
/* vk_extensions: the extensions that a script requires.
 *
 * An extension that the device lists is enabled. An extension that it does not list because it is
 * core in the version in use need not be enabled. If any other is missing, the script is skipped,
 * with the extension's name. */
#ifndef VH_EXTENSIONS_H
#define VH_EXTENSIONS_H

#include "harness/vulkan/vk_loader.h"

/* A set of names, which are not copied. */
typedef struct VhNames {
  const char **items;
  uint32_t count;
} VhNames;

bool vh_names_add(VhNames *names, const char *name, VhError *error) VH_MUST_USE;
void vh_names_clear(VhNames *names);

/* Lists the instance extensions to enable, without those in core Vulkan 1.1. Only vkCreateInstance
 * shows whether they exist; a query before it would load the drivers twice. */
bool vh_instance_extensions(const AmberScript *script, VhNames *names, VhError *error) VH_MUST_USE;
/* Fails with a skip that names the instance extensions that the loader lacks. */
bool vh_instance_extensions_missing(const VhFuncs *vk, const VhNames *names, VhError *error);
/* Adds the extension if the device lists it; fails with a skip if the device lacks it. */
bool vh_device_extension(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                         const AmberRequirement *wanted, VhNames *names,
                         VhError *error) VH_MUST_USE;

#endif
