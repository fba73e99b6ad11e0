/* SPDX-License-Identifier: Apache-2.0 */
/* world: declares the buffers and types that generated functions work on.
 *
 *   in      set 0, binding 0   { u32 data[]; }                       read only
 *   out     set 0, binding 1   { record recs[]; }                    one per invocation
 *   uniform set 0, binding 2   { uvec4 a; u32 b; u32 c; }
 *   push                       { u32 a; u32 b; }
 *   record                     { u32 result; u32 log; uvec4 v; u32 arr[4]; } */
#include "tests/equiv/world.h"

#include "tests/equiv/gen/kernel.h"
#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <string.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])
#define ANNOTATION (&w->m.section[EMIT_ANNOTATION])

uint32_t world_pointer(World *w, uint32_t storage, uint32_t type) {
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypePointer, id, storage, type);
  return id;
}

static uint32_t variable_at(World *w, uint32_t storage, uint32_t address) {
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpVariable, address, id, storage);
  return id;
}

uint32_t world_variable(World *w, uint32_t storage, uint32_t type) {
  return variable_at(w, storage, world_pointer(w, storage, type));
}

void world_bind(World *w, uint32_t id, uint32_t binding) {
  EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationDescriptorSet, 0);
  EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationBinding, binding);
}

void world_offset(World *w, uint32_t type, uint32_t member, uint32_t bytes) {
  if (!w->rich.kernel)
    EMIT(ANNOTATION, SpvOpMemberDecorate, type, member, SpvDecorationOffset, bytes);
}

uint32_t world_array(World *w, uint32_t element, uint32_t length, uint32_t stride) {
  uint32_t id = emit_id(&w->m);
  if (length)
    EMIT(GLOBAL, SpvOpTypeArray, id, element, world_constant(w, length));
  else
    EMIT(GLOBAL, SpvOpTypeRuntimeArray, id, element);
  if (stride && !w->rich.kernel)
    EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationArrayStride, stride);
  return id;
}

/* A block with one runtime array. */
uint32_t world_block(World *w, uint32_t element, uint32_t stride) {
  uint32_t list = world_array(w, element, 0, stride), id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, id, list);
  EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationBlock);
  world_offset(w, id, 0, 0);
  return id;
}

static void scalar_types(World *w, bool switches) {
  w->t_void = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeVoid, w->t_void);
  w->t_bool = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeBool, w->t_bool);
  for (unsigned sign = 0; sign < 2; sign++)
    for (unsigned k = 0; k < 4; k++) {
      if (k != 2 && !switches)
        continue;
      if (sign && w->rich.kernel) { /* integers of kernels have no sign */
        w->t_int[1][k] = w->t_int[0][k];
        continue;
      }
      w->t_int[sign][k] = emit_id(&w->m);
      EMIT(GLOBAL, SpvOpTypeInt, w->t_int[sign][k], 8u << k, sign);
    }
  w->t_u32 = w->t_int[0][2];
  w->t_i32 = w->t_int[1][2];
  w->t_vec3 = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeVector, w->t_vec3, w->t_u32, 3);
  w->t_vec = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeVector, w->t_vec, w->t_u32, 4);
}

static void composite_types(World *w) {
  w->t_array = world_array(w, w->t_u32, 4, 0);
  w->t_locals = world_array(w, w->t_u32, WORLD_LOCALS, 0);
  w->t_struct = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, w->t_struct, w->t_u32, w->t_vec, w->t_array);
  uint32_t strided = world_array(w, w->t_u32, 4, 4);
  w->t_record = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, w->t_record, w->t_u32, w->t_u32, w->t_vec, strided);
  const uint32_t offsets[4] = {0, 4, 16, 32};
  for (uint32_t k = 0; k < 4; k++)
    world_offset(w, w->t_record, k, offsets[k]);
}

