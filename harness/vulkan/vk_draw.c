/* SPDX-License-Identifier: Apache-2.0 */
/* vk_draw: the commands of a script that run a pipeline or clear its attachments; see vk_draw.h. */
#include "harness/vulkan/vk_draw.h"

#include "harness/vulkan/vk_submit.h"

#include <stdlib.h>

/* ---- shared by all runs --------------------------------------------------------------------- */

static bool begin(VhDevice *device, VhScene *scene, uint32_t pipeline) {
  if (!vh_scene_read_buffers(device, scene, pipeline) || !vh_begin(device))
    return false;
  vh_scene_upload_images(device, scene, pipeline);
  return true;
}

static bool bind(VhDevice *device, VhScene *scene, uint32_t index, VkPipeline handle) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  device->vk.CmdBindPipeline(device->commands,
                             pipeline->graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS
                                                : VK_PIPELINE_BIND_POINT_COMPUTE,
                             handle);
  return vh_descriptors_bind(device, &scene->pipelines[index].descriptors, pipeline,
                             scene->resources);
}

static bool finish(VhDevice *device, VhScene *scene, uint32_t pipeline, uint64_t *ns) {
  if (!vh_submit(device) || !vh_time(device, ns))
    return false;
  vh_scene_written(scene, pipeline);
  return true;
}

/* ---- compute -------------------------------------------------------------------------------- */

bool vh_run_compute(VhDevice *device, VhScene *scene, VhProgram *program,
                    const AmberCommand *command, uint64_t *ns) {
  const AmberRunCompute *run = &command->run;
  VkPipeline handle;
  if (!vh_program_pipeline(device, scene, program, command->pipeline, (VhVariant){0}, &handle) ||
      !begin(device, scene, command->pipeline) || !bind(device, scene, command->pipeline, handle))
    return false;
  vh_time_begin(device);
  device->vk.CmdDispatch(device->commands, run->x, run->y, run->z);
  vh_time_end(device);
  return finish(device, scene, command->pipeline, ns);
}

/* ---- vertices of DRAW_RECT and DRAW_GRID ---------------------------------------------------- */

static bool own_vertex_count(VhDevice *device, const AmberCommand *command, uint32_t *count) {
  return amber_rect_count(command, count) ||
         vh_fail(&device->error, HN_SKIP, "line %u: the grid has more than %u vertices",
                 command->line, AMBER_MOST_RECT_VERTICES);
}

static bool make_vertices(VhDevice *device, const VhScene *scene, const AmberCommand *command,
                          VhBuffer *vertices, uint32_t *count) {
  if (!own_vertex_count(device, command, count) ||
      !vh_buffer_create(device, *count * 2ull * sizeof(float), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                        vertices))
    return false;
  amber_rect_vertices(command, &scene->script->pipelines[command->pipeline],
                      (float *)(void *)vertices->mapped);
  return true;
}

/* ---- draws ---------------------------------------------------------------------------------- */

static VhVariant variant_of(const AmberCommand *command) {
  if (command->kind == AMBER_DRAW_ARRAY)
    return (VhVariant){(VkPrimitiveTopology)command->array.topology, false};
  if (command->kind == AMBER_DRAW_RECT)
    return (VhVariant){command->rect.patch ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                           : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                       true};
  return (VhVariant){VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, true};
}

/* Patches are drawn with tessellation only, and tessellation draws patches only. */
static bool fits_stages(VhDevice *device, const AmberPipeline *pipeline,
                        const AmberCommand *command, VhVariant variant) {
  bool tessellates = false;
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    tessellates |= pipeline->shaders[i].stage == AMBER_TESSELLATION_EVALUATION;
  return tessellates == (variant.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) ||
         vh_fail(&device->error, HN_FAIL, "line %u: %s", command->line,
                 tessellates ? "a pipeline with tessellation draws patch_list only"
                             : "patch_list needs tessellation shaders");
}

static void bind_inputs(VhDevice *device, const VhScene *scene, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++) {
    const AmberVertexInput *input = &pipeline->vertex_inputs[i];
    VkDeviceSize offset = input->offset;
    device->vk.CmdBindVertexBuffers(device->commands, i, 1,
                                    &scene->resources[input->buffer].buffer.handle, &offset);
  }
}

static VkIndexType index_type(const AmberBuffer *buffer) {
  switch (buffer->layout.fields[0].bits) {
  case 8:
    return VK_INDEX_TYPE_UINT8_EXT;
  case 16:
    return VK_INDEX_TYPE_UINT16;
  default:
    return VK_INDEX_TYPE_UINT32;
  }
}

static void draw_array(VhDevice *device, const VhScene *scene, const AmberCommand *command) {
  const AmberPipeline *pipeline = &scene->script->pipelines[command->pipeline];
  const AmberDrawArray *array = &command->array;
  bind_inputs(device, scene, pipeline);
  if (!array->indexed) {
    device->vk.CmdDraw(device->commands, array->count, array->instance_count, array->first,
                       array->first_instance);
    return;
  }
  const VhResource *indices = &scene->resources[pipeline->index_buffer];
  device->vk.CmdBindIndexBuffer(device->commands, indices->buffer.handle, 0,
                                index_type(indices->declared));
  device->vk.CmdDrawIndexed(device->commands, array->count, array->instance_count, array->first,
                            (int32_t)array->vertex_offset, array->first_instance);
}

static void draw_own(VhDevice *device, const VhBuffer *vertices, uint32_t count) {
  VkDeviceSize offset = 0;
  device->vk.CmdBindVertexBuffers(device->commands, 0, 1, &vertices->handle, &offset);
  device->vk.CmdDraw(device->commands, count, 1, 0, 0);
}

static bool draw(VhDevice *device, VhScene *scene, VhProgram *program, const AmberCommand *command,
                 const VhBuffer *vertices, uint32_t vertex_count, uint64_t *ns) {
  uint32_t index = command->pipeline;
  VhVariant variant = variant_of(command);
  VkPipeline handle;
  if (!fits_stages(device, &scene->script->pipelines[index], command, variant) ||
      !vh_program_pipeline(device, scene, program, index, variant, &handle) ||
      !begin(device, scene, index) || !bind(device, scene, index, handle))
    return false;
  vh_time_begin(device);
  vh_pass_begin(device, &scene->pipelines[index].pass);
  if (variant.own_vertices)
    draw_own(device, vertices, vertex_count);
  else
    draw_array(device, scene, command);
  vh_pass_end(device);
  vh_time_end(device);
  return finish(device, scene, index, ns);
}

bool vh_run_draw(VhDevice *device, VhScene *scene, VhProgram *program, const AmberCommand *command,
                 uint64_t *ns) {
  VhBuffer vertices = {0};
  uint32_t count = 0;
  bool done = (command->kind == AMBER_DRAW_ARRAY ||
               make_vertices(device, scene, command, &vertices, &count)) &&
              draw(device, scene, program, command, &vertices, count, ns);
  if (!device->hung)
    vh_buffer_destroy(device, &vertices);
  return done;
}

bool vh_run_clear(VhDevice *device, VhScene *scene, uint32_t index) {
  const VhPipeline *pipeline = &scene->pipelines[index];
  if (!begin(device, scene, index))
    return false;
  vh_pass_begin(device, &pipeline->pass);
  bool recorded = vh_pass_clear(device, &pipeline->pass, &scene->script->pipelines[index],
                                scene->resources, &pipeline->clear);
  vh_pass_end(device);
  if (!recorded || !vh_submit(device))
    return false;
  vh_scene_attachments_written(scene, index);
  return true;
}
