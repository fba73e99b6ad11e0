/* SPDX-License-Identifier: Apache-2.0 */
/* app_capture: programs for the captures of the layer. Prints a hash of what was computed.
 *
 *   app_capture everything [indirect]   a dispatch that uses each kind of resource
 *   app_capture threads                 two threads record and submit at once
 *   app_capture destroys                destroys everything as soon as it may
 *   app_capture again                   submits a command buffer three times
 *   app_capture secondary               dispatches in a secondary command buffer
 *   app_capture large                   a buffer of 64 MiB
 *   app_capture leaves                  ends the process without destroying anything
 *   app_capture loop COUNT              COUNT dispatches; prints calls per second instead
 *   app_capture record COUNT            records COUNT dispatches, and submits nothing: for counters of instructions */
#include "passes/base/clock.h"
#include "tests/harness/vk_case.h"
#include "tests/layer/app_vulkan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { EVERYTHING, ADD }; /* shaders of capture.amber */
enum { COUNT = 64, SUMS = 256 };

static VkCase shaders;
static XXH64_hash_t result;

static VkShaderModule module_of(const AppVulkan *v, uint32_t shader) {
  return app_module(v, shaders.modules[shader].words, shaders.modules[shader].count);
}

static void add_result(const void *bytes, size_t size) {
  result = XXH3_64bits_withSeed(bytes, size, result);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

typedef struct Pipeline {
  VkShaderModule module;
  VkDescriptorSetLayout sets[2];
  uint32_t set_count;
  VkPipelineLayout layout;
  VkPipeline handle;
  VkDescriptorPool pool;
} Pipeline;

static void make_pipeline(const AppVulkan *v, Pipeline *p, uint32_t shader, uint32_t push_bytes,
                          const VkSpecializationInfo *constants) {
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = p->set_count,
                                             .pSetLayouts = p->sets,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
  p->module = module_of(v, shader);
  app_check(vkCreatePipelineLayout(v->device, &layout, NULL, &p->layout), "layout");
  const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = p->module,
                .pName = "main",
                .pSpecializationInfo = constants},
      .layout = p->layout};
  app_check(vkCreateComputePipelines(v->device, VK_NULL_HANDLE, 1, &info, NULL, &p->handle),
            "pipeline");
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 4},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 4},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 4},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8},
                                        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 4},
                                        {VK_DESCRIPTOR_TYPE_SAMPLER, 4},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 4}};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = 4,
                                           .poolSizeCount = sizeof sizes / sizeof *sizes,
                                           .pPoolSizes = sizes};
  app_check(vkCreateDescriptorPool(v->device, &pool, NULL, &p->pool), "pool");
}

static void free_pipeline(const AppVulkan *v, Pipeline *p) {
  vkDestroyDescriptorPool(v->device, p->pool, NULL);
  vkDestroyPipeline(v->device, p->handle, NULL);
  vkDestroyPipelineLayout(v->device, p->layout, NULL);
  for (uint32_t i = 0; i < p->set_count; i++)
    vkDestroyDescriptorSetLayout(v->device, p->sets[i], NULL);
  vkDestroyShaderModule(v->device, p->module, NULL);
}

static void add_set(const AppVulkan *v, Pipeline *p, const VkDescriptorSetLayoutBinding *bindings,
                    uint32_t count, VkDescriptorSetLayoutCreateFlags flags) {
  const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .flags = flags,
      .bindingCount = count,
      .pBindings = bindings};
  app_check(vkCreateDescriptorSetLayout(v->device, &info, NULL, &p->sets[p->set_count++]), "set");
}

static VkDescriptorSet allocate_set(const AppVulkan *v, const Pipeline *p, uint32_t index) {
  VkDescriptorSet set;
  const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = p->pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &p->sets[index]};
  app_check(vkAllocateDescriptorSets(v->device, &info, &set), "allocate set");
  return set;
}

