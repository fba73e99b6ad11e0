/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_atomic: see kernel_atomic.h. */
#include "passes/transform/kernel/kernel_atomic.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/transform/kernel/kernel_base.h"

static const uint32_t ORDERS = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                               SpvMemorySemanticsAcquireReleaseMask |
                               SpvMemorySemanticsSequentiallyConsistentMask;

/* The constant `id`, `otherwise` if it is none. */
static uint32_t constant(const SrKernels *k, uint32_t id, uint32_t otherwise) {
  SrInteger value;
  return sr_integer_constant(k->m, id, &value) ? (uint32_t)value.bits : otherwise;
}

static uint32_t scope(SrKernels *k, uint32_t id) {
  uint32_t value = constant(k, id, SpvScopeDevice);
  return sr_kernel_u32(k, value == SpvScopeCrossDevice ? SpvScopeDevice : value);
}

static bool only_reads(uint16_t op) {
  return op == SpvOpAtomicLoad;
}

/* b NULL: an address */
static uint32_t storage(const SrKernelBase *b) {
  return !b || b->place == SR_PLACE_BUFFER ? SpvMemorySemanticsUniformMemoryMask
                                           : SpvMemorySemanticsWorkgroupMemoryMask;
}

static uint32_t semantics(SrKernels *k, uint32_t id, uint32_t order, const SrKernelBase *b) {
  uint32_t value = constant(k, id, ORDERS);
  return sr_kernel_u32(k, value & ORDERS ? order | storage(b) : 0);
}

SrStatus sr_kernel_atomic_write(SrEmit *e, SrRef r, const SrKernelAccess *a) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const SrKernelBase *b = sr_kernel_base_of(k, a->pointer);
  uint32_t at = in.first, count = sr_word_count(m, r), result = e->result;
  SpvOp op = in.op == SpvOpAtomicCompareExchangeWeak ? SpvOpAtomicCompareExchange : (SpvOp)in.op;
  if (b && b->place != SR_PLACE_BUFFER && b->place != SR_PLACE_LOCAL && b->place != SR_PLACE_LOCALS)
    return sr_kernel_refuse(k, r, "an atomic operation on memory of the invocation");
  uint32_t element = b ? b->element : a->type;
  if (sr_kernel_bits(m, element) != sr_kernel_bits(m, a->type) ||
      sr_kernel_components(m, element) != 1 || op == SpvOpAtomicFlagTestAndSet ||
      op == SpvOpAtomicFlagClear)
    return sr_kernel_refuse(k, r, "an atomic operation on memory that is accessed in parts");
  uint32_t type = sr_kernel_int(k, sr_kernel_bits(m, a->type)), operand[8], values = 0;
  if (sr_kernel_is_float(m, element))
    return sr_kernel_refuse(k, r, "an atomic operation on a float");
  e->result = 0;
  operand[values++] = b ? sr_kernel_access_pointer(e, b, a->pointer, 0) : a->pointer;
  operand[values++] = scope(k, sr_words(m, r)[at + 1]);
  uint32_t order = only_reads(in.op)        ? SpvMemorySemanticsAcquireMask
                   : op == SpvOpAtomicStore ? SpvMemorySemanticsReleaseMask
                                            : SpvMemorySemanticsAcquireReleaseMask;
  operand[values++] = semantics(k, sr_words(m, r)[at + 2], order, b);
  uint32_t next = at + 3;
  if (op == SpvOpAtomicCompareExchange)
    operand[values++] = semantics(k, sr_words(m, r)[next++], SpvMemorySemanticsAcquireMask, b);
  for (; next < count && values < 8; next++)
    operand[values++] = sr_emit_bitcast(e, type, sr_words(m, r)[next]);
  if (!in.result) {
    sr_emit_void(e, op, operand, values);
    return SR_OK;
  }
  e->result = in.type == type ? result : 0;
  uint32_t value = sr_emit_last(e, op, type, operand, values);
  e->result = in.type == type ? 0 : result;
  if (in.type != type)
    sr_emit_bitcast(e, in.type, value);
  return SR_OK;
}

SrStatus sr_kernel_atomic_barrier(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const uint32_t *w = sr_words(k->m, r);
  bool control = sr_inst(k->m, r)->op == SpvOpControlBarrier;
  uint32_t at = control ? 2 : 1, given = constant(k, w[at + 1], UINT32_MAX);
  const uint32_t memory_id = w[at], execution_id = w[1];
  uint32_t memory = SpvMemorySemanticsAcquireReleaseMask;
  if (given & SpvMemorySemanticsWorkgroupMemoryMask)
    memory |= SpvMemorySemanticsWorkgroupMemoryMask;
  if (given & (SpvMemorySemanticsCrossWorkgroupMemoryMask | SpvMemorySemanticsUniformMemoryMask))
    memory |= SpvMemorySemanticsUniformMemoryMask;
  if (given & SpvMemorySemanticsImageMemoryMask)
    memory |= SpvMemorySemanticsImageMemoryMask;
  if (memory == SpvMemorySemanticsAcquireReleaseMask)
    memory |= SpvMemorySemanticsWorkgroupMemoryMask;
  uint32_t operand[3], count = 0;
  if (control)
    operand[count++] = scope(k, execution_id);
  operand[count++] = scope(k, memory_id);
  operand[count++] = sr_kernel_u32(k, memory);
  sr_emit_void(e, control ? SpvOpControlBarrier : SpvOpMemoryBarrier, operand, count);
  return SR_OK;
}
