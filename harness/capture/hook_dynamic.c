/* SPDX-License-Identifier: Apache-2.0 */
/* hook_dynamic: follows the dynamic state of draws; see dynamic.def. */
#include "harness/capture/record.h"

#include <string.h>

/* The dynamic state of the command buffer, with the device's lock, which `unlock` releases. Of an unknown command
 * buffer, it is a state that no draw uses. */
static CpFixed *lock(CpDevice *d, VkCommandBuffer commands) {
  static CpFixed unknown;
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  return c ? &c->draw.fixed : &unknown;
}

static void unlock(CpDevice *d) {
  pthread_mutex_unlock(&d->lock);
}

#define SETTER(name, type, member)                                                                 \
  void VKAPI_CALL cp_CmdSet##name(VkCommandBuffer commands, type value) {                          \
    CpDevice *d = cp_device_of(commands);                                                          \
    lock(d, commands)->member = value;                                                             \
    unlock(d);                                                                                     \
    d->next.CmdSet##name(commands, value);                                                         \
  }
#define CP_ONE(name, type, member) SETTER(name, type, member)
#define CP_ONE_CORE(name, type, member) SETTER(name, type, member)
#define CP_ONE_EXT(name, type, member) SETTER(name##EXT, type, member)
#include "harness/capture/dynamic.def"

/* ---- viewports and scissors ------------------------------------------------------------------ */

static void set_viewports(CpDevice *d, VkCommandBuffer commands, uint32_t first, uint32_t count,
                          const VkViewport *viewports) {
  CpFixed *fixed = lock(d, commands);
  fixed->viewport_count = first + count;
  if (first == 0 && count)
    fixed->viewport = *viewports;
  unlock(d);
}

void VKAPI_CALL cp_CmdSetViewport(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                  const VkViewport *viewports) {
  CpDevice *d = cp_device_of(commands);
  set_viewports(d, commands, first, count, viewports);
  d->next.CmdSetViewport(commands, first, count, viewports);
}

void VKAPI_CALL cp_CmdSetViewportWithCount(VkCommandBuffer commands, uint32_t count,
                                           const VkViewport *viewports) {
  CpDevice *d = cp_device_of(commands);
  set_viewports(d, commands, 0, count, viewports);
  d->next.CmdSetViewportWithCount(commands, count, viewports);
}

static void set_scissors(CpDevice *d, VkCommandBuffer commands, uint32_t first, uint32_t count,
                         const VkRect2D *scissors) {
  CpFixed *fixed = lock(d, commands);
  if (first == 0 && count)
    fixed->scissor = *scissors;
  unlock(d);
}

void VKAPI_CALL cp_CmdSetScissor(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                 const VkRect2D *scissors) {
  CpDevice *d = cp_device_of(commands);
  set_scissors(d, commands, first, count, scissors);
  d->next.CmdSetScissor(commands, first, count, scissors);
}

void VKAPI_CALL cp_CmdSetScissorWithCount(VkCommandBuffer commands, uint32_t count,
                                          const VkRect2D *scissors) {
  CpDevice *d = cp_device_of(commands);
  set_scissors(d, commands, 0, count, scissors);
  d->next.CmdSetScissorWithCount(commands, count, scissors);
}

/* ---- depth and stencil ----------------------------------------------------------------------- */

void VKAPI_CALL cp_CmdSetDepthBias(VkCommandBuffer commands, float constant, float clamp,
                                   float slope) {
  CpDevice *d = cp_device_of(commands);
  VkPipelineRasterizationStateCreateInfo *raster = &lock(d, commands)->raster;
  raster->depthBiasConstantFactor = constant;
  raster->depthBiasClamp = clamp;
  raster->depthBiasSlopeFactor = slope;
  unlock(d);
  d->next.CmdSetDepthBias(commands, constant, clamp, slope);
}

void VKAPI_CALL cp_CmdSetDepthBounds(VkCommandBuffer commands, float low, float high) {
  CpDevice *d = cp_device_of(commands);
  VkPipelineDepthStencilStateCreateInfo *depth = &lock(d, commands)->depth;
  depth->minDepthBounds = low;
  depth->maxDepthBounds = high;
  unlock(d);
  d->next.CmdSetDepthBounds(commands, low, high);
}

/* Sets a member of the state of the faces. */
#define SET_FACES(d, commands, faces, member, value)                                               \
  do {                                                                                             \
    VkPipelineDepthStencilStateCreateInfo *depth = &lock((d), (commands))->depth;                  \
    if ((faces)&VK_STENCIL_FACE_FRONT_BIT)                                                         \
      depth->front.member = (value);                                                               \
    if ((faces)&VK_STENCIL_FACE_BACK_BIT)                                                          \
      depth->back.member = (value);                                                                \
    unlock(d);                                                                                     \
  } while (0)

void VKAPI_CALL cp_CmdSetStencilCompareMask(VkCommandBuffer commands, VkStencilFaceFlags faces,
                                            uint32_t mask) {
  CpDevice *d = cp_device_of(commands);
  SET_FACES(d, commands, faces, compareMask, mask);
  d->next.CmdSetStencilCompareMask(commands, faces, mask);
}

void VKAPI_CALL cp_CmdSetStencilWriteMask(VkCommandBuffer commands, VkStencilFaceFlags faces,
                                          uint32_t mask) {
  CpDevice *d = cp_device_of(commands);
  SET_FACES(d, commands, faces, writeMask, mask);
  d->next.CmdSetStencilWriteMask(commands, faces, mask);
}

