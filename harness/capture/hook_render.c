/* SPDX-License-Identifier: Apache-2.0 */
/* hook_render: follows render passes, framebuffers, swapchains and the commands that begin and end a render
 * pass. */
#include "harness/capture/record.h"

#include <stdlib.h>

static const char several_subpasses[] = "a render pass with several subpasses";
static const char resolves[] = "a render pass that resolves";
static const char too_many[] = "a render pass with more than eight colours";

/* ---- render passes --------------------------------------------------------------------------- */

typedef struct Description { /* what both versions of the create-info say */
  VkSampleCountFlagBits samples;
  VkAttachmentLoadOp load;
  VkAttachmentStoreOp store;
  VkImageLayout layout, before;
} Description;

static void use(CpRenderPass *pass, CpAttachment *attachment, const Description *description) {
  if (description->samples != VK_SAMPLE_COUNT_1_BIT)
    pass->refusal = "a multisampled attachment";
  *attachment = (CpAttachment){.used = true,
                               .stored = description->store == VK_ATTACHMENT_STORE_OP_STORE,
                               .load = description->load,
                               .layout = description->layout,
                               .before = description->before};
}

#define READ_PASS(info, pass)                                                                      \
  do {                                                                                             \
    if ((info)->subpassCount != 1)                                                                 \
      (pass)->refusal = several_subpasses;                                                         \
    if ((info)->pSubpasses->pResolveAttachments)                                                   \
      (pass)->refusal = resolves;                                                                  \
    if ((info)->pSubpasses->colorAttachmentCount > CP_MOST_COLORS)                                 \
      (pass)->refusal = too_many;                                                                  \
    for (uint32_t i = 0; !(pass)->refusal && i < (info)->pSubpasses->colorAttachmentCount; i++) {  \
      uint32_t index = (info)->pSubpasses->pColorAttachments[i].attachment;                        \
      (pass)->color_count = i + 1;                                                                 \
      (pass)->color_index[i] = index;                                                              \
      if (index == VK_ATTACHMENT_UNUSED)                                                           \
        continue;                                                                                  \
      const Description description = {                                                            \
          (info)->pAttachments[index].samples, (info)->pAttachments[index].loadOp,                 \
          (info)->pAttachments[index].storeOp, (info)->pAttachments[index].finalLayout,            \
          (info)->pAttachments[index].initialLayout};                                              \
      use((pass), &(pass)->colors[i], &description);                                               \
    }                                                                                              \
    if (!(pass)->refusal && (info)->pSubpasses->pDepthStencilAttachment &&                         \
        (info)->pSubpasses->pDepthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED) {         \
      uint32_t index = (info)->pSubpasses->pDepthStencilAttachment->attachment;                    \
      (pass)->depth_index = index;                                                                 \
      const Description description = {                                                            \
          (info)->pAttachments[index].samples, (info)->pAttachments[index].loadOp,                 \
          (info)->pAttachments[index].storeOp, (info)->pAttachments[index].finalLayout,            \
          (info)->pAttachments[index].initialLayout};                                              \
      use((pass), &(pass)->depth, &description);                                                   \
    }                                                                                              \
  } while (0)

VkResult VKAPI_CALL cp_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkRenderPass *pass) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateRenderPass(handle, info, allocator, pass);
  if (result != VK_SUCCESS)
    return result;
  CpRenderPass record = {0};
  READ_PASS(info, &record);
  cp_device_keep(d, &d->passes, CP_HANDLE(*pass), &record, sizeof record);
  return result;
}

VkResult VKAPI_CALL cp_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkRenderPass *pass) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateRenderPass2(handle, info, allocator, pass);
  if (result != VK_SUCCESS)
    return result;
  CpRenderPass record = {0};
  READ_PASS(info, &record);
  if (info->pSubpasses->viewMask)
    record.refusal = "several views (multiview)";
  cp_device_keep(d, &d->passes, CP_HANDLE(*pass), &record, sizeof record);
  return result;
}

CP_DESTROY(RenderPass, passes, free)

VkResult VKAPI_CALL cp_CreateFramebuffer(VkDevice handle, const VkFramebufferCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkFramebuffer *framebuffer) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateFramebuffer(handle, info, allocator, framebuffer);
  if (result != VK_SUCCESS)
    return result;
  CpFramebuffer record = {.width = info->width,
                          .height = info->height,
                          .layers = info->layers,
                          .imageless = info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT};
  for (uint32_t i = 0; !record.imageless && i < info->attachmentCount && i < CP_MOST_ATTACHMENTS;
       i++)
    record.views[record.view_count++] = info->pAttachments[i];
  cp_device_keep(d, &d->framebuffers, CP_HANDLE(*framebuffer), &record, sizeof record);
  return result;
}

