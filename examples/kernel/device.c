/* SPDX-License-Identifier: Apache-2.0 */
/* device: see device.h. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *what) {
  fprintf(stderr, "run_kernel: %s\n", what);
  exit(EXIT_FAILURE);
}

/* Opens the device with every feature that it has. */
void device_open(Device *d) {
  enum { MOST_FAMILIES = 16 };
  /* Vulkan 1.3 knows instructions like those by which the module describes its arguments. */
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                        .pApplicationInfo = &application};
  VkInstance instance;
  CALL(vkCreateInstance(&instance_info, NULL, &instance));
  uint32_t one = 1, families = MOST_FAMILIES, family = 0;
  vkEnumeratePhysicalDevices(instance, &one, &d->gpu);
  if (!one)
    fail("there is no Vulkan device");
  VkPhysicalDeviceVulkan12Features newer = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan11Features new = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &newer};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                        .pNext = &new};
  vkGetPhysicalDeviceFeatures2(d->gpu, &features);
  features.features.robustBufferAccess = VK_FALSE; /* not allowed with all that `newer` has */
  VkQueueFamilyProperties family_properties[MOST_FAMILIES];
  vkGetPhysicalDeviceQueueFamilyProperties(d->gpu, &families, family_properties);
  while (family < families && !(family_properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
    family++;
  VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .queueFamilyIndex = family,
                                        .queueCount = 1,
                                        .pQueuePriorities = (float[]){1}};
  VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &features,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue_info};
  CALL(vkCreateDevice(d->gpu, &device_info, NULL, &d->device));
  vkGetDeviceQueue(d->device, family, 0, &d->queue);
  VkCommandPool pool;
  VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .queueFamilyIndex = family};
  CALL(vkCreateCommandPool(d->device, &pool_info, NULL, &pool));
  VkCommandBufferAllocateInfo commands_info = {.sType =
                                                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool,
                                               .commandBufferCount = 1};
  CALL(vkAllocateCommandBuffers(d->device, &commands_info, &d->commands));
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CALL(vkBeginCommandBuffer(d->commands, &begin));
}

static VkDeviceMemory allocate(const Device *d, VkMemoryRequirements needed,
                               VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties has;
  vkGetPhysicalDeviceMemoryProperties(d->gpu, &has);
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .allocationSize = needed.size};
  while (!(needed.memoryTypeBits >> info.memoryTypeIndex & 1) ||
         (has.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted)
    if (++info.memoryTypeIndex == has.memoryTypeCount)
      fail("the device has no such memory");
  VkDeviceMemory made;
  CALL(vkAllocateMemory(d->device, &info, NULL, &made));
  return made;
}

void device_buffer(const Device *d, Memory *m, size_t size) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size ? size : 4,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  CALL(vkCreateBuffer(d->device, &info, NULL, &m->buffer));
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(d->device, m->buffer, &needed);
  VkDeviceMemory at = allocate(
      d, needed, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CALL(vkBindBufferMemory(d->device, m->buffer, at, 0));
  CALL(vkMapMemory(d->device, at, 0, VK_WHOLE_SIZE, 0, &m->bytes));
  memset(m->bytes, 0, info.size);
}

/* Everything before is done, and seen by everything after. */
static void wait_for_all(const Device *d, VkImage image, VkImageLayout from) {
  VkMemoryBarrier memory_barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask =
                                        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  VkImageMemoryBarrier image_barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .oldLayout = from,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .image = image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  vkCmdPipelineBarrier(d->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &memory_barrier, 0, NULL, image ? 1 : 0, &image_barrier);
}

static VkBufferImageCopy pixels(const Memory *m) {
  return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .imageExtent = {m->width, m->height, 1}};
}

void device_image(const Device *d, Memory *m, VkImageUsageFlags usage) {
  VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                            .extent = {m->width, m->height, 1},
                            .mipLevels = 1,
                            .arrayLayers = 1,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  CALL(vkCreateImage(d->device, &info, NULL, &m->image));
  VkMemoryRequirements needed;
  vkGetImageMemoryRequirements(d->device, m->image, &needed);
  CALL(vkBindImageMemory(d->device, m->image, allocate(d, needed, 0), 0));
  VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = m->image,
                                .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                .format = info.format,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  CALL(vkCreateImageView(d->device, &view, NULL, &m->view));
  VkBufferImageCopy copy = pixels(m);
  wait_for_all(d, m->image, VK_IMAGE_LAYOUT_UNDEFINED);
  vkCmdCopyBufferToImage(d->commands, m->buffer, m->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  wait_for_all(d, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
}

VkSampler device_sampler(const Device *d, int linear, int unnormalized, VkSamplerAddressMode mode) {
  VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                              .magFilter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                              .minFilter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                              .addressModeU = mode,
                              .addressModeV = mode,
                              .addressModeW = mode,
                              .unnormalizedCoordinates = unnormalized ? VK_TRUE : VK_FALSE};
  VkSampler sampler;
  CALL(vkCreateSampler(d->device, &info, NULL, &sampler));
  return sampler;
}

VkDescriptorSet device_set(const Device *d, const VkDescriptorSetLayoutBinding *bindings,
                           VkWriteDescriptorSet *writes, uint32_t count,
                           VkDescriptorSetLayout *layout) {
  VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count + 1},
                                  {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count + 1},
                                  {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, count + 1},
                                  {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, count + 1},
                                  {VK_DESCRIPTOR_TYPE_SAMPLER, count + 1}};
  VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = 1,
                                          .poolSizeCount = sizeof sizes / sizeof *sizes,
                                          .pPoolSizes = sizes};
  VkDescriptorPool pool;
  CALL(vkCreateDescriptorPool(d->device, &pool_info, NULL, &pool));
  VkDescriptorSetLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = count,
      .pBindings = bindings};
  CALL(vkCreateDescriptorSetLayout(d->device, &layout_info, NULL, layout));
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = pool,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = layout};
  VkDescriptorSet set;
  CALL(vkAllocateDescriptorSets(d->device, &info, &set));
  for (uint32_t i = 0; i < count; i++)
    writes[i].dstSet = set;
  vkUpdateDescriptorSets(d->device, count, writes, 0, NULL);
  return set;
}

void device_pipeline(const Device *d, const VkPipelineShaderStageCreateInfo *stage,
                     const VkPipelineLayoutCreateInfo *layout_info, const VkDescriptorSet *sets,
                     const void *pushed) {
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = *stage};
  CALL(vkCreatePipelineLayout(d->device, layout_info, NULL, &info.layout));
  VkPipeline pipeline;
  CALL(vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
  vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(d->commands, VK_PIPELINE_BIND_POINT_COMPUTE, info.layout, 0,
                          layout_info->setLayoutCount, sets, 0, NULL);
  if (layout_info->pushConstantRangeCount)
    vkCmdPushConstants(d->commands, info.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       layout_info->pPushConstantRanges->size, pushed);
}

void device_run(const Device *d, const Memory *memory, uint32_t count) {
  wait_for_all(d, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
  for (uint32_t i = 0; i < count; i++)
    if (memory[i].image) {
      VkBufferImageCopy copy = pixels(&memory[i]);
      vkCmdCopyImageToBuffer(d->commands, memory[i].image, VK_IMAGE_LAYOUT_GENERAL,
                             memory[i].buffer, 1, &copy);
    }
  wait_for_all(d, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
  CALL(vkEndCommandBuffer(d->commands));
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &d->commands};
  CALL(vkQueueSubmit(d->queue, 1, &submit, VK_NULL_HANDLE));
  CALL(vkQueueWaitIdle(d->queue));
}
