/* SPDX-License-Identifier: Apache-2.0 */
/* vk_graphics: the fixed state of a graphics pipeline; see vk_program.h.
 *
 * Colour components are written only if the fragment shader has outputs. */
#include "harness/backend/reflect.h"
#include "harness/vulkan/vk_program.h"

#include <stdlib.h>

/* Arrays whose length depends on the script, and the struct that points to them. */
typedef struct VertexState {
  VkVertexInputBindingDescription *bindings;
  VkVertexInputAttributeDescription *attributes;
  VkPipelineVertexInputStateCreateInfo info;
} VertexState;

static bool describe_vertices(VhDevice *device, const AmberPipeline *pipeline, bool own_vertices,
                              VertexState *state) {
  uint32_t count = own_vertices ? 1 : pipeline->vertex_input_count;
  state->bindings = calloc(count + 1, sizeof *state->bindings);
  state->attributes = calloc(count + 1, sizeof *state->attributes);
  if (!state->bindings || !state->attributes)
    return vh_out_of_memory(&device->error);
  for (uint32_t i = 0; i < count && !own_vertices; i++) {
    const AmberVertexInput *input = &pipeline->vertex_inputs[i];
    state->bindings[i] = (VkVertexInputBindingDescription){
        i, input->stride,
        input->per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
    state->attributes[i] =
        (VkVertexInputAttributeDescription){input->location, i, (VkFormat)input->format->vk, 0};
  }
  if (own_vertices) {
    state->bindings[0] = (VkVertexInputBindingDescription){.stride = 2 * sizeof(float)};
    state->attributes[0] = (VkVertexInputAttributeDescription){.format = VK_FORMAT_R32G32_SFLOAT};
  }
  state->info = (VkPipelineVertexInputStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = count,
      .pVertexBindingDescriptions = state->bindings,
      .vertexAttributeDescriptionCount = count,
      .pVertexAttributeDescriptions = state->attributes,
  };
  return true;
}

static const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT last_vertex = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
    .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
};

static VkPipelineRasterizationStateCreateInfo rasterization(const AmberPipeline *pipeline) {
  const EmuDepthState *depth = &pipeline->raster.depth;
  return (VkPipelineRasterizationStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = pipeline->raster.provoking_last ? &last_vertex : NULL,
      .depthClampEnable = depth->clamp,
      .polygonMode = (VkPolygonMode)pipeline->raster.polygon_mode,
      .rasterizerDiscardEnable = pipeline->raster.rasterizer_discard,
      .cullMode = pipeline->raster.cull_mode,
      .frontFace = (VkFrontFace)pipeline->raster.front_face,
      .depthBiasEnable = depth->bias,
      .depthBiasConstantFactor = depth->bias_constant,
      .depthBiasClamp = depth->bias_clamp,
      .depthBiasSlopeFactor = depth->bias_slope,
      .lineWidth = pipeline->raster.line_width,
  };
}

static VkStencilOpState stencil_face(const EmuStencilFace *face) {
  return (VkStencilOpState){
      .failOp = (VkStencilOp)face->fail_op,
      .passOp = (VkStencilOp)face->pass_op,
      .depthFailOp = (VkStencilOp)face->depth_fail_op,
      .compareOp = (VkCompareOp)face->compare_op,
      .compareMask = face->compare_mask,
      .writeMask = face->write_mask,
      .reference = face->reference,
  };
}

static VkPipelineDepthStencilStateCreateInfo depth_stencil(const AmberPipeline *pipeline) {
  const EmuDepthState *depth = &pipeline->raster.depth;
  return (VkPipelineDepthStencilStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = depth->test,
      .depthWriteEnable = depth->write,
      .depthCompareOp = (VkCompareOp)depth->compare_op,
      .depthBoundsTestEnable = depth->bounds_test,
      .stencilTestEnable = pipeline->raster.stencil_test,
      .front = stencil_face(&pipeline->raster.front),
      .back = stencil_face(&pipeline->raster.back),
      .minDepthBounds = depth->min_bounds,
      .maxDepthBounds = depth->max_bounds,
  };
}

static VkPipelineColorBlendAttachmentState blending(const AmberPipeline *pipeline, bool written) {
  const EmuBlendState *blend = &pipeline->raster.blend;
  return (VkPipelineColorBlendAttachmentState){
      .blendEnable = blend->enabled,
      .srcColorBlendFactor = (VkBlendFactor)blend->src_color_factor,
      .dstColorBlendFactor = (VkBlendFactor)blend->dst_color_factor,
      .colorBlendOp = (VkBlendOp)blend->color_op,
      .srcAlphaBlendFactor = (VkBlendFactor)blend->src_alpha_factor,
      .dstAlphaBlendFactor = (VkBlendFactor)blend->dst_alpha_factor,
      .alphaBlendOp = (VkBlendOp)blend->alpha_op,
      .colorWriteMask = written ? pipeline->raster.color_write_mask : 0,
  };
}