CP_DESTROY(Framebuffer, framebuffers, free)

/* ---- swapchains ------------------------------------------------------------------------------ */

VkResult VKAPI_CALL cp_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkSwapchainKHR *swapchain) {
  CpDevice *d = cp_device_of(handle);
  VkSurfaceCapabilitiesKHR capabilities = {0};
  if (d->surface)
    d->surface(d->physical, info->surface, &capabilities);
  VkSwapchainCreateInfoKHR changed = *info;
  changed.imageUsage |= capabilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  VkResult result = d->next.CreateSwapchainKHR(handle, &changed, allocator, swapchain);
  if (result != VK_SUCCESS)
    return result;
  const CpImage record = {.type = VK_IMAGE_TYPE_2D,
                          .format = info->imageFormat,
                          .extent = {info->imageExtent.width, info->imageExtent.height, 1},
                          .levels = 1,
                          .layers = info->imageArrayLayers,
                          .refusal = changed.imageUsage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT
                                         ? NULL
                                         : "an image of a swapchain that cannot be read"};
  cp_device_keep(d, &d->swapchains, CP_HANDLE(*swapchain), &record, sizeof record);
  return result;
}

CP_DESTROY(SwapchainKHR, swapchains, free)

VkResult VKAPI_CALL cp_GetSwapchainImagesKHR(VkDevice handle, VkSwapchainKHR swapchain,
                                             uint32_t *count, VkImage *images) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.GetSwapchainImagesKHR(handle, swapchain, count, images);
  if (!images || result < 0)
    return result;
  pthread_mutex_lock(&d->lock);
  const CpImage *kind = cp_handles_find(&d->swapchains, CP_HANDLE(swapchain));
  CpImage record = kind ? *kind : (CpImage){0};
  pthread_mutex_unlock(&d->lock);
  for (uint32_t i = 0; kind && i < *count; i++) {
    record.handle = images[i];
    cp_device_keep(d, &d->images, CP_HANDLE(images[i]), &record, sizeof record);
  }
  return result;
}

/* ---- a render pass begins -------------------------------------------------------------------- */

static void attach_views(CpPass *pass, const CpRenderPass *kind, const CpFramebuffer *framebuffer,
                         const VkRenderPassBeginInfo *info) {
  for (uint32_t i = 0; i < kind->color_count; i++) {
    uint32_t index = kind->color_index[i];
    pass->colors[i] = kind->colors[i];
    if (!kind->colors[i].used || index >= framebuffer->view_count)
      continue;
    pass->colors[i].view = framebuffer->views[index];
    if (index < info->clearValueCount)
      pass->colors[i].clear = info->pClearValues[index];
  }
  pass->color_count = kind->color_count;
  pass->depth = kind->depth;
  if (kind->depth.used && kind->depth_index < framebuffer->view_count) {
    pass->depth.view = framebuffer->views[kind->depth_index];
    if (kind->depth_index < info->clearValueCount)
      pass->depth.clear = info->pClearValues[kind->depth_index];
  }
}

static const char *area_obstacle(const VkRect2D *area, uint32_t width, uint32_t height) {
  bool whole = area->offset.x == 0 && area->offset.y == 0 && area->extent.width == width &&
               area->extent.height == height;
  return whole ? NULL : "a render pass over a part of its framebuffer";
}

static void clear_pass(CpDevice *d, const CpPass *pass) {
  cp_shot_free(d, pass->shot);
  cp_shot_free(d, pass->loaded);
}

static void begin(CpDevice *d, VkCommandBuffer commands, const VkRenderPassBeginInfo *info) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  const CpRenderPass *kind = cp_handles_find(&d->passes, CP_HANDLE(info->renderPass));
  const CpFramebuffer *framebuffer =
      cp_handles_find(&d->framebuffers, CP_HANDLE(info->framebuffer));
  if (c) {
    clear_pass(d, &c->pass);
    c->pass = (CpPass){.active = true};
    c->pass.refusal =
        !kind || !framebuffer    ? "an unknown render pass"
        : kind->refusal          ? kind->refusal
        : framebuffer->imageless ? "a framebuffer without images"
        : framebuffer->layers > 1
            ? "a framebuffer with layers"
            : area_obstacle(&info->renderArea, framebuffer->width, framebuffer->height);
  }
  if (c && !c->pass.refusal) {
    c->pass.width = framebuffer->width;
    c->pass.height = framebuffer->height;
    attach_views(&c->pass, kind, framebuffer, info);
    c->pass.loaded = cp_shot_loaded(d, c, &c->pass);
  }
  pthread_mutex_unlock(&d->lock);
}

