/* SPDX-License-Identifier: Apache-2.0 */
/* hook_pipeline: follows shader modules, pipeline layouts and compute pipelines. The words are those of
 * the application: the layer changes modules below the capture. */
#include "harness/capture/capture_device.h"
#include "harness/capture/render_state.h"
#include "harness/layer/support/in_chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- shader modules -------------------------------------------------------------------------- */

static CpModule *new_module(const uint32_t *words, size_t bytes) {
  CpModule *module = calloc(1, sizeof *module);
  uint32_t *copy = malloc(bytes + 1);
  if (!module || !copy) {
    free(module);
    free(copy);
    return NULL;
  }
  memcpy(copy, words, bytes);
  *module = (CpModule){.shares = 1, .words = copy, .bytes = bytes, .hash = ly_hash(words, bytes)};
  return module;
}

VkResult VKAPI_CALL cp_CreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkShaderModule *module) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateShaderModule(handle, info, allocator, module);
  if (result != VK_SUCCESS)
    return result;
  CpModule *record = new_module(info->pCode, info->codeSize);
  pthread_mutex_lock(&d->lock);
  if (record && !cp_handles_put(&d->modules, CP_HANDLE(*module), record))
    cp_module_release(record);
  pthread_mutex_unlock(&d->lock);
  return result;
}

CP_DESTROY(ShaderModule, modules, cp_module_release)

/* ---- pipeline layouts ------------------------------------------------------------------------ */

static CpPipelineLayout *new_pipeline_layout(CpDevice *d, const VkPipelineLayoutCreateInfo *info) {
  CpPipelineLayout *layout = calloc(1, sizeof *layout);
  CpSetLayout **sets = calloc(info->setLayoutCount + 1u, sizeof *sets);
  if (!layout || !sets) {
    free(layout);
    free(sets);
    return NULL;
  }
  *layout = (CpPipelineLayout){.sets = sets, .set_count = info->setLayoutCount};
  for (uint32_t i = 0; i < info->setLayoutCount; i++) {
    sets[i] = cp_handles_find(&d->layouts, CP_HANDLE(info->pSetLayouts[i]));
    if (sets[i])
      sets[i]->shares++;
  }
  for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
    const VkPushConstantRange *range = &info->pPushConstantRanges[i];
    uint32_t end = range->offset + range->size;
    if (end > layout->push_bytes)
      layout->push_bytes = end;
  }
  return layout;
}

VkResult VKAPI_CALL cp_CreatePipelineLayout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                                            const VkAllocationCallbacks *allocator,
                                            VkPipelineLayout *layout) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreatePipelineLayout(handle, info, allocator, layout);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&d->lock);
  CpPipelineLayout *record = new_pipeline_layout(d, info);
  if (record && !cp_handles_put(&d->pipeline_layouts, CP_HANDLE(*layout), record))
    cp_pipeline_layout_free(record);
  pthread_mutex_unlock(&d->lock);
  return result;
}

CP_DESTROY(PipelineLayout, pipeline_layouts, cp_pipeline_layout_free)

/* ---- compute pipelines ----------------------------------------------------------------------- */

/* The stage's shader module: one that was created before, or one made from the create info in the
 * stage's pNext chain. The caller gets a share (a reference). */
static CpModule *take_module(CpDevice *d, const VkPipelineShaderStageCreateInfo *stage) {
  CpModule *module = cp_handles_find(&d->modules, CP_HANDLE(stage->module));
  if (module) {
    module->shares++;
    return module;
  }
  const VkShaderModuleCreateInfo *info =
      ly_in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  return info ? new_module(info->pCode, info->codeSize) : NULL;
}

/* False: out of memory. */
static bool copy_constants(const VkSpecializationInfo *info, CpPipeline *p) {
  if (!info)
    return true;
  p->constants = malloc((info->mapEntryCount + 1u) * sizeof *p->constants);
  p->constant_bytes = malloc(info->dataSize + 1);
  if (!p->constants || !p->constant_bytes)
    return false;
  p->constant_count = info->mapEntryCount;
  p->constant_size = info->dataSize;
  if (info->mapEntryCount)
    memcpy(p->constants, info->pMapEntries, info->mapEntryCount * sizeof *p->constants);
  if (info->dataSize)
    memcpy(p->constant_bytes, info->pData, info->dataSize);
  return true;
}

static bool specialized(void *user, uint32_t id, uint32_t *value) {
  const CpPipeline *p = user;
  for (uint32_t i = 0; i < p->constant_count; i++) {
    const VkSpecializationMapEntry *e = &p->constants[i];
    if (e->constantID != id || e->size != sizeof *value || e->offset + e->size > p->constant_size)
      continue;
    memcpy(value, p->constant_bytes + e->offset, sizeof *value);
    return true;
  }
  return false;
}

