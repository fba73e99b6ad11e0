/* SPDX-License-Identifier: Apache-2.0 */
/* hook_record: follows the recording of command buffers, and takes shots of the dispatches; see record.h.
 */
#include "harness/capture/record.h"
#include "harness/capture/submission.h"

#include <stdlib.h>
#include <string.h>

/* ---- pools and command buffers --------------------------------------------------------------- */

VkResult VKAPI_CALL cp_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkCommandPool *pool) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateCommandPool(handle, info, allocator, pool);
  CpPool *record = result == VK_SUCCESS ? calloc(1, sizeof *record) : NULL;
  if (!record)
    return result;
  *record = (CpPool){info->queueFamilyIndex, info->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT};
  pthread_mutex_lock(&d->lock);
  if (!cp_handles_put(&d->pools, CP_HANDLE(*pool), record))
    free(record);
  pthread_mutex_unlock(&d->lock);
  return result;
}

static bool is_of_pool(const void *record, const void *pool) {
  return CP_HANDLE(((const CpCommands *)record)->pool) == *(const uint64_t *)pool;
}

void VKAPI_CALL cp_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
                                      const VkAllocationCallbacks *allocator) {
  CpDevice *d = cp_device_of(handle);
  const uint64_t wanted = CP_HANDLE(pool);
  pthread_mutex_lock(&d->lock);
  for (CpCommands *c; (c = cp_handles_take_if(&d->commands, is_of_pool, &wanted));)
    cp_record_free(d, c);
  free(cp_handles_take(&d->pools, wanted));
  pthread_mutex_unlock(&d->lock);
  d->next.DestroyCommandPool(handle, pool, allocator);
}

static void clear_if_of_pool(void *record, void *user) {
  const void **pair = user;
  if (is_of_pool(record, pair[1]))
    cp_record_clear((CpDevice *)(uintptr_t)pair[0], record);
}

VkResult VKAPI_CALL cp_ResetCommandPool(VkDevice handle, VkCommandPool pool,
                                        VkCommandPoolResetFlags flags) {
  CpDevice *d = cp_device_of(handle);
  const uint64_t wanted = CP_HANDLE(pool);
  const void *pair[] = {d, &wanted};
  pthread_mutex_lock(&d->lock);
  cp_handles_each(&d->commands, clear_if_of_pool, pair);
  pthread_mutex_unlock(&d->lock);
  return d->next.ResetCommandPool(handle, pool, flags);
}

VkResult VKAPI_CALL cp_AllocateCommandBuffers(VkDevice handle,
                                              const VkCommandBufferAllocateInfo *info,
                                              VkCommandBuffer *commands) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.AllocateCommandBuffers(handle, info, commands);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&d->lock);
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    CpCommands *c = calloc(1, sizeof *c);
    if (!c)
      break;
    c->handle = commands[i];
    c->pool = info->commandPool;
    if (!cp_handles_put(&d->commands, CP_HANDLE(commands[i]), c))
      free(c);
  }
  pthread_mutex_unlock(&d->lock);
  return result;
}

void VKAPI_CALL cp_FreeCommandBuffers(VkDevice handle, VkCommandPool pool, uint32_t count,
                                      const VkCommandBuffer *commands) {
  CpDevice *d = cp_device_of(handle);
  pthread_mutex_lock(&d->lock);
  for (uint32_t i = 0; i < count; i++) {
    CpCommands *c = cp_handles_take(&d->commands, CP_HANDLE(commands[i]));
    if (c)
      cp_record_free(d, c);
  }
  pthread_mutex_unlock(&d->lock);
  d->next.FreeCommandBuffers(handle, pool, count, commands);
}

static void clear(CpDevice *d, VkCommandBuffer commands) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (c)
    cp_record_clear(d, c);
  pthread_mutex_unlock(&d->lock);
}

VkResult VKAPI_CALL cp_BeginCommandBuffer(VkCommandBuffer commands,
                                          const VkCommandBufferBeginInfo *info) {
  CpDevice *d = cp_device_of(commands);
  clear(d, commands);
  return d->next.BeginCommandBuffer(commands, info);
}

