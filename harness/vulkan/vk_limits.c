/* SPDX-License-Identifier: Apache-2.0 */
/* vk_limits: compares a script with the limits of a device; see vk_scene.h.
 *
 * Checks only the limits that a script can exceed by its own text. In the driver, this would be
 * undefined behaviour. Vulkan does not bound binding numbers, but drivers build tables indexed by
 * them, so the harness sets a bound. */
#include "harness/vulkan/vk_scene.h"

#define MOST_BINDINGS 65536

/* True if `value` is at most `limit`. */
static bool within(VhDevice *device, uint32_t line, const char *what, uint64_t value,
                   uint64_t limit) {
  return value <= limit ||
         vh_fail(&device->error, HN_SKIP, "line %u: %s is %llu, the device's limit %llu", line,
                 what, (unsigned long long)value, (unsigned long long)limit);
}

static bool aligned(VhDevice *device, uint32_t line, uint64_t offset, VkDeviceSize alignment) {
  return offset % alignment == 0 ||
         vh_fail(&device->error, HN_SKIP,
                 "line %u: offset %llu is not a multiple of the device's alignment %llu", line,
                 (unsigned long long)offset, (unsigned long long)alignment);
}

static bool check_descriptor(VhDevice *device, const AmberScript *script,
                             const AmberBinding *binding, const AmberDescriptor *descriptor) {
  const VkPhysicalDeviceLimits *limits = &device->properties.limits;
  const AmberBuffer *buffer = &script->buffers[descriptor->buffer];
  uint64_t bytes = amber_descriptor_size(buffer, descriptor);
  uint64_t offsets = descriptor->offset | descriptor->dynamic_offset;
  switch (binding->kind) {
  case AMBER_BIND_UNIFORM:
  case AMBER_BIND_UNIFORM_DYNAMIC:
    return within(device, binding->line, "the uniform buffer's size", bytes,
                  limits->maxUniformBufferRange) &&
           aligned(device, binding->line, offsets, limits->minUniformBufferOffsetAlignment);
  case AMBER_BIND_STORAGE:
  case AMBER_BIND_STORAGE_DYNAMIC:
    return within(device, binding->line, "the storage buffer's size", bytes,
                  limits->maxStorageBufferRange) &&
           aligned(device, binding->line, offsets, limits->minStorageBufferOffsetAlignment);
  case AMBER_BIND_UNIFORM_TEXEL_BUFFER:
  case AMBER_BIND_STORAGE_TEXEL_BUFFER:
    return within(device, binding->line, "the texel buffer's length", bytes / buffer->layout.stride,
                  limits->maxTexelBufferElements) &&
           aligned(device, binding->line, offsets, limits->minTexelBufferOffsetAlignment);
  default:
    return true;
  }
}

static bool check_binding(VhDevice *device, const AmberScript *script,
                          const AmberBinding *binding) {
  const VkPhysicalDeviceLimits *limits = &device->properties.limits;
  if (!within(device, binding->line, "the descriptor set", binding->set,
              limits->maxBoundDescriptorSets - 1) ||
      !within(device, binding->line, "the binding", binding->binding, MOST_BINDINGS - 1))
    return false;
  for (uint32_t i = 0; i < binding->descriptor_count; i++)
    if (binding->descriptors[i].buffer != AMBER_NONE &&
        !check_descriptor(device, script, binding, &binding->descriptors[i]))
      return false;
  return true;
}

static bool has_format(VhDevice *device, const EmuFormat *format, bool vertex, uint32_t line) {
  VkFormatProperties features;
  device->vk.GetPhysicalDeviceFormatProperties(device->physical, (VkFormat)format->vk, &features);
  bool has = vertex ? features.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT
                    : features.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  return has || vh_fail(&device->error, HN_SKIP, "line %u: the device does not %s %s", line,
                        vertex ? "read vertices of" : "blend", format->name);
}

static bool check_inputs(VhDevice *device, const AmberPipeline *pipeline) {
  const VkPhysicalDeviceLimits *limits = &device->properties.limits;
  if (!within(device, pipeline->line, "the number of vertex inputs", pipeline->vertex_input_count,
              limits->maxVertexInputBindings))
    return false;
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++) {
    const AmberVertexInput *input = &pipeline->vertex_inputs[i];
    if (!within(device, input->line, "the vertex input's location", input->location,
                limits->maxVertexInputAttributes - 1) ||
        !within(device, input->line, "the vertex input's stride", input->stride,
                limits->maxVertexInputBindingStride) ||
        !has_format(device, input->format, true, input->line))
      return false;
  }
  return true;
}

/* Control points matter only with tessellation. */
static uint32_t patch_size(const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    if (pipeline->shaders[i].stage == AMBER_TESSELLATION_CONTROL)
      return pipeline->raster.patch_control_points;
  return 0;
}

static bool check_attachments(VhDevice *device, const AmberScript *script,
                              const AmberPipeline *pipeline) {
  const VkPhysicalDeviceLimits *limits = &device->properties.limits;
  if (!within(device, pipeline->line, "the framebuffer's width", pipeline->raster.width,
              limits->maxFramebufferWidth) ||
      !within(device, pipeline->line, "the framebuffer's height", pipeline->raster.height,
              limits->maxFramebufferHeight) ||
      !within(device, pipeline->line, "the number of patch control points", patch_size(pipeline),
              limits->maxTessellationPatchSize))
    return false;
  for (uint32_t i = 0; i < pipeline->color_count; i++) {
    const AmberAttachment *color = &pipeline->colors[i];
    if (!within(device, color->line, "the colour's location", color->location,
                limits->maxColorAttachments - 1) ||
        (pipeline->raster.blend.enabled &&
         !has_format(device, script->buffers[color->buffer].format, false, color->line)))
      return false;
  }
  return true;
}

static bool check_pipeline(VhDevice *device, const AmberScript *script,
                           const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (!check_binding(device, script, &pipeline->bindings[i]))
      return false;
  if (pipeline->push_constant != AMBER_NONE &&
      !within(device, pipeline->line, "the push constants' size",
              script->buffers[pipeline->push_constant].size,
              device->properties.limits.maxPushConstantsSize))
    return false;
  return !pipeline->graphics ||
         (check_inputs(device, pipeline) && check_attachments(device, script, pipeline));
}

static bool check_run(VhDevice *device, const AmberCommand *command) {
  const uint32_t *limits = device->properties.limits.maxComputeWorkGroupCount;
  const AmberRunCompute *run = &command->run;
  return within(device, command->line, "the number of workgroups in x", run->x, limits[0]) &&
         within(device, command->line, "the number of workgroups in y", run->y, limits[1]) &&
         within(device, command->line, "the number of workgroups in z", run->z, limits[2]);
}

bool vh_limits_check(VhDevice *device, const AmberScript *script) {
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (!check_pipeline(device, script, &script->pipelines[i]))
      return false;
  for (uint32_t i = 0; i < script->command_count; i++)
    if (script->commands[i].kind == AMBER_RUN_COMPUTE && !check_run(device, &script->commands[i]))
      return false;
  return true;
}
