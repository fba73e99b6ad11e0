/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_instruction: see kernel_instruction.h. An instruction stays, is dropped, or is replaced
 * by a sequence whose last result has its id. */
#include "passes/transform/kernel/kernel_instruction.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/label.h"
#include "passes/transform/kernel/kernel_atomic.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_builtin.h"
#include "passes/transform/kernel/kernel_convert.h"
#include "passes/transform/kernel/kernel_extended.h"
#include "passes/transform/kernel/kernel_image.h"
#include "passes/transform/kernel/kernel_narrow.h"
#include "passes/transform/kernel/kernel_offset.h"
#include "passes/transform/kernel/kernel_range.h"
#include "passes/transform/kernel/kernel_rename.h"
#include "passes/transform/kernel/kernel_variable.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

/* What becomes of the instruction. */
typedef enum Fate { REPLACED, STAYS } Fate;

/* ---- 64 bits in 32 ---- */

static uint32_t bits_of_operand(const SrKernels *k, SrRef r) {
  return sr_kernel_bits(k->m, sr_kernel_type_of(k->m, sr_words(k->m, r)[3]));
}

/* A conversion from 64 bits to 32 or less. */
static bool narrow_conversion(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t to = sr_kernel_bits(m, sr_inst(m, r)->type);
  if (bits_of_operand(k, r) != 64 || to > 32)
    return false;
  uint32_t low = sr_kernel_low(k, sr_words(m, r)[3]);
  if (to == 32)
    sr_emit_is(e, low);
  else
    sr_emit_last(e, SpvOpUConvert, sr_inst(m, r)->type, &low, 1);
  return true;
}

static SpvOp without_sign(uint16_t op) {
  switch (op) {
  case SpvOpSGreaterThan:
    return SpvOpUGreaterThan;
  case SpvOpSGreaterThanEqual:
    return SpvOpUGreaterThanEqual;
  case SpvOpSLessThan:
    return SpvOpULessThan;
  case SpvOpSLessThanEqual:
    return SpvOpULessThanEqual;
  default:
    return (SpvOp)op;
  }
}

/* A comparison of numbers of 64 bits that lie within 32. (Numbers with sign keep their order if
 * they are compared as numbers without, too: both widths put the negative ones last.) */
static bool narrow_comparison(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const uint32_t a = sr_words(k->m, r)[3], b = sr_words(k->m, r)[4];
  SpvOp op = (SpvOp)sr_inst(k->m, r)->op;
  if (bits_of_operand(k, r) != 64)
    return false;
  if (sr_kernel_range_unsigned(k, a) && sr_kernel_range_unsigned(k, b))
    op = without_sign((uint16_t)op);
  else if (!sr_kernel_range_signed(k, a) || !sr_kernel_range_signed(k, b))
    return false;
  uint32_t low_a = sr_kernel_low(k, a), low_b = sr_kernel_low(k, b);
  sr_emit_last(e, op, sr_inst(k->m, r)->type, SR_IDS(low_a, low_b));
  return true;
}

static bool narrow_float(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const uint32_t from = sr_words(k->m, r)[3];
  if (bits_of_operand(k, r) != 64)
    return false;
  SpvOp op = sr_kernel_range_unsigned(k, from) ? SpvOpConvertUToF : SpvOpConvertSToF;
  if (op == SpvOpConvertSToF && !sr_kernel_range_signed(k, from))
    return false;
  if (op == SpvOpConvertSToF && sr_inst(k->m, r)->op == SpvOpConvertUToF)
    return false;
  uint32_t low = sr_kernel_low(k, from);
  sr_emit_last(e, op, sr_inst(k->m, r)->type, &low, 1);
  return true;
}