static void buffers(World *w) {
  if (w->rich.kernel) {
    kernel_types(w);
    return;
  }
  uint32_t in = world_block(w, w->t_u32, 4), out = world_block(w, w->t_record, 48);
  EMIT(ANNOTATION, SpvOpMemberDecorate, in, 0, SpvDecorationNonWritable);
  uint32_t push = emit_id(&w->m), uniform = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, push, w->t_u32, w->t_u32);
  EMIT(GLOBAL, SpvOpTypeStruct, uniform, w->t_vec, w->t_u32, w->t_u32);
  EMIT(ANNOTATION, SpvOpDecorate, push, SpvDecorationBlock);
  EMIT(ANNOTATION, SpvOpDecorate, uniform, SpvDecorationBlock);
  world_offset(w, push, 0, 0);
  world_offset(w, push, 1, 4);
  world_offset(w, uniform, 0, 0);
  world_offset(w, uniform, 1, 16);
  world_offset(w, uniform, 2, 20);
  w->v_in = world_variable(w, SpvStorageClassStorageBuffer, in);
  w->v_out = world_variable(w, SpvStorageClassStorageBuffer, out);
  w->v_push = world_variable(w, SpvStorageClassPushConstant, push);
  w->v_uniform = world_variable(w, SpvStorageClassUniform, uniform);
  world_bind(w, w->v_in, 0);
  world_bind(w, w->v_out, 1);
  world_bind(w, w->v_uniform, 2);
}

static void pointers(World *w) {
  w->v_gid =
      world_variable(w, SpvStorageClassInput, w->rich.kernel ? kernel_gid_type(w) : w->t_vec3);
  if (w->rich.fragment) {
    EMIT(ANNOTATION, SpvOpDecorate, w->v_gid, SpvDecorationLocation, 0);
    EMIT(ANNOTATION, SpvOpDecorate, w->v_gid, SpvDecorationFlat);
  } else {
    EMIT(ANNOTATION, SpvOpDecorate, w->v_gid, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId);
  }
  bool kernel = w->rich.kernel;
  uint32_t buffer = kernel ? SpvStorageClassCrossWorkgroup : SpvStorageClassStorageBuffer;
  w->p_buffer_u32 = world_pointer(w, buffer, w->t_u32);
  w->p_buffer_vec = world_pointer(w, buffer, w->t_vec);
  w->p_buffer_record = world_pointer(w, buffer, w->t_record);
  w->p_push_u32 = world_pointer(w, kernel ? buffer : SpvStorageClassPushConstant, w->t_u32);
  w->p_uniform_u32 =
      world_pointer(w, kernel ? SpvStorageClassUniformConstant : SpvStorageClassUniform, w->t_u32);
  w->p_local_u32 = world_pointer(w, SpvStorageClassFunction, w->t_u32);
  w->p_local_locals = world_pointer(w, SpvStorageClassFunction, w->t_locals);
  w->p_local_struct = world_pointer(w, SpvStorageClassFunction, w->t_struct);
}

uint32_t world_null(World *w, uint32_t type) {
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstantNull, type, id);
  return id;
}

static void function_types(World *w) {
  uint32_t main[2 + WORLD_BUFFERS], helper[6 + WORLD_BUFFERS];
  uint32_t more = w->rich.kernel ? WORLD_BUFFERS : 0; /* a kernel's buffers are parameters */
  w->t_main = main[0] = emit_id(&w->m);
  main[1] = w->t_void;
  memcpy(main + 2, w->rich.p_buffers, more * sizeof *main);
  emit_op(GLOBAL, SpvOpTypeFunction, 2 + more, main);
  w->t_helper = helper[0] = emit_id(&w->m);
  helper[1] = helper[2] = helper[3] = w->t_u32;
  helper[4] = helper[5] = w->p_local_u32;
  memcpy(helper + 6, w->rich.p_buffers, more * sizeof *helper);
  emit_op(GLOBAL, SpvOpTypeFunction, 6 + more, helper);
  w->c_locals = world_null(w, w->t_locals);
  w->c_struct = world_null(w, w->t_struct);
  w->c_vec = world_null(w, w->t_vec);
  w->c_array = world_null(w, w->t_array);
  w->c_true = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstantTrue, w->t_bool, w->c_true);
  w->c_false = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstantFalse, w->t_bool, w->c_false);
}

