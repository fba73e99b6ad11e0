/* SPDX-License-Identifier: Apache-2.0 */
/* hook_shader: the functions that take SPIR-V. Each passes create-infos with converted modules
 * (patch.c) to the next layer. The converted create-infos live as long as the call, or as the
 * deferred operation, if there is one. */
#include "harness/layer/dispatch.h"

#include <stdlib.h>

static LyPatch begin(const LyDevice *device) {
  return (LyPatch){.converter = device->converter, .runaways = device->runaways};
}

VkResult VKAPI_CALL ly_CreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkShaderModule *module) {
  LyDevice *device = ly_device_find(handle);
  LyPatch patch = begin(device);
  VkResult result =
      device->CreateShaderModule(handle, ly_patch_module(&patch, info), allocator, module);
  ly_patch_free(&patch);
  return result;
}

/* The identifier of a create-info must be that of the module that the driver sees. */
void VKAPI_CALL ly_GetShaderModuleCreateInfoIdentifierEXT(VkDevice handle,
                                                          const VkShaderModuleCreateInfo *info,
                                                          VkShaderModuleIdentifierEXT *identifier) {
  LyDevice *device = ly_device_find(handle);
  LyPatch patch = begin(device);
  device->GetShaderModuleCreateInfoIdentifierEXT(handle, ly_patch_module(&patch, info), identifier);
  ly_patch_free(&patch);
}

/* The hook that creates pipelines of one kind: `patch` converts their create-infos. */
#define CREATE_PIPELINES(name, info, patch)                                                        \
  VkResult VKAPI_CALL ly_Create##name(VkDevice handle, VkPipelineCache cache, uint32_t count,      \
                                      const info *infos, const VkAllocationCallbacks *allocator,   \
                                      VkPipeline *pipelines) {                                     \
    LyDevice *device = ly_device_find(handle);                                                     \
    LyPatch copies = begin(device);                                                                \
    VkResult result = device->Create##name(handle, cache, count, patch(&copies, infos, count),     \
                                           allocator, pipelines);                                  \
    ly_patch_free(&copies);                                                                        \
    return result;                                                                                 \
  }
CREATE_PIPELINES(ComputePipelines, VkComputePipelineCreateInfo, ly_patch_compute)
CREATE_PIPELINES(GraphicsPipelines, VkGraphicsPipelineCreateInfo, ly_patch_graphics)
CREATE_PIPELINES(RayTracingPipelinesNV, VkRayTracingPipelineCreateInfoNV, ly_patch_ray_tracing_nv)

#ifdef VK_EXT_shader_object
VkResult VKAPI_CALL ly_CreateShadersEXT(VkDevice handle, uint32_t count,
                                        const VkShaderCreateInfoEXT *infos,
                                        const VkAllocationCallbacks *allocator,
                                        VkShaderEXT *shaders) {
  LyDevice *device = ly_device_find(handle);
  LyPatch patch = begin(device);
  VkResult result = device->CreateShadersEXT(handle, count, ly_patch_shaders(&patch, infos, count),
                                             allocator, shaders);
  ly_patch_free(&patch);
  return result;
}
#endif

/* ---- deferred operations ---- */

/* Keeps the copies that the operation may read. An operation is complete before it is used again,
 * so its earlier copies are freed. False: out of memory. */
static bool keep(LyDevice *device, VkDeferredOperationKHR operation, const LyPatch *patch) {
  LyDeferred *deferred = malloc(sizeof *deferred);
  if (!deferred)
    return false;
  pthread_mutex_lock(&device->lock);
  *deferred = (LyDeferred){operation, *patch, device->deferred};
  device->deferred = deferred;
  pthread_mutex_unlock(&device->lock);
  return true;
}

static void release(LyDevice *device, VkDeferredOperationKHR operation) {
  pthread_mutex_lock(&device->lock);
  LyDeferred **at = &device->deferred, *found = NULL;
  while (*at && (*at)->operation != operation)
    at = &(*at)->next;
  if (*at) {
    found = *at;
    *at = found->next;
  }
  pthread_mutex_unlock(&device->lock);
  if (found)
    ly_patch_free(&found->patch);
  free(found);
}

/* The copies are kept before the call, because another thread may complete and destroy the
 * operation before the call returns. */
VkResult VKAPI_CALL ly_CreateRayTracingPipelinesKHR(VkDevice handle,
                                                    VkDeferredOperationKHR operation,
                                                    VkPipelineCache cache, uint32_t count,
                                                    const VkRayTracingPipelineCreateInfoKHR *infos,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkPipeline *pipelines) {
  LyDevice *device = ly_device_find(handle);
  LyPatch patch = begin(device);
  const VkRayTracingPipelineCreateInfoKHR *patched = ly_patch_ray_tracing(&patch, infos, count);
  bool kept = false;
  if (operation != VK_NULL_HANDLE) {
    release(device, operation);
    kept = patch.copies && keep(device, operation, &patch);
    if (!kept)
      patched = infos;
  }
  VkResult result = device->CreateRayTracingPipelinesKHR(handle, operation, cache, count, patched,
                                                         allocator, pipelines);
  if (kept && result != VK_OPERATION_DEFERRED_KHR)
    release(device, operation);
  if (!kept)
    ly_patch_free(&patch);
  return result;
}

void VKAPI_CALL ly_DestroyDeferredOperationKHR(VkDevice handle, VkDeferredOperationKHR operation,
                                               const VkAllocationCallbacks *allocator) {
  LyDevice *device = ly_device_find(handle);
  if (operation != VK_NULL_HANDLE)
    release(device, operation);
  device->DestroyDeferredOperationKHR(handle, operation, allocator);
}
