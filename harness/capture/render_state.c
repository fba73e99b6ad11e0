/* SPDX-License-Identifier: Apache-2.0 */
/* render_state: see render_state.h. */
#include "harness/capture/render_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- state that cases do not have ------------------------------------------------------------ */

static bool same_blend(const VkPipelineColorBlendAttachmentState *a,
                       const VkPipelineColorBlendAttachmentState *b) {
  return a->blendEnable == b->blendEnable && a->colorWriteMask == b->colorWriteMask &&
         (!a->blendEnable || memcmp(a, b, sizeof *a) == 0);
}

static bool uses_constant(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR &&
         factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

static const char *blend_obstacle(const VkPipelineColorBlendStateCreateInfo *blend) {
  for (uint32_t i = 0; blend && i < blend->attachmentCount; i++) {
    const VkPipelineColorBlendAttachmentState *a = &blend->pAttachments[i];
    if (!same_blend(a, &blend->pAttachments[0]))
      return "attachments that blend differently";
    if (a->blendEnable &&
        (uses_constant(a->srcColorBlendFactor) || uses_constant(a->dstColorBlendFactor) ||
         uses_constant(a->srcAlphaBlendFactor) || uses_constant(a->dstAlphaBlendFactor)))
      return "blending with a constant";
    if (a->blendEnable && (a->colorBlendOp > VK_BLEND_OP_MAX || a->alphaBlendOp > VK_BLEND_OP_MAX))
      return "an advanced blend operation";
  }
  return blend && blend->logicOpEnable ? "a logic operation" : NULL;
}

static const char *dynamic_obstacle(const VkPipelineDynamicStateCreateInfo *dynamic,
                                    CpGraphics *g) {
  for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
    VkDynamicState state = dynamic->pDynamicStates[i];
    g->dynamic_viewport = g->dynamic_viewport || state == VK_DYNAMIC_STATE_VIEWPORT;
    g->dynamic_scissor = g->dynamic_scissor || state == VK_DYNAMIC_STATE_SCISSOR;
    bool harmless = state == VK_DYNAMIC_STATE_VIEWPORT || state == VK_DYNAMIC_STATE_SCISSOR ||
                    state == VK_DYNAMIC_STATE_LINE_WIDTH ||
                    state == VK_DYNAMIC_STATE_BLEND_CONSTANTS ||
                    state == VK_DYNAMIC_STATE_DEPTH_BOUNDS;
    if (!harmless)
      return "a pipeline with dynamic state other than viewport and scissor";
  }
  return NULL;
}

static const char *other_obstacle(const VkGraphicsPipelineCreateInfo *info) {
  const VkPipelineMultisampleStateCreateInfo *samples = info->pMultisampleState;
  const VkPipelineViewportStateCreateInfo *viewports = info->pViewportState;
  if (!info->pVertexInputState || !info->pInputAssemblyState || !info->pRasterizationState)
    return "a pipeline made of libraries";
  if (info->pRasterizationState->rasterizerDiscardEnable)
    return "a draw without rasterization";
  if (samples && samples->rasterizationSamples != VK_SAMPLE_COUNT_1_BIT)
    return "a multisampled draw";
  if (info->pRasterizationState->lineWidth != 1 &&
      info->pInputAssemblyState->topology < VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST &&
      info->pInputAssemblyState->topology > VK_PRIMITIVE_TOPOLOGY_POINT_LIST)
    return "wide lines";
  return viewports && viewports->viewportCount > 1 ? "several viewports" : NULL;
}

/* ---- the state ------------------------------------------------------------------------------- */

static bool copy_vertex_input(CpGraphics *g, const VkPipelineVertexInputStateCreateInfo *info) {
  g->bindings = calloc(info->vertexBindingDescriptionCount + 1u, sizeof *g->bindings);
  g->attributes = calloc(info->vertexAttributeDescriptionCount + 1u, sizeof *g->attributes);
  if (!g->bindings || !g->attributes)
    return false;
  g->binding_count = info->vertexBindingDescriptionCount;
  g->attribute_count = info->vertexAttributeDescriptionCount;
  for (uint32_t i = 0; i < g->binding_count; i++)
    g->bindings[i] = info->pVertexBindingDescriptions[i];
  for (uint32_t i = 0; i < g->attribute_count; i++)
    g->attributes[i] = info->pVertexAttributeDescriptions[i];
  return true;
}

static void copy_state(CpGraphics *g, const VkGraphicsPipelineCreateInfo *info) {
  const VkPipelineViewportStateCreateInfo *viewports = info->pViewportState;
  const VkPipelineColorBlendStateCreateInfo *blend = info->pColorBlendState;
  g->topology = info->pInputAssemblyState->topology;
  g->restart = info->pInputAssemblyState->primitiveRestartEnable;
  g->patch_points = info->pTessellationState ? info->pTessellationState->patchControlPoints : 0;
  g->raster = *info->pRasterizationState;
  if (info->pDepthStencilState)
    g->depth = *info->pDepthStencilState;
  g->blend.colorWriteMask = 15;
  if (blend && blend->attachmentCount)
    g->blend = blend->pAttachments[0];
  if (viewports && viewports->pViewports && !g->dynamic_viewport)
    g->viewport = viewports->pViewports[0];
  if (viewports && viewports->pScissors && !g->dynamic_scissor)
    g->scissor = viewports->pScissors[0];
}

CpGraphics *cp_graphics_new(const VkGraphicsPipelineCreateInfo *info, const char **refusal) {
  CpGraphics *g = calloc(1, sizeof *g);
  if (!g)
    return NULL;
  const char *why = dynamic_obstacle(info->pDynamicState, g);
  why = why ? why : other_obstacle(info);
  why = why ? why : blend_obstacle(info->pColorBlendState);
  if (why)
    *refusal = why;
  else if (copy_vertex_input(g, info->pVertexInputState))
    copy_state(g, info);
  else
    *refusal = "out of memory";
  return g;
}

void cp_graphics_free(CpGraphics *g) {
  if (!g)
    return;
  free(g->bindings);
  free(g->attributes);
  free(g);
}