static void wide_types(World *w) {
  w->t_f32 = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeFloat, w->t_f32, 32);
  w->t_f16 = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeFloat, w->t_f16, 16);
  w->t_mix = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, w->t_mix, w->t_int[1][0], w->t_f16, w->t_int[0][3], w->t_bool);
}

uint32_t world_vector(World *w, uint32_t element, uint32_t count) {
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeVector, id, element, count);
  return id;
}

/* One image, an array of four, and a sampler. */
static void handles(World *w) {
  w->t_image = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeImage, w->t_image, w->t_f32, SpvDim2D, 0, 0, 0, 1, SpvImageFormatUnknown);
  w->t_sampler = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeSampler, w->t_sampler);
  w->t_sampled = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeSampledImage, w->t_sampled, w->t_image);
  if (!w->rich.on) {
    w->t_fvec2 = world_vector(w, w->t_f32, 2);
    w->t_fvec4 = world_vector(w, w->t_f32, 4);
  }
  w->t_uvec2 = world_vector(w, w->t_u32, 2);
  w->p_image = world_pointer(w, SpvStorageClassUniformConstant, w->t_image);
  w->v_image = w->rich.on ? variable_at(w, SpvStorageClassUniformConstant, w->p_image)
                          : world_variable(w, SpvStorageClassUniformConstant, w->t_image);
  w->v_images = world_variable(w, SpvStorageClassUniformConstant, world_array(w, w->t_image, 4, 0));
  w->p_sampler = world_pointer(w, SpvStorageClassUniformConstant, w->t_sampler);
  w->v_sampler = variable_at(w, SpvStorageClassUniformConstant, w->p_sampler);
  world_bind(w, w->v_image, 3);
  world_bind(w, w->v_images, 4);
  world_bind(w, w->v_sampler, 5);
  if (!w->rich.on)
    return;
  w->rich.p_combined = world_pointer(w, SpvStorageClassUniformConstant, w->t_sampled);
  w->rich.v_combined = variable_at(w, SpvStorageClassUniformConstant, w->rich.p_combined);
  world_bind(w, w->rich.v_combined, 6);
}

void world_begin(World *w, uint32_t version, bool switches) {
  emit_begin(&w->m, version);
  EmitWords *capability = &w->m.section[EMIT_CAPABILITY];
  if (w->rich.kernel)
    kernel_capabilities(w);
  else
    EMIT(capability, SpvOpCapability, SpvCapabilityShader);
  if (switches) {
    EMIT(capability, SpvOpCapability, SpvCapabilityInt8);
    EMIT(capability, SpvOpCapability, SpvCapabilityInt16);
    EMIT(capability, SpvOpCapability, SpvCapabilityInt64);
  }
  if (w->wide)
    EMIT(capability, SpvOpCapability, SpvCapabilityFloat16);
  if (w->effects)
    EMIT(capability, SpvOpCapability, SpvCapabilityShaderNonUniform);
  if (w->ballots) {
    EMIT(capability, SpvOpCapability, SpvCapabilityGroupNonUniform);
    EMIT(capability, SpvOpCapability, SpvCapabilityGroupNonUniformBallot);
  }
  if (w->rich.on)
    rich_capabilities(w);
  if (w->promise)
    emit_string_op(capability, SpvOpExtension, 0, NULL,
                   w->promise == SpvExecutionModeSubgroupUniformControlFlowKHR
                       ? "SPV_KHR_subgroup_uniform_control_flow"
                       : "SPV_KHR_maximal_reconvergence",
                   0, NULL);
  EMIT(&w->m.section[EMIT_MODEL], SpvOpMemoryModel,
       w->rich.kernel ? SpvAddressingModelPhysical64 : SpvAddressingModelLogical,
       w->rich.kernel ? SpvMemoryModelOpenCL : SpvMemoryModelGLSL450);
  w->file = emit_id(&w->m);
  emit_string_op(&w->m.section[EMIT_DEBUG], SpvOpString, 1, &w->file, "random.comp", 0, NULL);
  scalar_types(w, switches);
  composite_types(w);
  buffers(w);
  pointers(w);
  function_types(w);
  if (w->wide)
    wide_types(w);
  if (w->rich.on)
    rich_begin(w);
  if (w->handles)
    handles(w);
}

