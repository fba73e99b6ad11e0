/* SPDX-License-Identifier: Apache-2.0 */
/* vk_program: see vk_program.h. */
#include "harness/vulkan/vk_program.h"

#include <stdlib.h>

bool vh_program_create(VhDevice *device, const AmberScript *script, const HnModule *modules,
                       VhProgram *program) {
  *program = (VhProgram){.modules = modules};
  program->shaders = calloc(script->shader_count + 1, sizeof(VkShaderModule));
  return program->shaders || vh_out_of_memory(&device->error);
}

void vh_program_destroy(VhDevice *device, const AmberScript *script, VhProgram *program) {
  for (uint32_t i = 0; i < program->made_count; i++)
    device->vk.DestroyPipeline(device->handle, program->made[i].handle, NULL);
  for (uint32_t i = 0; program->shaders && i < script->shader_count; i++)
    device->vk.DestroyShaderModule(device->handle, program->shaders[i], NULL);
  free(program->made);
  free(program->shaders);
}

static bool create_compute(VhDevice *device, const VhPipeline *scene, const VhStages *stages,
                           VkPipeline *handle) {
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = stages->infos[0],
      .layout = scene->descriptors.layout,
  };
  return VH_CALL(device, CreateComputePipelines, device->handle, VK_NULL_HANDLE, 1, &info, NULL,
                 handle);
}

static bool create(VhDevice *device, const VhScene *scene, VhProgram *program, VhMade *made) {
  const AmberPipeline *pipeline = &scene->script->pipelines[made->pipeline];
  const VhPipeline *standing = &scene->pipelines[made->pipeline];
  VhStages stages = {0};
  bool done = vh_stages_create(device, scene->script, pipeline, program->modules, program->shaders,
                               &stages) &&
              (pipeline->graphics ? vh_graphics_create(device, pipeline, standing, program->modules,
                                                       &stages, made->variant, &made->handle)
                                  : create_compute(device, standing, &stages, &made->handle));
  vh_stages_destroy(&stages);
  return done;
}

static bool is_same(VhVariant a, VhVariant b) {
  return a.topology == b.topology && a.own_vertices == b.own_vertices;
}

/* A script has few pipelines, so a linear search is enough. */
bool vh_program_pipeline(VhDevice *device, const VhScene *scene, VhProgram *program, uint32_t index,
                         VhVariant variant, VkPipeline *handle) {
  for (uint32_t i = 0; i < program->made_count; i++) {
    const VhMade *made = &program->made[i];
    *handle = made->handle;
    if (made->pipeline == index && is_same(made->variant, variant))
      return true;
  }
  VhMade *grown = realloc(program->made, (program->made_count + 1) * sizeof *grown);
  if (!grown)
    return vh_out_of_memory(&device->error);
  program->made = grown;
  VhMade *made = &program->made[program->made_count++];
  *made = (VhMade){.pipeline = index, .variant = variant};
  if (!create(device, scene, program, made))
    return false;
  *handle = made->handle;
  return true;
}
