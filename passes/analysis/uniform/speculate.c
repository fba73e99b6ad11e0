/* SPDX-License-Identifier: Apache-2.0 */
/* speculate: see speculate.h. Memory that other invocations may write (StorageBuffer, Workgroup, …)
 * is not read speculatively, since that could be a race. Nor is memory whose descriptor might not
 * be bound, nor memory through an untyped pointer, since each load through it chooses how many
 * bytes it reads. */
#include "passes/analysis/uniform/speculate.h"
#include "passes/analysis/uniform/dataflow.h"
#include "passes/analysis/uniform/memory_cells.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/integer.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

/* An operand may have no definition, because a transform has dropped it and replaces its uses only
 * at the end. Nothing is known about such an operand. */

/* ---- pointers ---- */

/* A constant index or length, read as unsigned, so that a negative index is out of range. False if
 * the id is not a constant. */
static bool constant(const SrModule *m, uint32_t id, uint64_t *value) {
  SrInteger i;
  if (!sr_integer_constant(m, id, &i))
    return false;
  *value = i.is_signed ? (uint64_t)sr_integer_signed(i) : i.bits;
  return true;
}

/* The type of member or element `index` of a composite type; 0 if it is not known to exist. */
static uint32_t part_of(const SrModule *m, uint32_t type, uint64_t index) {
  SrRef r = sr_def(m, type);
  if (r == SR_NONE)
    return 0;
  const uint32_t *w = sr_words(m, r);
  uint64_t length;
  switch (sr_inst(m, r)->op) {
  case SpvOpTypeStruct:
    return index < (w[0] >> 16) - 2 ? w[2 + index] : 0;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return index < w[3] ? w[2] : 0;
  case SpvOpTypeArray:
    return constant(m, w[3], &length) && index < length ? w[2] : 0;
  default:
    return 0;
  }
}

/* The type of a value; 0: that is not known. */
static uint32_t type_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : sr_inst(m, r)->type;
}

static bool indices_exist(const SrModule *m, SrRef chain) {
  const uint32_t *w = sr_words(m, chain);
  SrRef pointer = sr_def(m, type_of(m, w[3]));
  uint32_t type = pointer == SR_NONE ? 0 : sr_words(m, pointer)[3];
  uint64_t index;
  for (uint32_t i = 4; i < w[0] >> 16 && type; i++)
    type = constant(m, w[i], &index) ? part_of(m, type, index) : 0;
  return type;
}

/* Does the pointer point into a variable for all values that the lane may compute? */
static bool is_safe_pointer(const SrModule *m, uint32_t id) {
  for (;;) {
    SrRef r = sr_def(m, id);
    switch (sr_def_op(m, id)) {
    case SpvOpVariable:
      return true;
    case SpvOpFunctionParameter:
      return m->logical_pointers;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
      if (!indices_exist(m, r))
        return false;
      id = sr_words(m, r)[3];
      break;
    default:
      return false;
    }
  }
}

static bool is_volatile(SrModule *m, SrRef load) {
  if (sr_memory_has(m, load, SpvMemoryAccessVolatileMask))
    return true;
  uint32_t id = sr_words(m, load)[3];
  for (uint32_t base; (base = sr_def(m, id) == SR_NONE ? 0 : sr_chain_base(m, sr_def(m, id)));)
    id = base;
  return sr_def(m, id) == SR_NONE || sr_is_decorated(m, id, SpvDecorationVolatile);
}

static bool may_load(SrModule *m, SrRef r) {
  uint32_t pointer = sr_words(m, r)[3];
  return !sr_is_shared_class(sr_pointer_class(m, pointer)) && is_safe_pointer(m, pointer) &&
         !is_volatile(m, r);
}

/* ---- the rest ---- */

/* Is it a number other than 0 and -1? In an unsigned type, the bits of -1 do not count as safe. */
static bool is_safe_divisor(const SrModule *m, uint32_t id) {
  SrInteger i;
  return sr_integer_constant(m, id, &i) && i.bits != 0 && sr_integer_signed(i) != -1;
}

/* Is it a constant whose components are all safe divisors? */
static bool may_divide_by(const SrModule *m, uint32_t id) {
  if (sr_def_op(m, id) != SpvOpConstantComposite)
    return is_safe_divisor(m, id);
  const uint32_t *w = sr_words(m, sr_def(m, id));
  for (uint32_t i = 3; i < w[0] >> 16; i++)
    if (!is_safe_divisor(m, w[i]))
      return false;
  return true;
}

static bool may_compute(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  const uint32_t *w = sr_words(m, r);
  uint64_t index;
  switch (in->op) {
  case SpvOpUDiv:
  case SpvOpSDiv:
  case SpvOpUMod:
  case SpvOpSRem:
  case SpvOpSMod:
    return may_divide_by(m, w[4]);
  case SpvOpVectorExtractDynamic:
    return sr_def(m, w[3]) != SR_NONE && constant(m, w[4], &index) &&
           part_of(m, type_of(m, w[3]), index);
  case SpvOpVectorInsertDynamic:
    return constant(m, w[5], &index) && part_of(m, in->type, index);
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
  case SR_OP_RAW_ACCESS_CHAIN:
  case SR_OP_UNTYPED_ACCESS_CHAIN:
  case SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
  case SR_OP_UNTYPED_PTR_ACCESS_CHAIN:
  case SR_OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN:
    return is_safe_pointer(m, in->result);
  case SpvOpArrayLength:
  case SR_OP_UNTYPED_ARRAY_LENGTH:
  case SpvOpConvertFToU: /* a number that does not fit is undefined behaviour, not just an undefined
                            result */
  case SpvOpConvertFToS:
    return false;
  default:
    return true;
  }
}

/* Does it access images, or communicate between lanes? */
static bool is_special(uint32_t op) {
  return (op >= SpvOpSampledImage && op <= SpvOpImageQuerySamples) ||
         (op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseRead) ||
         (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
         op == SpvOpImageTexelPointer;
}

/* Is it a debug line or debug information? An OpExtInst that prints is neither. */
static bool is_for_debuggers(const SrModule *m, SrRef r) {
  return sr_is_debug_line(sr_inst(m, r)) && !sr_prints(m, r);
}

bool sr_may_speculate(SrModule *m, SrRef r) {
  const SrInst in = *sr_inst(m, r);
  if (is_for_debuggers(m, r) || in.op == SpvOpNop || in.op == SpvOpUndef || sr_is_variable(in.op))
    return true;
  if (in.op == SpvOpLoad)
    return may_load(m, r);
  if (sr_dataflow(m, r, false) != SR_DATAFLOW_PURE || is_special(in.op) || !may_compute(m, r))
    return false;
  return sr_type_can_phi(m, in.type) || sr_type_wide(m, in.type) ||
         (sr_pointer_type_class(m, in.type) != SR_NONE && is_safe_pointer(m, in.result));
}
