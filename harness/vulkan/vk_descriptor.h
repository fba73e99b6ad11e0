/* SPDX-License-Identifier: Apache-2.0 */
/* vk_descriptor: descriptor sets, pipeline layout and push constants of one pipeline of a
 * script. */
#ifndef VH_DESCRIPTOR_H
#define VH_DESCRIPTOR_H

#include "harness/vulkan/vk_resource.h"

typedef struct VhDescriptors {
  uint32_t set_count; /* highest set plus one; sets in between may be empty */
  VkDescriptorSetLayout *set_layouts;
  VkDescriptorSet *sets;
  VkDescriptorPool pool;
  VkPipelineLayout layout;
  VkShaderStageFlags stages; /* stages that see the descriptors */
  uint32_t push_size;        /* of the push constants, a multiple of four */
  VkImageView *image_views;
  uint32_t image_view_count;
  VkBufferView *buffer_views;
  uint32_t buffer_view_count;
  uint32_t *dynamic_offsets; /* by set, binding, array element */
  uint32_t dynamic_offset_count;
} VhDescriptors;

bool vh_sampler_create(VhDevice *device, const EmuSamplerState *declared,
                       VkSampler *sampler) VH_MUST_USE;

/* `resources` and `samplers` by their indices in the script. Destroy the descriptors whatever the
 * result. */
bool vh_descriptors_create(VhDevice *device, const AmberScript *script,
                           const AmberPipeline *pipeline, const VhResource *resources,
                           const VkSampler *samplers, VhDescriptors *made) VH_MUST_USE;
void vh_descriptors_destroy(VhDevice *device, VhDescriptors *made);
/* Records the binding of all sets and the push constants' values. */
bool vh_descriptors_bind(VhDevice *device, const VhDescriptors *made, const AmberPipeline *pipeline,
                         const VhResource *resources) VH_MUST_USE;

#endif
