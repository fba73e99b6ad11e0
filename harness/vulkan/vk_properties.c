/* SPDX-License-Identifier: Apache-2.0 */
/* vk_properties: device properties that a script requires by name; see vk_features.h.
 *
 * Every property is a set of bits in a 32-bit word of one of two structs; a VkBool32 is bit 0. */
#include "harness/vulkan/vk_features.h"

#include <string.h>

typedef struct Answers {
  VkPhysicalDeviceSubgroupProperties subgroup;
  VkPhysicalDeviceFloatControlsProperties floats;
} Answers;

#define OPERATIONS offsetof(Answers, subgroup.supportedOperations)
#define STAGES offsetof(Answers, subgroup.supportedStages)
#define FLOAT_CONTROL(member)                                                                      \
  { "FloatControlsProperties." #member, offsetof(Answers, floats.member), VK_TRUE }
/* VK_KHR_shader_subgroup_rotate; newer than the headers of Debian 12. */
#define SUBGROUP_ROTATE 0x200u
#define SUBGROUP_ROTATE_CLUSTERED 0x400u

static const struct {
  const char *name;
  size_t offset;
  uint32_t bits;
} known[] = {
    {"SubgroupSupportedOperations.basic", OPERATIONS, VK_SUBGROUP_FEATURE_BASIC_BIT},
    {"SubgroupSupportedOperations.vote", OPERATIONS, VK_SUBGROUP_FEATURE_VOTE_BIT},
    {"SubgroupSupportedOperations.arithmetic", OPERATIONS, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {"SubgroupSupportedOperations.ballot", OPERATIONS, VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {"SubgroupSupportedOperations.shuffle", OPERATIONS, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {"SubgroupSupportedOperations.shuffleRelative", OPERATIONS,
     VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {"SubgroupSupportedOperations.clustered", OPERATIONS, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {"SubgroupSupportedOperations.quad", OPERATIONS, VK_SUBGROUP_FEATURE_QUAD_BIT},
    {"SubgroupSupportedOperations.rotate", OPERATIONS, SUBGROUP_ROTATE},
    {"SubgroupSupportedOperations.rotateClustered", OPERATIONS, SUBGROUP_ROTATE_CLUSTERED},
    {"SubgroupSupportedStages.vertex", STAGES, VK_SHADER_STAGE_VERTEX_BIT},
    {"SubgroupSupportedStages.tessellationControl", STAGES,
     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"SubgroupSupportedStages.tessellationEvaluation", STAGES,
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"SubgroupSupportedStages.geometry", STAGES, VK_SHADER_STAGE_GEOMETRY_BIT},
    {"SubgroupSupportedStages.fragment", STAGES, VK_SHADER_STAGE_FRAGMENT_BIT},
    {"SubgroupSupportedStages.compute", STAGES, VK_SHADER_STAGE_COMPUTE_BIT},
    FLOAT_CONTROL(shaderSignedZeroInfNanPreserveFloat16),
    FLOAT_CONTROL(shaderSignedZeroInfNanPreserveFloat32),
    FLOAT_CONTROL(shaderSignedZeroInfNanPreserveFloat64),
    FLOAT_CONTROL(shaderDenormPreserveFloat16),
    FLOAT_CONTROL(shaderDenormPreserveFloat32),
    FLOAT_CONTROL(shaderDenormPreserveFloat64),
    FLOAT_CONTROL(shaderDenormFlushToZeroFloat16),
    FLOAT_CONTROL(shaderDenormFlushToZeroFloat32),
    FLOAT_CONTROL(shaderDenormFlushToZeroFloat64),
    FLOAT_CONTROL(shaderRoundingModeRTEFloat16),
    FLOAT_CONTROL(shaderRoundingModeRTEFloat32),
    FLOAT_CONTROL(shaderRoundingModeRTEFloat64),
    FLOAT_CONTROL(shaderRoundingModeRTZFloat16),
    FLOAT_CONTROL(shaderRoundingModeRTZFloat32),
    FLOAT_CONTROL(shaderRoundingModeRTZFloat64),
};

#define KNOWN_COUNT (sizeof known / sizeof *known)

static size_t find(const char *name) {
  size_t property = 0;
  while (property < KNOWN_COUNT && strcmp(known[property].name, name) != 0)
    property++;
  return property;
}

bool vh_property_known(const char *name) {
  return find(name) < KNOWN_COUNT;
}

static Answers ask(const VhFuncs *vk, VkPhysicalDevice physical) {
  Answers answers = {
      .subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
      .floats.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
  };
  answers.subgroup.pNext = &answers.floats;
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &answers.subgroup};
  vk->GetPhysicalDeviceProperties2(physical, &properties);
  return answers;
}

static bool check(const Answers *answers, const AmberRequirement *item, VhError *error) {
  size_t property = find(item->name);
  uint32_t word;
  memcpy(&word, (const char *)answers + known[property].offset, sizeof word);
  if ((word & known[property].bits) == known[property].bits)
    return true;
  return vh_fail(error, HN_SKIP, "line %u: the device lacks the property %s", item->line,
                 item->name);
}

bool vh_properties_check(const VhFuncs *vk, VkPhysicalDevice physical,
                         const AmberRequirements *wanted, VhError *error) {
  bool asked = false;
  Answers answers;
  for (uint32_t i = 0; i < wanted->count; i++) {
    if (!vh_property_known(wanted->items[i].name))
      continue;
    if (!asked)
      answers = ask(vk, physical);
    asked = true;
    if (!check(&answers, &wanted->items[i], error))
      return false;
  }
  return true;
}
