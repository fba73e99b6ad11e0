/* SPDX-License-Identifier: Apache-2.0 */
/* render_state: see render_state.h. */
#include "harness/capture/render_state.h"

#include "harness/layer/support/in_chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- dynamic state --------------------------------------------------------------------------- */

typedef struct DynamicRow {
  VkDynamicState state;
  size_t at, size; /* in CpFixed; no bytes: a state that does not matter */
} DynamicRow;

static const DynamicRow rows[] = {
#define CP_DYNAMIC(state, first, last)                                                             \
  {VK_DYNAMIC_STATE_##state, offsetof(CpFixed, first),                                             \
   offsetof(CpFixed, last) + sizeof(((CpFixed *)NULL)->last) - offsetof(CpFixed, first)},
#define CP_DYNAMIC_NONE(state) {VK_DYNAMIC_STATE_##state, 0, 0},
#include "harness/capture/dynamic.def"
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(ROWS <= 64, "CpGraphics.dynamic has a bit for each row");

static bool is_dynamic(const CpGraphics *g, VkDynamicState state) {
  for (uint32_t i = 0; i < ROWS; i++)
    if (rows[i].state == state)
      return g->dynamic >> i & 1;
  return false;
}

/* False: there is a state that this file does not know. */
static bool read_dynamic(CpGraphics *g, const VkPipelineDynamicStateCreateInfo *info) {
  bool all = true;
  for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
    bool known = false;
    for (uint32_t k = 0; k < ROWS; k++)
      if (rows[k].state == info->pDynamicStates[i]) {
        g->dynamic |= UINT64_C(1) << k;
        known = true;
      }
    all = all && known;
  }
  return all;
}

static void take_dynamic(const CpGraphics *g, const CpFixed *dynamic, CpFixed *fixed) {
  for (uint32_t i = 0; i < ROWS; i++)
    if (g->dynamic >> i & 1)
      memcpy((char *)fixed + rows[i].at, (const char *)dynamic + rows[i].at, rows[i].size);
  for (uint32_t i = 0; i < fixed->binding_count; i++)
    if (is_dynamic(g, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE) &&
        fixed->bindings[i].binding < CP_MOST_VERTEX_BUFFERS)
      fixed->bindings[i].stride = fixed->strides[fixed->bindings[i].binding];
  for (uint32_t i = 0; i < CP_MOST_COLORS; i++)
    if (!fixed->writes[i])
      fixed->write_masks[i] = 0;
}

/* ---- the state of a pipeline ----------------------------------------------------------------- */

static const char *copy_vertex_input(CpFixed *f, const VkPipelineVertexInputStateCreateInfo *info) {
  const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors =
      info ? ly_in_chain(info->pNext,
                         VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)
           : NULL;
  if (!info)
    return NULL;
  if (info->vertexBindingDescriptionCount > CP_MOST_VERTEX_BUFFERS ||
      info->vertexAttributeDescriptionCount > CP_MOST_VERTEX_BUFFERS)
    return "more than 32 vertex inputs";
  f->binding_count = info->vertexBindingDescriptionCount;
  f->attribute_count = info->vertexAttributeDescriptionCount;
  for (uint32_t i = 0; i < f->binding_count; i++)
    f->bindings[i] = info->pVertexBindingDescriptions[i];
  for (uint32_t i = 0; i < f->attribute_count; i++)
    f->attributes[i] = info->pVertexAttributeDescriptions[i];
  for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++)
    f->divided = f->divided || divisors->pVertexBindingDivisors[i].divisor != 1;
  return NULL;
}

