/* SPDX-License-Identifier: Apache-2.0 */
/* hook_render: follows render passes, framebuffers, swapchains and the commands that begin and end a render
 * pass. */
#include "harness/capture/record.h"
#include "harness/layer/support/in_chain.h"

#include <stdlib.h>

static const char resolves[] = "a render pass that resolves";
static const char too_many[] = "a render pass with more than eight colours";
static const char several_views[] = "several views (multiview) or layers";

/* ---- render passes --------------------------------------------------------------------------- */

static void use(CpAttachment *attachment, VkImageLayout layout, bool depth) {
  *attachment = (CpAttachment){.used = true, .depth = depth, .stencil = depth, .layout = layout};
}

/* A copy of a render pass that stores all attachments. If it goes `on`, it begins with what they hold, as the pass
 * before has left it. There are two versions of the create-info. */
#define COPY_PASS(function, create, info_type, description)                                        \
  static VkRenderPass function(CpDevice *d, const info_type *info, bool on) {                      \
    description *copies = calloc(info->attachmentCount + 1u, sizeof *copies);                      \
    info_type changed = *info;                                                                     \
    VkRenderPass pass = VK_NULL_HANDLE;                                                            \
    if (!copies)                                                                                   \
      return pass;                                                                                 \
    for (uint32_t i = 0; i < info->attachmentCount; i++) {                                         \
      copies[i] = info->pAttachments[i];                                                           \
      copies[i].storeOp = copies[i].stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;                 \
      if (!on)                                                                                     \
        continue;                                                                                  \
      copies[i].loadOp = copies[i].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;                     \
      copies[i].initialLayout = copies[i].finalLayout;                                             \
    }                                                                                              \
    changed.pAttachments = copies;                                                                 \
    if (d->next.create(d->handle, &changed, NULL, &pass) != VK_SUCCESS)                            \
      pass = VK_NULL_HANDLE;                                                                       \
    free(copies);                                                                                  \
    return pass;                                                                                   \
  }
COPY_PASS(copy_pass, CreateRenderPass, VkRenderPassCreateInfo, VkAttachmentDescription)
COPY_PASS(copy_pass_2, CreateRenderPass2, VkRenderPassCreateInfo2, VkAttachmentDescription2)

/* Why a render pass cannot be split, by what both versions of the create-info have. */
#define PASS_OBSTACLE(info)                                                                        \
  ((info)->subpassCount != 1                  ? "a render pass with several subpasses"             \
   : (info)->pSubpasses->pResolveAttachments  ? resolves                                           \
   : (info)->pSubpasses->inputAttachmentCount ? "a render pass with input attachments"             \
   : (info)->pSubpasses->colorAttachmentCount > CP_MOST_COLORS ? too_many                          \
                                                               : NULL)

#define READ_ATTACHMENT(info, pass, index, attachment, depth)                                      \
  do {                                                                                             \
    if ((info)->pAttachments[index].samples != VK_SAMPLE_COUNT_1_BIT)                              \
      (pass)->refusal = "a multisampled attachment";                                               \
    use((attachment), (info)->pAttachments[index].finalLayout, (depth));                           \
  } while (0)

#define READ_PASS(info, pass)                                                                      \
  do {                                                                                             \
    (pass)->refusal = PASS_OBSTACLE(info);                                                         \
    for (uint32_t i = 0; !(pass)->refusal && i < (info)->pSubpasses->colorAttachmentCount; i++) {  \
      uint32_t index = (info)->pSubpasses->pColorAttachments[i].attachment;                        \
      (pass)->color_count = i + 1;                                                                 \
      (pass)->color_index[i] = index;                                                              \
      if (index != VK_ATTACHMENT_UNUSED)                                                           \
        READ_ATTACHMENT((info), (pass), index, &(pass)->colors[i], false);                         \
    }                                                                                              \
    if (!(pass)->refusal && (info)->pSubpasses->pDepthStencilAttachment &&                         \
        (info)->pSubpasses->pDepthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED) {         \
      (pass)->depth_index = (info)->pSubpasses->pDepthStencilAttachment->attachment;               \
      READ_ATTACHMENT((info), (pass), (pass)->depth_index, &(pass)->depth, true);                  \
    }                                                                                              \
  } while (0)

static void keep_pass(CpDevice *d, VkRenderPass handle, CpRenderPass *record) {
  if (!record->refusal && (!record->stored || !record->again))
    record->refusal = "a render pass that the driver does not make again";
  cp_device_keep(d, &d->passes, CP_HANDLE(handle), record, sizeof *record);
}

VkResult VKAPI_CALL cp_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkRenderPass *pass) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateRenderPass(handle, info, allocator, pass);
  if (result != VK_SUCCESS)
    return result;
  CpRenderPass record = {0};
  READ_PASS(info, &record);
  if (ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO))
    record.refusal = several_views;
  if (!record.refusal) {
    record.stored = copy_pass(d, info, false);
    record.again = copy_pass(d, info, true);
  }
  keep_pass(d, *pass, &record);
  return result;
}