VkResult VKAPI_CALL cp_ResetCommandBuffer(VkCommandBuffer commands,
                                          VkCommandBufferResetFlags flags) {
  CpDevice *d = cp_device_of(commands);
  clear(d, commands);
  return d->next.ResetCommandBuffer(commands, flags);
}

/* ---- state ----------------------------------------------------------------------------------- */

static void unbind(CpBindPoint *point) {
  for (int i = 0; i < CP_MOST_SETS; i++) {
    cp_set_free(point->sets[i].pushed);
    free(point->sets[i].dynamic);
    point->sets[i] = (CpBoundSet){0};
  }
  point->pipeline = VK_NULL_HANDLE;
}

static void unbind_all(CpCommands *c) {
  for (int i = 0; i < CP_POINTS; i++)
    unbind(&c->points[i]);
}

void cp_record_clear(CpDevice *d, CpCommands *c) {
  cp_submission_settle(d, c);
  unbind_all(c);
  for (CpShot *shot = c->shots, *next; shot; shot = next) {
    next = shot->next;
    if (!shot->submitted)
      cp_session_forgo(d->session, shot->pipeline->row);
    cp_shot_free(d, shot);
  }
  cp_timing_free(d, c->timings);
  free(c->executed);
  *c = (CpCommands){.handle = c->handle, .pool = c->pool};
}

void cp_record_free(CpDevice *d, CpCommands *c) {
  cp_record_clear(d, c);
  free(c);
}

void VKAPI_CALL cp_CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                   VkPipeline pipeline) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  CpBindPoint *state = c ? cp_record_point(c, point) : NULL;
  if (state)
    state->pipeline = pipeline;
  pthread_mutex_unlock(&d->lock);
  d->next.CmdBindPipeline(commands, point, pipeline);
}

/* Binds a set with the dynamic offsets that it takes; returns their number. */
static uint32_t bind_set(CpDevice *d, CpBoundSet *bound, VkDescriptorSet handle,
                         const uint32_t *offsets, uint32_t left) {
  const CpSet *set = cp_handles_find(&d->sets, CP_HANDLE(handle));
  uint32_t count = set && set->layout->dynamic_count <= left ? set->layout->dynamic_count : 0;
  uint32_t *dynamic = count ? malloc(count * sizeof *dynamic) : NULL;
  if (dynamic)
    memcpy(dynamic, offsets, count * sizeof *dynamic);
  cp_set_free(bound->pushed);
  free(bound->dynamic);
  *bound = (CpBoundSet){.handle = handle, .dynamic = dynamic, .dynamic_count = dynamic ? count : 0};
  return count;
}

void VKAPI_CALL cp_CmdBindDescriptorSets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                         VkPipelineLayout layout, uint32_t first, uint32_t count,
                                         const VkDescriptorSet *sets, uint32_t offset_count,
                                         const uint32_t *offsets) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  CpBindPoint *state = c ? cp_record_point(c, point) : NULL;
  uint32_t taken = 0;
  for (uint32_t i = 0; state && i < count && first + i < CP_MOST_SETS; i++)
    taken += bind_set(d, &state->sets[first + i], sets[i], offsets + taken, offset_count - taken);
  pthread_mutex_unlock(&d->lock);
  d->next.CmdBindDescriptorSets(commands, point, layout, first, count, sets, offset_count, offsets);
}

void VKAPI_CALL cp_CmdPushConstants(VkCommandBuffer commands, VkPipelineLayout layout,
                                    VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                    const void *values) {
  CpDevice *d = cp_device_of(commands);
  if ((uint64_t)offset + size <= CP_MOST_PUSHED) {
    pthread_mutex_lock(&d->lock);
    CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
    if (c && stages & VK_SHADER_STAGE_COMPUTE_BIT)
      memcpy(c->points[CP_COMPUTE].pushed + offset, values, size);
    if (c && stages & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT)
      memcpy(c->points[CP_GRAPHICS].pushed + offset, values, size);
    pthread_mutex_unlock(&d->lock);
  }
  d->next.CmdPushConstants(commands, layout, stages, offset, size, values);
}

