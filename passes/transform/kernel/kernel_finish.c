/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_finish: see kernel_finish.h. Capabilities follow from the types and instructions that are
 * left. */
#include "passes/transform/kernel/kernel_finish.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_dead.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_variable.h"

#include <string.h>

enum { VERSION = 0x10300 /* of Vulkan 1.1 */ };

static const char GLSL[] = "GLSL.std.450";

/* ---- the beginning ---- */

static void put_text(SrModule *m, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i <= length; i += 4) {
    uint32_t word = 0;
    memcpy(&word, text + i, length - i < 4 ? length - i : 4);
    sr_put_literal(m, word);
  }
}

static SrRef memory_model(const SrModule *m) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpMemoryModel)
      return r;
  return SR_NONE;
}

static uint32_t import_of(const SrModule *m, const char *name) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpExtInstImport &&
        strcmp((const char *)&sr_words(m, r)[2], name) == 0)
      return sr_inst(m, r)->result;
  return 0;
}

uint32_t sr_kernel_finish_import(SrKernels *k, const char *name) {
  SrModule *m = k->m;
  uint32_t id = import_of(m, name);
  if (id)
    return id;
  id = sr_fresh_id(m);
  sr_begin(m, SpvOpExtInstImport, 0, id);
  put_text(m, name);
  sr_insert_before(m, &m->globals, memory_model(m), sr_end(m));
  return id;
}

/* Strings come before all names and decorations. */
static bool follows_strings(uint16_t op) {
  return (op >= SpvOpSourceContinued && op <= SpvOpMemberName) || op == SpvOpString ||
         (op >= SpvOpDecorate && op <= SpvOpGroupMemberDecorate) || op == SpvOpDecorateId;
}

uint32_t sr_kernel_finish_string(SrKernels *k, const char *text) {
  SrModule *m = k->m;
  SrRef before = m->globals.first;
  while (before != SR_NONE && before != k->decorations && !follows_strings(sr_inst(m, before)->op))
    before = sr_inst(m, before)->next;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpString, 0, id);
  put_text(m, text);
  sr_insert_before(m, &m->globals, before, sr_end(m));
  return id;
}

static void declare_size(SrKernels *k) {
  SrModule *m = k->m;
  uint32_t part[3], u32 = sr_kernel_int(k, 32);
  for (uint32_t i = 0; i < 3; i++) {
    part[i] = sr_fresh_id(m);
    sr_begin(m, SpvOpSpecConstant, u32, part[i]);
    sr_put_literal(m, 1);
    sr_append(m, &m->globals, sr_end(m));
    sr_kernel_variable_decorate(k, part[i], SpvDecorationSpecId, i);
  }
  k->size_vector = sr_fresh_id(m);
  uint32_t type = sr_kernel_vector(k, u32, 3);
  sr_begin(m, SpvOpSpecConstantComposite, type, k->size_vector);
  for (uint32_t i = 0; i < 3; i++)
    sr_put_id(m, part[i]);
  sr_append(m, &m->globals, sr_end(m));
  sr_kernel_variable_decorate(k, k->size_vector, SpvDecorationBuiltIn, SpvBuiltInWorkgroupSize);
}

void sr_kernel_finish_begin(SrKernels *k) {
  bool open = false;
  k->opencl_set = import_of(k->m, "OpenCL.std");
  k->glsl_set = sr_kernel_finish_import(k, GLSL);
  for (uint32_t i = 0; i < k->kernel.count; i++)
    open = open || !k->kernel.at[i].size[0];
  if (open)
    declare_size(k);
}

/* ---- entry points, modes, decorations ---- */

static void write_entry(SrKernels *k, const SrKernel *kernel) {
  SrModule *m = k->m;
  sr_begin(m, SpvOpEntryPoint, 0, 0);
  sr_put_literal(m, SpvExecutionModelGLCompute);
  sr_put_id(m, m->functions[kernel->function].id);
  put_text(m, kernel->name);
  for (uint32_t i = 0; i < kernel->interface.count; i++)
    sr_put_id(m, kernel->interface.at[i]);
  sr_insert_before(m, &m->globals, kernel->entry, sr_end(m));
  sr_remove(m, &m->globals, kernel->entry);
}

static bool is_kept_mode(const SrKernels *k, const uint32_t *w) {
  return w[2] == SpvExecutionModeLocalSize && !k->size_vector;
}

static bool is_kept_decoration(uint32_t decoration) {
  switch (decoration) {
  case SpvDecorationFPRoundingMode:
  case SpvDecorationFPFastMathMode:
  case SpvDecorationFuncParamAttr:
  case SpvDecorationLinkageAttributes:
  case SpvDecorationAlignment:
  case SpvDecorationAlignmentId:
  case SpvDecorationConstant:
  case SpvDecorationSaturatedConversion:
  case SpvDecorationCPacked:
  case SpvDecorationMaxByteOffset:
  case SpvDecorationNoSignedWrap:
  case SpvDecorationNoUnsignedWrap:
    return false;
  default:
    return true;
  }
}

static bool stays(const SrKernels *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  switch (sr_inst(k->m, r)->op) {
  case SpvOpCapability:
  case SpvOpExtension:
  case SpvOpTypeForwardPointer: /* of a struct of the kernel's memory */
    return false;
  case SpvOpExecutionMode:
    return sr_def(k->m, w[1]) != SR_NONE && is_kept_mode(k, w);
  case SpvOpExecutionModeId:
    return false;
  case SpvOpDecorate:
    return is_kept_decoration(w[2]);
  case SpvOpMemberDecorate:
    return is_kept_decoration(w[3]);
  default:
    return true;
  }
}

