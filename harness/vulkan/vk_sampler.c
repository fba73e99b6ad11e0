/* SPDX-License-Identifier: Apache-2.0 */
/* vk_sampler: samplers of a script; see vk_descriptor.h. The script has Vulkan's numbers. */
#include "harness/vulkan/vk_descriptor.h"

bool vh_sampler_create(VhDevice *device, const EmuSamplerState *declared, VkSampler *sampler) {
  VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = (VkFilter)declared->mag_filter,
      .minFilter = (VkFilter)declared->min_filter,
      .mipmapMode = (VkSamplerMipmapMode)declared->mipmap_mode,
      .mipLodBias = declared->lod_bias,
      .addressModeU = (VkSamplerAddressMode)declared->address_mode_u,
      .addressModeV = (VkSamplerAddressMode)declared->address_mode_v,
      .addressModeW = (VkSamplerAddressMode)declared->address_mode_w,
      .compareEnable = declared->compare,
      .compareOp = (VkCompareOp)declared->compare_op,
      .minLod = declared->min_lod,
      .maxLod = declared->max_lod,
      .borderColor = (VkBorderColor)declared->border_color,
      .unnormalizedCoordinates = declared->unnormalized,
  };
  return VH_CALL(device, CreateSampler, device->handle, &info, NULL, sampler);
}