/* Afterwards no state is defined. */
void VKAPI_CALL cp_CmdExecuteCommands(VkCommandBuffer commands, uint32_t count,
                                      const VkCommandBuffer *executed) {
  CpDevice *d = cp_device_of(commands);
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  VkCommandBuffer *list =
      c ? realloc(c->executed, (c->executed_count + count + 1u) * sizeof *list) : NULL;
  if (list) {
    memcpy(list + c->executed_count, executed, count * sizeof *list);
    c->executed = list;
    c->executed_count += count;
    unbind_all(c);
  }
  pthread_mutex_unlock(&d->lock);
  d->next.CmdExecuteCommands(commands, count, executed);
}

/* ---- dispatches ------------------------------------------------------------------------------ */

typedef struct Dispatch {
  CpDevice *device;
  CpCommands *commands; /* NULL: unknown, or no known pipeline is bound */
  CpTiming *timing;
  CpShot *shot;
} Dispatch;

/* Takes the device's lock, which `after` releases. */
static Dispatch before(VkCommandBuffer commands, const uint32_t groups[3], CpIndirect indirect,
                       const char *refusal) {
  Dispatch dispatch = {.device = cp_device_of(commands)};
  CpDevice *d = dispatch.device;
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  CpPipeline *p =
      c ? cp_handles_find(&d->pipelines, CP_HANDLE(c->points[CP_COMPUTE].pipeline)) : NULL;
  const CpPool *pool = c ? cp_handles_find(&d->pools, CP_HANDLE(c->pool)) : NULL;
  if (!p || !pool) {
    cp_session_refuse_unknown(d->session);
    return dispatch;
  }
  dispatch.commands = c;
  uint64_t number;
  bool first;
  bool chosen = cp_session_choose(d->session, p->row, groups, indirect.buffer != VK_NULL_HANDLE,
                                  &number, &first);
  refusal = pool->is_protected ? "a protected command buffer"
            : c->conditional   ? "a dispatch under a condition (conditional rendering)"
            : refusal          ? refusal
                               : p->refusal;
  if (chosen && refusal)
    cp_session_refuse(d->session, p->row, number, refusal);
  else if (chosen)
    dispatch.shot = cp_shot_begin(d, c, p, number, groups, indirect);
  if (dispatch.shot)
    dispatch.shot->first = first;
  dispatch.timing = cp_timing_begin(d, commands, pool->family, &c->timings, p->row);
  return dispatch;
}

static void after(const Dispatch *dispatch, VkCommandBuffer commands) {
  CpDevice *d = dispatch->device;
  if (dispatch->commands) {
    cp_timing_end(d, commands, dispatch->timing, dispatch->shot);
    if (dispatch->shot) {
      cp_shot_end(d, dispatch->commands, dispatch->shot);
      cp_record_add(dispatch->commands, dispatch->shot);
    }
  }
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t groups[] = {x, y, z};
  const Dispatch dispatch = before(commands, groups, (CpIndirect){0}, NULL);
  dispatch.device->next.CmdDispatch(commands, x, y, z);
  after(&dispatch, commands);
}

void VKAPI_CALL cp_CmdDispatchBase(VkCommandBuffer commands, uint32_t base_x, uint32_t base_y,
                                   uint32_t base_z, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t groups[] = {x, y, z};
  const char *refusal =
      base_x || base_y || base_z ? "a dispatch whose first workgroup is not 0, 0, 0" : NULL;
  const Dispatch dispatch = before(commands, groups, (CpIndirect){0}, refusal);
  dispatch.device->next.CmdDispatchBase(commands, base_x, base_y, base_z, x, y, z);
  after(&dispatch, commands);
}

void VKAPI_CALL cp_CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                       VkDeviceSize offset) {
  const uint32_t groups[3] = {0};
  const CpIndirect indirect = {buffer, offset, sizeof(VkDispatchIndirectCommand)};
  const Dispatch dispatch = before(commands, groups, indirect, NULL);
  dispatch.device->next.CmdDispatchIndirect(commands, buffer, offset);
  after(&dispatch, commands);
}
