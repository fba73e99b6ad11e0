/* SPDX-License-Identifier: Apache-2.0 */
/* hook_descriptor: follows the layouts, sets and updates of descriptors. A set's descriptors are one
 * array in the order of binding numbers, so that an update that continues in the next binding is a
 * range of it. */
#include "harness/capture/record.h"

#include <stdlib.h>
#include <string.h>

/* ---- layouts --------------------------------------------------------------------------------- */

static int by_binding(const void *x, const void *y) {
  const CpBinding *a = x, *b = y;
  return (a->binding > b->binding) - (a->binding < b->binding);
}

static bool is_dynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* False: out of memory. */
static bool copy_immutable(CpDevice *d, const VkDescriptorSetLayoutBinding *from, CpBinding *to) {
  bool samplers = from->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                  from->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  if (!samplers || !from->pImmutableSamplers)
    return true;
  to->immutable = calloc(to->count + 1u, sizeof *to->immutable);
  for (uint32_t i = 0; to->immutable && i < to->count; i++) {
    const CpSampler *sampler =
        cp_handles_find(&d->samplers, CP_HANDLE(from->pImmutableSamplers[i]));
    to->immutable[i] = sampler ? *sampler : (CpSampler){.refusal = "an unknown sampler"};
  }
  return to->immutable != NULL;
}

static const char *layout_refusal(const VkDescriptorSetLayoutCreateInfo *info) {
  if (info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
    return "descriptors in a buffer (bindless)";
  return NULL;
}

static CpSetLayout *new_layout(CpDevice *d, const VkDescriptorSetLayoutCreateInfo *info) {
  CpSetLayout *layout = calloc(1, sizeof *layout);
  if (!layout)
    return NULL;
  *layout = (CpSetLayout){.shares = 1,
                          .bindings = calloc(info->bindingCount + 1u, sizeof *layout->bindings),
                          .refusal = layout_refusal(info)};
  bool good = layout->bindings != NULL;
  for (uint32_t i = 0; good && i < info->bindingCount; i++) {
    const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
    CpBinding *to = &layout->bindings[layout->binding_count++];
    bool bytes = from->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    *to = (CpBinding){.binding = from->binding,
                      .count = bytes ? 1 : from->descriptorCount,
                      .type = from->descriptorType};
    good = copy_immutable(d, from, to);
    layout->dynamic_count += is_dynamic(to->type) ? to->count : 0;
  }
  if (!good) {
    cp_layout_release(layout);
    return NULL;
  }
  qsort(layout->bindings, layout->binding_count, sizeof *layout->bindings, by_binding);
  for (uint32_t i = 0; i < layout->binding_count; i++) {
    layout->bindings[i].first = layout->descriptor_count;
    layout->descriptor_count += layout->bindings[i].count;
  }
  return layout;
}

VkResult VKAPI_CALL cp_CreateDescriptorSetLayout(VkDevice handle,
                                                 const VkDescriptorSetLayoutCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator,
                                                 VkDescriptorSetLayout *layout) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateDescriptorSetLayout(handle, info, allocator, layout);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&d->lock);
  CpSetLayout *record = new_layout(d, info);
  if (record && !cp_handles_put(&d->layouts, CP_HANDLE(*layout), record))
    cp_layout_release(record);
  pthread_mutex_unlock(&d->lock);
  return result;
}

CP_DESTROY(DescriptorSetLayout, layouts, cp_layout_release)

/* ---- sets ------------------------------------------------------------------------------------ */

VkResult VKAPI_CALL cp_AllocateDescriptorSets(VkDevice handle,
                                              const VkDescriptorSetAllocateInfo *info,
                                              VkDescriptorSet *sets) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.AllocateDescriptorSets(handle, info, sets);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&d->lock);
  for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
    CpSetLayout *layout = cp_handles_find(&d->layouts, CP_HANDLE(info->pSetLayouts[i]));
    CpSet *set = layout ? cp_set_new(layout, info->descriptorPool) : NULL;
    cp_set_free(cp_handles_take(&d->sets, CP_HANDLE(sets[i])));
    if (set && !cp_handles_put(&d->sets, CP_HANDLE(sets[i]), set))
      cp_set_free(set);
  }
  pthread_mutex_unlock(&d->lock);
  return result;
}

