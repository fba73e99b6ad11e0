/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_access: see kernel_access.h.
 *
 *   float4 at 16 * i, elements float4     one load of element i
 *   float4 at 4 * i, elements float       four loads, joined
 *   float4 at 4 * i, elements uint        four loads, joined, then a bitcast of the vector
 *   ulong at 8 * i, elements ushort       four loads, joined, then a bitcast to one scalar */
#include "passes/transform/kernel/kernel_access.h"

#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_address.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_narrow.h"

/* ---- elements ---- */

static SpvStorageClass storage_of(const SrKernelBase *b) {
  switch (b->place) {
  case SR_PLACE_BUFFER:
    return SpvStorageClassStorageBuffer;
  case SR_PLACE_LOCAL:
  case SR_PLACE_LOCALS:
    return SpvStorageClassWorkgroup;
  case SR_PLACE_TABLE:
    return SpvStorageClassPrivate;
  default:
    return SpvStorageClassFunction;
  }
}

static uint32_t add(SrEmit *e, uint32_t a, uint32_t more) {
  SrInteger value;
  a = sr_kernel_same(e->k, a);
  if (!more)
    return a;
  if (sr_integer_constant(e->k->m, a, &value))
    return sr_kernel_u32(e->k, (uint32_t)value.bits + more);
  return sr_emit(e, SpvOpIAdd, sr_kernel_int(e->k, 32), SR_IDS(a, sr_kernel_u32(e->k, more)));
}

static uint32_t log_2(uint32_t x) {
  uint32_t log = 0;
  while (x >>= 1)
    log++;
  return log;
}

/* The element at an offset in grains. */
static uint32_t element_of(SrEmit *e, const SrKernelBase *b, uint32_t offset) {
  SrInteger value;
  uint32_t shift = log_2(b->unit / b->grain);
  offset = sr_kernel_same(e->k, offset);
  if (!shift)
    return offset;
  if (sr_integer_constant(e->k->m, offset, &value))
    return sr_kernel_u32(e->k, (uint32_t)value.bits >> shift);
  return sr_emit(e, SpvOpShiftRightLogical, sr_kernel_int(e->k, 32),
                 SR_IDS(offset, sr_kernel_u32(e->k, shift)));
}

/* A pointer to element `index` plus `more`. */
static uint32_t pointer_to(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t more) {
  uint32_t type = sr_kernel_pointer(e->k, storage_of(b), b->element);
  index = add(e, index, more);
  if (b->place == SR_PLACE_BUFFER)
    return sr_emit(e, SpvOpAccessChain, type, SR_IDS(b->variable, sr_kernel_u32(e->k, 0), index));
  return sr_emit(e, SpvOpAccessChain, type, SR_IDS(b->variable, index));
}

uint32_t sr_kernel_access_pointer(SrEmit *e, const SrKernelBase *b, uint32_t offset,
                                  uint32_t more) {
  return pointer_to(e, b, element_of(e, b, offset), more);
}

/* ---- values of several elements ---- */

static uint32_t load_element(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t more,
                             bool is_volatile) {
  return sr_emit_load(e, b->element, pointer_to(e, b, index, more), is_volatile);
}

/* A scalar that takes `parts` elements, beginning with `more`: integers of half the size are joined
 * until there is one. */
static uint32_t load_scalar(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t more,
                            uint32_t parts, uint32_t scalar, bool is_volatile) {
  uint32_t part[8], bits = 8 * b->unit;
  for (uint32_t i = 0; i < parts; i++)
    part[i] = load_element(e, b, index, more + i, is_volatile);
  while (parts > 1) {
    uint32_t group = parts > 4 ? 4 : parts;
    uint32_t vector = sr_kernel_vector(e->k, sr_kernel_int(e->k, bits), group);
    uint32_t joined = group == parts ? scalar : sr_kernel_int(e->k, bits * group);
    for (uint32_t i = 0; i < parts / group; i++) {
      uint32_t v = sr_emit(e, SpvOpCompositeConstruct, vector, part + i * group, group);
      part[i] = sr_emit(e, SpvOpBitcast, joined, &v, 1);
    }
    bits *= group;
    parts /= group;
  }
  return part[0];
}

static uint32_t load_value(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t type,
                           bool is_volatile) {
  SrKernels *k = e->k;
  uint32_t result = e->result;
  e->result = 0;
  if (type == b->element) {
    uint32_t pointer = pointer_to(e, b, index, 0);
    e->result = result;
    return sr_emit_load(e, type, pointer, is_volatile);
  }
  uint32_t scalar = sr_kernel_scalar_of(k->m, type), count = sr_kernel_components(k->m, type);
  uint32_t parts = sr_kernel_size_of(k, scalar) / b->unit, part[16];
  for (uint32_t i = 0; i < count; i++)
    part[i] = parts == 1 ? load_element(e, b, index, i, is_volatile)
                         : load_scalar(e, b, index, i * parts, parts, scalar, is_volatile);
  uint32_t of = parts == 1 ? b->element : scalar;
  uint32_t value = part[0];
  if (count > 1) {
    e->result = of == scalar ? result : 0;
    value = sr_emit_last(e, SpvOpCompositeConstruct, sr_kernel_vector(k, of, count), part, count);
  }
  if (count > 1 && of == scalar)
    return value;
  e->result = result;
  return sr_emit_bitcast(e, type, value);
}