static void write_set(const AppVulkan *v, VkDescriptorSet set, uint32_t binding, uint32_t element,
                      VkDescriptorType type, const void *info) {
  const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = set,
                                      .dstBinding = binding,
                                      .dstArrayElement = element,
                                      .descriptorCount = 1,
                                      .descriptorType = type,
                                      .pImageInfo = info,
                                      .pBufferInfo = info,
                                      .pTexelBufferView = info};
  vkUpdateDescriptorSets(v->device, 1, &write, 0, NULL);
}

/* ---- everything ------------------------------------------------------------------------------ */

enum { BUFFERS = 9, IMAGES = 7 };

typedef struct Everything {
  Pipeline pipeline;
  AppBuffer buffers[BUFFERS];
  AppImage images[IMAGES];
  VkBufferView texels, counts;
  VkSampler linear, plain;
  VkDescriptorSet set, second;
  VkDescriptorUpdateTemplate pushed;
  bool pushes;
} Everything;

static const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
enum { IN, PARAMS, TEXELS, COUNTS, OUTS, ALIASED, PARTICLES, NOTHING, INDIRECT };

static void make_layouts(const AppVulkan *v, Everything *e) {
  static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                           VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                           VK_DESCRIPTOR_TYPE_SAMPLER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                           VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  enum { BINDINGS = sizeof types / sizeof *types };
  VkDescriptorSetLayoutBinding bindings[BINDINGS];
  for (uint32_t i = 0; i < BINDINGS; i++)
    bindings[i] =
        (VkDescriptorSetLayoutBinding){i, types[i], i == 11 ? 3 : 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                       i == 6 ? &e->plain : NULL}; /* an immutable sampler */
  add_set(v, &e->pipeline, bindings, BINDINGS, 0);
  for (uint32_t i = 0; i < 2; i++)
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  add_set(v, &e->pipeline, bindings, 2,
          v->pushes ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
}

static VkSampler make_sampler(const AppVulkan *v, VkFilter filter) {
  VkSampler sampler;
  const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                    .magFilter = filter,
                                    .minFilter = filter,
                                    .mipmapMode = filter == VK_FILTER_LINEAR
                                                      ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                      : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                    .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                    .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                    .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                    .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
                                    .maxLod = VK_LOD_CLAMP_NONE};
  app_check(vkCreateSampler(v->device, &info, NULL, &sampler), "sampler");
  return sampler;
}

static VkBufferView make_view(const AppVulkan *v, VkBuffer buffer, VkFormat format) {
  VkBufferView view;
  const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                       .buffer = buffer,
                                       .format = format,
                                       .range = VK_WHOLE_SIZE};
  app_check(vkCreateBufferView(v->device, &info, NULL, &view), "buffer view");
  return view;
}

/* The numbers of each buffer: floats, or small integers. */
static void fill_buffers(Everything *e) {
  float *given = e->buffers[IN].mapped, *params = e->buffers[PARAMS].mapped;
  float *particles = e->buffers[PARTICLES].mapped;
  for (uint32_t i = 1; i < 2 * COUNT; i++)
    given[COUNT + i] = 0.25f * (float)i;
  memcpy(&given[COUNT], &(uint32_t){3}, sizeof(uint32_t));
  given[1023] = 11;
  for (uint32_t i = 0; i < 16; i++)
    params[64 + i] = 0.5f + (float)i;
  memcpy(&params[64 + 4], &(uint32_t){5}, sizeof(uint32_t));
  for (uint32_t i = 0; i < 4 * COUNT; i++) {
    ((uint8_t *)e->buffers[TEXELS].mapped)[i] = (uint8_t)(i * 7);
    ((uint32_t *)e->buffers[ALIASED].mapped)[i] = i * i;
    particles[i] = (float)i;
    if (i % 4 == 3)
      memcpy(&particles[i], &(int32_t){-(int32_t)i}, sizeof(int32_t));
  }
  memcpy(e->buffers[INDIRECT].mapped, (uint32_t[]){COUNT / 8, 1, 1}, 3 * sizeof(uint32_t));
}

