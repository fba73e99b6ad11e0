/* SPDX-License-Identifier: Apache-2.0 */
/* objects: what a capture knows about the application's objects. A record that may outlive its
 * object (a layout whose sets still exist) counts its users in `shares`. `refusal`: why a dispatch
 * that uses the object cannot be captured; NULL: it can. */
#ifndef CP_OBJECTS_H
#define CP_OBJECTS_H

#include "harness/capture/shader_face.h"
#include "harness/layer/support/hash.h"

#include <vulkan/vulkan.h>

typedef struct CpBuffer {
  VkBuffer handle;
  VkDeviceSize size;
  VkDeviceMemory memory; /* VK_NULL_HANDLE: not bound yet */
  VkDeviceSize at;       /* in the memory */
  const char *refusal;
} CpBuffer;

typedef struct CpImage {
  VkImage handle;
  VkImageType type;
  VkFormat format;
  VkExtent3D extent;
  uint32_t levels, layers;
  const char *refusal;
} CpImage;

typedef struct CpView {
  VkImage image;
  VkImageViewType type;
  VkFormat format;
  VkComponentMapping components;
  VkImageSubresourceRange range; /* with counts, not VK_REMAINING… */
  const char *refusal;
} CpView;

typedef struct CpTexelView {
  VkBuffer buffer;
  VkFormat format;
  VkDeviceSize offset, range;
} CpTexelView;

typedef struct CpSampler {
  VkSamplerCreateInfo info; /* without its chain */
  const char *refusal;
} CpSampler;

typedef struct CpBinding {
  uint32_t binding, count;
  uint32_t first; /* index of its first descriptor in a set */
  VkDescriptorType type;
  CpSampler *immutable; /* `count` samplers, or NULL */
} CpBinding;

typedef struct CpSetLayout {
  unsigned shares;
  CpBinding *bindings; /* sorted by number */
  uint32_t binding_count, descriptor_count, dynamic_count;
  const char *refusal;
} CpSetLayout;

typedef struct CpDescriptor {
  bool written; /* by an update */
  VkBuffer buffer;
  VkDeviceSize offset, range;
  VkImageView view;
  VkImageLayout layout;
  VkSampler sampler;
  VkBufferView texels;
} CpDescriptor;

typedef struct CpSet {
  CpSetLayout *layout;
  VkDescriptorPool pool; /* VK_NULL_HANDLE: a set that was pushed */
  CpDescriptor *descriptors;
  uint64_t changes; /* counts updates */
} CpSet;

typedef struct CpTemplate {
  VkDescriptorUpdateTemplateEntry *entries;
  uint32_t count;
  VkPipelineBindPoint point; /* of templates for pushed descriptors */
} CpTemplate;

typedef struct CpPipelineLayout {
  CpSetLayout **sets;
  uint32_t set_count, push_bytes; /* of compute shaders */
} CpPipelineLayout;

typedef struct CpModule {
  unsigned shares;
  uint32_t *words;
  size_t bytes;
  LyHash hash;
  char *name; /* that the application gave; or NULL */
} CpModule;

/* A pipeline, or one stage of a graphics pipeline, whose first stage has the pipeline's state. */
typedef struct CpPipeline {
  unsigned shares;
  VkShaderStageFlagBits stage;
  struct CpPipeline *next;     /* the next stage; NULL: none; owned */
  struct CpGraphics *graphics; /* of the first stage of a graphics pipeline */
  CpModule *module;
  char *entry;
  VkSpecializationMapEntry *constants;
  uint32_t constant_count;
  uint8_t *constant_bytes;
  size_t constant_size;
  uint32_t subgroup_size; /* that it requires; 0: none */
  bool varying_size, full_subgroups;
  uint32_t push_bytes;
  CpFace *face;        /* what the shader declares; NULL: `refusal` says why */
  uint32_t row;        /* of the session's table */
  const char *refusal; /* a constant, or owned by `face` */
} CpPipeline;

/* Each frees the record when its last share is released; all accept NULL. */
void cp_layout_release(CpSetLayout *layout);
void cp_set_free(CpSet *set);
void cp_pipeline_layout_free(CpPipelineLayout *layout);
void cp_module_release(CpModule *module);
void cp_pipeline_release(CpPipeline *pipeline);

/* A new set of undefined descriptors; shares the layout. NULL: out of memory. */
CpSet *cp_set_new(CpSetLayout *layout, VkDescriptorPool pool);
/* The binding of that number; NULL: there is none. */
const CpBinding *cp_layout_find(const CpSetLayout *layout, uint32_t binding);

#endif
