/* SPDX-License-Identifier: Apache-2.0 */
/* vk_descriptor: descriptor sets, pipeline layout and push constants; see vk_descriptor.h.
 *
 * The script's bindings are first sorted by set and binding: Vulkan takes dynamic offsets in that
 * order, and the bindings of a set become neighbours. */
#include "harness/vulkan/vk_descriptor.h"

#include <stdlib.h>
#include <string.h>

/* State while the sets of one pipeline are created. */
typedef struct Maker {
  VhDevice *device;
  const AmberScript *script;
  const VhResource *resources;
  const VkSampler *samplers;
  VhDescriptors *made;
  const AmberBinding **bindings; /* sorted */
  uint32_t binding_count;
  uint32_t descriptor_count;            /* descriptors of all bindings */
  VkDescriptorBufferInfo *buffer_infos; /* by descriptor */
  VkDescriptorImageInfo *image_infos;
  VkBufferView *view_infos;
  VkWriteDescriptorSet *writes; /* by binding */
} Maker;

static bool fail_binding(const Maker *maker, const AmberBinding *binding, const char *what) {
  return vh_fail(&maker->device->error, HN_SKIP, "line %u: %s", binding->line, what);
}

/* ---- layouts -------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right) {
  const AmberBinding *a = *(const AmberBinding *const *)left;
  const AmberBinding *b = *(const AmberBinding *const *)right;
  if (a->set != b->set)
    return a->set < b->set ? -1 : 1;
  return (a->binding > b->binding) - (a->binding < b->binding);
}

static bool sort_bindings(Maker *maker, const AmberPipeline *pipeline) {
  maker->binding_count = pipeline->binding_count;
  maker->bindings = calloc(maker->binding_count + 1, sizeof *maker->bindings);
  if (!maker->bindings)
    return vh_out_of_memory(&maker->device->error);
  for (uint32_t i = 0; i < maker->binding_count; i++) {
    maker->bindings[i] = &pipeline->bindings[i];
    maker->descriptor_count += pipeline->bindings[i].descriptor_count;
  }
  qsort(maker->bindings, maker->binding_count, sizeof *maker->bindings, by_place);
  if (maker->binding_count)
    maker->made->set_count = maker->bindings[maker->binding_count - 1]->set + 1;
  return true;
}

/* The layout of one set, from its `count` bindings. */
static bool create_set_layout(Maker *maker, const AmberBinding *const *bindings, uint32_t count,
                              VkDescriptorSetLayout *layout) {
  VkDescriptorSetLayoutBinding *infos = calloc(count + 1, sizeof *infos);
  if (!infos)
    return vh_out_of_memory(&maker->device->error);
  for (uint32_t i = 0; i < count; i++)
    infos[i] = (VkDescriptorSetLayoutBinding){
        .binding = bindings[i]->binding,
        .descriptorType = (VkDescriptorType)bindings[i]->kind,
        .descriptorCount = bindings[i]->descriptor_count,
        .stageFlags = maker->made->stages,
    };
  VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = count,
      .pBindings = infos,
  };
  bool created =
      VH_CALL(maker->device, CreateDescriptorSetLayout, maker->device->handle, &info, NULL, layout);
  free(infos);
  return created;
}

static bool create_set_layouts(Maker *maker) {
  VhDescriptors *made = maker->made;
  made->set_layouts = calloc(made->set_count + 1, sizeof *made->set_layouts);
  made->sets = calloc(made->set_count + 1, sizeof *made->sets);
  if (!made->set_layouts || !made->sets)
    return vh_out_of_memory(&maker->device->error);
  uint32_t first = 0;
  for (uint32_t set = 0; set < made->set_count; set++) {
    uint32_t end = first;
    while (end < maker->binding_count && maker->bindings[end]->set == set)
      end++;
    if (!create_set_layout(maker, maker->bindings + first, end - first, &made->set_layouts[set]))
      return false;
    first = end;
  }
  return true;
}