/* Does depth have another layout than stencil, or is there a resolve of depth? */
static bool has_chains(const VkRenderPassCreateInfo2 *info) {
  bool any = info->subpassCount && info->pSubpasses->pNext;
  for (uint32_t i = 0; i < info->attachmentCount; i++)
    any = any || ly_in_chain(info->pAttachments[i].pNext,
                             VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
  return any;
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
    record.refusal = several_views;
  if (has_chains(info))
    record.refusal = "a render pass with an extension that cases do not have";
  if (!record.refusal) {
    record.stored = copy_pass_2(d, info, false);
    record.again = copy_pass_2(d, info, true);
  }
  keep_pass(d, *pass, &record);
  return result;
}

void cp_pass_free(CpDevice *d, CpRenderPass *pass) {
  if (!pass)
    return;
  d->next.DestroyRenderPass(d->handle, pass->stored, NULL);
  d->next.DestroyRenderPass(d->handle, pass->again, NULL);
  free(pass);
}

void VKAPI_CALL cp_DestroyRenderPass(VkDevice handle, VkRenderPass pass,
                                     const VkAllocationCallbacks *allocator) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  cp_pass_free(d, cp_handles_take(&d->passes, CP_HANDLE(pass)));
  pthread_mutex_unlock(&d->lock);
  d->next.DestroyRenderPass(handle, pass, allocator);
}

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

/* Begins a render pass of the command buffer whose draws may be captured. `refusal`: why they may
 * not. */
static CpPass new_pass(const CpDevice *d, const char *refusal) {
  bool wanted = cp_session_wants(d->session);
  return (CpPass){.active = true,
                  .refusal = refusal  ? refusal
                             : wanted ? NULL
                                      : "a render pass that began before the capture was wanted"};
}

static void attach_views(CpPass *pass, const CpRenderPass *kind, const VkImageView *views,
                         uint32_t count) {
  for (uint32_t i = 0; i < kind->color_count; i++) {
    uint32_t index = kind->color_index[i];
    pass->colors[i] = kind->colors[i];
    if (kind->colors[i].used && index < count)
      pass->colors[i].view = views[index];
  }
  pass->color_count = kind->color_count;
  pass->depth = kind->depth;
  if (kind->depth.used && kind->depth_index < count)
    pass->depth.view = views[kind->depth_index];
}

/* The views come from the framebuffer, or from the command that begins the pass. */
static void go_on(CpPass *pass, const CpRenderPass *kind, const CpFramebuffer *framebuffer,
                  const VkRenderPassBeginInfo *info) {
  const VkRenderPassAttachmentBeginInfo *given =
      ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  CpAgain *again = &pass->again;
  again->pass = kind->again;
  again->framebuffer = info->framebuffer;
  again->area = info->renderArea;
  for (uint32_t i = 0;
       framebuffer->imageless && given && i < given->attachmentCount && i < CP_MOST_ATTACHMENTS;
       i++)
    again->views[again->view_count++] = given->pAttachments[i];
  if (framebuffer->imageless)
    attach_views(pass, kind, again->views, again->view_count);
  else
    attach_views(pass, kind, framebuffer->views, framebuffer->view_count);
}

/* Begins the record of the pass. Returns the pass to begin. */
static VkRenderPass begin(CpDevice *d, VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                          bool second) {
  VkRenderPass begun = info->renderPass;
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  const CpRenderPass *kind = cp_handles_find(&d->passes, CP_HANDLE(info->renderPass));
  const CpFramebuffer *framebuffer =
      cp_handles_find(&d->framebuffers, CP_HANDLE(info->framebuffer));
  if (c)
    c->pass = new_pass(d, !kind || !framebuffer     ? "an unknown render pass"
                          : kind->refusal           ? kind->refusal
                          : framebuffer->layers > 1 ? several_views
                                                    : NULL);
  if (c && !c->pass.refusal) {
    begun = kind->stored;
    c->pass.width = framebuffer->width;
    c->pass.height = framebuffer->height;
    c->pass.area = info->renderArea;
    go_on(&c->pass, kind, framebuffer, info);
    c->pass.again.second = second;
  }
  pthread_mutex_unlock(&d->lock);
  return begun;
}

static void end(CpDevice *d, VkCommandBuffer commands) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (c)
    c->pass = (CpPass){0};
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdBeginRenderPass(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                      VkSubpassContents contents) {
  CpDevice *d = cp_device_of(commands);
  VkRenderPassBeginInfo changed = *info;
  changed.renderPass = begin(d, commands, info, false);
  d->next.CmdBeginRenderPass(commands, &changed, contents);
}

