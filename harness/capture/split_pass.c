/* SPDX-License-Identifier: Apache-2.0 */
/* split_pass: ends a render pass, and begins it again; see render_state.h. */
#include "harness/capture/record.h"

void cp_pass_pause(CpDevice *d, VkCommandBuffer commands, const CpPass *pass) {
  const VkSubpassEndInfo info = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
  if (!pass->again.pass)
    d->next.CmdEndRendering(commands);
  else if (pass->again.second)
    d->next.CmdEndRenderPass2(commands, &info);
  else
    d->next.CmdEndRenderPass(commands);
}

void cp_again_loads(CpAgain *again) {
  for (uint32_t i = 0; i < CP_MOST_COLORS; i++)
    again->colors[i].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  again->depth.loadOp = again->stencil.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
}

static void begin_rendering(CpDevice *d, VkCommandBuffer commands, const CpPass *pass) {
  const CpAgain *again = &pass->again;
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = again->area,
                                .layerCount = 1,
                                .colorAttachmentCount = pass->color_count,
                                .pColorAttachments = again->colors,
                                .pDepthAttachment = again->has_depth ? &again->depth : NULL,
                                .pStencilAttachment = again->has_stencil ? &again->stencil : NULL};
  d->next.CmdBeginRendering(commands, &info);
}

void cp_pass_resume(CpDevice *d, VkCommandBuffer commands, const CpPass *pass) {
  const CpAgain *again = &pass->again;
  const VkRenderPassAttachmentBeginInfo views = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
      .attachmentCount = again->view_count,
      .pAttachments = again->views};
  const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .pNext = again->view_count ? &views : NULL,
                                      .renderPass = again->pass,
                                      .framebuffer = again->framebuffer,
                                      .renderArea = again->area};
  const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
                                      .contents = VK_SUBPASS_CONTENTS_INLINE};
  if (!again->pass)
    begin_rendering(d, commands, pass);
  else if (again->second)
    d->next.CmdBeginRenderPass2(commands, &info, &subpass);
  else
    d->next.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}