static void make_resources(const AppVulkan *v, Everything *e) {
  static const struct {
    VkDeviceSize size;
    VkBufferUsageFlags usage;
  } kinds[BUFFERS] = {{4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                      {1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
                      {4 * COUNT, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT},
                      {4 * COUNT, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT},
                      {4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                      {4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                      {4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                      {1 << 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                      {64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
  const VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT, stored = VK_IMAGE_USAGE_STORAGE_BIT;
  const VkImageLayout shown = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                      general = VK_IMAGE_LAYOUT_GENERAL;
  const VkFormat rgba = VK_FORMAT_R8G8B8A8_UNORM, real = VK_FORMAT_R32_SFLOAT;
  const VkImageType two = VK_IMAGE_TYPE_2D;
  const VkComponentMapping own = {0},
                           swizzled = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE,
                                       VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_ZERO};
  AppImageKind images[IMAGES] = {
      {two, VK_IMAGE_VIEW_TYPE_2D, rgba, {16, 16, 1}, 5, 1, sampled, shown, own},
      {two, VK_IMAGE_VIEW_TYPE_2D_ARRAY, rgba, {8, 8, 1}, 2, 3, sampled, shown, own},
      {two, VK_IMAGE_VIEW_TYPE_2D, rgba, {16, 16, 1}, 1, 1, stored, general, own},
      {two, VK_IMAGE_VIEW_TYPE_2D_ARRAY, real, {16, 16, 1}, 1, 2, stored, general, own},
      {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, rgba, {8, 8, 4}, 2, 1, sampled, shown, own},
      {two, VK_IMAGE_VIEW_TYPE_CUBE, rgba, {8, 8, 1}, 1, 6, sampled, general, own},
      {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, rgba, {8, 1, 1}, 1, 1, sampled, shown, own}};
  images[6].components = swizzled;
  for (uint32_t i = 0; i < BUFFERS; i++)
    e->buffers[i] = app_buffer(v, kinds[i].size, kinds[i].usage);
  for (uint32_t i = 0; i < IMAGES; i++)
    e->images[i] = app_image(v, &images[i], 4, 77 * i);
  e->texels = make_view(v, e->buffers[TEXELS].handle, rgba);
  e->counts = make_view(v, e->buffers[COUNTS].handle, VK_FORMAT_R32_UINT);
  fill_buffers(e);
}

static void write_image(const AppVulkan *v, const Everything *e, uint32_t binding, uint32_t image,
                        VkDescriptorType type, VkSampler sampler) {
  bool general = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || image == 5;
  const VkDescriptorImageInfo info = {sampler, e->images[image].view,
                                      general ? VK_IMAGE_LAYOUT_GENERAL
                                              : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  write_set(v, e->set, binding, 0, type, &info);
}

static void write_buffer(const AppVulkan *v, const Everything *e, uint32_t binding,
                         uint32_t element, uint32_t buffer, VkDeviceSize at, VkDeviceSize range) {
  const VkDescriptorBufferInfo info = {e->buffers[buffer].handle, at, range};
  write_set(v, e->set, binding, element,
            binding == 1 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                         : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            &info);
}

static void write_descriptors(const AppVulkan *v, Everything *e) {
  const VkDescriptorType both = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  e->set = allocate_set(v, &e->pipeline, 0);
  write_buffer(v, e, 0, 0, IN, 256, VK_WHOLE_SIZE);
  write_buffer(v, e, 1, 0, PARAMS, 0, 128);
  write_set(v, e->set, 2, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, &e->texels);
  write_set(v, e->set, 3, 0, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, &e->counts);
  write_image(v, e, 4, 0, both, e->linear);
  write_image(v, e, 5, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE);
  write_image(v, e, 7, 2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_NULL_HANDLE);
  write_image(v, e, 8, 3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_NULL_HANDLE);
  write_image(v, e, 9, 4, both, e->plain);
  write_image(v, e, 10, 5, both, e->plain);
  write_image(v, e, 14, 6, both, e->plain);
  for (uint32_t i = 0; i < 3; i++)
    write_buffer(v, e, 11, i, OUTS, 1024 * i, 4 * COUNT);
  write_buffer(v, e, 12, 0, ALIASED, 0, 1024);
  write_buffer(v, e, 13, 0, ALIASED, 512, 1024);
}

/* Set 1 is pushed with a template; without the extension it is a set like the other. */
static void bind_second(const AppVulkan *v, Everything *e, VkCommandBuffer commands) {
  const VkDescriptorBufferInfo infos[] = {{e->buffers[PARTICLES].handle, 0, 16 * COUNT},
                                          {e->buffers[NOTHING].handle, 0, VK_WHOLE_SIZE}};
  const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                                 .descriptorType =
                                                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 .stride = sizeof *infos};
  VkDescriptorUpdateTemplateEntry entries[] = {entry, entry};
  entries[1].dstBinding = 1;
  entries[1].offset = sizeof *infos;
  const VkDescriptorUpdateTemplateCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 2,
      .pDescriptorUpdateEntries = entries,
      .templateType = v->pushes ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                                : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
      .descriptorSetLayout = e->pipeline.sets[1],
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = e->pipeline.layout,
      .set = 1};
  app_check(vkCreateDescriptorUpdateTemplate(v->device, &info, NULL, &e->pushed), "template");
  if (v->pushes) {
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push =
        (PFN_vkCmdPushDescriptorSetWithTemplateKHR)vkGetDeviceProcAddr(
            v->device, "vkCmdPushDescriptorSetWithTemplateKHR");
    push(commands, e->pushed, e->pipeline.layout, 1, infos);
    return;
  }
  e->second = allocate_set(v, &e->pipeline, 1);
  vkUpdateDescriptorSetWithTemplate(v->device, e->second, e->pushed, infos);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, e->pipeline.layout, 1, 1,
                          &e->second, 0, NULL);
}

static void dispatch_everything(const AppVulkan *v, Everything *e, bool indirect) {
  const struct {
    uint32_t count;
    float bias;
    int32_t shift[2];
  } pushed = {COUNT, 0.125f, {2, 3}};
  const uint32_t offset = 256;
  VkCommandBuffer commands = app_begin(v, v->pool);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, e->pipeline.handle);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, e->pipeline.layout, 0, 1,
                          &e->set, 1, &offset);
  bind_second(v, e, commands);
  vkCmdPushConstants(commands, e->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof pushed,
                     &pushed);
  if (indirect)
    vkCmdDispatchIndirect(commands, e->buffers[INDIRECT].handle, 0);
  else
    vkCmdDispatch(commands, COUNT / 8, 1, 1);
  app_finish(v, commands);
  const uint32_t written[] = {COUNTS, OUTS, ALIASED, PARTICLES};
  for (uint32_t i = 0; i < 4; i++)
    add_result(e->buffers[written[i]].mapped, i ? 4096 : 4 * COUNT);
}

static void free_everything(const AppVulkan *v, Everything *e) {
  vkDestroyDescriptorUpdateTemplate(v->device, e->pushed, NULL);
  vkDestroyBufferView(v->device, e->texels, NULL);
  vkDestroyBufferView(v->device, e->counts, NULL);
  for (uint32_t i = 0; i < BUFFERS; i++)
    app_buffer_free(v, &e->buffers[i]);
  for (uint32_t i = 0; i < IMAGES; i++)
    app_image_free(v, &e->images[i]);
  vkDestroySampler(v->device, e->linear, NULL);
  vkDestroySampler(v->device, e->plain, NULL);
  free_pipeline(v, &e->pipeline);
}

static void run_everything(const AppVulkan *v, bool indirect) {
  static const VkSpecializationMapEntry map[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
  const float scale = 1.5f;
  uint32_t data[] = {8, 3, 0};
  memcpy(&data[2], &scale, sizeof scale);
  const VkSpecializationInfo constants = {3, map, sizeof data, data};
  Everything e = {0};
  e.linear = make_sampler(v, VK_FILTER_LINEAR);
  e.plain = make_sampler(v, VK_FILTER_NEAREST);
  make_layouts(v, &e);
  make_pipeline(v, &e.pipeline, EVERYTHING, 16, &constants);
  make_resources(v, &e);
  write_descriptors(v, &e);
  dispatch_everything(v, &e, indirect);
  free_everything(v, &e);
}

/* ---- sums ------------------------------------------------------------------------------------ */

typedef struct Sums {
  Pipeline pipeline;
  AppBuffer buffer;
  VkDescriptorSet set;
} Sums;

static Sums make_sums(const AppVulkan *v, VkDeviceSize size) {
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  Sums s = {0};
  add_set(v, &s.pipeline, &binding, 1, 0);
  make_pipeline(v, &s.pipeline, ADD, 4, NULL);
  s.buffer = app_buffer(v, size, storage);
  s.set = allocate_set(v, &s.pipeline, 0);
  const VkDescriptorBufferInfo info = {s.buffer.handle, 0, VK_WHOLE_SIZE};
  write_set(v, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info);
  return s;
}

static void record_sum(const Sums *s, VkCommandBuffer commands, uint32_t step) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline.handle);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline.layout, 0, 1,
                          &s->set, 0, NULL);
  vkCmdPushConstants(commands, s->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof step,
                     &step);
  vkCmdDispatch(commands, SUMS / 64, 1, 1);
}

static void free_sums(const AppVulkan *v, Sums *s) {
  add_result(s->buffer.mapped, SUMS * sizeof(uint32_t));
  app_buffer_free(v, &s->buffer);
  free_pipeline(v, &s->pipeline);
}

static void submit(const AppVulkan *v, VkCommandBuffer commands, VkFence fence) {
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .commandBufferCount = 1,
                             .pCommandBuffers = &commands};
  app_check(vkQueueSubmit(v->queue, 1, &info, fence), "submit");
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROUNDS = 50 };
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void *run_thread(void *user) {
  const AppVulkan *v = user;
  const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    VkCommandPool pool;
    VkFence fence;
    app_check(vkCreateCommandPool(v->device, &info, NULL, &pool), "pool");
    app_check(vkCreateFence(v->device, &fence_info, NULL, &fence), "fence");
    VkCommandBuffer commands = app_begin(v, pool);
    record_sum(&s, commands, i);
    app_check(vkEndCommandBuffer(commands), "end");
    pthread_mutex_lock(&queue_lock);
    submit(v, commands, fence);
    pthread_mutex_unlock(&queue_lock);
    app_check(vkWaitForFences(v->device, 1, &fence, VK_TRUE, UINT64_MAX), "wait");
    vkDestroyFence(v->device, fence, NULL);
    vkDestroyCommandPool(v->device, pool, NULL);
  }
  pthread_mutex_lock(&queue_lock); /* of the result */
  free_sums(v, &s);
  pthread_mutex_unlock(&queue_lock);
  return NULL;
}