VkResult VKAPI_CALL cp_FreeDescriptorSets(VkDevice handle, VkDescriptorPool pool, uint32_t count,
                                          const VkDescriptorSet *sets) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  for (uint32_t i = 0; i < count; i++)
    cp_set_free(cp_handles_take(&d->sets, CP_HANDLE(sets[i])));
  pthread_mutex_unlock(&d->lock);
  return d->next.FreeDescriptorSets(handle, pool, count, sets);
}

static bool is_of_pool(const void *record, const void *pool) {
  return CP_HANDLE(((const CpSet *)record)->pool) == *(const uint64_t *)pool;
}

static void free_pool_sets(CpDevice *d, VkDescriptorPool pool) {
  const uint64_t wanted = CP_HANDLE(pool);
  pthread_mutex_lock(&d->lock);
  for (CpSet *set; (set = cp_handles_take_if(&d->sets, is_of_pool, &wanted));)
    cp_set_free(set);
  pthread_mutex_unlock(&d->lock);
}

VkResult VKAPI_CALL cp_ResetDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                           VkDescriptorPoolResetFlags flags) {
  CpDevice *d = cp_device_of(handle);
  free_pool_sets(d, pool);
  return d->next.ResetDescriptorPool(handle, pool, flags);
}

void VKAPI_CALL cp_DestroyDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                         const VkAllocationCallbacks *allocator) {
  CpDevice *d = cp_device_of(handle);
  free_pool_sets(d, pool);
  d->next.DestroyDescriptorPool(handle, pool, allocator);
}

/* ---- updates --------------------------------------------------------------------------------- */

static CpDescriptor *descriptor_at(CpSet *set, uint32_t binding, uint32_t element) {
  const CpBinding *b = set ? cp_layout_find(set->layout, binding) : NULL;
  return b && b->first + element < set->layout->descriptor_count
             ? &set->descriptors[b->first + element]
             : NULL;
}

static void put_buffer(CpDescriptor *to, const VkDescriptorBufferInfo *info) {
  *to = (CpDescriptor){
      .written = true, .buffer = info->buffer, .offset = info->offset, .range = info->range};
}

static void put_image(CpDescriptor *to, const VkDescriptorImageInfo *info) {
  *to = (CpDescriptor){.written = true,
                       .view = info->imageView,
                       .layout = info->imageLayout,
                       .sampler = info->sampler};
}

/* Copies one descriptor of that type from the application's structure. */
static void put(CpDescriptor *to, VkDescriptorType type, const void *info) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    put_image(to, info);
    return;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    *to = (CpDescriptor){.written = true, .texels = *(const VkBufferView *)info};
    return;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    put_buffer(to, info);
    return;
  default:
    return;
  }
}

static const void *info_of(const VkWriteDescriptorSet *write, uint32_t i) {
  switch (write->descriptorType) {
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return &write->pTexelBufferView[i];
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    return &write->pBufferInfo[i];
  default:
    return &write->pImageInfo[i];
  }
}

static void apply_write(CpSet *set, const VkWriteDescriptorSet *write) {
  if (!set || write->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
    return;
  set->changes++;
  for (uint32_t i = 0; i < write->descriptorCount; i++) {
    CpDescriptor *to = descriptor_at(set, write->dstBinding, write->dstArrayElement + i);
    if (to)
      put(to, write->descriptorType, info_of(write, i));
  }
}

static void apply_copy(CpDevice *d, const VkCopyDescriptorSet *copy) {
  CpSet *from = cp_handles_find(&d->sets, CP_HANDLE(copy->srcSet));
  CpSet *to = cp_handles_find(&d->sets, CP_HANDLE(copy->dstSet));
  if (!from || !to)
    return;
  to->changes++;
  for (uint32_t i = 0; i < copy->descriptorCount; i++) {
    const CpDescriptor *source = descriptor_at(from, copy->srcBinding, copy->srcArrayElement + i);
    CpDescriptor *target = descriptor_at(to, copy->dstBinding, copy->dstArrayElement + i);
    if (source && target)
      *target = *source;
  }
}

void VKAPI_CALL cp_UpdateDescriptorSets(VkDevice handle, uint32_t write_count,
                                        const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                        const VkCopyDescriptorSet *copies) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  for (uint32_t i = 0; i < write_count; i++)
    apply_write(cp_handles_find(&d->sets, CP_HANDLE(writes[i].dstSet)), &writes[i]);
  for (uint32_t i = 0; i < copy_count; i++)
    apply_copy(d, &copies[i]);
  pthread_mutex_unlock(&d->lock);
  d->next.UpdateDescriptorSets(handle, write_count, writes, copy_count, copies);
}

