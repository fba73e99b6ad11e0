/* vk_features: the features and properties that a script asks for, by name.
 *
 * Asked for are those of DEVICE_FEATURE and DEVICE_PROPERTY and those without which something that
 * the script says of a pipeline means nothing (a geometry shader, a polygon mode, a required
 * subgroup size). A feature is a VkBool32 in one of Vulkan's structs: vk_features.def says which.
 * Only the structs with an asked-for feature are shown to the device; what it lacks makes the
 * script a skip with the feature's name; what it has and nobody asked for stays off. A name that is
 * none of Vulkan's fails. */
#ifndef VH_FEATURES_H
#define VH_FEATURES_H

#include "vulkan/vk_extensions.h"

enum {
  VH_GROUP_CORE, /* VkPhysicalDeviceFeatures */
#define VH_FEATURES(id, type, stype, name, core, extension) VH_GROUP_##id,
#include "vulkan/vk_features.def"
  VH_GROUP_COUNT
};

typedef struct VhFeatures {
  void *groups[VH_GROUP_COUNT]; /* structs, chained from the first; NULL: nothing asked for */
} VhFeatures;

/* What the script asks for, spelled out or implied, features and properties; `items` are to be
 * freed whatever the result. */
bool vh_features_wanted(const AmberScript *script, AmberRequirements *wanted,
                        VhError *error) VH_MUST_USE;
/* Checks the features among them against the device; *features can then go to vkCreateDevice, with
 * the extensions that it needs added to `extensions`. To be cleared whatever the result. */
bool vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                        const AmberRequirements *wanted, VhNames *extensions, VhFeatures *features,
                        VhError *error) VH_MUST_USE;
void vh_features_clear(VhFeatures *features);

/* FloatControlsProperties... and SubgroupSupported..., by whichever command they are asked for:
 * they are checked, there is nothing to enable. */
bool vh_property_known(const char *name);
bool vh_properties_check(const VhFuncs *vk, VkPhysicalDevice physical,
                         const AmberRequirements *wanted, VhError *error) VH_MUST_USE;

#endif