void world_entry(World *w, uint32_t function) {
  const uint32_t head[2] = {w->rich.fragment ? SpvExecutionModelFragment
                            : w->rich.kernel ? SpvExecutionModelKernel
                                             : SpvExecutionModelGLCompute,
                            function};
  uint32_t interface[16] = {w->v_gid,     w->v_in,    w->v_out,    w->v_push,
                            w->v_uniform, w->v_image, w->v_images, w->v_sampler};
  uint32_t all = w->rich.kernel ? 1 : w->handles ? 8 : 5;
  all += w->rich.on ? rich_interface(w, interface + all) : 0;
  emit_string_op(&w->m.section[EMIT_ENTRY], SpvOpEntryPoint, 2, head, "main",
                 w->m.version >= 0x10400 ? all : 1, interface);
  if (w->rich.fragment) {
    EMIT(&w->m.section[EMIT_MODE], SpvOpExecutionMode, function, SpvExecutionModeOriginUpperLeft);
    return;
  }
  EMIT(&w->m.section[EMIT_MODE], SpvOpExecutionMode, function, SpvExecutionModeLocalSize, 8, 1, 1);
  if (w->promise)
    EMIT(&w->m.section[EMIT_MODE], SpvOpExecutionMode, function, w->promise);
}

uint32_t world_constant(World *w, uint32_t value) {
  if (value < WORLD_SMALL && w->small[value])
    return w->small[value];
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstant, w->t_u32, id, value);
  if (value < WORLD_SMALL)
    w->small[value] = id;
  return id;
}

bool world_is_constant(const World *w, uint32_t id) {
  const EmitWords *g = &w->m.section[EMIT_GLOBAL];
  for (size_t at = 0; at < g->count; at += g->data[at] >> 16)
    if ((g->data[at] & 0xffff) == SpvOpConstant && g->data[at + 2] == id)
      return g->data[at + 1] == w->t_u32;
  return false;
}

void world_decorate(World *w, uint32_t id, uint32_t decoration) {
  if (w->rich.kernel) /* has none of these */
    return;
  if (w->decoration_count == w->decoration_capacity) {
    w->decoration_capacity = w->decoration_capacity * 2 + 16;
    w->decoration = emit_resize(w->decoration, w->decoration_capacity * sizeof *w->decoration);
  }
  w->decoration[w->decoration_count++] = (WorldDecoration){id, decoration};
  EMIT(ANNOTATION, SpvOpDecorate, id, decoration);
}

uint32_t world_decoration(const World *w, uint32_t id) {
  for (uint32_t k = w->decoration_count; k-- > 0;)
    if (w->decoration[k].id == id)
      return w->decoration[k].decoration;
  return 0;
}

uint32_t world_fresh_constant(World *w) {
  return world_constant(w, (uint32_t)rng_next(&w->rng) | 0x80000001u);
}

uint32_t world_wide_constant(World *w, unsigned sign, unsigned width, uint64_t value) {
  uint32_t id = emit_id(&w->m);
  if (width == 3)
    EMIT(GLOBAL, SpvOpConstant, w->t_int[sign][width], id, (uint32_t)value,
         (uint32_t)(value >> 32));
  else
    EMIT(GLOBAL, SpvOpConstant, w->t_int[sign][width], id, (uint32_t)value);
  return id;
}

void world_name(World *w, uint32_t id, const char *prefix) {
  char text[40];
  snprintf(text, sizeof text, "%s_%u", prefix, (unsigned)id);
  emit_string_op(&w->m.section[EMIT_DEBUG], SpvOpName, 1, &id, text, 0, NULL);
}
