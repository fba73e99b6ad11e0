/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_argument: see kernel_argument.h. */
#include "passes/transform/kernel/kernel_argument.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_access.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_image.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_narrow.h"
#include "passes/transform/kernel/kernel_variable.h"

enum { MOST_PUSHED = 128 /* bytes of push constants that every device has */ };

/* ---- reading ---- */

static SrStatus read_pointer(SrKernels *k, SrRef r, SrKernelArgument *a) {
  uint32_t pointee = sr_words(k->m, sr_def(k->m, a->type))[3];
  switch (sr_pointer_type_class(k->m, a->type)) {
  case SpvStorageClassCrossWorkgroup:
  case SpvStorageClassUniformConstant:
    a->pass = SR_PASS_BUFFER;
    a->base = sr_kernel_base_add(k, a->id, SR_PLACE_BUFFER, 0);
    return SR_OK;
  case SpvStorageClassWorkgroup:
    a->pass = SR_PASS_LOCALS;
    a->base = sr_kernel_base_add(k, a->id, SR_PLACE_LOCALS, 0);
    return SR_OK;
  case SpvStorageClassFunction:
    a->pass = SR_PASS_CONSTANT;
    a->base = sr_kernel_base_add(k, a->id, SR_PLACE_VALUE, pointee);
    if (sr_kernel_size_of(k, pointee))
      return SR_OK;
    break;
  default:
    break;
  }
  return sr_kernel_refuse(k, r,
                          "a kernel cannot have an argument that points to this storage class");
}

static SrStatus read_parameter(SrKernels *k, SrRef r, SrKernelArgument *a) {
  switch (sr_def_op(k->m, a->type)) {
  case SpvOpTypePointer:
    return read_pointer(k, r, a);
  case SpvOpTypeImage:
    a->pass = SR_PASS_SAMPLED_IMAGE; /* kernel_image.h may change this */
    return SR_OK;
  case SpvOpTypeSampler:
    a->pass = SR_PASS_SAMPLER;
    return SR_OK;
  default:
    a->pass = SR_PASS_CONSTANT;
    if (sr_kernel_bits(k->m, a->type) && sr_kernel_components(k->m, a->type) <= 4)
      return SR_OK;
    return sr_kernel_refuse(k, r,
                            "an argument of this type: only numbers, vectors of up to four, "
                            "pointers, images, samplers and structs");
  }
}

static uint32_t align(uint32_t at, uint32_t to) {
  return (at + to - 1) / to * to;
}

/* Is the value a member of its own, rather than words? */
static bool is_member(const SrKernels *k, const SrKernelArgument *a) {
  return a->base == SR_NONE && sr_kernel_bits(k->m, a->type) == 32;
}

/* Gives the values their offsets. */
static void place_values(SrKernels *k, SrKernel *kernel) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < kernel->argument.count; i++) {
    SrKernelArgument *a = &kernel->argument.at[i];
    if (a->pass != SR_PASS_CONSTANT)
      continue;
    uint32_t type = a->base == SR_NONE ? a->type : k->base.at[a->base].type;
    uint32_t to = sr_kernel_align_of(k, type);
    a->size = sr_kernel_size_of(k, type);
    a->offset = at = align(at, to < 4 ? 4 : to);
    at = align(at + a->size, 4);
  }
  kernel->value_bytes = at;
  kernel->value_pass = at > MOST_PUSHED ? SR_PASS_UNIFORM : SR_PASS_CONSTANT;
  for (uint32_t i = 0; i < kernel->argument.count; i++)
    if (kernel->argument.at[i].pass == SR_PASS_CONSTANT)
      kernel->argument.at[i].pass = kernel->value_pass;
}

static void place_descriptors(SrKernels *k, SrKernel *kernel) {
  uint32_t binding = 0;
  for (uint32_t i = 0; i < kernel->argument.count; i++) {
    SrKernelArgument *a = &kernel->argument.at[i];
    if (a->pass <= SR_PASS_SAMPLER)
      a->binding = binding++;
    else if (a->pass == SR_PASS_LOCALS)
      a->spec_id = k->next_spec_id++;
  }
  kernel->value_binding = binding;
}

SrStatus sr_kernel_argument_read(SrKernels *k, SrKernel *kernel) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, k->f->head)) {
    if (sr_inst(m, r)->op != SpvOpFunctionParameter)
      continue;
    SrKernelArgument a = {.id = sr_inst(m, r)->result,
                          .type = sr_inst(m, r)->type,
                          .number = kernel->argument.count,
                          .base = SR_NONE,
                          .is_address = sr_ids_get(k->address, sr_inst(m, r)->result) != SR_NONE};
    if (a.id < k->name_count && k->names[a.id])
      a.name = k->names[a.id];
    SR_CHECK(read_parameter(k, r, &a));
    SR_PUSH(k->arena, &kernel->argument, a);
  }
  sr_kernel_image_read(k, kernel);
  place_values(k, kernel);
  place_descriptors(k, kernel);
  for (uint32_t i = 0; i < kernel->argument.count; i++) {
    const SrKernelArgument *a = &kernel->argument.at[i];
    if (a->base == SR_NONE || k->base.at[a->base].place != SR_PLACE_VALUE)
      continue;
    SrKernelBase *b = &k->base.at[a->base];
    uint32_t to = sr_kernel_align_of(k, b->type); /* it is stored in words */
    sr_kernel_base_note(k, b, sr_kernel_int(k, 32), to < 4 ? to : 4);
  }
  return SR_OK;
}