/* After the pass: the copies of its draw. */
static void end(CpDevice *d, VkCommandBuffer commands) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  CpShot *shot = c ? c->pass.shot : NULL;
  if (shot) {
    cp_copies_before(d, commands, shot);
    cp_copies_after(d, commands, shot);
    cp_record_add(c, shot);
  }
  if (c && c->pass.loaded)
    cp_record_keep(c, c->pass.loaded);
  if (c)
    c->pass = (CpPass){0};
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdBeginRenderPass(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                      VkSubpassContents contents) {
  CpDevice *d = cp_device_of(commands);
  begin(d, commands, info);
  d->next.CmdBeginRenderPass(commands, info, contents);
}

void VKAPI_CALL cp_CmdBeginRenderPass2(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                       const VkSubpassBeginInfo *subpass) {
  CpDevice *d = cp_device_of(commands);
  begin(d, commands, info);
  d->next.CmdBeginRenderPass2(commands, info, subpass);
}

void VKAPI_CALL cp_CmdEndRenderPass(VkCommandBuffer commands) {
  CpDevice *d = cp_device_of(commands);
  d->next.CmdEndRenderPass(commands);
  end(d, commands);
}

void VKAPI_CALL cp_CmdEndRenderPass2(VkCommandBuffer commands, const VkSubpassEndInfo *info) {
  CpDevice *d = cp_device_of(commands);
  d->next.CmdEndRenderPass2(commands, info);
  end(d, commands);
}

/* ---- dynamic rendering ----------------------------------------------------------------------- */

static CpAttachment attachment_of(const VkRenderingAttachmentInfo *info, const char **refusal) {
  if (!info || !info->imageView)
    return (CpAttachment){0};
  if (info->resolveMode != VK_RESOLVE_MODE_NONE)
    *refusal = resolves;
  return (CpAttachment){.used = true,
                        .stored = info->storeOp == VK_ATTACHMENT_STORE_OP_STORE,
                        .load = info->loadOp,
                        .clear = info->clearValue,
                        .view = info->imageView,
                        .layout = info->imageLayout,
                        .before = info->imageLayout};
}

static CpPass pass_of(const VkRenderingInfo *info) {
  CpPass pass = {.active = true,
                 .width = info->renderArea.extent.width,
                 .height = info->renderArea.extent.height};
  for (uint32_t i = 0; i < info->colorAttachmentCount && i < CP_MOST_COLORS; i++)
    pass.colors[pass.color_count++] = attachment_of(&info->pColorAttachments[i], &pass.refusal);
  pass.depth = attachment_of(info->pDepthAttachment, &pass.refusal);
  if (info->pStencilAttachment && info->pStencilAttachment->imageView)
    pass.refusal = "a stencil attachment";
  if (info->colorAttachmentCount > CP_MOST_COLORS)
    pass.refusal = too_many;
  if (info->flags)
    pass.refusal = "a render pass in several parts, or in secondary command buffers";
  if (info->viewMask || info->layerCount > 1)
    pass.refusal = "several views (multiview) or layers";
  if (info->renderArea.offset.x || info->renderArea.offset.y)
    pass.refusal = "a render pass over a part of its framebuffer";
  return pass;
}

void VKAPI_CALL cp_CmdBeginRendering(VkCommandBuffer commands, const VkRenderingInfo *info) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (c) {
    clear_pass(d, &c->pass);
    c->pass = pass_of(info);
    if (!c->pass.refusal)
      c->pass.loaded = cp_shot_loaded(d, c, &c->pass);
  }
  pthread_mutex_unlock(&d->lock);
  d->next.CmdBeginRendering(commands, info);
}

void VKAPI_CALL cp_CmdEndRendering(VkCommandBuffer commands) {
  CpDevice *d = cp_device_of(commands);
  d->next.CmdEndRendering(commands);
  end(d, commands);
}