static bool create_layout(Maker *maker, const AmberPipeline *pipeline) {
  VhDescriptors *made = maker->made;
  if (pipeline->push_constant != AMBER_NONE)
    made->push_size =
        (uint32_t)((maker->script->buffers[pipeline->push_constant].size + 3) & ~(size_t)3);
  VkPushConstantRange range = {made->stages, 0, made->push_size};
  VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = made->set_count,
      .pSetLayouts = made->set_layouts,
      .pushConstantRangeCount = made->push_size > 0,
      .pPushConstantRanges = &range,
  };
  return VH_CALL(maker->device, CreatePipelineLayout, maker->device->handle, &info, NULL,
                 &made->layout);
}

/* ---- sets ----------------------------------------------------------------------------------- */

enum { DESCRIPTOR_KINDS = AMBER_BIND_STORAGE_DYNAMIC + 1 };

static bool create_pool(Maker *maker) {
  VkDescriptorPoolSize sizes[DESCRIPTOR_KINDS];
  uint32_t counts[DESCRIPTOR_KINDS] = {0}, used = 0;
  for (uint32_t i = 0; i < maker->binding_count; i++)
    counts[maker->bindings[i]->kind] += maker->bindings[i]->descriptor_count;
  for (uint32_t kind = 0; kind < DESCRIPTOR_KINDS; kind++)
    if (counts[kind])
      sizes[used++] = (VkDescriptorPoolSize){(VkDescriptorType)kind, counts[kind]};
  VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = maker->made->set_count,
      .poolSizeCount = used,
      .pPoolSizes = sizes,
  };
  return VH_CALL(maker->device, CreateDescriptorPool, maker->device->handle, &info, NULL,
                 &maker->made->pool);
}

static bool allocate_sets(Maker *maker) {
  VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = maker->made->pool,
      .descriptorSetCount = maker->made->set_count,
      .pSetLayouts = maker->made->set_layouts,
  };
  return VH_CALL(maker->device, AllocateDescriptorSets, maker->device->handle, &info,
                 maker->made->sets);
}

/* ---- one descriptor ------------------------------------------------------------------------- */

static bool is_dynamic(const AmberBinding *binding) {
  return binding->kind == AMBER_BIND_UNIFORM_DYNAMIC || binding->kind == AMBER_BIND_STORAGE_DYNAMIC;
}

static void write_buffer(Maker *maker, const AmberBinding *binding,
                         const AmberDescriptor *descriptor, uint32_t index) {
  const VhResource *resource = &maker->resources[descriptor->buffer];
  maker->buffer_infos[index] =
      (VkDescriptorBufferInfo){resource->buffer.handle, descriptor->offset,
                               amber_descriptor_size(resource->declared, descriptor)};
  if (is_dynamic(binding))
    maker->made->dynamic_offsets[maker->made->dynamic_offset_count++] = descriptor->dynamic_offset;
}

static bool create_buffer_view(Maker *maker, const AmberBinding *binding,
                               const AmberDescriptor *descriptor, uint32_t index) {
  VhDevice *device = maker->device;
  const VhResource *resource = &maker->resources[descriptor->buffer];
  const EmuFormat *format = resource->declared->format;
  if (!format)
    return fail_binding(maker, binding, "the type of the texel buffer is not an image format");
  VkFormatProperties features;
  device->vk.GetPhysicalDeviceFormatProperties(device->physical, (VkFormat)format->vk, &features);
  VkFormatFeatureFlags needed = binding->kind == AMBER_BIND_UNIFORM_TEXEL_BUFFER
                                    ? VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT
                                    : VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  if (!(features.bufferFeatures & needed))
    return fail_binding(maker, binding, "the device lacks texel buffers of this format");
  VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = resource->buffer.handle,
      .format = (VkFormat)format->vk,
      .offset = descriptor->offset,
      .range = descriptor->range == UINT64_MAX ? VK_WHOLE_SIZE : descriptor->range,
  };
  VkBufferView *view = &maker->made->buffer_views[maker->made->buffer_view_count++];
  if (!VH_CALL(device, CreateBufferView, device->handle, &info, NULL, view))
    return false;
  maker->view_infos[index] = *view;
  return true;
}