/* ---- templates ------------------------------------------------------------------------------- */

static CpTemplate *new_template(const VkDescriptorUpdateTemplateCreateInfo *info) {
  CpTemplate *record = calloc(1, sizeof *record);
  size_t size = info->descriptorUpdateEntryCount * sizeof *info->pDescriptorUpdateEntries;
  VkDescriptorUpdateTemplateEntry *entries = malloc(size + 1);
  if (!record || !entries) {
    free(record);
    free(entries);
    return NULL;
  }
  memcpy(entries, info->pDescriptorUpdateEntries, size);
  *record = (CpTemplate){entries, info->descriptorUpdateEntryCount, info->pipelineBindPoint};
  return record;
}

static void free_template(CpTemplate *record) {
  if (record)
    free(record->entries);
  free(record);
}

VkResult VKAPI_CALL cp_CreateDescriptorUpdateTemplate(
    VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDescriptorUpdateTemplate *made) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateDescriptorUpdateTemplate(handle, info, allocator, made);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&d->lock);
  CpTemplate *record = new_template(info);
  if (record && !cp_handles_put(&d->templates, CP_HANDLE(*made), record))
    free_template(record);
  pthread_mutex_unlock(&d->lock);
  return result;
}

CP_DESTROY(DescriptorUpdateTemplate, templates, free_template)

static void apply_template(CpDevice *d, CpSet *set, VkDescriptorUpdateTemplate made,
                           const void *data) {
  const CpTemplate *record = cp_handles_find(&d->templates, CP_HANDLE(made));
  if (!record || !set)
    return;
  set->changes++;
  for (uint32_t i = 0; i < record->count; i++) {
    const VkDescriptorUpdateTemplateEntry *e = &record->entries[i];
    for (uint32_t k = 0; k < e->descriptorCount; k++) {
      CpDescriptor *to = descriptor_at(set, e->dstBinding, e->dstArrayElement + k);
      if (to)
        put(to, e->descriptorType, (const char *)data + e->offset + k * e->stride);
    }
  }
}

void VKAPI_CALL cp_UpdateDescriptorSetWithTemplate(VkDevice handle, VkDescriptorSet set,
                                                   VkDescriptorUpdateTemplate made,
                                                   const void *data) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  apply_template(d, cp_handles_find(&d->sets, CP_HANDLE(set)), made, data);
  pthread_mutex_unlock(&d->lock);
  d->next.UpdateDescriptorSetWithTemplate(handle, set, made, data);
}

/* ---- push descriptors ------------------------------------------------------------------------ */

void VKAPI_CALL cp_CmdPushDescriptorSetKHR(VkCommandBuffer commands, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t set, uint32_t count,
                                           const VkWriteDescriptorSet *writes) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  CpSet *pushed = cp_record_pushed(d, commands, point, layout, set);
  for (uint32_t i = 0; i < count; i++)
    apply_write(pushed, &writes[i]);
  pthread_mutex_unlock(&d->lock);
  d->next.CmdPushDescriptorSetKHR(commands, point, layout, set, count, writes);
}

void VKAPI_CALL cp_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer commands,
                                                       VkDescriptorUpdateTemplate made,
                                                       VkPipelineLayout layout, uint32_t set,
                                                       const void *data) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  const CpTemplate *record = cp_handles_find(&d->templates, CP_HANDLE(made));
  if (record)
    apply_template(d, cp_record_pushed(d, commands, record->point, layout, set), made, data);
  pthread_mutex_unlock(&d->lock);
  d->next.CmdPushDescriptorSetWithTemplateKHR(commands, made, layout, set, data);
}