static void run_threads(AppVulkan *v) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    app_check(pthread_create(&threads[i], NULL, run_thread, v) ? VK_NOT_READY : VK_SUCCESS,
              "thread");
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

/* ---- the life of command buffers ------------------------------------------------------------- */

static void run_destroys(const AppVulkan *v) {
  for (uint32_t i = 0; i < 3; i++) {
    Sums s = make_sums(v, SUMS * sizeof(uint32_t));
    VkCommandBuffer commands = app_begin(v, v->pool);
    record_sum(&s, commands, i + 1);
    app_check(vkEndCommandBuffer(commands), "end");
    submit(v, commands, VK_NULL_HANDLE);
    app_check(vkDeviceWaitIdle(v->device), "idle");
    free_sums(v, &s);
    vkFreeCommandBuffers(v->device, v->pool, 1, &commands);
  }
}

static void run_again(const AppVulkan *v) {
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  VkCommandBuffer commands = app_begin(v, v->pool);
  record_sum(&s, commands, 1);
  app_check(vkEndCommandBuffer(commands), "end");
  for (int i = 0; i < 3; i++) {
    submit(v, commands, VK_NULL_HANDLE);
    app_check(vkQueueWaitIdle(v->queue), "idle");
  }
  free_sums(v, &s);
}

