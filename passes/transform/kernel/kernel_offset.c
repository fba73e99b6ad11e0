/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_offset: see kernel_offset.h. */
#include "passes/transform/kernel/kernel_offset.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_narrow.h"

/* A sum: terms and a constant. */
typedef struct Sum {
  uint32_t term[64], count, constant;
} Sum;

static void add_term(const SrKernels *k, Sum *sum, uint32_t id) {
  SrInteger value;
  id = sr_kernel_same(k, id);
  if (sr_integer_constant(k->m, id, &value))
    sum->constant += (uint32_t)sr_integer_signed(value);
  else
    sum->term[sum->count++] = id;
}

static void add_step(SrEmit *e, Sum *sum, const SrKernelStep *step, uint32_t grain) {
  SrKernels *k = e->k;
  uint32_t stride = (uint32_t)step->stride / grain;
  if (!step->index) {
    sum->constant += (uint32_t)(step->stride / (int64_t)grain);
    return;
  }
  uint32_t index = sr_kernel_low(k, step->index);
  if (stride != 1)
    index = sr_emit(e, SpvOpIMul, sr_kernel_int(k, 32), SR_IDS(index, sr_kernel_u32(k, stride)));
  add_term(k, sum, index);
}

static void write_sum(SrEmit *e, Sum *sum, uint32_t id) {
  SrKernels *k = e->k;
  uint32_t u32 = sr_kernel_int(k, 32);
  if (sum->constant || !sum->count)
    sum->term[sum->count++] = sr_kernel_u32(k, sum->constant);
  uint32_t all = sum->term[0];
  for (uint32_t i = 1; i < sum->count; i++)
    all = sr_emit(e, SpvOpIAdd, u32, SR_IDS(all, sum->term[i]));
  e->result = id; /* whose definition still says what type the pointer has */
  sr_emit_is(e, all);
}

static SrStatus write_chain(SrEmit *e, SrRef r, const SrKernelBase *b) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t id = sr_inst(m, r)->result;
  if (sr_word_count(m, r) > 60)
    return sr_kernel_refuse(k, r, "more than 55 indices");
  Sum sum = {.count = 0};
  add_term(k, &sum, sr_words(m, r)[3]);
  SrKernelChain c = sr_kernel_chain(k, r);
  SrKernelStep step;
  while (sr_kernel_chain_next(k, &c, &step))
    add_step(e, &sum, &step, b->grain);
  write_sum(e, &sum, id);
  return SR_OK;
}

static bool is_pointer(const SrModule *m, uint32_t id) {
  uint32_t type = sr_kernel_type_of(m, id);
  return type && sr_pointer_type_class(m, type) != SR_NONE;
}

/* A comparison of two pointers, or of a pointer with null. */
static SrStatus compare(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const uint32_t a = sr_words(m, r)[3], b = sr_words(m, r)[4];
  uint16_t op = sr_inst(m, r)->op;
  bool equal = op == SpvOpIEqual || op == SpvOpPtrEqual;
  SrKernelBase *of_a = sr_kernel_base_of(k, a), *of_b = sr_kernel_base_of(k, b);
  bool null_a = sr_def_op(m, a) == SpvOpConstantNull, null_b = sr_def_op(m, b) == SpvOpConstantNull;
  if (null_a || null_b) {
    sr_emit_is(e, sr_kernel_boolean(k, (null_a && null_b) == equal));
    return SR_OK;
  }
  if (!of_a || of_a != of_b ||
      (op != SpvOpPtrEqual && op != SpvOpPtrNotEqual && op != SpvOpIEqual && op != SpvOpINotEqual))
    return sr_kernel_refuse(k, r, "pointers into different objects are compared");
  sr_emit_last(e, equal ? SpvOpIEqual : SpvOpINotEqual, sr_inst(m, r)->type, SR_IDS(a, b));
  return SR_OK;
}

/* Bytes from the start of the base, in 32 bits. */
static uint32_t bytes_of(SrEmit *e, const SrKernelBase *b, uint32_t pointer) {
  SrKernels *k = e->k;
  uint32_t offset = sr_kernel_same(k, pointer);
  if (b->grain == 1)
    return offset;
  return sr_emit(e, SpvOpIMul, sr_kernel_int(k, 32), SR_IDS(offset, sr_kernel_u32(k, b->grain)));
}

/* The made-up address of a pointer. Each base begins in the middle of its own 4 GiB, so
 * differences, comparisons and alignments up to 2 GiB are right, and the high half identifies the
 * base. */
