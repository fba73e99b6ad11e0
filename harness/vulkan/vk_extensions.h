/* vk_extensions: the extensions that a script asks for.
 *
 * An extension that the device lists is enabled; one that it does not list any more because Vulkan
 * has promoted it into the core of the version in use needs no enabling; without any other the
 * script is to be skipped, with the extension's name. */
#ifndef VH_EXTENSIONS_H
#define VH_EXTENSIONS_H

#include "vulkan/vk_loader.h"

/* A list of names without repetitions; the names are not copied. */
typedef struct VhNames {
  const char **items;
  uint32_t count;
} VhNames;

bool vh_names_add(VhNames *names, const char *name, VhError *error) VH_MUST_USE;
void vh_names_clear(VhNames *names);

/* Instance extensions to enable; what is in the core of Vulkan 1.1 is left out. Whether the rest
 * exists only vkCreateInstance says; asking beforehand would load the drivers twice. */
bool vh_instance_extensions(const AmberScript *script, VhNames *names, VhError *error) VH_MUST_USE;
/* Names the instance extensions that the loader does not have, as a skip. */
bool vh_instance_extensions_missing(const VhFuncs *vk, const VhNames *names, VhError *error);
/* Adds an extension that the device lists. */
bool vh_device_extension(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                         const AmberRequirement *wanted, VhNames *names,
                         VhError *error) VH_MUST_USE;

#endif