static void run_secondary(const AppVulkan *v) {
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = v->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                            .commandBufferCount = 1};
  const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  VkCommandBuffer secondary, commands = app_begin(v, v->pool);
  app_check(vkAllocateCommandBuffers(v->device, &info, &secondary), "secondary");
  app_check(vkBeginCommandBuffer(secondary, &begin), "begin");
  record_sum(&s, secondary, 9);
  app_check(vkEndCommandBuffer(secondary), "end");
  vkCmdExecuteCommands(commands, 1, &secondary);
  app_finish(v, commands);
  free_sums(v, &s);
}

static void run_large(const AppVulkan *v) {
  Sums s = make_sums(v, 64 << 20);
  for (uint32_t i = 0; i < 4; i++) {
    VkCommandBuffer commands = app_begin(v, v->pool);
    record_sum(&s, commands, 1 + i);
    app_finish(v, commands);
  }
  free_sums(v, &s);
}

static void run_leaves(const AppVulkan *v) {
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  VkCommandBuffer commands = app_begin(v, v->pool);
  record_sum(&s, commands, 2);
  app_finish(v, commands);
  exit(0);
}

static void run_loop(const AppVulkan *v, uint32_t count) {
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  VkCommandBuffer commands = app_begin(v, v->pool);
  record_sum(&s, commands, 1);
  double start = sr_now();
  for (uint32_t i = 1; i < count; i++)
    vkCmdDispatch(commands, 0, 1, 1);
  double recorded = sr_now() - start;
  app_finish(v, commands);
  printf("%u dispatches: %.0f calls per second, %.3f s in all\n", count, count / recorded,
         sr_now() - start);
  free_sums(v, &s);
}

