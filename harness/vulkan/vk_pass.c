/* SPDX-License-Identifier: Apache-2.0 */
/* vk_pass: see vk_pass.h.
 *
 * Attachments are numbered in the script's order: colours, resolves, depth. Colour locations may
 * have holes, which are VK_ATTACHMENT_UNUSED. */
#include "harness/vulkan/vk_pass.h"

#include <math.h>
#include <stdlib.h>

/* ---- render pass ---------------------------------------------------------------------------- */

static VkAttachmentDescription describe(const VhImage *image) {
  return (VkAttachmentDescription){
      .format = image->format,
      .samples = image->samples,
      .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
      .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
  };
}

static VkAttachmentReference refer(uint32_t attachment) {
  return (VkAttachmentReference){attachment, VK_IMAGE_LAYOUT_GENERAL};
}

/* Sets, by location, the references to the colour attachments, and to the resolve attachments of
 * multisampled ones. */
static void refer_to_colors(const AmberPipeline *pipeline, const VhResource *resources,
                            uint32_t location_count, VkAttachmentReference *colors,
                            VkAttachmentReference *resolves) {
  for (uint32_t i = 0; i < location_count; i++)
    colors[i] = resolves[i] = refer(VK_ATTACHMENT_UNUSED);
  uint32_t resolved = 0;
  for (uint32_t i = 0; i < pipeline->color_count; i++) {
    const AmberAttachment *color = &pipeline->colors[i];
    colors[color->location] = refer(i);
    if (resources[color->buffer].image.samples != VK_SAMPLE_COUNT_1_BIT &&
        resolved < pipeline->resolve_count)
      resolves[color->location] = refer(pipeline->color_count + resolved++);
  }
}

static bool create_render_pass(VhDevice *device, const AmberPipeline *pipeline,
                               const VhResource *resources, const VhImage *const *images,
                               VhPass *pass) {
  VkAttachmentDescription *attachments = calloc(pass->view_count + 1, sizeof *attachments);
  VkAttachmentReference *colors = calloc(2 * (size_t)pass->location_count + 1, sizeof *colors);
  bool done = attachments && colors;
  if (done) {
    for (uint32_t i = 0; i < pass->view_count; i++)
      attachments[i] = describe(images[i]);
    VkAttachmentReference *resolves = colors + pass->location_count;
    refer_to_colors(pipeline, resources, pass->location_count, colors, resolves);
    VkAttachmentReference depth = refer(pass->view_count - 1);
    VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = pass->location_count,
        .pColorAttachments = colors,
        .pResolveAttachments = pipeline->resolve_count ? resolves : NULL,
        .pDepthStencilAttachment = pipeline->depth_stencil != AMBER_NONE ? &depth : NULL,
    };
    VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = pass->view_count,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    done = VH_CALL(device, CreateRenderPass, device->handle, &info, NULL, &pass->handle);
  } else {
    vh_out_of_memory(&device->error);
  }
  free(attachments);
  free(colors);
  return done;
}

/* ---- framebuffer ---------------------------------------------------------------------------- */

static bool create_view(VhDevice *device, const VhResource *resource, uint32_t level,
                        const VhImage **image, VhPass *pass) {
  *image = &resource->image;
  VkExtent3D extent = vh_image_level(&resource->image, level);
  if (level >= resource->image.mip_levels || extent.width < pass->extent.width ||
      extent.height < pass->extent.height)
    return vh_fail(&device->error, HN_SKIP, "attachment %s is smaller than the framebuffer",
                   resource->declared->name);
  return vh_image_view(device, &resource->image, resource->image.aspects, level, 1, NULL,
                       &pass->views[pass->view_count++]);
}

static bool create_views(VhDevice *device, const AmberPipeline *pipeline,
                         const VhResource *resources, const VhImage **images, VhPass *pass) {
  for (uint32_t i = 0; i < pipeline->color_count; i++)
    if (!create_view(device, &resources[pipeline->colors[i].buffer],
                     pipeline->colors[i].base_mip_level, &images[pass->view_count], pass))
      return false;
  for (uint32_t i = 0; i < pipeline->resolve_count; i++)
    if (!create_view(device, &resources[pipeline->resolves[i].buffer],
                     pipeline->resolves[i].base_mip_level, &images[pass->view_count], pass))
      return false;
  return pipeline->depth_stencil == AMBER_NONE ||
         create_view(device, &resources[pipeline->depth_stencil], 0, &images[pass->view_count],
                     pass);
}

