/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_wide: see kernel_wide.h. Parts get their ids before the first is written, since phis name
 * later ones. */
#include "passes/transform/kernel/kernel_wide.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_memory.h"
#include "passes/transform/kernel/kernel_part.h"
#include "passes/transform/kernel/kernel_rename.h"
#include "passes/transform/kernel/kernel_shuffle.h"

#include <spirv/unified1/OpenCL.std.h>

/* ---- parts ---- */

/* Consecutive ids. */
static void name_parts(SrParts *w, SrRef r) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  if (!sr_kernel_part_wide(m, in.type))
    return;
  uint32_t first = sr_fresh_id(m);
  for (uint32_t i = 1; i < sr_kernel_part_count(m, in.type); i++)
    (void)sr_fresh_id(m);
  sr_ids_set(w->part_of, in.result, first);
}

/* The next value of the sequence is part i of the instruction's result. */
static void result_is_part(SrParts *w, SrEmit *e, SrRef r, uint32_t i) {
  e->result = sr_ids_get(w->part_of, sr_inst(w->k->m, r)->result) + i;
}

/* ---- memory ---- */

/* A pointer to part i of the vector that `pointer` points to. */
static uint32_t part_pointer(SrEmit *e, uint32_t pointer, uint32_t i) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, sr_def(m, sr_kernel_type_of(m, pointer)));
  SpvStorageClass class = (SpvStorageClass)w[2];
  uint32_t type = sr_kernel_pointer(k, class, sr_kernel_part_type(k, w[3])), result = e->result;
  e->result = 0;
  uint32_t first = sr_emit(e, SpvOpBitcast, type, &pointer, 1);
  if (i)
    first = sr_emit(e, SpvOpInBoundsPtrAccessChain, type, SR_IDS(first, sr_kernel_u32(k, i)));
  e->result = result;
  return first;
}

/* The alignment of every part of an access. */
static uint32_t part_align(const SrKernels *k, const SrKernelAccess *a) {
  uint32_t size = SR_KERNEL_PART * sr_kernel_bits(k->m, a->type) / 8;
  return a->align < size ? a->align : size;
}

static void put_memory(SrEmit *e, const SrKernelAccess *a) {
  SrModule *m = e->k->m;
  sr_put_literal(m, SpvMemoryAccessAlignedMask |
                        (a->is_volatile ? (uint32_t)SpvMemoryAccessVolatileMask : 0));
  sr_put_literal(m, part_align(e->k, a));
}

static void put_before(SrEmit *e, uint32_t id) {
  SrModule *m = e->k->m;
  SrRef r = sr_end(m);
  sr_insert_before(m, e->list, e->before, r);
  if (id)
    m->home[id] = e->home;
}

static void load(SrParts *w, SrEmit *e, SrRef r, const SrKernelAccess *a) {
  SrKernels *k = w->k;
  uint32_t type = sr_kernel_part_type(k, a->type);
  for (uint32_t i = 0; i < sr_kernel_part_count(k->m, a->type); i++) {
    uint32_t pointer = part_pointer(e, a->pointer, i);
    result_is_part(w, e, r, i);
    sr_begin(k->m, SpvOpLoad, type, e->result);
    sr_put_id(k->m, pointer);
    put_memory(e, a);
    put_before(e, e->result);
  }
}

static void store(SrParts *w, SrEmit *e, const SrKernelAccess *a) {
  SrModule *m = w->k->m;
  for (uint32_t i = 0; i < sr_kernel_part_count(m, a->type); i++) {
    uint32_t pointer = part_pointer(e, a->pointer, i);
    uint32_t value = sr_kernel_part(w, a->value, i);
    sr_begin(m, SpvOpStore, 0, 0);
    sr_put_id(m, pointer);
    sr_put_id(m, value);
    put_memory(e, a);
    put_before(e, 0);
  }
}

/* ---- component by component ---- */

/* The same instruction on part i of all operands. */
static void apply(SrParts *w, SrEmit *e, SrRef r, uint32_t i) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t count = sr_word_count(m, r), *part = SR_NEW(w->k->arena, uint32_t, count);
  uint32_t type = sr_kernel_part_type(w->k, in.type);
  for (uint32_t j = 3; j < count; j++) {
    if (!sr_word_is_id(m, r, j))
      continue;
    const uint32_t id = sr_words(m, r)[j];
    part[j] = sr_kernel_part_has(m, id)            ? sr_kernel_part(w, id, i)
              : sr_pointer_class(m, id) != SR_NONE ? part_pointer(e, id, i)
                                                   : id;
  }
  result_is_part(w, e, r, i);
  uint32_t result = e->result;
  sr_copy_decorations(m, in.result, result);
  sr_begin(m, (SpvOp)in.op, type, result);
  for (uint32_t j = 3; j < count; j++)
    if (part[j])
      sr_put_id(m, part[j]);
    else
      sr_put_literal(m, sr_words(m, r)[j]);
  put_before(e, result);
}