static void copy_raster(CpFixed *f, const VkPipelineRasterizationStateCreateInfo *info) {
  const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip = ly_in_chain(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
  const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking = ly_in_chain(
      info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  const VkPipelineRasterizationLineStateCreateInfoEXT *line =
      ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
  f->raster = *info;
  f->raster.pNext = NULL;
  f->clip_follows = !clip;
  if (clip)
    f->depth_clip = clip->depthClipEnable;
  if (provoking)
    f->provoking = provoking->provokingVertexMode;
  if (line) {
    f->line_mode = line->lineRasterizationMode;
    f->line_stipple = line->stippledLineEnable;
  }
}

static void copy_samples(CpFixed *f, const VkPipelineMultisampleStateCreateInfo *info) {
  f->samples = VK_SAMPLE_COUNT_1_BIT;
  f->sample_mask = 1;
  if (!info)
    return;
  f->samples = info->rasterizationSamples;
  if (info->pSampleMask)
    f->sample_mask = *info->pSampleMask;
  f->alpha_to_coverage = info->alphaToCoverageEnable;
  f->alpha_to_one = info->alphaToOneEnable;
}

static void copy_color(CpFixed *f, uint32_t i, const VkPipelineColorBlendAttachmentState *a) {
  f->blends[i] = a->blendEnable;
  f->write_masks[i] = a->colorWriteMask;
  f->equations[i] =
      (VkColorBlendEquationEXT){a->srcColorBlendFactor, a->dstColorBlendFactor, a->colorBlendOp,
                                a->srcAlphaBlendFactor, a->dstAlphaBlendFactor, a->alphaBlendOp};
}

static void copy_colors(CpFixed *f, const VkPipelineColorBlendStateCreateInfo *info) {
  const VkPipelineColorWriteCreateInfoEXT *writes =
      info ? ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT)
           : NULL;
  for (uint32_t i = 0; i < CP_MOST_COLORS; i++)
    f->writes[i] = VK_TRUE;
  f->logic = info && info->logicOpEnable;
  for (uint32_t i = 0;
       info && info->pAttachments && i < info->attachmentCount && i < CP_MOST_COLORS; i++)
    copy_color(f, i, &info->pAttachments[i]);
  for (uint32_t i = 0;
       writes && writes->pColorWriteEnables && i < writes->attachmentCount && i < CP_MOST_COLORS;
       i++)
    f->writes[i] = writes->pColorWriteEnables[i];
}

static void copy_view(CpGraphics *g, const VkPipelineViewportStateCreateInfo *info) {
  CpFixed *f = &g->fixed;
  bool viewports = is_dynamic(g, VK_DYNAMIC_STATE_VIEWPORT) ||
                   is_dynamic(g, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
  bool scissors =
      is_dynamic(g, VK_DYNAMIC_STATE_SCISSOR) || is_dynamic(g, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
  const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
      info ? ly_in_chain(info->pNext,
                         VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT)
           : NULL;
  if (control)
    f->negative_one_to_one = control->negativeOneToOne;
  if (!info)
    return;
  f->viewport_count = info->viewportCount;
  if (!viewports && info->pViewports && info->viewportCount)
    f->viewport = info->pViewports[0];
  if (!scissors && info->pScissors && info->scissorCount)
    f->scissor = info->pScissors[0];
}

static const char *copy_state(CpGraphics *g, const VkGraphicsPipelineCreateInfo *info) {
  CpFixed *f = &g->fixed;
  if (info->pInputAssemblyState) {
    f->topology = info->pInputAssemblyState->topology;
    f->restart = info->pInputAssemblyState->primitiveRestartEnable;
  }
  f->patch_points = info->pTessellationState ? info->pTessellationState->patchControlPoints : 0;
  copy_raster(f, info->pRasterizationState);
  copy_view(g, info->pViewportState);
  copy_samples(f, info->pMultisampleState);
  copy_colors(f, info->pColorBlendState);
  if (info->pDepthStencilState)
    f->depth = *info->pDepthStencilState;
  return copy_vertex_input(f, info->pVertexInputState);
}

static const char *read_pipeline(CpGraphics *g, const VkGraphicsPipelineCreateInfo *info) {
  if (!read_dynamic(g, info->pDynamicState))
    return "a pipeline with dynamic state that cases do not have";
  if (!info->pRasterizationState)
    return "a pipeline made of libraries";
  /* Without rasterization the other structures may be undefined. */
  if (info->pRasterizationState->rasterizerDiscardEnable &&
      !is_dynamic(g, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE))
    return "a draw without rasterization";
  return copy_state(g, info);
}

CpGraphics *cp_graphics_new(const VkGraphicsPipelineCreateInfo *info, const char **refusal) {
  CpGraphics *g = calloc(1, sizeof *g);
  const char *why = g ? read_pipeline(g, info) : NULL;
  if (why)
    *refusal = why;
  return g;
}

/* ---- state that cases do not have ------------------------------------------------------------ */

static bool uses_constant(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_CONSTANT_COLOR &&
         factor <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

static const char *equation_obstacle(const VkColorBlendEquationEXT *e) {
  if (uses_constant(e->srcColorBlendFactor) || uses_constant(e->dstColorBlendFactor) ||
      uses_constant(e->srcAlphaBlendFactor) || uses_constant(e->dstAlphaBlendFactor))
    return "blending with a constant";
  return e->colorBlendOp > VK_BLEND_OP_MAX || e->alphaBlendOp > VK_BLEND_OP_MAX
             ? "an advanced blend operation"
             : NULL;
}

static bool same_blend(const CpFixed *f, uint32_t a, uint32_t b) {
  return f->blends[a] == f->blends[b] && f->write_masks[a] == f->write_masks[b] &&
         (!f->blends[a] || memcmp(&f->equations[a], &f->equations[b], sizeof *f->equations) == 0);
}

/* A case has the state of one colour for all. */
static const char *blend_obstacle(CpFixed *f, const CpPass *pass) {
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < pass->color_count; i++) {
    if (!pass->colors[i].used)
      continue;
    first = first == UINT32_MAX ? i : first;
    if (!same_blend(f, first, i))
      return "attachments that blend differently";
  }
  if (first == UINT32_MAX)
    return NULL;
  f->blends[0] = f->blends[first];
  f->write_masks[0] = f->write_masks[first];
  f->equations[0] = f->equations[first];
  return f->blends[0] ? equation_obstacle(&f->equations[0]) : NULL;
}

static bool draws_lines(const CpFixed *f) {
  return f->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
         f->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
         f->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
         f->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY ||
         f->raster.polygonMode == VK_POLYGON_MODE_LINE;
}

static const char *line_obstacle(const CpFixed *f) {
  if (f->raster.lineWidth != 1)
    return "wide lines";
  return f->line_stipple || f->line_mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT
             ? "stippled or smooth lines"
             : NULL;
}

/* Without a state of its own, depth is clipped unless it is clamped, and cases have no such state. Depths that are
 * stored are clamped to 0 to 1 anyway, so clamping only matters where those of the viewport are others. */
static const char *clip_obstacle(CpFixed *f) {
  bool clips = f->clip_follows ? !f->raster.depthClampEnable : f->depth_clip;
  bool whole = f->viewport.minDepth == 0 && f->viewport.maxDepth == 1;
  if (clips == (bool)f->raster.depthClampEnable && !whole)
    return clips ? "depths that are both clipped and clamped"
                 : "depths that are neither clipped nor clamped";
  f->raster.depthClampEnable = !clips;
  return NULL;
}

static const char *sample_obstacle(const CpFixed *f) {
  return f->samples != VK_SAMPLE_COUNT_1_BIT       ? "a multisampled draw"
         : !(f->sample_mask & 1)                   ? "a draw whose samples are masked"
         : f->alpha_to_coverage || f->alpha_to_one ? "alpha to coverage, or to one"
                                                   : NULL;
}

static const char *obstacle(const CpPass *pass, CpFixed *f) {
  const char *why = sample_obstacle(f);
  why = why ? why : clip_obstacle(f);
  why = why ? why : blend_obstacle(f, pass);
  if (why)
    return why;
  if (draws_lines(f) && line_obstacle(f))
    return line_obstacle(f);
  return f->raster.rasterizerDiscardEnable ? "a draw without rasterization"
         : f->logic                        ? "a logic operation"
         : f->divided                      ? "an input that changes not with each instance"
         : f->viewport_count > 1           ? "several viewports"
                                           : NULL;
}

const char *cp_graphics_settle(const CpGraphics *g, const CpPass *pass, CpFixed *fixed) {
  const CpFixed dynamic = *fixed;
  *fixed = g->fixed;
  take_dynamic(g, &dynamic, fixed);
  return obstacle(pass, fixed);
}
