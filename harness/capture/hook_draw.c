/* SPDX-License-Identifier: Apache-2.0 */
/* hook_draw: follows the state of draws, and takes shots of draws, which split their render pass (render_state.h). */
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

static void set_strides(CpDevice *d, VkCommandBuffer commands, uint32_t first, uint32_t count,
                        const VkDeviceSize *strides) {
  CpCommands *c = strides ? lock(d, commands) : NULL;
  for (uint32_t i = 0; c && i < count && first + i < CP_MOST_VERTEX_BUFFERS; i++)
    c->draw.fixed.strides[first + i] = (uint32_t)strides[i];
  if (c)
    pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdBindVertexBuffers2(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                         const VkBuffer *buffers, const VkDeviceSize *offsets,
                                         const VkDeviceSize *sizes, const VkDeviceSize *strides) {
  CpDevice *d = cp_device_of(commands);
  bind_vertices(d, commands, first, count, buffers, offsets);
  set_strides(d, commands, first, count, strides);
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

/* ---- draws ----------------------------------------------------------------------------------- */

static const char *stages_obstacle(const CpPipeline *p) {
  for (; p; p = p->next)
    if (p->refusal)
      return p->refusal;
  return NULL;
}

static const char *pass_obstacle(const CpCommands *c) {
  const CpPass *pass = &c->pass;
  return !pass->active    ? "a draw in a secondary command buffer"
         : pass->refusal  ? pass->refusal
         : c->conditional ? "a draw under a condition (conditional rendering)"
         : pass->open ? "a draw in a query or transform feedback, which the capture would divide"
                      : NULL;
}

/* Plans the shot of a chosen draw. NULL: it is not chosen, or refused. */
static CpShot *choose(CpDevice *d, CpCommands *c, CpPipeline *p, CpDraw *draw,
                      const char *refusal) {
  const uint32_t vertices[] = {draw->count, draw->instances, 1};
  uint64_t number;
  bool first;
  if (!cp_session_choose(d->session, p->row, vertices, draw->indirect.buffer != VK_NULL_HANDLE,
                         &number, &first))
    return NULL;
  refusal = refusal ? refusal : stages_obstacle(p);
  refusal = refusal ? refusal : pass_obstacle(c);
  draw->state = c->draw;
  draw->pass = c->pass;
  refusal = refusal ? refusal : cp_graphics_settle(p->graphics, &c->pass, &draw->state.fixed);
  if (refusal)
    cp_session_refuse(d->session, p->row, number, refusal);
  CpShot *shot = refusal ? NULL : cp_shot_draw(d, c, p, number, draw);
  if (shot)
    shot->first = first;
  return shot;
}

/* Takes the device's lock, which `after` releases, and records the copies before the draw. */
static CpShot *before(CpDevice *d, VkCommandBuffer commands, CpDraw *draw, const char *refusal) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  CpPipeline *p =
      c ? cp_handles_find(&d->pipelines, CP_HANDLE(c->points[CP_GRAPHICS].pipeline)) : NULL;
  if (!p || !p->graphics) {
    cp_session_refuse_unknown(d->session);
    return NULL;
  }
  CpShot *shot = choose(d, c, p, draw, refusal);
  if (!shot)
    return NULL;
  cp_pass_pause(d, commands, &c->pass);
  cp_copies_before(d, commands, shot);
  cp_pass_resume(d, commands, &c->pass);
  return shot;
}

static void after(CpDevice *d, VkCommandBuffer commands, CpShot *shot) {
  CpCommands *c = shot ? cp_handles_find(&d->commands, CP_HANDLE(commands)) : NULL;
  if (c) {
    cp_pass_pause(d, commands, &c->pass);
    cp_copies_after(d, commands, shot);
    cp_pass_resume(d, commands, &c->pass);
    cp_record_add(c, shot);
  }
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdDraw(VkCommandBuffer commands, uint32_t count, uint32_t instances,
                           uint32_t first, uint32_t first_instance) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {
      .first = first, .count = count, .first_instance = first_instance, .instances = instances};
  CpShot *shot = before(d, commands, &draw, NULL);
  d->next.CmdDraw(commands, count, instances, first, first_instance);
  after(d, commands, shot);
}

void VKAPI_CALL cp_CmdDrawIndexed(VkCommandBuffer commands, uint32_t count, uint32_t instances,
                                  uint32_t first, int32_t vertex_offset, uint32_t first_instance) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {.indexed = true,
                 .first = first,
                 .count = count,
                 .first_instance = first_instance,
                 .instances = instances,
                 .vertex_offset = vertex_offset};
  CpShot *shot = before(d, commands, &draw, NULL);
  d->next.CmdDrawIndexed(commands, count, instances, first, vertex_offset, first_instance);
  after(d, commands, shot);
}

