/* SPDX-License-Identifier: Apache-2.0 */
/* vk_stage: the shader stages of a pipeline, as Vulkan's structs. */
#ifndef VH_STAGE_H
#define VH_STAGE_H

#include "harness/vulkan/vk_device.h"

typedef VkPipelineShaderStageRequiredSubgroupSizeCreateInfo VhRequiredSize;

/* Lives while the pipeline is created. */
typedef struct VhStages {
  VkPipelineShaderStageCreateInfo *infos;
  uint32_t count;
  VkSpecializationInfo *specializations; /* by stage */
  VkSpecializationMapEntry *entries;     /* of all stages */
  uint32_t *values;
  VhRequiredSize *sizes; /* by stage */
} VhStages;

/* `modules` and `shaders` by index in script->shaders; a VkShaderModule is created when a stage
 * first needs it, and kept in `shaders`. Destroy the stages whatever the result. */
bool vh_stages_create(VhDevice *device, const AmberScript *script, const AmberPipeline *pipeline,
                      const HnModule *modules, VkShaderModule *shaders,
                      VhStages *stages) VH_MUST_USE;
void vh_stages_destroy(VhStages *stages);

#endif