static void drop_declarations(SrKernels *k) {
  SrModule *m = k->m;
  for (SR_EACH_SAFE(m, r, m->globals))
    if (!stays(k, r))
      sr_remove(m, &m->globals, r);
}

/* ---- capabilities ---- */

typedef struct Needs {
  SrKernels *k;
  SR_VEC(uint32_t) capability;
  bool bytes; /* a storage buffer has elements of 8 bits */
} Needs;

static void need(Needs *n, SpvCapability capability) {
  for (uint32_t i = 0; i < n->capability.count; i++)
    if (n->capability.at[i] == (uint32_t)capability)
      return;
  SR_PUSH(n->k->arena, &n->capability, (uint32_t)capability);
}

static void need_image(Needs *n, const uint32_t *w) {
  bool sampled = w[7] == 1;
  if (w[3] == SpvDim1D)
    need(n, sampled ? SpvCapabilitySampled1D : SpvCapabilityImage1D);
  if (w[3] == SpvDimBuffer)
    need(n, sampled ? SpvCapabilitySampledBuffer : SpvCapabilityImageBuffer);
}

static void need_builtin(Needs *n, uint32_t builtin) {
  if (builtin >= SpvBuiltInSubgroupSize && builtin <= SpvBuiltInSubgroupLocalInvocationId)
    need(n, SpvCapabilityGroupNonUniform);
}

/* A type of which buffers have elements. */
static void need_memory(Needs *n, uint32_t type) {
  uint32_t bits = sr_kernel_bits(n->k->m, type);
  if (bits == 8)
    need(n, SpvCapabilityStorageBuffer8BitAccess);
  if (bits == 16)
    need(n, SpvCapabilityStorageBuffer16BitAccess);
  n->bytes |= bits == 8;
}

static void need_of_global(Needs *n, SrRef r) {
  const SrModule *m = n->k->m;
  const uint32_t *w = sr_words(m, r);
  switch (sr_inst(m, r)->op) {
  case SpvOpTypeInt:
    if (w[2] != 32)
      need(n, w[2] == 8 ? SpvCapabilityInt8 : w[2] == 16 ? SpvCapabilityInt16 : SpvCapabilityInt64);
    break;
  case SpvOpTypeFloat:
    if (w[2] != 32)
      need(n, w[2] == 16 ? SpvCapabilityFloat16 : SpvCapabilityFloat64);
    break;
  case SpvOpTypeImage:
    need_image(n, w);
    break;
  case SpvOpTypePointer:
    if (w[2] == SpvStorageClassPhysicalStorageBuffer)
      need_memory(n, w[3]);
    break;
  case SpvOpTypeRuntimeArray:
    need_memory(n, w[2]);
    break;
  case SpvOpDecorate:
    if (w[2] == SpvDecorationBuiltIn)
      need_builtin(n, w[3]);
    break;
  default:
    break;
  }
}

static void need_of_code(Needs *n, SrRef r) {
  const SrModule *m = n->k->m;
  uint16_t op = sr_inst(m, r)->op;
  uint32_t type =
      op == SpvOpAtomicStore ? sr_kernel_type_of(m, sr_words(m, r)[4]) : sr_inst(m, r)->type;
  if (op >= SpvOpImageQuerySizeLod && op <= SpvOpImageQuerySamples)
    need(n, SpvCapabilityImageQuery);
  if (op == SpvOpImageWrite)
    need(n, SpvCapabilityStorageImageWriteWithoutFormat);
  if (op == SpvOpImageRead)
    need(n, SpvCapabilityStorageImageReadWithoutFormat);
  if (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor && sr_kernel_bits(m, type) == 64)
    need(n, SpvCapabilityInt64Atomics);
}

static void put_capability(SrModule *m, SrRef before, uint32_t capability) {
  sr_begin(m, SpvOpCapability, 0, 0);
  sr_put_literal(m, capability);
  sr_insert_before(m, &m->globals, before, sr_end(m));
}

static void put_extension(SrModule *m, SrRef before, const char *name) {
  sr_begin(m, SpvOpExtension, 0, 0);
  put_text(m, name);
  sr_insert_before(m, &m->globals, before, sr_end(m));
}

static void declare_needs(SrKernels *k) {
  SrModule *m = k->m;
  Needs n = {.k = k};
  need(&n, SpvCapabilityShader);
  if (k->addresses)
    need(&n, SpvCapabilityPhysicalStorageBufferAddresses);
  for (SR_EACH(m, r, m->globals))
    need_of_global(&n, r);
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        need_of_code(&n, r);
  SrRef first = m->globals.first;
  for (uint32_t i = 0; i < n.capability.count; i++)
    put_capability(m, first, n.capability.at[i]);
  if (n.bytes)
    put_extension(m, first, "SPV_KHR_8bit_storage");
  if (k->addresses)
    put_extension(m, first, "SPV_KHR_physical_storage_buffer");
  put_extension(m, first, "SPV_KHR_non_semantic_info");
}

void sr_kernel_finish_end(SrKernels *k) {
  SrModule *m = k->m;
  SrRef model = memory_model(m);
  for (uint32_t i = 0; i < k->kernel.count; i++)
    write_entry(k, &k->kernel.at[i]);
  drop_declarations(k);
  sr_words(m, model)[1] =
      k->addresses ? SpvAddressingModelPhysicalStorageBuffer64 : SpvAddressingModelLogical;
  sr_words(m, model)[2] = SpvMemoryModelGLSL450;
  sr_kernel_dead_globals(k);
  sr_forget_undefined(m);
  declare_needs(k);
  m->header[1] = VERSION;
  m->logical_pointers = m->shader = true;
  m->intern = NULL; /* its tables are about another module */
  sr_forget_decorations(m);
}