static const char *pipeline_refusal(const CpPipeline *p, VkPipelineCreateFlags flags) {
  if (flags & VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
    return "descriptors in a buffer (bindless)";
  for (uint32_t i = 0; i < p->constant_count; i++)
    if (p->constants[i].size != sizeof(uint32_t))
      return "a specialization constant that has not 32 bits";
  return p->face ? p->face->refusal : "the module cannot be read";
}

static void read_stage(CpPipeline *p, const VkPipelineShaderStageCreateInfo *stage) {
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = ly_in_chain(
      stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  p->subgroup_size = size ? size->requiredSubgroupSize : 0;
  p->varying_size = stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  p->full_subgroups = stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
}

/* NULL: out of memory, or the module is unknown. */
static CpPipeline *new_stage(CpDevice *d, const VkPipelineShaderStageCreateInfo *stage,
                             VkPipelineCreateFlags flags, VkPipelineLayout handle) {
  CpPipeline *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->shares = 1;
  p->stage = stage->stage;
  p->module = take_module(d, stage);
  p->entry = strdup(stage->pName);
  if (!p->module || !p->entry || !copy_constants(stage->pSpecializationInfo, p)) {
    cp_pipeline_release(p);
    return NULL;
  }
  read_stage(p, stage);
  const CpPipelineLayout *layout = cp_handles_find(&d->pipeline_layouts, CP_HANDLE(handle));
  p->push_bytes = layout ? layout->push_bytes : 0;
  p->face = cp_face_read(p->module->words, p->module->bytes / sizeof(uint32_t), specialized, p);
  p->refusal = pipeline_refusal(p, flags);
  p->row = cp_session_row(d->session, p->module->hash, ly_hash(p->constant_bytes, p->constant_size),
                          p->entry);
  if (p->module->name)
    cp_session_name(d->session, p->row, p->module->name);
  if (p->row != UINT32_MAX)
    return p;
  cp_pipeline_release(p);
  return NULL;
}

/* The hook that creates pipelines of one kind: `record` makes what the capture keeps of one. */
#define CREATE_PIPELINES(kind, record)                                                             \
  VkResult VKAPI_CALL cp_Create##kind##Pipelines(                                                  \
      VkDevice handle, VkPipelineCache cache, uint32_t count,                                      \
      const Vk##kind##PipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,           \
      VkPipeline *pipelines) {                                                                     \
    CpDevice *d = cp_device_of(handle);                                                            \
    VkResult result =                                                                              \
        d->next.Create##kind##Pipelines(handle, cache, count, infos, allocator, pipelines);        \
    if (result < 0)                                                                                \
      return result;                                                                               \
    pthread_mutex_lock(&d->lock);                                                                  \
    for (uint32_t i = 0; i < count; i++) {                                                         \
      CpPipeline *p = pipelines[i] ? record(d, &infos[i]) : NULL;                                  \
      if (p && !cp_handles_put(&d->pipelines, CP_HANDLE(pipelines[i]), p))                         \
        cp_pipeline_release(p);                                                                    \
    }                                                                                              \
    pthread_mutex_unlock(&d->lock);                                                                \
    return result;                                                                                 \
  }

static CpPipeline *new_compute(CpDevice *d, const VkComputePipelineCreateInfo *info) {
  return new_stage(d, &info->stage, info->flags, info->layout);
}

CREATE_PIPELINES(Compute, new_compute)

/* The pipeline's line in the index is that of its last stage, usually the fragment shader. */
static CpPipeline *new_graphics(CpDevice *d, const VkGraphicsPipelineCreateInfo *info) {
  CpPipeline *first = NULL, **at = &first;
  bool good = info->stageCount > 0;
  uint32_t row = UINT32_MAX;
  for (uint32_t i = 0; good && i < info->stageCount; i++) {
    *at = new_stage(d, &info->pStages[i], info->flags, info->layout);
    good = *at != NULL;
    if (!good)
      break;
    bool last = row == UINT32_MAX || info->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    row = last ? (*at)->row : row;
    at = &(*at)->next;
  }
  if (good) {
    first->graphics = cp_graphics_new(info, &first->refusal);
    first->row = row;
    cp_session_draws(d->session, row);
  }
  if (good && first->graphics)
    return first;
  cp_pipeline_release(first);
  return NULL;
}

CREATE_PIPELINES(Graphics, new_graphics)
CP_DESTROY(Pipeline, pipelines, cp_pipeline_release)

/* ---- names ----------------------------------------------------------------------------------- */

static void name_module(CpModule *module, const char *name) {
  char *copy = strdup(name);
  if (!copy)
    return;
  free(module->name);
  module->name = copy;
}

VkResult VKAPI_CALL cp_SetDebugUtilsObjectNameEXT(VkDevice handle,
                                                  const VkDebugUtilsObjectNameInfoEXT *info) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  CpPipeline *pipeline = info->objectType == VK_OBJECT_TYPE_PIPELINE
                             ? cp_handles_find(&d->pipelines, info->objectHandle)
                             : NULL;
  CpModule *module = info->objectType == VK_OBJECT_TYPE_SHADER_MODULE
                         ? cp_handles_find(&d->modules, info->objectHandle)
                         : NULL;
  if (pipeline && info->pObjectName)
    cp_session_name(d->session, pipeline->row, info->pObjectName);
  if (module && info->pObjectName)
    name_module(module, info->pObjectName);
  pthread_mutex_unlock(&d->lock);
  return d->next.SetDebugUtilsObjectNameEXT(handle, info);
}