/* ---- stores ---- */

static void store_element(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t more,
                          uint32_t value, bool is_volatile) {
  uint32_t pointer = pointer_to(e, b, index, more);
  sr_emit_store(e, pointer, sr_emit_bitcast(e, b->element, value), is_volatile);
}

/* Takes a scalar apart into elements: the reverse of load_scalar. */
static void store_scalar(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t more,
                         uint32_t parts, uint32_t value, bool is_volatile) {
  SrKernels *k = e->k;
  uint32_t part[8] = {value}, count = 1, bits = 8 * b->unit * parts;
  while (count < parts) {
    uint32_t group = parts / count > 4 ? parts / count / 4 : parts / count, next[8];
    bits /= group;
    uint32_t of = sr_kernel_int(k, bits), vector = sr_kernel_vector(k, of, group);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t v = sr_emit(e, SpvOpBitcast, vector, &part[i], 1);
      for (uint32_t j = 0; j < group; j++)
        next[i * group + j] = sr_emit_extract(e, of, v, j);
    }
    count *= group;
    memcpy(part, next, count * sizeof *part);
  }
  for (uint32_t i = 0; i < parts; i++)
    store_element(e, b, index, more + i, part[i], is_volatile);
}

static void store_value(SrEmit *e, const SrKernelBase *b, uint32_t index, uint32_t value,
                        bool is_volatile) {
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_type_of(k->m, value);
  if (type == b->element) {
    sr_emit_store(e, pointer_to(e, b, index, 0), value, is_volatile);
    return;
  }
  uint32_t scalar = sr_kernel_scalar_of(k->m, type), count = sr_kernel_components(k->m, type);
  uint32_t parts = sr_kernel_bits(k->m, scalar) / 8 / b->unit;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t part = count == 1 ? value : sr_emit_extract(e, scalar, value, i);
    if (parts == 1)
      store_element(e, b, index, i, part, is_volatile);
    else
      store_scalar(e, b, index, i * parts, parts, part, is_volatile);
  }
}

void sr_kernel_access_store_at(SrEmit *e, const SrKernelBase *b, uint32_t bytes, uint32_t value) {
  store_value(e, b, sr_kernel_u32(e->k, bytes / b->unit), value, false);
}

/* ---- whole accesses ---- */

/* The offset of vector number a->index from the pointer, in grains. */
static uint32_t vector_offset(SrEmit *e, const SrKernelBase *b, const SrKernelAccess *a) {
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_int(k, 32), index = sr_kernel_low(k, a->index);
  uint32_t size = sr_kernel_size_of(k, sr_kernel_scalar_of(k->m, a->type)) *
                  sr_kernel_components(k->m, a->type) / b->grain;
  uint32_t offset = sr_kernel_same(k, a->pointer);
  SrInteger number;
  if (sr_integer_constant(k->m, a->index, &number))
    return add(e, offset, (uint32_t)number.bits * size);
  if (size != 1)
    index = sr_emit(e, SpvOpIMul, type, SR_IDS(index, sr_kernel_u32(k, size)));
  if (sr_integer_constant(k->m, offset, &number) && !number.bits)
    return index;
  return sr_emit(e, SpvOpIAdd, type, SR_IDS(offset, index));
}

static void copy(SrEmit *e, const SrKernelAccess *a) {
  SrKernels *k = e->k;
  const SrKernelBase *to = sr_kernel_base_of(k, a->pointer),
                     *from = sr_kernel_base_of(k, a->source);
  uint32_t count = a->bytes / to->unit;
  uint32_t there = element_of(e, to, a->pointer), here = element_of(e, from, a->source);
  for (uint32_t i = 0; i < count; i++)
    store_element(e, to, there, i, load_element(e, from, here, i, a->is_volatile), a->is_volatile);
}

void sr_kernel_access_write(SrEmit *e, const SrKernelAccess *a) {
  SrKernels *k = e->k;
  const SrKernelBase *b = sr_kernel_base_of(k, a->pointer);
  uint32_t result = e->result, offset;
  if (sr_kernel_memory_has_address(k->m, a->pointer)) { /* other accesses stay as they are */
    sr_kernel_address_store(e, a->pointer, a->value, a->align);
    return;
  }
  e->result = 0;
  switch (a->kind) {
  case SR_ACCESS_COPY:
    copy(e, a);
    return;
  case SR_ACCESS_VLOAD:
  case SR_ACCESS_VSTORE:
    offset = element_of(e, b, vector_offset(e, b, a));
    break;
  default:
    offset = element_of(e, b, a->pointer);
  }
  e->result = result;
  if (a->kind == SR_ACCESS_LOAD || a->kind == SR_ACCESS_VLOAD)
    load_value(e, b, offset, a->type, a->is_volatile);
  else
    store_value(e, b, offset, a->value, a->is_volatile);
}
