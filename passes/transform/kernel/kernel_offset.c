/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_offset: see kernel_offset.h. */
#include "passes/transform/kernel/kernel_offset.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
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
  uint32_t stride = step->stride / grain;
  if (!step->index) {
    sum->constant += (uint32_t)((int32_t)step->stride / (int32_t)grain);
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
  if (sr_def_op(m, a) == SpvOpConstantNull || sr_def_op(m, b) == SpvOpConstantNull) {
    sr_begin(m, equal ? SpvOpConstantFalse : SpvOpConstantTrue, sr_kernel_bool(k), sr_fresh_id(m));
    SrRef made = sr_end(m);
    sr_append(m, &m->globals, made);
    sr_emit_is(e, sr_inst(m, made)->result);
    return SR_OK;
  }
  if (!of_a || of_a != of_b ||
      (op != SpvOpPtrEqual && op != SpvOpPtrNotEqual && op != SpvOpIEqual && op != SpvOpINotEqual))
    return sr_kernel_refuse(k, r, "pointers into different objects are compared");
  sr_emit_last(e, equal ? SpvOpIEqual : SpvOpINotEqual, sr_inst(m, r)->type, SR_IDS(a, b));
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
  if (in.op >= SpvOpPtrEqual && in.op <= SpvOpPtrDiff && in.op != SpvOpPtrDiff)
    return compare(e, r);
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