static bool is_componentwise(uint16_t op) {
  return op == SpvOpPhi || op == SpvOpSelect || op == SpvOpQuantizeToF16 ||
         (op >= SpvOpConvertFToU && op <= SpvOpFConvert) ||
         (op >= SpvOpSatConvertSToU && op <= SpvOpSatConvertUToS) ||
         (op >= SpvOpSNegate && op <= SpvOpVectorTimesScalar) ||
         (op >= SpvOpIsNan && op <= SpvOpFUnordGreaterThanEqual) ||
         (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount);
}

/* Is the function applied to each component? */
static bool is_componentwise_function(uint32_t number) {
  switch (number) {
  case OpenCLstd_Cross:
  case OpenCLstd_Distance:
  case OpenCLstd_Length:
  case OpenCLstd_Normalize:
  case OpenCLstd_Fast_distance:
  case OpenCLstd_Fast_length:
  case OpenCLstd_Fast_normalize:
  case OpenCLstd_Shuffle:
  case OpenCLstd_Shuffle2:
  case OpenCLstd_Printf:
  case OpenCLstd_Prefetch:
    return false;
  default:
    return true;
  }
}

/* ---- vectors of memory by number ---- */

/* The operand that is the number of the vector; 0: it is none of these functions. */
static uint32_t number_word(uint32_t function) {
  switch (function) {
  case OpenCLstd_Vloadn:
    return 5;
  case OpenCLstd_Vstoren:
    return 6;
  default:
    return 0;
  }
}

/* vload8(n, p): vload4(2 * n, p) and vload4(2 * n + 1, p). */
static void by_number(SrParts *w, SrEmit *e, SrRef r, uint32_t at) {
  SrKernels *k = w->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t number = sr_words(m, r)[at], function = sr_words(m, r)[4];
  bool loads = at == 5;
  uint32_t of = sr_kernel_type_of(m, number), words = sr_word_count(m, r);
  uint32_t data = loads ? 0 : sr_words(m, r)[5];
  uint32_t wide = loads ? in.type : sr_kernel_type_of(m, data),
           count = sr_kernel_part_count(m, wide);
  uint32_t type = loads ? sr_kernel_part_type(k, wide) : in.type, set = sr_words(m, r)[3];
  e->result = 0;
  uint32_t first = sr_emit(e, SpvOpIMul, of, SR_IDS(number, sr_kernel_constant(k, of, count)));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place =
        i ? sr_emit(e, SpvOpIAdd, of, SR_IDS(first, sr_kernel_constant(k, of, i))) : first;
    uint32_t value = loads ? 0 : sr_kernel_part(w, data, i), result = sr_fresh_id(m);
    if (loads) {
      result_is_part(w, e, r, i);
      result = e->result;
    }
    sr_begin(m, SpvOpExtInst, type, result);
    sr_put_id(m, set);
    sr_put_literal(m, function);
    for (uint32_t j = 5; j < words; j++)
      if (j == at)
        sr_put_id(m, place);
      else if (j == 5 && !loads)
        sr_put_id(m, value);
      else if (sr_word_is_id(m, r, j))
        sr_put_id(m, sr_words(m, r)[j]);
      else
        sr_put_literal(m, loads && j == 7 ? (uint32_t)SR_KERNEL_PART : sr_words(m, r)[j]);
    put_before(e, result);
  }
}

/* ---- results of all components ---- */

/* A number of one part each, joined by an instruction. */
static void reduce(SrParts *w, SrEmit *e, SrRef r, SpvOp join) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t a = sr_words(m, r)[3];
  const uint32_t b = sr_word_count(m, r) > 4 ? sr_words(m, r)[4] : 0;
  uint32_t all = 0, count = sr_kernel_part_count(m, sr_kernel_type_of(m, a));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t operand[2] = {sr_kernel_part(w, a, i), b ? sr_kernel_part(w, b, i) : 0};
    uint32_t one = sr_emit(e, (SpvOp)in.op, in.type, operand, b ? 2 : 1);
    e->result = i + 1 == count ? in.result : 0;
    all = all ? sr_emit_last(e, join, in.type, SR_IDS(all, one)) : one;
  }
}

/* ---- the walk ---- */

static bool uses_wide(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  bool wide = sr_kernel_part_wide(m, in->type);
  for (uint32_t i = in->first; i < sr_word_count(m, r) && !wide; i++)
    wide = sr_word_is_id(m, r, i) && sr_kernel_part_has(m, sr_words(m, r)[i]);
  return wide;
}