/* A switch on a number of 64 bits that lies within 32. */
static bool narrow_switch(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const uint32_t selector = sr_words(m, r)[1], otherwise = sr_words(m, r)[2];
  if (sr_kernel_bits(m, sr_kernel_type_of(m, selector)) != 64 ||
      !sr_kernel_range_unsigned(k, selector))
    return false;
  uint32_t low = sr_kernel_low(k, selector), count = sr_word_count(m, r), at = sr_inst(m, r)->at;
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, low);
  sr_put_id(m, otherwise);
  for (uint32_t i = 3; i + 2 < count; i += 3) {
    if (m->pool.at[at + i + 1]) /* the selector is never as large */
      continue;
    sr_put_literal(m, m->pool.at[at + i]);
    sr_put_id(m, m->pool.at[at + i + 2]);
  }
  sr_insert_before(m, e->list, e->before, sr_end(m));
  return true;
}

/* ---- tests of floats ---- */

static uint32_t of_parts(SrEmit *e, SpvOp op, uint32_t type, uint32_t a, uint32_t b) {
  return sr_emit_last(e, op, type, SR_IDS(a, b));
}

/* The number with the highest exponent, in each component: infinity. */
static uint32_t infinity(SrKernels *k, uint32_t type) {
  uint32_t bits = sr_kernel_bits(k->m, type);
  uint64_t value = bits == 16   ? UINT64_C(0x7c00)
                   : bits == 32 ? UINT64_C(0x7f800000)
                                : UINT64_C(0x7ff0000000000000);
  return sr_kernel_constant(k, type, value);
}

/* The smallest number that is not subnormal. */
static uint32_t least_normal(SrKernels *k, uint32_t type) {
  uint32_t bits = sr_kernel_bits(k->m, type);
  uint64_t value = bits == 16   ? UINT64_C(0x0400)
                   : bits == 32 ? UINT64_C(0x00800000)
                                : UINT64_C(0x0010000000000000);
  return sr_kernel_constant(k, type, value);
}

static void sign_bit(SrEmit *e, SrRef r, uint32_t x) {
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_type_of(k->m, x), result = e->result;
  uint32_t bits = sr_kernel_vector(k, sr_kernel_int(k, sr_kernel_bits(k->m, type)),
                                   sr_kernel_components(k->m, type));
  e->result = 0;
  uint32_t number = sr_emit_bitcast(e, bits, x);
  e->result = result;
  of_parts(e, SpvOpSLessThan, sr_inst(k->m, r)->type, number, sr_kernel_constant(k, bits, 0));
}

/* Instructions that only kernels have, from those that both have. */
static bool test_float(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t type = sr_inst(m, r)->type, result = e->result;
  const uint32_t x = sr_words(m, r)[3], y = sr_word_count(m, r) > 4 ? sr_words(m, r)[4] : 0;
  uint32_t of = sr_kernel_type_of(m, x), a, b;
  uint16_t op = sr_inst(m, r)->op;
  if (op < SpvOpIsFinite || op > SpvOpUnordered)
    return false;
  e->result = 0;
  switch (op) {
  case SpvOpIsFinite:
    a = sr_emit_glsl(e, GLSLstd450FAbs, of, &x, 1);
    e->result = result;
    of_parts(e, SpvOpFOrdLessThan, type, a, infinity(k, of));
    return true;
  case SpvOpIsNormal:
    a = sr_emit_glsl(e, GLSLstd450FAbs, of, &x, 1);
    b = sr_emit(e, SpvOpFOrdGreaterThanEqual, type, SR_IDS(a, least_normal(k, of)));
    a = sr_emit(e, SpvOpFOrdLessThan, type, SR_IDS(a, infinity(k, of)));
    e->result = result;
    of_parts(e, SpvOpLogicalAnd, type, a, b);
    return true;
  case SpvOpSignBitSet:
    e->result = result;
    sign_bit(e, r, x);
    return true;
  case SpvOpLessOrGreater:
    e->result = result;
    of_parts(e, SpvOpFOrdNotEqual, type, x, y);
    return true;
  default:
    break;
  }
  a = sr_emit(e, op == SpvOpOrdered ? SpvOpFOrdEqual : SpvOpFUnordNotEqual, type, SR_IDS(x, x));
  b = sr_emit(e, op == SpvOpOrdered ? SpvOpFOrdEqual : SpvOpFUnordNotEqual, type, SR_IDS(y, y));
  e->result = result;
  of_parts(e, op == SpvOpOrdered ? SpvOpLogicalAnd : SpvOpLogicalOr, type, a, b);
  return true;
}