void VKAPI_CALL cp_CmdSetStencilReference(VkCommandBuffer commands, VkStencilFaceFlags faces,
                                          uint32_t reference) {
  CpDevice *d = cp_device_of(commands);
  SET_FACES(d, commands, faces, reference, reference);
  d->next.CmdSetStencilReference(commands, faces, reference);
}

void VKAPI_CALL cp_CmdSetStencilOp(VkCommandBuffer commands, VkStencilFaceFlags faces,
                                   VkStencilOp fail, VkStencilOp pass, VkStencilOp depth_fail,
                                   VkCompareOp compare) {
  CpDevice *d = cp_device_of(commands);
  SET_FACES(d, commands, faces, failOp, fail);
  SET_FACES(d, commands, faces, passOp, pass);
  SET_FACES(d, commands, faces, depthFailOp, depth_fail);
  SET_FACES(d, commands, faces, compareOp, compare);
  d->next.CmdSetStencilOp(commands, faces, fail, pass, depth_fail, compare);
}

/* ---- vertices -------------------------------------------------------------------------------- */

static void set_vertex_input(CpFixed *fixed, uint32_t binding_count,
                             const VkVertexInputBindingDescription2EXT *bindings,
                             uint32_t attribute_count,
                             const VkVertexInputAttributeDescription2EXT *attributes) {
  fixed->binding_count = fixed->attribute_count = 0;
  fixed->divided = VK_FALSE;
  for (uint32_t i = 0; i < binding_count && i < CP_MOST_VERTEX_BUFFERS; i++) {
    fixed->bindings[fixed->binding_count++] = (VkVertexInputBindingDescription){
        bindings[i].binding, bindings[i].stride, bindings[i].inputRate};
    fixed->divided = fixed->divided || bindings[i].divisor != 1;
    if (bindings[i].binding < CP_MOST_VERTEX_BUFFERS)
      fixed->strides[bindings[i].binding] = bindings[i].stride;
  }
  for (uint32_t i = 0; i < attribute_count && i < CP_MOST_VERTEX_BUFFERS; i++)
    fixed->attributes[fixed->attribute_count++] = (VkVertexInputAttributeDescription){
        attributes[i].location, attributes[i].binding, attributes[i].format, attributes[i].offset};
}

void VKAPI_CALL cp_CmdSetVertexInputEXT(VkCommandBuffer commands, uint32_t binding_count,
                                        const VkVertexInputBindingDescription2EXT *bindings,
                                        uint32_t attribute_count,
                                        const VkVertexInputAttributeDescription2EXT *attributes) {
  CpDevice *d = cp_device_of(commands);
  set_vertex_input(lock(d, commands), binding_count, bindings, attribute_count, attributes);
  unlock(d);
  d->next.CmdSetVertexInputEXT(commands, binding_count, bindings, attribute_count, attributes);
}

/* ---- samples and colours --------------------------------------------------------------------- */

void VKAPI_CALL cp_CmdSetSampleMaskEXT(VkCommandBuffer commands, VkSampleCountFlagBits samples,
                                       const VkSampleMask *mask) {
  CpDevice *d = cp_device_of(commands);
  lock(d, commands)->sample_mask = *mask;
  unlock(d);
  d->next.CmdSetSampleMaskEXT(commands, samples, mask);
}

/* Copies the values of `count` colours from the colour `first` on. */
#define SET_COLORS(d, commands, member, first, count, values)                                      \
  do {                                                                                             \
    CpFixed *fixed = lock((d), (commands));                                                        \
    for (uint32_t i = 0; i < (count) && (first) + i < CP_MOST_COLORS; i++)                         \
      fixed->member[(first) + i] = (values)[i];                                                    \
    unlock(d);                                                                                     \
  } while (0)

void VKAPI_CALL cp_CmdSetColorBlendEnableEXT(VkCommandBuffer commands, uint32_t first,
                                             uint32_t count, const VkBool32 *enables) {
  CpDevice *d = cp_device_of(commands);
  SET_COLORS(d, commands, blends, first, count, enables);
  d->next.CmdSetColorBlendEnableEXT(commands, first, count, enables);
}

void VKAPI_CALL cp_CmdSetColorBlendEquationEXT(VkCommandBuffer commands, uint32_t first,
                                               uint32_t count,
                                               const VkColorBlendEquationEXT *equations) {
  CpDevice *d = cp_device_of(commands);
  SET_COLORS(d, commands, equations, first, count, equations);
  d->next.CmdSetColorBlendEquationEXT(commands, first, count, equations);
}

void VKAPI_CALL cp_CmdSetColorWriteMaskEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                           const VkColorComponentFlags *masks) {
  CpDevice *d = cp_device_of(commands);
  SET_COLORS(d, commands, write_masks, first, count, masks);
  d->next.CmdSetColorWriteMaskEXT(commands, first, count, masks);
}

void VKAPI_CALL cp_CmdSetColorWriteEnableEXT(VkCommandBuffer commands, uint32_t count,
                                             const VkBool32 *enables) {
  CpDevice *d = cp_device_of(commands);
  SET_COLORS(d, commands, writes, 0, count, enables);
  d->next.CmdSetColorWriteEnableEXT(commands, count, enables);
}
