/* SPDX-License-Identifier: Apache-2.0 */
/* hook_draw: follows the state of draws, and takes a shot of a draw that is alone in its render pass. */
#include "harness/capture/record.h"

/* ---- state ----------------------------------------------------------------------------------- */

/* The state of the command buffer, with the device's lock; NULL: unknown, without it. */
static CpCommands *lock(CpDevice *d, VkCommandBuffer commands) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (!c)
    pthread_mutex_unlock(&d->lock);
  return c;
}

static void bind_vertices(CpDevice *d, VkCommandBuffer commands, uint32_t first, uint32_t count,
                          const VkBuffer *buffers, const VkDeviceSize *offsets) {
  CpCommands *c = lock(d, commands);
  for (uint32_t i = 0; c && i < count && first + i < CP_MOST_VERTEX_BUFFERS; i++) {
    c->draw.vertices[first + i] = buffers[i];
    c->draw.vertex_at[first + i] = offsets[i];
  }
  if (c)
    pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdBindVertexBuffers(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                        const VkBuffer *buffers, const VkDeviceSize *offsets) {
  CpDevice *d = cp_device_of(commands);
  bind_vertices(d, commands, first, count, buffers, offsets);
  d->next.CmdBindVertexBuffers(commands, first, count, buffers, offsets);
}

void VKAPI_CALL cp_CmdBindVertexBuffers2(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                         const VkBuffer *buffers, const VkDeviceSize *offsets,
                                         const VkDeviceSize *sizes, const VkDeviceSize *strides) {
  CpDevice *d = cp_device_of(commands);
  bind_vertices(d, commands, first, count, buffers, offsets);
  d->next.CmdBindVertexBuffers2(commands, first, count, buffers, offsets, sizes, strides);
}

void VKAPI_CALL cp_CmdBindIndexBuffer(VkCommandBuffer commands, VkBuffer buffer,
                                      VkDeviceSize offset, VkIndexType type) {
  CpDevice *d = cp_device_of(commands);
  CpCommands *c = lock(d, commands);
  if (c) {
    c->draw.indices = buffer;
    c->draw.index_at = offset;
    c->draw.index_type = type;
    pthread_mutex_unlock(&d->lock);
  }
  d->next.CmdBindIndexBuffer(commands, buffer, offset, type);
}

void VKAPI_CALL cp_CmdSetViewport(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                  const VkViewport *viewports) {
  CpDevice *d = cp_device_of(commands);
  CpCommands *c = first == 0 && count ? lock(d, commands) : NULL;
  if (c) {
    c->draw.viewport = *viewports;
    pthread_mutex_unlock(&d->lock);
  }
  d->next.CmdSetViewport(commands, first, count, viewports);
}

void VKAPI_CALL cp_CmdSetScissor(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                 const VkRect2D *scissors) {
  CpDevice *d = cp_device_of(commands);
  CpCommands *c = first == 0 && count ? lock(d, commands) : NULL;
  if (c) {
    c->draw.scissor = *scissors;
    pthread_mutex_unlock(&d->lock);
  }
  d->next.CmdSetScissor(commands, first, count, scissors);
}

static const char vertex_offsets[] = "an indexed draw with a vertex offset";

/* ---- draws ----------------------------------------------------------------------------------- */

static const char *stages_obstacle(const CpPipeline *p) {
  for (; p; p = p->next)
    if (p->refusal)
      return p->refusal;
  return NULL;
}

static void choose(CpDevice *d, CpCommands *c, CpPipeline *p, CpDraw *draw, const char *refusal) {
  const uint32_t vertices[] = {draw->count, draw->instances, 1};
  CpPass *pass = &c->pass;
  uint64_t number;
  bool first;
  if (!cp_session_choose(d->session, p->row, vertices, false, &number, &first))
    return;
  const char *stages = stages_obstacle(p);
  refusal = refusal ? refusal : stages;
  refusal = refusal           ? refusal
            : !pass->active   ? "a draw in a secondary command buffer"
            : pass->refusal   ? pass->refusal
            : pass->draws > 1 ? "a render pass with several draws"
                              : NULL;
  draw->state = c->draw;
  draw->pass = *pass;
  if (refusal)
    cp_session_refuse(d->session, p->row, number, refusal);
  else
    pass->shot = cp_shot_draw(d, c, p, number, draw);
  if (!pass->shot)
    return;
  pass->shot->first = first;
  for (int i = 0; i < 3; i++)
    pass->shot->groups[i] = vertices[i];
}

/* A shot of an earlier draw of this pass would lack this one. */
static void drop_earlier(CpDevice *d, CpPass *pass) {
  if (!pass->shot)
    return;
  cp_session_refuse(d->session, pass->shot->pipeline->row, pass->shot->number,
                    "a render pass with several draws");
  cp_shot_free(d, pass->shot);
  pass->shot = NULL;
}

static void take(CpDevice *d, VkCommandBuffer commands, CpDraw *draw, const char *refusal) {
  CpCommands *c = lock(d, commands);
  if (!c)
    return;
  CpPipeline *p = cp_handles_find(&d->pipelines, CP_HANDLE(c->points[CP_GRAPHICS].pipeline));
  c->pass.draws++;
  drop_earlier(d, &c->pass);
  if (p && p->graphics)
    choose(d, c, p, draw, refusal);
  else
    cp_session_refuse_unknown(d->session);
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdDraw(VkCommandBuffer commands, uint32_t count, uint32_t instances,
                           uint32_t first, uint32_t first_instance) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {
      .first = first, .count = count, .first_instance = first_instance, .instances = instances};
  take(d, commands, &draw, NULL);
  d->next.CmdDraw(commands, count, instances, first, first_instance);
}

void VKAPI_CALL cp_CmdDrawIndexed(VkCommandBuffer commands, uint32_t count, uint32_t instances,
                                  uint32_t first, int32_t vertex_offset, uint32_t first_instance) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {.indexed = true,
                 .first = first,
                 .count = count,
                 .first_instance = first_instance,
                 .instances = instances};
  take(d, commands, &draw, vertex_offset ? vertex_offsets : NULL);
  d->next.CmdDrawIndexed(commands, count, instances, first, vertex_offset, first_instance);
}