/* ---- several draws --------------------------------------------------------------------------- */

static const char several[] = "several draws at once (multi draw)";

void VKAPI_CALL cp_CmdDrawMultiEXT(VkCommandBuffer commands, uint32_t count,
                                   const VkMultiDrawInfoEXT *infos, uint32_t instances,
                                   uint32_t first_instance, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {.first = count ? infos->firstVertex : 0,
                 .count = count ? infos->vertexCount : 0,
                 .first_instance = first_instance,
                 .instances = instances};
  CpShot *shot = before(d, commands, &draw, count == 1 ? NULL : several);
  d->next.CmdDrawMultiEXT(commands, count, infos, instances, first_instance, stride);
  after(d, commands, shot);
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
                 .instances = instances,
                 .vertex_offset = vertex_offset ? *vertex_offset
                                  : count       ? infos->vertexOffset
                                                : 0};
  CpShot *shot = before(d, commands, &draw, count == 1 ? NULL : several);
  d->next.CmdDrawMultiIndexedEXT(commands, count, infos, instances, first_instance, stride,
                                 vertex_offset);
  after(d, commands, shot);
}

/* ---- indirect draws -------------------------------------------------------------------------- */

static CpShot *before_indirect(CpDevice *d, VkCommandBuffer commands, VkBuffer buffer,
                               VkDeviceSize offset, bool indexed, uint32_t count) {
  const CpIndirect indirect = {buffer, offset,
                               indexed ? sizeof(VkDrawIndexedIndirectCommand)
                                       : sizeof(VkDrawIndirectCommand)};
  CpDraw draw = {.indexed = indexed, .indirect = indirect};
  return before(d, commands, &draw, count == 1 ? NULL : several);
}

void VKAPI_CALL cp_CmdDrawIndirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                   uint32_t count, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpShot *shot = before_indirect(d, commands, buffer, offset, false, count);
  d->next.CmdDrawIndirect(commands, buffer, offset, count, stride);
  after(d, commands, shot);
}

void VKAPI_CALL cp_CmdDrawIndexedIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                          VkDeviceSize offset, uint32_t count, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpShot *shot = before_indirect(d, commands, buffer, offset, true, count);
  d->next.CmdDrawIndexedIndirect(commands, buffer, offset, count, stride);
  after(d, commands, shot);
}

static const char counted[] = "an indirect draw whose count is in a buffer";

void VKAPI_CALL cp_CmdDrawIndirectCount(VkCommandBuffer commands, VkBuffer buffer,
                                        VkDeviceSize offset, VkBuffer counts,
                                        VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {0};
  CpShot *shot = before(d, commands, &draw, counted);
  d->next.CmdDrawIndirectCount(commands, buffer, offset, counts, count_offset, most, stride);
  after(d, commands, shot);
}

void VKAPI_CALL cp_CmdDrawIndexedIndirectCount(VkCommandBuffer commands, VkBuffer buffer,
                                               VkDeviceSize offset, VkBuffer counts,
                                               VkDeviceSize count_offset, uint32_t most,
                                               uint32_t stride) {
  CpDevice *d = cp_device_of(commands);
  CpDraw draw = {0};
  CpShot *shot = before(d, commands, &draw, counted);
  d->next.CmdDrawIndexedIndirectCount(commands, buffer, offset, counts, count_offset, most, stride);
  after(d, commands, shot);
}