/* ---- values ---- */

typedef struct Values {
  SrKernels *k;
  const SrKernel *kernel;
  SR_VEC(uint32_t) type, offset; /* of members */
  uint32_t variable, next;
  SpvStorageClass storage;
} Values;

static void add_member(Values *v, uint32_t type, uint32_t offset) {
  SR_PUSH(v->k->arena, &v->type, type);
  SR_PUSH(v->k->arena, &v->offset, offset);
}

static void add_members(Values *v) {
  SrKernels *k = v->k;
  for (uint32_t i = 0; i < v->kernel->argument.count; i++) {
    const SrKernelArgument *a = &v->kernel->argument.at[i];
    if (a->pass < SR_PASS_CONSTANT)
      continue;
    if (is_member(k, a)) {
      add_member(v, a->type, a->offset);
      continue;
    }
    for (uint32_t at = 0; at < a->size; at += 4)
      add_member(v, sr_kernel_int(k, 32), a->offset + at);
  }
}

static void declare_values(Values *v) {
  SrKernels *k = v->k;
  SrModule *m = k->m;
  uint32_t type = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeStruct, 0, type);
  for (uint32_t i = 0; i < v->type.count; i++)
    sr_put_id(m, v->type.at[i]);
  sr_append(m, &m->globals, sr_end(m));
  for (uint32_t i = 0; i < v->type.count; i++)
    sr_kernel_variable_offset(k, type, i, v->offset.at[i]);
  sr_kernel_variable_decorate(k, type, SpvDecorationBlock, SR_NONE);
  v->variable = sr_kernel_variable_new(k, v->storage, type, 0);
  if (v->storage == SpvStorageClassUniform)
    sr_kernel_variable_bind(k, v->variable, 0, v->kernel->value_binding);
}

/* The next member's value. */
static uint32_t load_member(Values *v, SrEmit *e) {
  SrKernels *k = v->k;
  uint32_t type = v->type.at[v->next], result = e->result;
  uint32_t pointer = sr_kernel_pointer(k, v->storage, type);
  e->result = 0;
  uint32_t at =
      sr_emit(e, SpvOpAccessChain, pointer, SR_IDS(v->variable, sr_kernel_u32(k, v->next++)));
  e->result = result;
  return sr_emit_load(e, type, at, false);
}

/* A value of 64 bits: words are joined by twos. Its low bits are the first words. */
static void load_wide(Values *v, SrEmit *e, const SrKernelArgument *a) {
  SrKernels *k = v->k;
  uint32_t count = sr_kernel_components(k->m, a->type), u32 = sr_kernel_int(k, 32);
  uint32_t scalar = sr_kernel_scalar_of(k->m, a->type), part[4], low[4];
  for (uint32_t i = 0; i < count; i++) {
    low[i] = load_member(v, e);
    uint32_t high = load_member(v, e);
    uint32_t both =
        sr_emit(e, SpvOpCompositeConstruct, sr_kernel_vector(k, u32, 2), SR_IDS(low[i], high));
    e->result = count == 1 ? a->id : 0;
    part[i] = sr_emit_last(e, SpvOpBitcast, scalar, &both, 1);
  }
  if (count > 1) {
    e->result = a->id;
    sr_emit_last(e, SpvOpCompositeConstruct, a->type, part, count);
    low[0] = sr_emit(e, SpvOpCompositeConstruct, sr_kernel_vector(k, u32, count), low, count);
  }
  if (!sr_kernel_is_float(k->m, a->type))
    sr_kernel_low_is(k, a->id, low[0]);
}

/* A value of 8 or 16 bits, or a vector: the low bits of words. */
static void load_narrow(Values *v, SrEmit *e, const SrKernelArgument *a) {
  SrKernels *k = v->k;
  uint32_t count = sr_kernel_components(k->m, a->type), bits = sr_kernel_bits(k->m, a->type);
  uint32_t scalar = sr_kernel_scalar_of(k->m, a->type), each = 32 / bits, part[4];
  for (uint32_t i = 0; i < count; i += each) {
    uint32_t word = load_member(v, e);
    uint32_t parts = sr_emit(e, SpvOpBitcast, sr_kernel_vector(k, scalar, each), &word, 1);
    for (uint32_t j = 0; j < each && i + j < count; j++)
      part[i + j] = sr_emit_extract(e, scalar, parts, j);
  }
  e->result = a->id;
  if (count == 1)
    sr_emit_is(e, part[0]);
  else
    sr_emit_last(e, SpvOpCompositeConstruct, a->type, part, count);
}

