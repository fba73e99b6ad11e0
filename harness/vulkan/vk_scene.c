/* SPDX-License-Identifier: Apache-2.0 */
/* vk_scene: see vk_scene.h. */
#include "harness/vulkan/vk_scene.h"

#include "harness/vulkan/vk_submit.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation ------------------------------------------------------------------------------- */

static bool allocate(VhDevice *device, VhScene *scene) {
  const AmberScript *script = scene->script;
  scene->resources = calloc(script->buffer_count + 1, sizeof *scene->resources);
  scene->samplers = calloc(script->sampler_count + 1, sizeof *scene->samplers);
  scene->pipelines = calloc(script->pipeline_count + 1, sizeof *scene->pipelines);
  return (scene->resources && scene->samplers && scene->pipelines) ||
         vh_out_of_memory(&device->error);
}

static bool create_pipeline(VhDevice *device, const VhScene *scene, uint32_t index) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  VhPipeline *made = &scene->pipelines[index];
  return vh_descriptors_create(device, scene->script, pipeline, scene->resources, scene->samplers,
                               &made->descriptors) &&
         (!pipeline->graphics || vh_pass_create(device, pipeline, scene->resources, &made->pass));
}

bool vh_scene_create(VhDevice *device, const AmberScript *script, VhScene *scene) {
  *scene = (VhScene){.script = script};
  if (!allocate(device, scene))
    return false;
  for (uint32_t i = 0; i < script->buffer_count; i++)
    if (!vh_resource_create(device, &script->buffers[i], &scene->resources[i]))
      return false;
  for (uint32_t i = 0; i < script->sampler_count; i++)
    if (!vh_sampler_create(device, &script->samplers[i], &scene->samplers[i]))
      return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (!create_pipeline(device, scene, i))
      return false;
  return true;
}

void vh_scene_destroy(VhDevice *device, VhScene *scene) {
  const AmberScript *script = scene->script;
  for (uint32_t i = 0; scene->pipelines && i < script->pipeline_count; i++) {
    vh_pass_destroy(device, &scene->pipelines[i].pass);
    vh_descriptors_destroy(device, &scene->pipelines[i].descriptors);
  }
  for (uint32_t i = 0; scene->samplers && i < script->sampler_count; i++)
    device->vk.DestroySampler(device->handle, scene->samplers[i], NULL);
  for (uint32_t i = 0; scene->resources && i < script->buffer_count; i++)
    vh_resource_destroy(device, &scene->resources[i]);
  free(scene->pipelines);
  free(scene->samplers);
  free(scene->resources);
  *scene = (VhScene){0};
}

static void put_addresses(VhScene *scene, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->address_count; i++) {
    const AmberAddress *a = &pipeline->addresses[i];
    uint64_t address = scene->resources[a->buffer].buffer.address + a->offset;
    memcpy(scene->resources[a->values].bytes + a->at, &address, sizeof address);
  }
}

void vh_scene_reset(VhScene *scene) {
  for (uint32_t i = 0; i < scene->script->buffer_count; i++)
    vh_resource_reset(&scene->resources[i]);
  for (uint32_t i = 0; i < scene->script->pipeline_count; i++)
    put_addresses(scene, &scene->script->pipelines[i]);
  for (uint32_t i = 0; i < scene->script->pipeline_count; i++)
    scene->pipelines[i].clear = (VhClear){.depth = 1};
}

/* ---- which copies a pipeline sees ----------------------------------------------------------- */

static bool writes(AmberBindKind kind) {
  return kind == AMBER_BIND_STORAGE_IMAGE || kind == AMBER_BIND_STORAGE_TEXEL_BUFFER ||
         kind == AMBER_BIND_STORAGE || kind == AMBER_BIND_STORAGE_DYNAMIC;
}

static bool read_binding(VhDevice *device, VhScene *scene, const AmberBinding *binding) {
  for (uint32_t i = 0; i < binding->descriptor_count; i++)
    if (binding->descriptors[i].buffer != AMBER_NONE &&
        !vh_resource_read(device, &scene->resources[binding->descriptors[i].buffer]))
      return false;
  return true;
}

bool vh_scene_read_buffers(VhDevice *device, VhScene *scene, uint32_t index) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (!amber_bind_is_image(pipeline->bindings[i].kind) &&
        !read_binding(device, scene, &pipeline->bindings[i]))
      return false;
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++)
    if (!vh_resource_read(device, &scene->resources[pipeline->vertex_inputs[i].buffer]))
      return false;
  return (pipeline->index_buffer == AMBER_NONE ||
          vh_resource_read(device, &scene->resources[pipeline->index_buffer])) &&
         (pipeline->push_constant == AMBER_NONE ||
          vh_resource_read(device, &scene->resources[pipeline->push_constant]));
}

static void upload_attachments(VhDevice *device, VhScene *scene, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->color_count; i++)
    vh_resource_upload(device, &scene->resources[pipeline->colors[i].buffer]);
  for (uint32_t i = 0; i < pipeline->resolve_count; i++)
    vh_resource_upload(device, &scene->resources[pipeline->resolves[i].buffer]);
  if (pipeline->depth_stencil != AMBER_NONE)
    vh_resource_upload(device, &scene->resources[pipeline->depth_stencil]);
}

void vh_scene_upload_images(VhDevice *device, VhScene *scene, uint32_t index) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  for (uint32_t i = 0; i < pipeline->binding_count; i++) {
    const AmberBinding *binding = &pipeline->bindings[i];
    for (uint32_t k = 0; amber_bind_is_image(binding->kind) && k < binding->descriptor_count; k++)
      vh_resource_upload(device, &scene->resources[binding->descriptors[k].buffer]);
  }
  if (pipeline->graphics)
    upload_attachments(device, scene, pipeline);
  vh_barrier(device);
}

void vh_scene_attachments_written(VhScene *scene, uint32_t index) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  for (uint32_t i = 0; i < pipeline->color_count; i++)
    vh_resource_image_written(&scene->resources[pipeline->colors[i].buffer]);
  for (uint32_t i = 0; i < pipeline->resolve_count; i++)
    vh_resource_image_written(&scene->resources[pipeline->resolves[i].buffer]);
  if (pipeline->depth_stencil != AMBER_NONE)
    vh_resource_image_written(&scene->resources[pipeline->depth_stencil]);
}

static void binding_written(VhScene *scene, const AmberBinding *binding) {
  for (uint32_t i = 0; i < binding->descriptor_count; i++) {
    VhResource *resource = &scene->resources[binding->descriptors[i].buffer];
    if (amber_bind_is_image(binding->kind))
      vh_resource_image_written(resource);
    else
      vh_resource_bytes_written(resource);
  }
}

void vh_scene_written(VhScene *scene, uint32_t index) {
  const AmberPipeline *pipeline = &scene->script->pipelines[index];
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (writes(pipeline->bindings[i].kind))
      binding_written(scene, &pipeline->bindings[i]);
  vh_scene_attachments_written(scene, index);
}
