/* SPDX-License-Identifier: Apache-2.0 */
/* vk_pass: render pass and framebuffer of a graphics pipeline of a script.
 *
 * One subpass. Attachments are loaded and stored, so that draws and clears of several pipelines
 * accumulate in the same images. All layouts are VK_IMAGE_LAYOUT_GENERAL. */
#ifndef VH_PASS_H
#define VH_PASS_H

#include "harness/vulkan/vk_resource.h"

typedef struct VhPass {
  VkRenderPass handle;
  VkFramebuffer framebuffer;
  VkImageView *views; /* one per attachment: colours, resolves, depth */
  uint32_t view_count;
  uint32_t location_count; /* highest colour location plus one */
  VkExtent2D extent;
  VkSampleCountFlagBits samples;
} VhPass;

/* The values with which CLEAR fills the attachments of a pipeline. */
typedef struct VhClear {
  float color[4];
  float depth;
  uint32_t stencil;
} VhClear;

/* Destroy the pass whatever the result. */
bool vh_pass_create(VhDevice *device, const AmberPipeline *pipeline, const VhResource *resources,
                    VhPass *pass) VH_MUST_USE;
void vh_pass_destroy(VhDevice *device, VhPass *pass);
void vh_pass_begin(VhDevice *device, const VhPass *pass);
void vh_pass_end(VhDevice *device);
/* Records the clearing of all attachments; to be called between vh_pass_begin and vh_pass_end. */
bool vh_pass_clear(VhDevice *device, const VhPass *pass, const AmberPipeline *pipeline,
                   const VhResource *resources, const VhClear *clear) VH_MUST_USE;

#endif