static SrStatus refuse(SrParts *w, SrRef r) {
  return sr_kernel_refuse(w->k, r, "a vector of more than four components in such an instruction");
}

static SrStatus convert_function(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t function = sr_words(m, r)[4];
  if (sr_words(m, r)[3] != w->k->opencl_set)
    return refuse(w, r);
  if (number_word(function)) {
    by_number(w, e, r, number_word(function));
    return SR_OK;
  }
  if (!is_componentwise_function(function) || !sr_kernel_part_wide(m, in.type))
    return refuse(w, r);
  for (uint32_t i = 0; i < sr_kernel_part_count(m, in.type); i++)
    apply(w, e, r, i);
  return SR_OK;
}

static SrStatus convert(SrParts *w, SrEmit *e, SrRef r) {
  SrModule *m = w->k->m;
  const SrInst in = *sr_inst(m, r);
  SrKernelAccess a = sr_kernel_memory_access(w->k, r);
  switch (in.op) {
  case SpvOpLoad:
    load(w, e, r, &a);
    return SR_OK;
  case SpvOpStore:
    store(w, e, &a);
    return SR_OK;
  case SpvOpExtInst:
    return convert_function(w, e, r);
  case SpvOpAny:
    reduce(w, e, r, SpvOpLogicalOr);
    return SR_OK;
  case SpvOpAll:
    reduce(w, e, r, SpvOpLogicalAnd);
    return SR_OK;
  case SpvOpDot:
    reduce(w, e, r, SpvOpFAdd);
    return SR_OK;
  case SpvOpUndef:
    for (uint32_t i = 0; i < sr_kernel_part_count(m, in.type); i++) {
      result_is_part(w, e, r, i);
      (void)sr_emit_last(e, SpvOpUndef, sr_kernel_part_type(w->k, in.type), NULL, 0);
    }
    return SR_OK;
  default:
    break;
  }
  if (sr_kernel_shuffle(w, e, r))
    return SR_OK;
  if (!is_componentwise(in.op) || !sr_kernel_part_wide(m, in.type))
    return refuse(w, r);
  for (uint32_t i = 0; i < sr_kernel_part_count(m, in.type); i++)
    apply(w, e, r, i);
  return SR_OK;
}

static SrStatus visit(SrParts *w, uint32_t b, SrRef r) {
  SrKernels *k = w->k;
  SrModule *m = k->m;
  const SrInst *in = sr_inst(m, r);
  if (in->nonsemantic || !uses_wide(m, r))
    return SR_OK;
  for (uint32_t i = in->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && sr_kernel_part_has(m, sr_words(m, r)[i]) &&
        !sr_kernel_part_known(w, sr_words(m, r)[i]))
      return refuse(w, r);
  SrEmit e = {k, &k->f->blocks[b].list, r, b, 0};
  SR_CHECK(convert(w, &e, r));
  sr_remove(m, &k->f->blocks[b].list, r); /* its type is still needed */
  SR_PUSH(k->arena, &k->replaced, r);
  return sr_check_bound(m);
}

/* ---- arguments ---- */

/* The argument becomes a pointer, from which its parts are loaded. */
static void convert_argument(SrParts *w, SrRef r) {
  SrKernels *k = w->k;
  SrModule *m = k->m;
  const uint32_t id = sr_inst(m, r)->result, type = sr_inst(m, r)->type;
  SrBlock *entry = &k->f->blocks[0];
  SrEmit e = {k, &entry->list, sr_first_ordinary(m, entry), 0, 0};
  SrKernelAccess a = {
      .kind = SR_ACCESS_LOAD, .pointer = id, .type = type, .align = sr_kernel_size_of(k, type)};
  uint32_t pointer = sr_kernel_pointer(k, SpvStorageClassFunction, type);
  sr_words(m, r)[1] = sr_inst(m, r)->type = pointer;
  load(w, &e, r, &a);
}

SrStatus sr_kernel_wide(SrKernels *k) {
  SrModule *m = k->m;
  SrParts w = {.k = k, .part_of = sr_ids_take(m)};
  SrStatus status = SR_OK;
  for (SR_EACH(m, r, k->f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter)
      name_parts(&w, r);
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      name_parts(&w, r);
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH_SAFE(m, r, k->f->blocks[b].list))
      if (status == SR_OK)
        status = visit(&w, b, r);
  for (SR_EACH(m, r, k->f->head))
    if (status == SR_OK && sr_inst(m, r)->op == SpvOpFunctionParameter &&
        sr_kernel_part_wide(m, sr_inst(m, r)->type))
      convert_argument(&w, r);
  sr_kernel_rename(k);
  sr_kernel_rename_forget(k);
  sr_ids_give(m, w.part_of);
  return status;
}