static const char several[] = "several draws at once (multi draw)";

void VKAPI_CALL cp_CmdDrawMultiEXT(VkCommandBuffer commands, uint32_t count,
                                   const VkMultiDrawInfoEXT *infos, uint32_t instances,
                                   uint32_t first_instance, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {.first = count ? infos->firstVertex : 0,
                 .count = count ? infos->vertexCount : 0,
                 .first_instance = first_instance,
                 .instances = instances};
  take(d, commands, &draw, count == 1 ? NULL : several);
  d->next.CmdDrawMultiEXT(commands, count, infos, instances, first_instance, stride);
}

void VKAPI_CALL cp_CmdDrawMultiIndexedEXT(VkCommandBuffer commands, uint32_t count,
                                          const VkMultiDrawIndexedInfoEXT *infos,
                                          uint32_t instances, uint32_t first_instance,
                                          uint32_t stride, const int32_t *vertex_offset) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {.indexed = true,
                 .first = count ? infos->firstIndex : 0,
                 .count = count ? infos->indexCount : 0,
                 .first_instance = first_instance,
                 .instances = instances};
  int32_t offset = vertex_offset ? *vertex_offset : count ? infos->vertexOffset : 0;
  const char *refusal = offset ? vertex_offsets : NULL;
  take(d, commands, &draw, count == 1 ? refusal : several);
  d->next.CmdDrawMultiIndexedEXT(commands, count, infos, instances, first_instance, stride,
                                 vertex_offset);
}

static void refuse_indirect(CpDevice *d, VkCommandBuffer commands) {
  CpDraw draw = {0};
  take(d, commands, &draw, "an indirect draw");
}

void VKAPI_CALL cp_CmdDrawIndirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                   uint32_t count, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  refuse_indirect(d, commands);
  d->next.CmdDrawIndirect(commands, buffer, offset, count, stride);
}

void VKAPI_CALL cp_CmdDrawIndexedIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                          VkDeviceSize offset, uint32_t count, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  refuse_indirect(d, commands);
  d->next.CmdDrawIndexedIndirect(commands, buffer, offset, count, stride);
}

void VKAPI_CALL cp_CmdDrawIndirectCount(VkCommandBuffer commands, VkBuffer buffer,
                                        VkDeviceSize offset, VkBuffer counts,
                                        VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  refuse_indirect(d, commands);
  d->next.CmdDrawIndirectCount(commands, buffer, offset, counts, count_offset, most, stride);
}

void VKAPI_CALL cp_CmdDrawIndexedIndirectCount(VkCommandBuffer commands, VkBuffer buffer,
                                               VkDeviceSize offset, VkBuffer counts,
                                               VkDeviceSize count_offset, uint32_t most,
                                               uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  refuse_indirect(d, commands);
  d->next.CmdDrawIndexedIndirectCount(commands, buffer, offset, counts, count_offset, most, stride);
}