void VKAPI_CALL cp_CmdBeginRenderPass2(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                       const VkSubpassBeginInfo *subpass) {
  CpDevice *d = cp_device_of(commands);
  VkRenderPassBeginInfo changed = *info;
  changed.renderPass = begin(d, commands, info, true);
  d->next.CmdBeginRenderPass2(commands, &changed, subpass);
}

void VKAPI_CALL cp_CmdEndRenderPass(VkCommandBuffer commands) {
  CpDevice *d = cp_device_of(commands);
  end(d, commands);
  d->next.CmdEndRenderPass(commands);
}

void VKAPI_CALL cp_CmdEndRenderPass2(VkCommandBuffer commands, const VkSubpassEndInfo *info) {
  CpDevice *d = cp_device_of(commands);
  end(d, commands);
  d->next.CmdEndRenderPass2(commands, info);
}

/* ---- dynamic rendering ----------------------------------------------------------------------- */

static const char *rendering_obstacle(const VkRenderingInfo *info) {
  const VkRenderingAttachmentInfo *depth = info->pDepthAttachment;
  const VkRenderingAttachmentInfo *stencil = info->pStencilAttachment;
  if (info->pNext)
    return "a render pass with an extension that cases do not have";
  if (info->flags)
    return "a render pass in several parts, or in secondary command buffers";
  if (info->viewMask || info->layerCount > 1)
    return several_views;
  if (info->colorAttachmentCount > CP_MOST_COLORS)
    return too_many;
  for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
    if (info->pColorAttachments[i].imageView && info->pColorAttachments[i].resolveMode)
      return resolves;
  if ((depth && depth->imageView && depth->resolveMode) ||
      (stencil && stencil->imageView && stencil->resolveMode))
    return resolves;
  return depth && stencil && depth->imageView && stencil->imageView &&
                 (depth->imageView != stencil->imageView ||
                  depth->imageLayout != stencil->imageLayout)
             ? "depth and stencil in different images or layouts"
             : NULL;
}

/* The attachment as the pass begins; it is stored. */
static VkRenderingAttachmentInfo stored(const VkRenderingAttachmentInfo *info) {
  VkRenderingAttachmentInfo changed = *info;
  changed.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return changed;
}

/* Sets how the pass begins, and what its draws see. */
static void read_rendering(CpPass *pass, const VkRenderingInfo *info) {
  CpAgain *again = &pass->again;
  again->area = pass->area = info->renderArea;
  pass->color_count = info->colorAttachmentCount;
  for (uint32_t i = 0; i < pass->color_count; i++) {
    again->colors[i] = stored(&info->pColorAttachments[i]);
    pass->colors[i] = (CpAttachment){.used = again->colors[i].imageView != VK_NULL_HANDLE,
                                     .view = again->colors[i].imageView,
                                     .layout = again->colors[i].imageLayout};
  }
  again->has_depth = info->pDepthAttachment && info->pDepthAttachment->imageView;
  again->has_stencil = info->pStencilAttachment && info->pStencilAttachment->imageView;
  if (again->has_depth)
    again->depth = stored(info->pDepthAttachment);
  if (again->has_stencil)
    again->stencil = stored(info->pStencilAttachment);
  const VkRenderingAttachmentInfo *either = again->has_depth ? &again->depth : &again->stencil;
  pass->depth = (CpAttachment){.used = again->has_depth || again->has_stencil,
                               .depth = again->has_depth,
                               .stencil = again->has_stencil,
                               .view = either->imageView,
                               .layout = either->imageLayout};
}

/* Begins the record of the pass. True: `again` is how it begins. */
static bool begin_rendering(CpDevice *d, VkCommandBuffer commands, const VkRenderingInfo *info,
                            CpAgain *again) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (c)
    c->pass = new_pass(d, rendering_obstacle(info));
  bool kept = c && !c->pass.refusal;
  if (kept) {
    read_rendering(&c->pass, info);
    *again = c->pass.again;
    cp_again_loads(&c->pass.again);
  }
  pthread_mutex_unlock(&d->lock);
  return kept;
}

void VKAPI_CALL cp_CmdBeginRendering(VkCommandBuffer commands, const VkRenderingInfo *info) {
  CpDevice *d = cp_device_of(commands);
  CpAgain first;
  VkRenderingInfo changed = *info;
  if (begin_rendering(d, commands, info, &first)) {
    changed.pColorAttachments = first.colors;
    changed.pDepthAttachment = first.has_depth ? &first.depth : NULL;
    changed.pStencilAttachment = first.has_stencil ? &first.stencil : NULL;
  }
  d->next.CmdBeginRendering(commands, &changed);
}

void VKAPI_CALL cp_CmdEndRendering(VkCommandBuffer commands) {
  CpDevice *d = cp_device_of(commands);
  end(d, commands);
  d->next.CmdEndRendering(commands);
}
