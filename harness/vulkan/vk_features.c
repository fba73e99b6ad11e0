/* SPDX-License-Identifier: Apache-2.0 */
/* vk_features: the features that a script requires, by name; see vk_features.h. */
#include "harness/vulkan/vk_features.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  VkStructureType type;
  uint32_t core;    /* first API version with the struct, or 0 */
  const char *name; /* in scripts: the part before the point */
  size_t size;
  const char *extension; /* extension that has the struct if the core does not */
} groups[VH_GROUP_COUNT] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, VK_API_VERSION_1_0, "",
     sizeof(VkPhysicalDeviceFeatures2), NULL},
#define VH_FEATURES(id, type, stype, name, core, extension)                                        \
  {stype, core, name, sizeof(type), extension},
#include "harness/vulkan/vk_features.def"
};

static const struct {
  uint32_t group;
  const char *member; /* name of the member, in the core group with "features." before it */
  size_t offset;
} features_known[] = {
#define VH_FEATURE(id, type, member) {VH_GROUP_##id, #member, offsetof(type, member)},
#include "harness/vulkan/vk_features.def"
};

#define FEATURE_COUNT (sizeof features_known / sizeof *features_known)
#define CORE_PREFIX "features."

static bool is_named(size_t feature, const AmberRequirement *wanted) {
  const char *member = features_known[feature].member, *name = wanted->name;
  if (features_known[feature].group == VH_GROUP_CORE)
    return !strcmp(name, member + strlen(CORE_PREFIX));
  if (wanted->bare)
    return !strcmp(name, member);
  const char *group = groups[features_known[feature].group].name;
  size_t length = strlen(group);
  return !strncmp(name, group, length) && name[length] == '.' && !strcmp(name + length + 1, member);
}

/* The index of the required feature, or FEATURE_COUNT. */
static size_t find(const AmberRequirement *wanted) {
  size_t feature = 0;
  while (feature < FEATURE_COUNT && !is_named(feature, wanted))
    feature++;
  return feature;
}

static const char *const others[] = {
#define VH_OTHER(name) name,
#include "harness/vulkan/vk_features_other.def"
};

/* Does a name begin with a struct of features, perhaps with a vendor suffix, that is not in the
 * table? */
static bool is_elsewhere(const char *name) {
  size_t length = strcspn(name, ".");
  if (!name[length])
    return false;
  while (length && name[length - 1] >= 'A' && name[length - 1] <= 'Z')
    length--;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strlen(others[i]) == length && !strncmp(others[i], name, length))
      return true;
  return false;
}

/* The case is skipped if a required Vulkan feature is not in the tables, or if the name has no
 * struct, since it may then name an extension. Any other unknown name fails the case. */
static bool unknown(const AmberRequirement *wanted, VhError *error) {
  if (wanted->bare || is_elsewhere(wanted->name))
    return vh_fail(error, HN_SKIP, "line %u: the harness does not know the device feature %s",
                   wanted->line, wanted->name);
  return vh_fail(error, HN_FAIL, "line %u: there is no such device feature (at '%s')", wanted->line,
                 wanted->name);
}

static VkBool32 *flag_of(VhFeatures *features, size_t feature) {
  char *group = features->groups[features_known[feature].group];
  return (VkBool32 *)(group + features_known[feature].offset);
}

/* Inserts a struct of features into the chain, after the first. */
static bool open_group(VhFeatures *features, uint32_t group, VhError *error) {
  if (features->groups[group])
    return true;
  VkBaseOutStructure *opened = calloc(1, groups[group].size);
  if (!opened)
    return vh_out_of_memory(error);
  features->groups[group] = opened;
  opened->sType = groups[group].type;
  if (group != VH_GROUP_CORE) {
    VkBaseOutStructure *first = features->groups[VH_GROUP_CORE];
    opened->pNext = first->pNext;
    first->pNext = opened;
  }
  return true;
}

/* Adds the struct of a required feature to the chain, and the extension that it may need. */
static bool open_wanted(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                        const AmberRequirement *wanted, VhNames *extensions, VhFeatures *features,
                        VhError *error) {
  size_t feature = find(wanted);
  if (feature == FEATURE_COUNT)
    return unknown(wanted, error);
  uint32_t group = features_known[feature].group;
  bool core = groups[group].core && groups[group].core <= api_version;
  AmberRequirement extension = {.name = groups[group].extension, .line = wanted->line};
  if (!core && !vh_device_extension(vk, physical, api_version, &extension, extensions, error))
    return false;
  return open_group(features, group, error);
}

static bool is_feature(const AmberRequirement *wanted) {
  return !vh_property_known(wanted->name);
}

/* Switches everything off, including members that the table does not name. */
static void switch_off(VhFeatures *features) {
  for (uint32_t group = 0; group < VH_GROUP_COUNT; group++)
    if (features->groups[group])
      memset((char *)features->groups[group] + sizeof(VkBaseOutStructure), 0,
             groups[group].size - sizeof(VkBaseOutStructure));
}

/* Checks that the device has what is required, and enables only that. */
static bool keep_wanted(const AmberRequirements *wanted, VhFeatures *features, VhError *error) {
  for (uint32_t i = 0; i < wanted->count; i++)
    if (is_feature(&wanted->items[i]) && !*flag_of(features, find(&wanted->items[i])))
      return vh_fail(error, HN_SKIP, "line %u: the device lacks the feature %s",
                     wanted->items[i].line, wanted->items[i].name);
  switch_off(features);
  for (uint32_t i = 0; i < wanted->count; i++)
    if (is_feature(&wanted->items[i]))
      *flag_of(features, find(&wanted->items[i])) = VK_TRUE;
  return true;
}

bool vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                        const AmberRequirements *wanted, VhNames *extensions, VhFeatures *features,
                        VhError *error) {
  if (!open_group(features, VH_GROUP_CORE, error))
    return false;
  for (uint32_t i = 0; i < wanted->count; i++)
    if (is_feature(&wanted->items[i]) &&
        !open_wanted(vk, physical, api_version, &wanted->items[i], extensions, features, error))
      return false;
  vk->GetPhysicalDeviceFeatures2(physical, features->groups[VH_GROUP_CORE]);
  return keep_wanted(wanted, features, error);
}

void vh_features_clear(VhFeatures *features) {
  for (uint32_t group = 0; group < VH_GROUP_COUNT; group++)
    free(features->groups[group]);
  *features = (VhFeatures){0};
}