static SrStatus address(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t pointer = sr_words(m, r)[3];
  const SrKernelBase *b = sr_kernel_base_of(k, pointer);
  uint32_t bits = sr_kernel_bits(m, in.type), result = e->result;
  if (sr_def_op(m, pointer) == SpvOpConstantNull) {
    (void)sr_emit_is(e, sr_kernel_null(k, in.type));
    return SR_OK;
  }
  if (!b || bits < 32)
    return sr_kernel_refuse(k, r, "it is not known where the pointer points");
  e->result = 0;
  uint32_t bytes = bytes_of(e, b, pointer), u32 = sr_kernel_int(k, 32);
  uint32_t low = sr_emit(e, SpvOpIAdd, u32, SR_IDS(bytes, sr_kernel_u32(k, UINT32_C(1) << 31)));
  if (bits == 32) {
    e->result = result;
    (void)sr_emit_is(e, low);
    return SR_OK;
  }
  uint64_t start = ((uint64_t)(b - k->base.at + 1) << 32) + (UINT64_C(1) << 31);
  uint32_t wide = sr_emit(e, SpvOpSConvert, in.type, &bytes, 1);
  e->result = result;
  sr_kernel_low_is(k, result, low);
  (void)sr_emit_last(e, SpvOpIAdd, in.type, SR_IDS(wide, sr_kernel_constant(k, in.type, start)));
  return SR_OK;
}

/* Elements between two pointers into one base. */
static SrStatus difference(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t a = sr_words(m, r)[3], b = sr_words(m, r)[4];
  const SrKernelBase *base = sr_kernel_base_of(k, a);
  uint32_t pointee = sr_words(m, sr_def(m, sr_kernel_type_of(m, a)))[3];
  uint32_t result = e->result, u32 = sr_kernel_int(k, 32);
  if (!base || base != sr_kernel_base_of(k, b))
    return sr_kernel_refuse(k, r, "the difference of pointers into different objects");
  e->result = 0;
  uint32_t bytes = sr_emit(e, SpvOpISub, u32, SR_IDS(bytes_of(e, base, a), bytes_of(e, base, b)));
  uint32_t size = sr_kernel_u32(k, sr_kernel_size_of(k, pointee));
  uint32_t count = sr_emit(e, SpvOpSDiv, u32, SR_IDS(bytes, size));
  e->result = result;
  if (sr_kernel_bits(m, in.type) == 32) {
    (void)sr_emit_bitcast(e, in.type, count);
    return SR_OK;
  }
  sr_kernel_low_is(k, result, count);
  (void)sr_emit_last(e, SpvOpSConvert, in.type, &count, 1);
  return SR_OK;
}

void sr_kernel_offset_finish(SrKernels *k) {
  SrModule *m = k->m;
  uint32_t type = sr_kernel_int(k, 32), zero = sr_kernel_u32(k, 0);
  while (k->joined.count) {
    SrRef r = SR_POP(&k->joined);
    sr_words(m, r)[1] = sr_inst(m, r)->type = type;
    for (uint32_t i = 3; i < sr_word_count(m, r); i++)
      if (sr_word_is_id(m, r, i) && sr_def_op(m, sr_words(m, r)[i]) == SpvOpUndef)
        sr_words(m, r)[i] = zero;
  }
}

SrStatus sr_kernel_offset_write(SrEmit *e, SrRef r, bool *done, bool *keep) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  *done = true;
  *keep = false;
  if (in.op == SpvOpPtrEqual || in.op == SpvOpPtrNotEqual)
    return compare(e, r);
  if (in.op == SpvOpPtrDiff)
    return difference(e, r);
  if (in.op == SpvOpConvertPtrToU)
    return address(e, r);
  if (in.op >= SpvOpIEqual && in.op <= SpvOpSLessThanEqual && is_pointer(m, sr_words(m, r)[3]))
    return compare(e, r);
  if (!in.result || !in.type || sr_pointer_type_class(m, in.type) == SR_NONE ||
      in.op == SpvOpVariable) {
    *done = false;
    return SR_OK;
  }
  if (in.op == SpvOpUndef) {
    sr_emit_is(e, sr_kernel_u32(k, 0));
    return SR_OK;
  }
  const SrKernelBase *b = sr_kernel_base_of(k, in.result);
  *keep = b->place == SR_PLACE_BUILTIN;
  if (*keep)
    return SR_OK;
  if (in.op == SpvOpPhi || in.op == SpvOpSelect) {
    *keep = true;
    SR_PUSH(k->arena, &k->joined, r); /* its type is still needed */
    return SR_OK;
  }
  e->result = 0;
  return write_chain(e, r, b);
}