static bool can_filter(const Maker *maker, const AmberDescriptor *descriptor, VkFormat format) {
  const EmuSamplerState *sampler = &maker->script->samplers[descriptor->sampler];
  if (sampler->mag_filter != VK_FILTER_LINEAR && sampler->min_filter != VK_FILTER_LINEAR)
    return true;
  VkFormatProperties features;
  maker->device->vk.GetPhysicalDeviceFormatProperties(maker->device->physical, format, &features);
  return features.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
}

/* The only aspect that a shader can read. */
static VkImageAspectFlags shader_aspect(const VhImage *image) {
  return (image->aspects & VK_IMAGE_ASPECT_DEPTH_BIT) ? VK_IMAGE_ASPECT_DEPTH_BIT : image->aspects;
}

static bool create_image_view(Maker *maker, const AmberBinding *binding,
                              const AmberDescriptor *descriptor, uint32_t index) {
  const VhImage *image = &maker->resources[descriptor->buffer].image;
  if (descriptor->base_mip_level >= image->mip_levels)
    return fail_binding(maker, binding, "the image has no such mip level");
  if (descriptor->sampler != AMBER_NONE && !can_filter(maker, descriptor, image->format))
    return fail_binding(maker, binding, "the device does not filter this format");
  uint32_t levels = binding->kind == AMBER_BIND_STORAGE_IMAGE
                        ? 1
                        : image->mip_levels - descriptor->base_mip_level;
  VkImageView *view = &maker->made->image_views[maker->made->image_view_count++];
  if (!vh_image_view(maker->device, image, shader_aspect(image), descriptor->base_mip_level, levels,
                     descriptor->swizzle, view))
    return false;
  maker->image_infos[index].imageView = *view;
  maker->image_infos[index].imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  return true;
}

static bool write_image(Maker *maker, const AmberBinding *binding,
                        const AmberDescriptor *descriptor, uint32_t index) {
  if (descriptor->sampler != AMBER_NONE)
    maker->image_infos[index].sampler = maker->samplers[descriptor->sampler];
  return descriptor->buffer == AMBER_NONE || create_image_view(maker, binding, descriptor, index);
}

static bool write_descriptor(Maker *maker, const AmberBinding *binding,
                             const AmberDescriptor *descriptor, uint32_t index) {
  switch (binding->kind) {
  case AMBER_BIND_SAMPLER:
  case AMBER_BIND_COMBINED_IMAGE_SAMPLER:
  case AMBER_BIND_SAMPLED_IMAGE:
  case AMBER_BIND_STORAGE_IMAGE:
    return write_image(maker, binding, descriptor, index);
  case AMBER_BIND_UNIFORM_TEXEL_BUFFER:
  case AMBER_BIND_STORAGE_TEXEL_BUFFER:
    return create_buffer_view(maker, binding, descriptor, index);
  case AMBER_BIND_UNIFORM:
  case AMBER_BIND_STORAGE:
  case AMBER_BIND_UNIFORM_DYNAMIC:
  case AMBER_BIND_STORAGE_DYNAMIC:
    write_buffer(maker, binding, descriptor, index);
    return true;
  }
  return false;
}

/* ---- all descriptors of a pipeline ---------------------------------------------------------- */

static bool allocate_infos(Maker *maker) {
  size_t count = maker->descriptor_count + 1;
  VhDescriptors *made = maker->made;
  maker->buffer_infos = calloc(count, sizeof *maker->buffer_infos);
  maker->image_infos = calloc(count, sizeof *maker->image_infos);
  maker->view_infos = calloc(count, sizeof *maker->view_infos);
  maker->writes = calloc(maker->binding_count + 1, sizeof *maker->writes);
  made->image_views = calloc(count, sizeof *made->image_views);
  made->buffer_views = calloc(count, sizeof *made->buffer_views);
  made->dynamic_offsets = calloc(count, sizeof *made->dynamic_offsets);
  return (maker->buffer_infos && maker->image_infos && maker->view_infos && maker->writes &&
          made->image_views && made->buffer_views && made->dynamic_offsets) ||
         vh_out_of_memory(&maker->device->error);
}