static bool create_framebuffer(VhDevice *device, VhPass *pass) {
  VkFramebufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = pass->handle,
      .attachmentCount = pass->view_count,
      .pAttachments = pass->views,
      .width = pass->extent.width,
      .height = pass->extent.height,
      .layers = 1,
  };
  return VH_CALL(device, CreateFramebuffer, device->handle, &info, NULL, &pass->framebuffer);
}

static void measure(const AmberPipeline *pipeline, const VhResource *resources, VhPass *pass) {
  pass->extent = (VkExtent2D){pipeline->raster.width, pipeline->raster.height};
  pass->samples = VK_SAMPLE_COUNT_1_BIT;
  if (pipeline->depth_stencil != AMBER_NONE)
    pass->samples = resources[pipeline->depth_stencil].image.samples;
  for (uint32_t i = 0; i < pipeline->color_count; i++) {
    pass->samples = resources[pipeline->colors[i].buffer].image.samples;
    if (pipeline->colors[i].location >= pass->location_count)
      pass->location_count = pipeline->colors[i].location + 1;
  }
}

bool vh_pass_create(VhDevice *device, const AmberPipeline *pipeline, const VhResource *resources,
                    VhPass *pass) {
  size_t most = (size_t)pipeline->color_count + pipeline->resolve_count + 1;
  const VhImage **images = calloc(most, sizeof *images);
  pass->views = calloc(most, sizeof *pass->views);
  bool done = images && pass->views;
  if (!done)
    vh_out_of_memory(&device->error);
  measure(pipeline, resources, pass);
  done = done && create_views(device, pipeline, resources, images, pass) &&
         create_render_pass(device, pipeline, resources, images, pass) &&
         create_framebuffer(device, pass);
  free(images);
  return done;
}

void vh_pass_destroy(VhDevice *device, VhPass *pass) {
  device->vk.DestroyFramebuffer(device->handle, pass->framebuffer, NULL);
  device->vk.DestroyRenderPass(device->handle, pass->handle, NULL);
  for (uint32_t i = 0; i < pass->view_count; i++)
    device->vk.DestroyImageView(device->handle, pass->views[i], NULL);
  free(pass->views);
  *pass = (VhPass){0};
}

/* ---- recording ------------------------------------------------------------------------------ */

void vh_pass_begin(VhDevice *device, const VhPass *pass) {
  VkRenderPassBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass->handle,
      .framebuffer = pass->framebuffer,
      .renderArea.extent = pass->extent,
  };
  device->vk.CmdBeginRenderPass(device->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void vh_pass_end(VhDevice *device) {
  device->vk.CmdEndRenderPass(device->commands);
}

/* Integer formats get the script's integers (0 to 255), the others real numbers. */
static VkClearColorValue color_value(const EmuFormat *format, const float color[4]) {
  VkClearColorValue value = {{0}};
  for (uint32_t i = 0; i < 4; i++) {
    if (format->fields[0].kind == EMU_FORMAT_UINT)
      value.uint32[i] = (uint32_t)lroundf(color[i] * 255);
    else if (format->fields[0].kind == EMU_FORMAT_SINT)
      value.int32[i] = (int32_t)lroundf(color[i] * 255);
    else
      value.float32[i] = color[i];
  }
  return value;
}

bool vh_pass_clear(VhDevice *device, const VhPass *pass, const AmberPipeline *pipeline,
                   const VhResource *resources, const VhClear *clear) {
  VkClearAttachment *attachments = calloc(pipeline->color_count + 1, sizeof *attachments);
  if (!attachments)
    return vh_out_of_memory(&device->error);
  uint32_t count = 0;
  for (; count < pipeline->color_count; count++) {
    const AmberAttachment *color = &pipeline->colors[count];
    attachments[count] = (VkClearAttachment){
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .colorAttachment = color->location,
        .clearValue.color = color_value(resources[color->buffer].declared->format, clear->color),
    };
  }
  if (pipeline->depth_stencil != AMBER_NONE)
    attachments[count++] = (VkClearAttachment){
        .aspectMask = resources[pipeline->depth_stencil].image.aspects,
        .clearValue.depthStencil = {clear->depth, clear->stencil},
    };
  VkClearRect rect = {.rect.extent = pass->extent, .layerCount = 1};
  device->vk.CmdClearAttachments(device->commands, count, attachments, 1, &rect);
  free(attachments);
  return true;
}