/* Does a fragment shader have outputs for any of the locations? A pipeline that only writes depth
 * or stencil may lack them, but still has a colour attachment, whose contents would become
 * undefined. */
static bool writes_colors(const AmberPipeline *pipeline, const HnModule *modules,
                          uint32_t locations) {
  uint64_t outputs = 0;
  for (uint32_t i = 0; i < pipeline->shader_count; i++) {
    const AmberAttachedShader *shader = &pipeline->shaders[i];
    HnInterface interface;
    if (shader->stage != AMBER_FRAGMENT)
      continue;
    bool known =
        hn_reflect(modules[shader->shader], shader->stage, shader->entry_point, &interface);
    outputs = known ? interface.outputs : UINT64_MAX;
    hn_interface_clear(&interface);
  }
  return locations < 64 ? outputs & (((uint64_t)1 << locations) - 1) : outputs;
}

/* The state is the same for every location, because different blending or masks would need another
 * feature. */
static VkPipelineColorBlendAttachmentState *blend_all(VhDevice *device,
                                                      const AmberPipeline *pipeline,
                                                      const HnModule *modules, uint32_t locations) {
  VkPipelineColorBlendAttachmentState *states = calloc(locations + 1, sizeof *states);
  if (!states)
    vh_out_of_memory(&device->error);
  bool written = locations && writes_colors(pipeline, modules, locations);
  for (uint32_t i = 0; states && i < locations; i++)
    states[i] = blending(pipeline, written);
  return states;
}

/* States of a VkPipeline that do not follow from the script's pipeline alone. */
typedef struct States {
  const VhStages *stages;
  VkPrimitiveTopology topology;
  VertexState vertices;
  VkPipelineColorBlendAttachmentState *blends; /* by location */
} States;

static VkRect2D scissor_of(const EmuRasterState *state, VkExtent2D framebuffer) {
  const EmuRect *s = &state->scissor;
  return state->cut ? (VkRect2D){{(int32_t)s->x, (int32_t)s->y}, {s->width, s->height}}
                    : (VkRect2D){.extent = framebuffer};
}

static bool create(VhDevice *device, const AmberPipeline *pipeline, const VhPipeline *scene,
                   const States *states, VkPipeline *handle) {
  const EmuViewport *view = &pipeline->raster.viewport;
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = states->topology,
      .primitiveRestartEnable = pipeline->raster.primitive_restart,
  };
  VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
      .patchControlPoints = pipeline->raster.patch_control_points,
  };
  VkViewport viewport = {view->x,      view->y,         view->width,
                         view->height, view->min_depth, view->max_depth};
  VkRect2D scissor = scissor_of(&pipeline->raster, scene->pass.extent);
  VkPipelineViewportDepthClipControlCreateInfoEXT control = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
      .negativeOneToOne = VK_TRUE,
  };
  VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .pNext = pipeline->raster.negative_one_to_one ? &control : NULL,
      .viewportCount = 1,
      .pViewports = &viewport,
      .scissorCount = 1,
      .pScissors = &scissor,
  };
  VkPipelineRasterizationStateCreateInfo raster = rasterization(pipeline);
  VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = scene->pass.samples,
  };
  VkPipelineDepthStencilStateCreateInfo depth = depth_stencil(pipeline);
  VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .logicOpEnable = pipeline->raster.logic_op_enabled,
      .logicOp = (VkLogicOp)pipeline->raster.logic_op,
      .attachmentCount = scene->pass.location_count,
      .pAttachments = states->blends,
  };
  VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = states->stages->count,
      .pStages = states->stages->infos,
      .pVertexInputState = &states->vertices.info,
      .pInputAssemblyState = &assembly,
      .pTessellationState =
          states->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? &tessellation : NULL,
      .pViewportState = &viewports,
      .pRasterizationState = &raster,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &depth,
      .pColorBlendState = &blend,
      .layout = scene->descriptors.layout,
      .renderPass = scene->pass.handle,
  };
  return VH_CALL(device, CreateGraphicsPipelines, device->handle, VK_NULL_HANDLE, 1, &info, NULL,
                 handle);
}

bool vh_graphics_create(VhDevice *device, const AmberPipeline *pipeline, const VhPipeline *scene,
                        const HnModule *modules, const VhStages *stages, VhVariant variant,
                        VkPipeline *handle) {
  States states = {.stages = stages, .topology = variant.topology};
  states.blends = blend_all(device, pipeline, modules, scene->pass.location_count);
  bool done = states.blends &&
              describe_vertices(device, pipeline, variant.own_vertices, &states.vertices) &&
              create(device, pipeline, scene, &states, handle);
  free(states.vertices.bindings);
  free(states.vertices.attributes);
  free(states.blends);
  return done;
}
