/* SPDX-License-Identifier: Apache-2.0 */
/* vk_features: the features and properties that a script requires, by name.
 *
 * A script requires the features and properties of DEVICE_FEATURE and DEVICE_PROPERTY, and those
 * that one of its pipelines implies (a geometry shader, a polygon mode, a required subgroup size).
 * A feature is a VkBool32 in one of Vulkan's structs: vk_features.def says which. Only structs with
 * a required feature are passed to the device. A missing feature skips the script, with the
 * feature's name; features that are not required stay off. A name that Vulkan does not have fails
 * the script. */
#ifndef VH_FEATURES_H
#define VH_FEATURES_H

#include "harness/vulkan/vk_extensions.h"
#include "harness/vulkan/vk_newer.h"

enum {
  VH_GROUP_CORE, /* VkPhysicalDeviceFeatures */
#define VH_FEATURES(id, type, stype, name, core, extension) VH_GROUP_##id,
#include "harness/vulkan/vk_features.def"
  VH_GROUP_COUNT
};

typedef struct VhFeatures {
  void *groups[VH_GROUP_COUNT]; /* structs, chained from the first; NULL: no feature required */
} VhFeatures;

/* The features and properties that the script requires or implies; free `items` whatever the
 * result. */
bool vh_features_wanted(const AmberScript *script, AmberRequirements *wanted,
                        VhError *error) VH_MUST_USE;
/* Checks that the device has the features in `wanted`; *features can then be passed to
 * vkCreateDevice, and the extensions that they need are added to `extensions`. Clear *features
 * whatever the result. */
bool vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                        const AmberRequirements *wanted, VhNames *extensions, VhFeatures *features,
                        VhError *error) VH_MUST_USE;
void vh_features_clear(VhFeatures *features);

/* The properties FloatControlsProperties... and SubgroupSupported..., which DEVICE_FEATURE and
 * DEVICE_PROPERTY may name, are only checked: there is nothing to enable. */
bool vh_property_known(const char *name);
bool vh_properties_check(const VhFuncs *vk, VkPhysicalDevice physical,
                         const AmberRequirements *wanted, VhError *error) VH_MUST_USE;

#endif
