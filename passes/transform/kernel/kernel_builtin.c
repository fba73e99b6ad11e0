/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_builtin: see kernel_builtin.h. The global offset counts as zero, and all workgroups as
 * equally large, which Vulkan's are. */
#include "passes/transform/kernel/kernel_builtin.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/transform/kernel/kernel_narrow.h"
#include "passes/transform/kernel/kernel_variable.h"

static uint32_t vector3(SrKernels *k) {
  return sr_kernel_vector(k, sr_kernel_int(k, 32), 3);
}

uint32_t sr_kernel_builtin_variable(SrKernels *k, SpvBuiltIn builtin, uint32_t type) {
  for (uint32_t i = 0; i < k->builtin.count; i++)
    if (k->builtin.at[i].builtin == (uint32_t)builtin)
      return k->builtin.at[i].variable;
  uint32_t variable = sr_kernel_variable_new(k, SpvStorageClassInput, type, 0);
  sr_kernel_variable_decorate(k, variable, SpvDecorationBuiltIn, builtin);
  SR_PUSH(k->arena, &k->builtin, (SrKernelBuiltin){(uint32_t)builtin, variable});
  sr_forget_decorations(k->m);
  return variable;
}

/* The value of a shader's built-in variable. */
static uint32_t load(SrEmit *e, SpvBuiltIn builtin, uint32_t type) {
  SrKernels *k = e->k;
  uint32_t variable = sr_kernel_builtin_variable(k, builtin, type);
  bool listed = false;
  for (uint32_t i = 0; i < k->current->interface.count; i++)
    listed = listed || k->current->interface.at[i] == variable;
  if (!listed)
    SR_PUSH(k->arena, &k->current->interface, variable);
  return sr_emit_load(e, type, variable, false);
}

/* The size of a workgroup, a constant. */
static uint32_t workgroup_size(SrKernels *k) {
  uint32_t part[3];
  if (k->size_vector)
    return k->size_vector;
  for (int i = 0; i < 3; i++)
    part[i] = sr_kernel_u32(k, k->current->size[i]);
  return sr_kernel_composite(k, vector3(k), part, 3);
}

static uint32_t global_size(SrEmit *e) {
  SrKernels *k = e->k;
  uint32_t groups = load(e, SpvBuiltInNumWorkgroups, vector3(k));
  return sr_emit(e, SpvOpIMul, vector3(k), SR_IDS(groups, workgroup_size(k)));
}

static uint32_t global_linear(SrEmit *e) {
  SrKernels *k = e->k;
  uint32_t u32 = sr_kernel_int(k, 32), size = global_size(e);
  uint32_t id = load(e, SpvBuiltInGlobalInvocationId, vector3(k));
  uint32_t x = sr_emit_extract(e, u32, id, 0), y = sr_emit_extract(e, u32, id, 1),
           z = sr_emit_extract(e, u32, id, 2);
  uint32_t row = sr_emit(e, SpvOpIMul, u32, SR_IDS(z, sr_emit_extract(e, u32, size, 1)));
  row = sr_emit(e, SpvOpIAdd, u32, SR_IDS(row, y));
  row = sr_emit(e, SpvOpIMul, u32, SR_IDS(row, sr_emit_extract(e, u32, size, 0)));
  return sr_emit(e, SpvOpIAdd, u32, SR_IDS(row, x));
}

/* The number of dimensions: a constant that the host sets, three if it does not. */
static uint32_t dimensions(SrKernels *k) {
  SrModule *m = k->m;
  k->current->asks_dimensions = true;
  if (k->dimensions)
    return k->dimensions;
  k->dimensions = sr_fresh_id(m);
  sr_begin(m, SpvOpSpecConstant, sr_kernel_int(k, 32), k->dimensions);
  sr_put_literal(m, 3);
  sr_append(m, &m->globals, sr_end(m));
  k->dimensions_spec_id = k->next_spec_id++;
  sr_kernel_variable_decorate(k, k->dimensions, SpvDecorationSpecId, k->dimensions_spec_id);
  return k->dimensions;
}

/* The built-in's value in 32 bits; 0: it has none. */
static uint32_t value_of(SrEmit *e, SpvBuiltIn builtin) {
  SrKernels *k = e->k;
  switch (builtin) {
  case SpvBuiltInGlobalInvocationId:
  case SpvBuiltInLocalInvocationId:
  case SpvBuiltInWorkgroupId:
  case SpvBuiltInNumWorkgroups:
    return load(e, builtin, vector3(k));
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
    return workgroup_size(k);
  case SpvBuiltInGlobalSize:
    return global_size(e);
  case SpvBuiltInWorkDim:
    return dimensions(k);
  case SpvBuiltInGlobalOffset:
    return sr_kernel_null(k, vector3(k));
  case SpvBuiltInGlobalLinearId:
    return global_linear(e);
  case SpvBuiltInLocalInvocationIndex:
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupId:
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInSubgroupLocalInvocationId:
    return load(e, builtin, sr_kernel_int(k, 32));
  default:
    return 0;
  }
}

/* The component that a load's pointer selects: an index; 0: the pointer is the variable. */
static uint32_t component_of(const SrModule *m, uint32_t pointer) {
  SrRef r = sr_def(m, pointer);
  return sr_inst(m, r)->op == SpvOpVariable ? 0 : sr_words(m, r)[sr_word_count(m, r) - 1];
}

SrStatus sr_kernel_builtin_load(SrEmit *e, SrRef r, const SrKernelBase *b) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t builtin = UINT32_MAX, index = component_of(m, sr_words(m, r)[3]);
  (void)sr_decoration_value(m, b->id, SpvDecorationBuiltIn, &builtin);
  e->result = 0;
  uint32_t value = value_of(e, (SpvBuiltIn)builtin);
  if (!value)
    return sr_kernel_refuse(k, r, "shaders have no built-in variable of this kind (%u)", builtin);
  if (index)
    value = sr_emit(e, SpvOpVectorExtractDynamic, sr_kernel_int(k, 32),
                    SR_IDS(value, sr_kernel_low(k, index)));
  e->result = in.result;
  if (sr_kernel_bits(m, in.type) == 32) {
    sr_emit_bitcast(e, in.type, value);
    return SR_OK;
  }
  sr_kernel_low_is(k, in.result, value);
  sr_emit_last(e, SpvOpUConvert, in.type, &value, 1);
  return SR_OK;
}
