/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_narrow: see kernel_narrow.h. Ids wait in `pending`, so that no chain of values, however
 * long, makes this recurse. */
#include "passes/transform/kernel/kernel_narrow.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_range.h"

/* The type of the low bits of a value of this type. */
static uint32_t low_type(SrKernels *k, uint32_t type) {
  return sr_kernel_vector(k, sr_kernel_int(k, 32), sr_kernel_components(k->m, type));
}

/* The low bits of a constant; 0: it is none. */
static uint32_t low_constant(SrKernels *k, uint32_t id) {
  SrModule *m = k->m;
  SrRef r = sr_def(m, id);
  uint32_t type = sr_inst(m, r)->type, part[16], count = sr_word_count(m, r) - 3;
  SrInteger value;
  switch (sr_inst(m, r)->op) {
  case SpvOpConstant:
    return sr_integer_constant(m, id, &value) ? sr_kernel_u32(k, (uint32_t)sr_integer_signed(value))
                                              : 0;
  case SpvOpConstantNull:
  case SpvOpUndef:
    return sr_kernel_components(m, type) == 1 ? sr_kernel_u32(k, 0)
                                              : sr_kernel_null(k, low_type(k, type));
  case SpvOpConstantComposite:
    for (uint32_t i = 0; i < count; i++)
      part[i] = low_constant(k, sr_words(m, r)[3 + i]);
    return sr_kernel_composite(k, low_type(k, type), part, count);
  default:
    return 0;
  }
}

uint32_t sr_kernel_low(SrKernels *k, uint32_t id) {
  id = sr_kernel_same(k, id);
  SrModule *m = k->m;
  uint32_t known = sr_ids_get(k->low, id), bits = sr_kernel_bits(m, sr_kernel_type_of(m, id));
  if (known != SR_NONE)
    return sr_kernel_same(k, known);
  if (bits == 32 || !bits) /* without a type: low bits that are still pending */
    return id;
  uint32_t low = low_constant(k, id);
  if (!low) {
    low = sr_fresh_id(m);
    SR_PUSH(k->arena, &k->pending, id);
  }
  sr_ids_set(k->low, id, low);
  return low;
}

void sr_kernel_low_is(SrKernels *k, uint32_t id, uint32_t low) {
  sr_ids_set(k->low, id, low);
}

/* The same operation on the low bits of all operands. */
static void same_operation(SrEmit *e, SrRef r, uint32_t type, uint32_t first) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t operand[16], count = 0;
  for (uint32_t i = first; i < sr_word_count(m, r) && count < 16; i++)
    operand[count++] = sr_kernel_low(k, sr_words(m, r)[i]);
  sr_emit_last(e, (SpvOp)sr_inst(m, r)->op, type, operand, count);
}

/* The same instruction where some words, from `first` to `last`, are values whose low bits are
 * taken, and the others stay. */
static void same_words(SrEmit *e, SrRef r, uint32_t type, uint32_t first, uint32_t last,
                       uint32_t step) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t count = sr_word_count(m, r);
  uint32_t *low = SR_NEW(k->arena, uint32_t, count);
  for (uint32_t i = first; i <= last && i < count; i += step)
    low[i] = sr_kernel_low(k, sr_words(m, r)[i]);
  sr_emit_again(e, r, type, e->result, low);
}

static void convert(SrEmit *e, SrRef r, uint32_t type) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t from = sr_words(m, r)[3], bits = sr_kernel_bits(m, sr_kernel_type_of(m, from));
  if (bits >= 32)
    sr_emit_is(e, sr_kernel_low(k, from));
  else
    sr_emit_last(e, (SpvOp)sr_inst(m, r)->op, type, &from, 1);
}

/* v << 32 >> n, which LLVM writes for an extension of the low half, and a multiple or a part of
 * it: the low half, shifted by the rest. */
