/* SPDX-License-Identifier: Apache-2.0 */
/* device: what every host does: opens the first Vulkan device, makes buffers, images and samplers, and submits
 * commands. What fails ends the process; its end frees all that was made. */
#ifndef EXAMPLE_DEVICE_H
#define EXAMPLE_DEVICE_H

#include <vulkan/vulkan.h>

typedef struct Device {
  VkPhysicalDevice gpu;
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer commands; /* begun by device_open, ended by device_run */
} Device;

/* A buffer that the host sees. For an image its pixels, of four floats each, which are copied to the image at the
 * start of the commands and back at their end. */
typedef struct Memory {
  VkBuffer buffer;
  void *bytes;
  uint32_t width, height; /* of the image */
  VkImage image;
  VkImageView view;
} Memory;

#define CALL(call)                                                                                 \
  do {                                                                                             \
    if ((call) != VK_SUCCESS)                                                                      \
      fail(#call " failed");                                                                       \
  } while (0)

void fail(const char *what);
/* Opens the device with every feature that it has. */
void device_open(Device *d);
void device_buffer(const Device *d, Memory *m, size_t size);
/* Makes the image of a buffer that has its pixels. */
void device_image(const Device *d, Memory *m, VkImageUsageFlags usage);
VkSampler device_sampler(const Device *d, int linear, int unnormalized, VkSamplerAddressMode mode);
/* A descriptor set with `count` descriptors, whose `writes` it completes. */
VkDescriptorSet device_set(const Device *d, const VkDescriptorSetLayoutBinding *bindings,
                           VkWriteDescriptorSet *writes, uint32_t count,
                           VkDescriptorSetLayout *layout);
/* Binds a compute pipeline with its sets and its push constants. */
void device_pipeline(const Device *d, const VkPipelineShaderStageCreateInfo *stage,
                     const VkPipelineLayoutCreateInfo *layout_info, const VkDescriptorSet *sets,
                     const void *pushed);
/* Copies the images of `memory` back after all commands, submits them, and waits for their end. */
void device_run(const Device *d, const Memory *memory, uint32_t count);

#endif
