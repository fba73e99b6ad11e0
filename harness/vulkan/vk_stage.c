/* SPDX-License-Identifier: Apache-2.0 */
/* vk_stage: see vk_stage.h. */
#include "harness/vulkan/vk_stage.h"

#include <stdlib.h>

/* ---- modules -------------------------------------------------------------------------------- */

/* The newest SPIR-V that a Vulkan version accepts, as in the second word of a module. */
static uint32_t newest_spirv(uint32_t api_version) {
  if (api_version >= VK_API_VERSION_1_3)
    return 0x00010600;
  return api_version >= VK_API_VERSION_1_2 ? 0x00010500 : 0x00010300;
}

/* Vulkan 1.1 accepts SPIR-V 1.4 with an extension, which scripts name. So 1.4 is accepted there,
 * too. */
static bool takes_version(VhDevice *device, const char *name, uint32_t version) {
  uint32_t newest = newest_spirv(device->api_version);
  if (version <= newest || (newest == 0x00010300 && version == 0x00010400))
    return true;
  return vh_fail(&device->error, HN_SKIP, "shader %s is SPIR-V %u.%u, too new for Vulkan %u.%u",
                 name, version >> 16 & 0xff, version >> 8 & 0xff,
                 VK_API_VERSION_MAJOR(device->api_version),
                 VK_API_VERSION_MINOR(device->api_version));
}

static bool create_module(VhDevice *device, const char *name, const HnModule *module,
                          VkShaderModule *shader) {
  if (*shader)
    return true;
  if (module->count < 5)
    return vh_fail(&device->error, HN_FAIL, "shader %s has no module", name);
  if (!takes_version(device, name, module->words[1]))
    return false;
  VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = module->count * sizeof *module->words,
      .pCode = module->words,
  };
  return VH_CALL(device, CreateShaderModule, device->handle, &info, NULL, shader);
}

/* ---- subgroup sizes ------------------------------------------------------------------------- */

static bool offers_size(const VkPhysicalDeviceSubgroupSizeControlProperties *offered,
                        uint32_t size) {
  return size >= offered->minSubgroupSize && size <= offered->maxSubgroupSize &&
         !(size & (size - 1));
}

/* The subgroup size that EXACT, MIN or MAX means on this device. */
static bool required_size(VhDevice *device, const AmberAttachedShader *shader, uint32_t *size) {
  VkPhysicalDeviceSubgroupSizeControlProperties offered = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &offered};
  device->vk.GetPhysicalDeviceProperties2(device->physical, &properties);
  *size = shader->subgroup_size;
  if (shader->required_size == AMBER_SUBGROUP_MIN)
    *size = offered.minSubgroupSize;
  else if (shader->required_size == AMBER_SUBGROUP_MAX)
    *size = offered.maxSubgroupSize;
  if (!(offered.requiredSubgroupSizeStages >> shader->stage & 1))
    return vh_fail(&device->error, HN_SKIP,
                   "line %u: the device does not let this stage require a subgroup size",
                   shader->line);
  return offers_size(&offered, *size) ||
         vh_fail(&device->error, HN_SKIP,
                 "line %u: the device has subgroups of %u to %u invocations, not %u", shader->line,
                 offered.minSubgroupSize, offered.maxSubgroupSize, *size);
}

/* Vulkan refuses a varying size together with a required size, which leaves nothing to vary. */
static VkPipelineShaderStageCreateFlags flags_of(const AmberAttachedShader *shader) {
  VkPipelineShaderStageCreateFlags flags = 0;
  if (shader->varying_size && shader->required_size == AMBER_SUBGROUP_ANY)
    flags |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  if (shader->fully_populated)
    flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  return flags;
}

/* ---- stages --------------------------------------------------------------------------------- */

static bool allocate(VhDevice *device, const AmberPipeline *pipeline, VhStages *stages) {
  size_t values = 1;
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    values += pipeline->shaders[i].specialization_count;
  size_t count = pipeline->shader_count + 1;
  stages->infos = calloc(count, sizeof *stages->infos);
  stages->specializations = calloc(count, sizeof *stages->specializations);
  stages->sizes = calloc(count, sizeof *stages->sizes);
  stages->entries = calloc(values, sizeof *stages->entries);
  stages->values = calloc(values, sizeof *stages->values);
  return (stages->infos && stages->specializations && stages->sizes && stages->entries &&
          stages->values) ||
         vh_out_of_memory(&device->error);
}

/* The shader's specialization entries start at `first` in the arrays that all stages share. */
static const VkSpecializationInfo *specialize(const AmberAttachedShader *shader, VhStages *stages,
                                              uint32_t first) {
  if (!shader->specialization_count)
    return NULL;
  for (uint32_t i = 0; i < shader->specialization_count; i++) {
    stages->entries[first + i] = (VkSpecializationMapEntry){
        shader->specializations[i].id, i * (uint32_t)sizeof(uint32_t), sizeof(uint32_t)};
    stages->values[first + i] = shader->specializations[i].bits;
  }
  VkSpecializationInfo *info = &stages->specializations[stages->count];
  *info = (VkSpecializationInfo){
      .mapEntryCount = shader->specialization_count,
      .pMapEntries = stages->entries + first,
      .dataSize = shader->specialization_count * sizeof(uint32_t),
      .pData = stages->values + first,
  };
  return info;
}

static bool add_stage(VhDevice *device, const AmberAttachedShader *shader, VkShaderModule module,
                      uint32_t first, VhStages *stages) {
  VkPipelineShaderStageCreateInfo *info = &stages->infos[stages->count];
  *info = (VkPipelineShaderStageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .flags = flags_of(shader),
      .stage = (VkShaderStageFlagBits)(1u << shader->stage),
      .module = module,
      .pName = shader->entry_point,
      .pSpecializationInfo = specialize(shader, stages, first),
  };
  if (shader->required_size != AMBER_SUBGROUP_ANY) {
    VhRequiredSize *size = &stages->sizes[stages->count];
    size->sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    info->pNext = size;
    if (!required_size(device, shader, &size->requiredSubgroupSize))
      return false;
  }
  stages->count++;
  return true;
}

bool vh_stages_create(VhDevice *device, const AmberScript *script, const AmberPipeline *pipeline,
                      const HnModule *modules, VkShaderModule *shaders, VhStages *stages) {
  if (!allocate(device, pipeline, stages))
    return false;
  uint32_t first = 0;
  for (uint32_t i = 0; i < pipeline->shader_count; i++) {
    const AmberAttachedShader *shader = &pipeline->shaders[i];
    /* Without rasterization a pipeline has no fragment shader state (VUID-…-pStages-06894). */
    if (shader->stage == AMBER_FRAGMENT && pipeline->raster.rasterizer_discard)
      continue;
    if (!create_module(device, script->shaders[shader->shader].name, &modules[shader->shader],
                       &shaders[shader->shader]) ||
        !add_stage(device, shader, shaders[shader->shader], first, stages))
      return false;
    first += shader->specialization_count;
  }
  return true;
}

void vh_stages_destroy(VhStages *stages) {
  free(stages->infos);
  free(stages->specializations);
  free(stages->sizes);
  free(stages->entries);
  free(stages->values);
}
