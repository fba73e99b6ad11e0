/* SPDX-License-Identifier: Apache-2.0 */
/* patch: replaces modules in create-infos.
 *
 * The application's structures are const, so everything that leads to a changed module is copied:
 * the array of create-infos, its stages, and in a stage's pNext chain the structures up to the
 * module's. If no module changes, nothing is copied and the application's pointer is passed on. */
#ifndef LY_PATCH_H
#define LY_PATCH_H

#include "harness/layer/convert.h"

#include <vulkan/vulkan.h>

/* The copies; initially all zero except what converts. */
typedef struct LyPatch {
  LyConverter *converter;
  LyRunaways *runaways; /* or NULL */
  struct LyCopy *copies;
} LyPatch;

void ly_patch_free(LyPatch *patch);

/* Each of these returns `infos`, or copies that are valid until ly_patch_free. If memory runs out,
 * or if a chain cannot be copied, the modules are unchanged and the log has a line. */
const VkShaderModuleCreateInfo *ly_patch_module(LyPatch *patch,
                                                const VkShaderModuleCreateInfo *info);
const VkComputePipelineCreateInfo *
ly_patch_compute(LyPatch *patch, const VkComputePipelineCreateInfo *infos, uint32_t count);
const VkGraphicsPipelineCreateInfo *
ly_patch_graphics(LyPatch *patch, const VkGraphicsPipelineCreateInfo *infos, uint32_t count);
const VkRayTracingPipelineCreateInfoKHR *
ly_patch_ray_tracing(LyPatch *patch, const VkRayTracingPipelineCreateInfoKHR *infos,
                     uint32_t count);
const VkRayTracingPipelineCreateInfoNV *
ly_patch_ray_tracing_nv(LyPatch *patch, const VkRayTracingPipelineCreateInfoNV *infos,
                        uint32_t count);
#ifdef VK_EXT_shader_object
const VkShaderCreateInfoEXT *ly_patch_shaders(LyPatch *patch, const VkShaderCreateInfoEXT *infos,
                                              uint32_t count);
#endif

#endif