/* ---- the rest ---- */

/* Before SPIR-V 1.4 a selection of vectors has a condition for each component. */
static bool splat_condition(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const uint32_t condition = sr_words(m, r)[3], a = sr_words(m, r)[4], b = sr_words(m, r)[5];
  uint32_t type = sr_inst(m, r)->type, count = sr_kernel_components(m, type), part[16];
  if (count == 1 || sr_kernel_components(m, sr_kernel_type_of(m, condition)) == count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    part[i] = condition;
  uint32_t result = e->result;
  uint32_t all = sr_emit(e, SpvOpCompositeConstruct, sr_kernel_vector(k, sr_kernel_bool(k), count),
                         part, count);
  e->result = result;
  sr_emit_last(e, SpvOpSelect, type, SR_IDS(all, a, b));
  return true;
}

/* clang 22 writes OpAny and OpAll with integers as operands, where nonzero means true. */
static bool test_integers(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const uint32_t x = sr_words(k->m, r)[3], type = sr_kernel_type_of(k->m, x);
  uint32_t count = sr_kernel_components(k->m, type), result = e->result;
  if (!sr_kernel_bits(k->m, type))
    return false;
  e->result = 0;
  uint32_t bools = sr_emit(e, SpvOpINotEqual, sr_kernel_vector(k, sr_kernel_bool(k), count),
                           SR_IDS(x, sr_kernel_constant(k, type, 0)));
  e->result = result;
  if (count == 1)
    (void)sr_emit_is(e, bools);
  else
    (void)sr_emit_last(e, (SpvOp)sr_inst(k->m, r)->op, sr_inst(k->m, r)->type, &bools, 1);
  return true;
}

/* Why a call is left, for the message. */
static SrStatus refuse_call(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  const uint32_t callee = sr_words(m, r)[3];
  const char *name = callee < sr_bound(m) ? sr_label_names(k->arena, m)[callee] : NULL;
  return sr_kernel_refuse(k, r, "it calls %s, which has no code in the module",
                          name && *name ? name : "a function");
}

static bool is_in_shaders(uint16_t op) {
  return (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) ||
         (op >= SpvOpConvertFToU && op <= SpvOpFConvert) || op == SpvOpBitcast ||
         op == SpvOpQuantizeToF16 || (op >= SpvOpSNegate && op <= SpvOpIsInf) ||
         (op >= SpvOpLogicalEqual && op <= SpvOpFUnordGreaterThanEqual) ||
         (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount) ||
         (op >= SpvOpPhi && op <= SpvOpUnreachable) || op == SpvOpUndef || op == SpvOpVariable ||
         op == SpvOpLine || op == SpvOpNoLine || op == SpvOpNop || op == SpvOpAccessChain ||
         op == SpvOpInBoundsAccessChain;
}

static SrStatus convert_other(SrEmit *e, SrRef r, Fate *fate) {
  SrKernels *k = e->k;
  uint16_t op = sr_inst(k->m, r)->op;
  bool replaced;
  *fate = REPLACED;
  SR_CHECK(sr_kernel_convert(e, r, &replaced));
  if (replaced || test_float(e, r))
    return SR_OK;
  switch (op) {
  case SpvOpUConvert:
  case SpvOpSConvert:
    replaced = narrow_conversion(e, r);
    break;
  case SpvOpConvertUToF:
  case SpvOpConvertSToF:
    replaced = narrow_float(e, r);
    break;
  case SpvOpSwitch:
    replaced = narrow_switch(e, r);
    break;
  case SpvOpAny:
  case SpvOpAll:
    replaced = test_integers(e, r);
    break;
  case SpvOpSelect:
    replaced = splat_condition(e, r);
    break;
  case SpvOpLifetimeStart:
  case SpvOpLifetimeStop:
    replaced = true;
    break;
  default:
    if (op >= SpvOpIEqual && op <= SpvOpSLessThanEqual)
      replaced = narrow_comparison(e, r);
  }
  *fate = replaced ? REPLACED : STAYS;
  if (!replaced && op == SpvOpFunctionCall)
    return refuse_call(k, r);
  if (!replaced && !is_in_shaders(op))
    return sr_kernel_refuse(k, r, "shaders have no such instruction");
  return SR_OK;
}

static SrStatus convert_extended(SrEmit *e, SrRef r, Fate *fate) {
  SrKernels *k = e->k;
  *fate = sr_inst(k->m, r)->nonsemantic ? STAYS : REPLACED;
  if (*fate == STAYS)
    return SR_OK;
  if (sr_words(k->m, r)[3] != k->opencl_set)
    return sr_kernel_refuse(k, r, "an instruction of another set than OpenCL.std");
  return sr_kernel_extended_write(e, r);
}

/* An access of memory. */
static SrStatus convert_access(SrEmit *e, SrRef r, const SrKernelAccess *a, Fate *fate) {
  const SrKernelBase *b = sr_kernel_base_of(e->k, a->pointer);
  if (a->kind == SR_ACCESS_ATOMIC)
    return sr_kernel_atomic_write(e, r, a);
  if (sr_kernel_memory_has_address(e->k->m, a->pointer)) {
    *fate = STAYS;
    return SR_OK;
  }
  if (b->place == SR_PLACE_BUILTIN)
    return a->kind == SR_ACCESS_LOAD ? sr_kernel_builtin_load(e, r, b)
                                     : sr_kernel_refuse(e->k, r, "a built-in variable is written");
  sr_kernel_access_write(e, a);
  return SR_OK;
}

static SrStatus convert(SrEmit *e, SrRef r, Fate *fate) {
  SrKernels *k = e->k;
  bool done, keep;
  SrKernelAccess a = sr_kernel_memory_access(k, r);
  *fate = REPLACED;
  if (a.kind != SR_ACCESS_NONE) {
    SR_CHECK(sr_kernel_variable_check(k, sr_kernel_base_of(k, a.pointer)));
    if (a.kind == SR_ACCESS_COPY)
      SR_CHECK(sr_kernel_variable_check(k, sr_kernel_base_of(k, a.source)));
  }
  if (a.kind != SR_ACCESS_NONE && a.kind != SR_ACCESS_OUT)
    return convert_access(e, r, &a, fate);
  if (sr_inst(k->m, r)->result && sr_kernel_memory_has_address(k->m, sr_inst(k->m, r)->result)) {
    *fate = STAYS;
    return SR_OK;
  }
  SR_CHECK(sr_kernel_offset_write(e, r, &done, &keep));
  if (done) {
    *fate = keep ? STAYS : REPLACED;
    return SR_OK;
  }
  SR_CHECK(sr_kernel_image_write(e, r, &done));
  if (done)
    return SR_OK;
  switch (sr_inst(k->m, r)->op) {
  case SpvOpExtInst:
    return convert_extended(e, r, fate);
  case SpvOpControlBarrier:
  case SpvOpMemoryBarrier:
    return sr_kernel_atomic_barrier(e, r);
  default:
    return convert_other(e, r, fate);
  }
}

static SrStatus convert_block(SrKernels *k, uint32_t b, SrRef first) {
  SrModule *m = k->m;
  SrBlock *block = &k->f->blocks[b];
  for (SR_EACH_SAFE_FROM(m, r, first, SR_NONE)) {
    SrEmit e = {k, &block->list, r, b, sr_inst(m, r)->result};
    Fate fate;
    if (sr_inst(m, r)->op == SpvOpLabel)
      continue;
    SR_CHECK(convert(&e, r, &fate));
    if (fate == REPLACED) {
      sr_remove(m, &block->list, r);
      SR_PUSH(k->arena, &k->replaced, r);
    }
  }
  return sr_check_bound(m);
}

SrStatus sr_kernel_instruction_all(SrKernels *k, SrRef first) {
  for (uint32_t b = 0; b < k->f->block_count; b++)
    SR_CHECK(convert_block(k, b, b ? k->f->blocks[b].list.first : first));
  sr_kernel_narrow_finish(k);
  sr_kernel_offset_finish(k);
  sr_kernel_rename(k);
  sr_kernel_rename_forget(k);
  return sr_check_bound(k->m);
}