/* A struct by value: its words are stored in the variable that it becomes. */
static void load_struct(Values *v, SrEmit *e, const SrKernelArgument *a) {
  const SrKernelBase *b = &v->k->base.at[a->base];
  for (uint32_t at = 0; at < a->size; at += 4) {
    uint32_t word = load_member(v, e);
    if (b->variable)
      sr_kernel_access_store_at(e, b, at, word);
  }
}

static void load_value(Values *v, SrEmit *e, const SrKernelArgument *a) {
  uint32_t bits = sr_kernel_bits(v->k->m, a->type);
  uint32_t end = v->next + (is_member(v->k, a) ? 1 : (a->size + 3) / 4);
  if (a->base != SR_NONE) {
    load_struct(v, e, a);
  } else if (bits == 32) {
    e->result = a->id;
    load_member(v, e);
  } else if (bits > 32) {
    load_wide(v, e, a);
  } else {
    load_narrow(v, e, a);
  }
  v->next = end; /* after the fourth component of a vector of three */
}

/* ---- writing ---- */

static void declare_buffer(SrKernels *k, const SrKernelArgument *a) {
  SrModule *m = k->m;
  SrKernelBase *b = &k->base.at[a->base];
  uint32_t array = sr_kernel_array(k, b->element, 0, b->unit), type = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeStruct, 0, type);
  sr_put_id(m, array);
  sr_append(m, &m->globals, sr_end(m));
  sr_kernel_variable_offset(k, type, 0, 0);
  sr_kernel_variable_decorate(k, type, SpvDecorationBlock, SR_NONE);
  b->variable = sr_kernel_variable_new(k, SpvStorageClassStorageBuffer, type, 0);
  sr_kernel_variable_bind(k, b->variable, 0, a->binding);
  if (!b->written)
    sr_kernel_variable_decorate(k, b->variable, SpvDecorationNonWritable, SR_NONE);
  sr_copy_name(m, a->id, b->variable);
}

static void declare_locals(SrKernels *k, SrKernelArgument *a) {
  SrModule *m = k->m;
  SrKernelBase *b = &k->base.at[a->base];
  uint32_t length = sr_fresh_id(m);
  sr_begin(m, SpvOpSpecConstant, sr_kernel_int(k, 32), length);
  sr_put_literal(m, 1);
  sr_append(m, &m->globals, sr_end(m));
  sr_kernel_variable_decorate(k, length, SpvDecorationSpecId, a->spec_id);
  a->element_size = b->unit;
  b->variable = sr_kernel_variable_new(k, SpvStorageClassWorkgroup,
                                       sr_kernel_array(k, b->element, length, 0), 0);
  sr_copy_name(m, a->id, b->variable);
}

static SrStatus write_argument(SrKernels *k, SrEmit *e, SrKernelArgument *a, Values *v) {
  switch (a->pass) {
  case SR_PASS_BUFFER:
    declare_buffer(k, a);
    break;
  case SR_PASS_LOCALS:
    declare_locals(k, a);
    break;
  case SR_PASS_SAMPLED_IMAGE:
  case SR_PASS_STORAGE_IMAGE:
  case SR_PASS_SAMPLER:
    return sr_kernel_image_declare(e, a);
  default:
    load_value(v, e, a);
  }
  if (a->base != SR_NONE)
    sr_ids_set(k->same, a->id, sr_kernel_u32(k, 0));
  return SR_OK;
}

void sr_kernel_argument_drop(SrKernels *k) {
  SrModule *m = k->m;
  uint32_t type = sr_kernel_void(k);
  SrRef function = sr_def(m, k->f->id);
  for (SR_EACH_SAFE(m, r, k->f->head)) {
    if (sr_inst(m, r)->op == SpvOpFunctionParameter) {
      sr_remove(m, &k->f->head, r);
      if (sr_def(m, sr_inst(m, r)->result) == r)
        m->def[sr_inst(m, r)->result] = SR_NONE;
    }
  }
  sr_words(m, function)[3] = SpvFunctionControlMaskNone;
  uint32_t of = sr_kernel_type(k, SpvOpTypeFunction, &type, 1);
  sr_words(m, function)[4] = of;
  m->ids_gone = true;
}

SrStatus sr_kernel_argument_write(SrKernels *k, SrKernel *kernel) {
  Values v = {.k = k,
              .kernel = kernel,
              .storage = kernel->value_pass == SR_PASS_UNIFORM ? SpvStorageClassUniform
                                                               : SpvStorageClassPushConstant};
  SrBlock *entry = &k->f->blocks[0];
  SrEmit e = {k, &entry->list, sr_first_ordinary(k->m, entry), 0, 0};
  add_members(&v);
  if (v.type.count)
    declare_values(&v);
  for (uint32_t i = 0; i < kernel->argument.count; i++)
    SR_CHECK(write_argument(k, &e, &kernel->argument.at[i], &v));
  return SR_OK;
}