static bool shift_of_half(SrEmit *e, SrRef r, uint32_t type) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  SrInteger left, right;
  SrRef inner = sr_def(m, sr_words(m, r)[3]);
  if (inner == SR_NONE || sr_inst(m, inner)->op != SpvOpShiftLeftLogical ||
      !sr_integer_constant(m, sr_words(m, inner)[4], &left) || left.bits != 32 ||
      !sr_integer_constant(m, sr_words(m, r)[4], &right) || right.bits > 63 || right.bits < 1)
    return false;
  uint32_t half = sr_kernel_low(k, sr_words(m, inner)[3]);
  SpvOp op = right.bits < 32 ? SpvOpShiftLeftLogical : (SpvOp)sr_inst(m, r)->op;
  uint32_t by = (uint32_t)(right.bits < 32 ? 32 - right.bits : right.bits - 32);
  if (by)
    sr_emit_last(e, op, type, SR_IDS(half, sr_kernel_u32(k, by)));
  else
    sr_emit_is(e, half);
  return true;
}

static bool is_small_shift(const SrKernels *k, uint32_t amount) {
  SrInteger value;
  return sr_integer_constant(k->m, amount, &value) && value.bits < 32;
}

/* The low bits of an instruction whose low bits do not depend on low bits alone. */
static void truncate(SrEmit *e, uint32_t id, uint32_t type) {
  SrModule *m = e->k->m;
  bool wide = sr_kernel_bits(m, sr_kernel_type_of(m, id)) > 32;
  sr_emit_last(e, wide ? SpvOpUConvert : SpvOpSConvert, type, &id, 1);
}

static void write_low(SrEmit *e, SrRef r, uint32_t id) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t type = low_type(k, sr_inst(m, r)->type);
  if (sr_kernel_bits(m, sr_inst(m, r)->type) < 32) {
    truncate(e, id, type);
    return;
  }
  switch (sr_inst(m, r)->op) {
  case SpvOpUConvert:
  case SpvOpSConvert:
    convert(e, r, type);
    return;
  case SpvOpIAdd:
  case SpvOpISub:
  case SpvOpIMul:
  case SpvOpBitwiseAnd:
  case SpvOpBitwiseOr:
  case SpvOpBitwiseXor:
  case SpvOpNot:
  case SpvOpSNegate:
  case SpvOpCopyObject:
  case SpvOpCompositeConstruct:
    same_operation(e, r, type, 3);
    return;
  case SpvOpShiftLeftLogical:
    if (is_small_shift(k, sr_words(m, r)[4])) {
      same_operation(e, r, type, 3);
      return;
    }
    break;
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
    if (shift_of_half(e, r, type))
      return;
    if (sr_kernel_range_narrows(k, r)) {
      same_operation(e, r, type, 3);
      return;
    }
    break;
  case SpvOpUDiv:
  case SpvOpUMod:
  case SpvOpSDiv:
  case SpvOpSRem:
  case SpvOpSMod:
    if (sr_kernel_range_narrows(k, r)) {
      same_operation(e, r, type, 3);
      return;
    }
    break;
  case SpvOpPhi:
    same_words(e, r, type, 3, UINT32_MAX - 2, 2);
    return;
  case SpvOpSelect:
    same_words(e, r, type, 4, 5, 1);
    return;
  case SpvOpCompositeExtract:
  case SpvOpVectorExtractDynamic:
    same_words(e, r, type, 3, 3, 1);
    return;
  case SpvOpCompositeInsert:
  case SpvOpVectorInsertDynamic:
  case SpvOpVectorShuffle:
    same_words(e, r, type, 3, 4, 1);
    return;
  default:
    break;
  }
  truncate(e, id, type);
}

void sr_kernel_narrow_finish(SrKernels *k) {
  SrModule *m = k->m;
  while (k->pending.count) {
    uint32_t id = SR_POP(&k->pending), now = sr_kernel_same(k, id);
    if (now != id) { /* it was replaced after its low bits were asked for */
      uint32_t low = sr_ids_get(k->low, id);
      sr_ids_set(k->same, low, sr_kernel_low(k, now));
      continue;
    }
    uint32_t block = m->home[id];
    SrRef r = sr_def(m, id);
    bool phi = sr_inst(m, r)->op == SpvOpPhi;
    SrEmit e = {k, &k->f->blocks[block].list, phi ? r : sr_inst(m, r)->next, block,
                sr_ids_get(k->low, id)};
    write_low(&e, r, id);
  }
}
