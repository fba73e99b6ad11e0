/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_memory: see kernel_memory.h. */
#include "passes/transform/kernel/kernel_memory.h"

#include "passes/ir/integer.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_layout.h"

#include <spirv/unified1/OpenCL.std.h>

enum {
  WITH_OPERAND = SpvMemoryAccessAlignedMask | SpvMemoryAccessMakePointerAvailableMask |
                 SpvMemoryAccessMakePointerVisibleMask | SpvMemoryAccessAliasScopeINTELMaskMask |
                 SpvMemoryAccessNoAliasINTELMaskMask
};

/* Memory operands from word `i` on. Returns the index of the word after them. */
static uint32_t read_operands(const SrModule *m, SrRef r, uint32_t i, SrKernelAccess *a) {
  if (i >= sr_word_count(m, r))
    return i;
  uint32_t mask = sr_words(m, r)[i];
  a->is_volatile = mask & SpvMemoryAccessVolatileMask;
  if (mask & SpvMemoryAccessAlignedMask && sr_words(m, r)[i + 1])
    a->align = sr_words(m, r)[i + 1];
  /* The bits that have an operand, in their order. */
  for (mask &= WITH_OPERAND, i++; mask; mask &= mask - 1)
    i++;
  return i;
}

static uint32_t pointee(const SrModule *m, uint32_t pointer) {
  SrRef type = sr_def(m, sr_kernel_type_of(m, pointer));
  return sr_inst(m, type)->op == SpvOpTypePointer ? sr_words(m, type)[3] : 0;
}

/* The function's result through a pointer: the type that is stored. */
static bool is_out(uint32_t number) {
  switch (number) {
  case OpenCLstd_Fract:
  case OpenCLstd_Frexp:
  case OpenCLstd_Lgamma_r:
  case OpenCLstd_Modf:
  case OpenCLstd_Remquo:
  case OpenCLstd_Sincos:
    return true;
  default:
    return false;
  }
}

static SrKernelAccess read_extended(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  SrKernelAccess a = {.kind = SR_ACCESS_NONE};
  if (w[3] != k->opencl_set)
    return a;
  if (w[4] == OpenCLstd_Vloadn)
    a = (SrKernelAccess){
        .kind = SR_ACCESS_VLOAD, .pointer = w[6], .index = w[5], .type = sr_inst(m, r)->type};
  else if (w[4] == OpenCLstd_Vstoren)
    a = (SrKernelAccess){.kind = SR_ACCESS_VSTORE,
                         .pointer = w[7],
                         .index = w[6],
                         .value = w[5],
                         .type = sr_kernel_type_of(m, w[5])};
  else if (is_out(w[4]))
    a = (SrKernelAccess){.kind = SR_ACCESS_OUT,
                         .pointer = w[sr_word_count(m, r) - 1],
                         .type = pointee(m, w[sr_word_count(m, r) - 1])};
  if (a.type)
    a.align = a.kind == SR_ACCESS_OUT ? sr_kernel_align_of(k, a.type)
                                      : sr_kernel_size_of(k, sr_kernel_scalar_of(m, a.type));
  return a;
}

static bool is_atomic(uint16_t op) {
  return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFlagTestAndSet ||
         op == SpvOpAtomicFlagClear;
}

/* Since SPIR-V 1.4 the source may have memory operands of its own, after those of the target. */
static void read_copy_operands(const SrModule *m, SrRef r, uint32_t i, SrKernelAccess *a) {
  SrKernelAccess source = *a;
  i = read_operands(m, r, i, a);
  if (i >= sr_word_count(m, r))
    return;
  (void)read_operands(m, r, i, &source);
  a->align = a->align < source.align ? a->align : source.align;
  a->is_volatile |= source.is_volatile;
}

SrKernelAccess sr_kernel_memory_copy(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  SrInteger size = {0};
  bool sized = sr_inst(m, r)->op == SpvOpCopyMemorySized;
  if (!sized && sr_inst(m, r)->op != SpvOpCopyMemory)
    return (SrKernelAccess){.kind = SR_ACCESS_NONE};
  SrKernelAccess a = {.kind = SR_ACCESS_COPY, .pointer = w[1], .source = w[2]};
  if (!sized)
    size.bits = sr_kernel_size_of(k, pointee(m, w[1]));
  else
    (void)sr_integer_constant(m, w[3], &size);
  a.bytes = size.bits <= UINT32_MAX ? (uint32_t)size.bits : 0;
  a.align = sized ? 1 : sr_kernel_align_of(k, pointee(m, w[1]));
  read_copy_operands(m, r, sized ? 4 : 3, &a);
  return a;
}

SrKernelAccess sr_kernel_memory_access(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  SrKernelAccess a = {.kind = SR_ACCESS_NONE};
  if (op == SpvOpExtInst)
    return read_extended(k, r);
  if (op == SpvOpCopyMemory || op == SpvOpCopyMemorySized)
    return sr_kernel_memory_copy(k, r);
  if (op == SpvOpLoad)
    a = (SrKernelAccess){.kind = SR_ACCESS_LOAD, .pointer = w[3], .type = sr_inst(m, r)->type};
  else if (op == SpvOpStore)
    a = (SrKernelAccess){.kind = SR_ACCESS_STORE,
                         .pointer = w[1],
                         .value = w[2],
                         .type = sr_kernel_type_of(m, w[2])};
  else if (is_atomic(op))
    a = (SrKernelAccess){.kind = SR_ACCESS_ATOMIC, .pointer = w[sr_inst(m, r)->first]};
  if (a.kind == SR_ACCESS_NONE)
    return a;
  if (a.kind == SR_ACCESS_ATOMIC)
    a.type = pointee(m, a.pointer);
  a.align = sr_kernel_align_of(k, a.type);
  if (op == SpvOpLoad || op == SpvOpStore)
    (void)read_operands(m, r, sr_memory_operands(m, r), &a);
  return a;
}

bool sr_kernel_memory_has_address(const SrModule *m, uint32_t id) {
  return sr_pointer_class(m, id) == SpvStorageClassPhysicalStorageBuffer;
}

uint32_t sr_kernel_memory_copy_unit(const SrKernelAccess *a) {
  uint32_t low = sr_kernel_memory_low_bit(a->bytes), unit = a->align < low ? a->align : low;
  return unit < 4 ? unit : 4;
}
