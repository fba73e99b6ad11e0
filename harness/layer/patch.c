/* SPDX-License-Identifier: Apache-2.0 */
/* patch: see patch.h.
 *
 * A chain of structures (pNext)
 *
 *   stage -> RequiredSubgroupSize -> ShaderModule(code) -> Robustness
 *
 * becomes, with ' for copies,
 *
 *   stage' -> RequiredSubgroupSize' -> ShaderModule'(code') -> Robustness
 *
 * A structure in front of the module's can be copied only if its size is known. */
#include "harness/layer/patch.h"

#include <string.h>

typedef struct LyCopy {
  struct LyCopy *next;
  LyResult result; /* the copies point to its words */
  max_align_t bytes[];
} LyCopy;

void ly_patch_free(LyPatch *patch) {
  while (patch->copies) {
    LyCopy *copy = patch->copies;
    patch->copies = copy->next;
    ly_result_clear(&copy->result);
    free(copy);
  }
}

static LyCopy *push(LyPatch *patch, const void *bytes, size_t size) {
  LyCopy *copy = malloc(sizeof *copy + size);
  if (!copy) {
    ly_converter_complain(patch->converter, "out of memory; the original modules are used");
    return NULL;
  }
  *copy = (LyCopy){.next = patch->copies};
  memcpy(copy->bytes, bytes, size);
  patch->copies = copy;
  return copy;
}

static void *copy_of(LyPatch *patch, const void *bytes, size_t size) {
  LyCopy *copy = push(patch, bytes, size);
  return copy ? copy->bytes : NULL;
}

/* Returns `now` if it is already a copy of `given`, else makes a copy. */
static void *own_array(LyPatch *patch, const void *given, void *now, size_t size) {
  return now != given ? now : copy_of(patch, given, size);
}

/* ---- modules ---- */

/* A copy with the changed code; NULL: the module is unchanged. */
static VkShaderModuleCreateInfo *change(LyPatch *patch, const VkShaderModuleCreateInfo *info) {
  LyResult result;
  if (!ly_convert(patch->converter, patch->runaways, info->pCode, info->codeSize, &result))
    return NULL;
  LyCopy *copy = push(patch, info, sizeof *info);
  if (!copy) {
    ly_result_clear(&result);
    return NULL;
  }
  copy->result = result;
  VkShaderModuleCreateInfo *changed = (VkShaderModuleCreateInfo *)copy->bytes;
  changed->pCode = result.words;
  changed->codeSize = result.bytes;
  return changed;
}

const VkShaderModuleCreateInfo *ly_patch_module(LyPatch *patch,
                                                const VkShaderModuleCreateInfo *info) {
  const VkShaderModuleCreateInfo *changed = change(patch, info);
  return changed ? changed : info;
}

/* ---- the chain of a stage ---- */

/* The size of a structure that Vulkan allows in a stage's chain; 0: it is newer than these
 * headers. */
static size_t size_in_chain(VkStructureType type) {
  switch (type) {
  case VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT:
    return sizeof(VkDebugUtilsObjectNameInfoEXT);
  case VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT:
    return sizeof(VkPipelineRobustnessCreateInfoEXT);
  case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT:
    return sizeof(VkPipelineShaderStageModuleIdentifierCreateInfoEXT);
  case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO:
    return sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo);
  case VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT:
    return sizeof(VkShaderModuleValidationCacheCreateInfoEXT);
  default:
    return 0;
  }
}

/* The module in a chain; *copied: all structures in front of it can be copied. */
static const VkShaderModuleCreateInfo *find_module(const void *chain, bool *copied) {
  const VkBaseInStructure *at = chain;
  *copied = true;
  for (; at && at->sType != VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO; at = at->pNext)
    *copied = *copied && size_in_chain(at->sType) > 0;
  return (const VkShaderModuleCreateInfo *)at;
}

/* Copies the chain that begins at `head`, with `changed` in place of `module`; NULL: out of
 * memory. */
static const void *copy_chain(LyPatch *patch, const VkBaseInStructure *head,
                              const VkShaderModuleCreateInfo *module,
                              const VkShaderModuleCreateInfo *changed) {
  const void *first = changed;
  VkBaseOutStructure *last = NULL;
  for (; (const void *)head != module; head = head->pNext) {
    VkBaseOutStructure *copy = copy_of(patch, head, size_in_chain(head->sType));
    if (!copy)
      return NULL;
    if (last)
      last->pNext = copy;
    else
      first = copy;
    last = copy;
  }
  if (last)
    last->pNext = (VkBaseOutStructure *)(uintptr_t)changed;
  return first;
}

/* The chain with the changed module; NULL: the stage is unchanged. A stage with a VkShaderModule
 * ignores a module in its chain. */
static const void *change_chain(LyPatch *patch, const VkPipelineShaderStageCreateInfo *stage) {
  bool copied;
  const VkShaderModuleCreateInfo *module = find_module(stage->pNext, &copied);
  if (stage->module != VK_NULL_HANDLE || !module)
    return NULL;
  if (!copied) {
    ly_converter_complain(patch->converter, "a structure unknown to this layer precedes a "
                                            "stage's module; the original is used");
    return NULL;
  }
  const VkShaderModuleCreateInfo *changed = change(patch, module);
  return changed ? copy_chain(patch, stage->pNext, module, changed) : NULL;
}