static void run_record(const AppVulkan *v, uint32_t count) {
  Sums s = make_sums(v, SUMS * sizeof(uint32_t));
  VkCommandBuffer commands = app_begin(v, v->pool);
  record_sum(&s, commands, 1);
  for (uint32_t i = 1; i < count; i++)
    vkCmdDispatch(commands, 0, 1, 1);
  app_check(vkEndCommandBuffer(commands), "end");
  free_sums(v, &s);
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool run_scene(AppVulkan *v, int argc, char **argv) {
  const char *scene = argv[1];
  if (strcmp(scene, "everything") == 0)
    run_everything(v, argc > 2);
  else if (strcmp(scene, "threads") == 0)
    run_threads(v);
  else if (strcmp(scene, "destroys") == 0)
    run_destroys(v);
  else if (strcmp(scene, "again") == 0)
    run_again(v);
  else if (strcmp(scene, "secondary") == 0)
    run_secondary(v);
  else if (strcmp(scene, "large") == 0)
    run_large(v);
  else if (strcmp(scene, "leaves") == 0)
    run_leaves(v);
  else if (strcmp(scene, "loop") == 0 && argc > 2)
    run_loop(v, (uint32_t)atoi(argv[2]));
  else if (strcmp(scene, "record") == 0 && argc > 2)
    run_record(v, (uint32_t)atoi(argv[2]));
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  shaders = vk_case_read("tests/layer/capture.amber");
  AppVulkan v = app_vulkan_open();
  bool known = run_scene(&v, argc, argv);
  app_vulkan_close(&v);
  vk_case_free(&shaders);
  printf("result %016llx\n", (unsigned long long)result);
  return known ? 0 : 2;
}