static void release(Maker *maker) {
  free(maker->buffer_infos);
  free(maker->image_infos);
  free(maker->view_infos);
  free(maker->writes);
  free(maker->bindings);
}

static bool write_sets(Maker *maker) {
  uint32_t index = 0;
  for (uint32_t i = 0; i < maker->binding_count; i++) {
    const AmberBinding *binding = maker->bindings[i];
    maker->writes[i] = (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = maker->made->sets[binding->set],
        .dstBinding = binding->binding,
        .descriptorCount = binding->descriptor_count,
        .descriptorType = (VkDescriptorType)binding->kind,
        .pImageInfo = maker->image_infos + index,
        .pBufferInfo = maker->buffer_infos + index,
        .pTexelBufferView = maker->view_infos + index,
    };
    for (uint32_t k = 0; k < binding->descriptor_count; k++)
      if (!write_descriptor(maker, binding, &binding->descriptors[k], index++))
        return false;
  }
  maker->device->vk.UpdateDescriptorSets(maker->device->handle, maker->binding_count, maker->writes,
                                         0, NULL);
  return true;
}

bool vh_descriptors_create(VhDevice *device, const AmberScript *script,
                           const AmberPipeline *pipeline, const VhResource *resources,
                           const VkSampler *samplers, VhDescriptors *made) {
  Maker maker = {.device = device,
                 .script = script,
                 .resources = resources,
                 .samplers = samplers,
                 .made = made};
  made->stages = pipeline->graphics ? VK_SHADER_STAGE_ALL_GRAPHICS
                                    : (VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT;
  bool done = sort_bindings(&maker, pipeline) && create_set_layouts(&maker) &&
              create_layout(&maker, pipeline);
  if (done && made->set_count)
    done = allocate_infos(&maker) && create_pool(&maker) && allocate_sets(&maker) &&
           write_sets(&maker);
  release(&maker);
  return done;
}

void vh_descriptors_destroy(VhDevice *device, VhDescriptors *made) {
  device->vk.DestroyPipelineLayout(device->handle, made->layout, NULL);
  device->vk.DestroyDescriptorPool(device->handle, made->pool, NULL);
  for (uint32_t i = 0; made->set_layouts && i < made->set_count; i++)
    device->vk.DestroyDescriptorSetLayout(device->handle, made->set_layouts[i], NULL);
  for (uint32_t i = 0; i < made->image_view_count; i++)
    device->vk.DestroyImageView(device->handle, made->image_views[i], NULL);
  for (uint32_t i = 0; i < made->buffer_view_count; i++)
    device->vk.DestroyBufferView(device->handle, made->buffer_views[i], NULL);
  free(made->set_layouts);
  free(made->sets);
  free(made->image_views);
  free(made->buffer_views);
  free(made->dynamic_offsets);
  *made = (VhDescriptors){0};
}

/* Pushes the buffer's bytes, padded with zeros to a multiple of four. */
static bool push(VhDevice *device, const VhDescriptors *made, const VhResource *resource) {
  uint8_t *bytes = calloc(1, made->push_size);
  if (!bytes)
    return vh_out_of_memory(&device->error);
  memcpy(bytes, resource->bytes, resource->declared->size);
  device->vk.CmdPushConstants(device->commands, made->layout, made->stages, 0, made->push_size,
                              bytes);
  free(bytes);
  return true;
}

bool vh_descriptors_bind(VhDevice *device, const VhDescriptors *made, const AmberPipeline *pipeline,
                         const VhResource *resources) {
  if (made->set_count)
    device->vk.CmdBindDescriptorSets(device->commands,
                                     pipeline->graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS
                                                        : VK_PIPELINE_BIND_POINT_COMPUTE,
                                     made->layout, 0, made->set_count, made->sets,
                                     made->dynamic_offset_count, made->dynamic_offsets);
  return !made->push_size || push(device, made, &resources[pipeline->push_constant]);
}