static const VkPipelineShaderStageCreateInfo *
patch_stages(LyPatch *patch, const VkPipelineShaderStageCreateInfo *stages, uint32_t count) {
  VkPipelineShaderStageCreateInfo *copies = (void *)(uintptr_t)stages;
  for (uint32_t i = 0; i < count; i++) {
    const void *chain = change_chain(patch, &stages[i]);
    if (!chain)
      continue;
    copies = own_array(patch, stages, copies, count * sizeof *stages);
    if (!copies)
      return stages;
    copies[i].pNext = chain;
  }
  return copies;
}

/* ---- create-infos ---- */

/* What the several kinds of create-infos with stages have in common. */
typedef struct Shape {
  size_t size, stages, stage_count; /* of the struct; offsets of pStages and stageCount */
  bool (*reads_stages)(const void *info);
} Shape;

static const void *patch_infos(LyPatch *patch, const void *infos, uint32_t count, Shape shape) {
  char *copies = (void *)(uintptr_t)infos;
  for (uint32_t i = 0; i < count; i++) {
    const char *info = (const char *)infos + i * shape.size;
    const VkPipelineShaderStageCreateInfo *stages, *patched;
    uint32_t stage_count;
    memcpy(&stages, info + shape.stages, sizeof stages);
    memcpy(&stage_count, info + shape.stage_count, sizeof stage_count);
    if (!shape.reads_stages(info))
      continue;
    patched = patch_stages(patch, stages, stage_count);
    if (patched == stages)
      continue;
    copies = own_array(patch, infos, copies, count * shape.size);
    if (!copies)
      return infos;
    memcpy(copies + i * shape.size + shape.stages, &patched, sizeof patched);
  }
  return copies;
}

static bool always(const void *info) {
  (void)info;
  return true;
}

static const void *in_chain(const void *chain, VkStructureType type) {
  const VkBaseInStructure *at = chain;
  while (at && at->sType != type)
    at = at->pNext;
  return at;
}

static bool is_library(const VkGraphicsPipelineCreateInfo *info) {
#ifdef VK_KHR_maintenance5
  const VkPipelineCreateFlags2CreateInfoKHR *flags =
      in_chain(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
  if (flags)
    return flags->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
#endif
  return info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
}

/* Does the create-info have shaders? In a part of a pipeline without shaders pStages may be invalid
 * (VUID 06600, and the specification on an absent VkGraphicsPipelineLibraryCreateInfoEXT). */
static bool has_shaders(const void *graphics) {
  const VkGraphicsPipelineCreateInfo *info = graphics;
  const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
      in_chain(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  const VkPipelineLibraryCreateInfoKHR *linked =
      in_chain(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  if (parts)
    return parts->flags & (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT);
  return !is_library(info) && !(linked && linked->libraryCount);
}

#define SHAPE(T, reads)                                                                            \
  (Shape) {                                                                                        \
    sizeof(T), offsetof(T, pStages), offsetof(T, stageCount), reads                                \
  }

const VkGraphicsPipelineCreateInfo *
ly_patch_graphics(LyPatch *patch, const VkGraphicsPipelineCreateInfo *infos, uint32_t count) {
  return patch_infos(patch, infos, count, SHAPE(VkGraphicsPipelineCreateInfo, has_shaders));
}

const VkRayTracingPipelineCreateInfoKHR *
ly_patch_ray_tracing(LyPatch *patch, const VkRayTracingPipelineCreateInfoKHR *infos,
                     uint32_t count) {
  return patch_infos(patch, infos, count, SHAPE(VkRayTracingPipelineCreateInfoKHR, always));
}

const VkRayTracingPipelineCreateInfoNV *
ly_patch_ray_tracing_nv(LyPatch *patch, const VkRayTracingPipelineCreateInfoNV *infos,
                        uint32_t count) {
  return patch_infos(patch, infos, count, SHAPE(VkRayTracingPipelineCreateInfoNV, always));
}

/* The only stage is in the create-info itself. */
const VkComputePipelineCreateInfo *
ly_patch_compute(LyPatch *patch, const VkComputePipelineCreateInfo *infos, uint32_t count) {
  VkComputePipelineCreateInfo *copies = (void *)(uintptr_t)infos;
  for (uint32_t i = 0; i < count; i++) {
    const void *chain = change_chain(patch, &infos[i].stage);
    if (!chain)
      continue;
    copies = own_array(patch, infos, copies, count * sizeof *infos);
    if (!copies)
      return infos;
    copies[i].stage.pNext = chain;
  }
  return copies;
}

#ifdef VK_EXT_shader_object
/* The SPIR-V is in the create-info itself. */
const VkShaderCreateInfoEXT *ly_patch_shaders(LyPatch *patch, const VkShaderCreateInfoEXT *infos,
                                              uint32_t count) {
  VkShaderCreateInfoEXT *copies = (void *)(uintptr_t)infos;
  for (uint32_t i = 0; i < count; i++) {
    VkShaderModuleCreateInfo info = {.codeSize = infos[i].codeSize, .pCode = infos[i].pCode};
    const VkShaderModuleCreateInfo *changed =
        infos[i].codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT ? change(patch, &info) : NULL;
    if (!changed)
      continue;
    copies = own_array(patch, infos, copies, count * sizeof *infos);
    if (!copies)
      return infos;
    copies[i].pCode = changed->pCode;
    copies[i].codeSize = changed->codeSize;
  }
  return copies;
}
#endif
