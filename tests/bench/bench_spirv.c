/* SPDX-License-Identifier: Apache-2.0 */
/* bench_spirv: random functions as a SPIR-V module. It is a Kernel module that exports its
 * functions, so that control flow need not be structured and every tool accepts it. Therefore
 * spirv-val skips its checks of structure, and merge-return only joins the returns. That is less
 * work than on a shader, so the comparison is stricter for spvreconv. */
#include "tests/bench/bench_write.h"

#include "tests/equiv/gen/emit.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

struct BenchSpirv {
  EmitModule m;
  uint32_t type_int, type_bool, type_function;
  uint32_t constant[BENCH_CONSTANTS];
  EmitWords functions; /* ids */
};

static void emit_globals(BenchSpirv *s) {
  EmitWords *w = &s->m.section[EMIT_GLOBAL];
  s->type_int = emit_id(&s->m);
  s->type_bool = emit_id(&s->m);
  s->type_function = emit_id(&s->m);
  EMIT(w, SpvOpTypeInt, s->type_int, 32, 0);
  EMIT(w, SpvOpTypeBool, s->type_bool);
  uint32_t type[2 + BENCH_PARAMETERS] = {s->type_function};
  for (uint32_t k = 0; k <= BENCH_PARAMETERS; k++)
    type[1 + k] = s->type_int;
  emit_op(w, SpvOpTypeFunction, 2 + BENCH_PARAMETERS, type);
  for (uint32_t k = 0; k < BENCH_CONSTANTS; k++) {
    s->constant[k] = emit_id(&s->m);
    EMIT(w, SpvOpConstant, s->type_int, s->constant[k], k * 3);
  }
}

BenchSpirv *bench_spirv_begin(void) {
  BenchSpirv *s = emit_resize(NULL, sizeof *s);
  s->functions = (EmitWords){0};
  emit_begin(&s->m, 0x00010400);
  EmitWords *capability = &s->m.section[EMIT_CAPABILITY];
  EMIT(capability, SpvOpCapability, SpvCapabilityKernel);
  EMIT(capability, SpvOpCapability, SpvCapabilityAddresses);
  EMIT(capability, SpvOpCapability, SpvCapabilityLinkage);
  EMIT(&s->m.section[EMIT_MODEL], SpvOpMemoryModel, SpvAddressingModelPhysical64,
       SpvMemoryModelOpenCL);
  emit_globals(s);
  return s;
}

/* Ids of one function: its values start at `value`, its labels at `label`. */
typedef struct Ids {
  const uint32_t *constant;
  uint32_t value, label;
} Ids;

static uint32_t operand(const Ids *ids, uint32_t v) {
  return v & BENCH_CONSTANT ? ids->constant[v & ~BENCH_CONSTANT] : ids->value + v;
}

static void emit_phi(BenchSpirv *s, const BenchFunction *f, const BenchBlock *b,
                     const BenchPhi *phi, const Ids *ids) {
  EmitWords *w = &s->m.section[EMIT_FUNCTION];
  emit_word(w, (3 + 2 * b->pred_count) << 16 | SpvOpPhi);
  emit_word(w, s->type_int);
  emit_word(w, ids->value + phi->value);
  for (uint32_t p = 0; p < b->pred_count; p++) {
    emit_word(w, operand(ids, f->arg[phi->first + p]));
    emit_word(w, ids->label + f->pred[b->pred_first + p]);
  }
}

static void emit_exit(BenchSpirv *s, const BenchBlock *b, const Ids *ids) {
  EmitWords *w = &s->m.section[EMIT_FUNCTION];
  uint32_t tested = operand(ids, b->tested);
  if (b->succ_count == 0) {
    EMIT(w, SpvOpReturnValue, tested);
  } else if (b->succ_count == 1) {
    EMIT(w, SpvOpBranch, ids->label + b->succ[0]);
  } else {
    EMIT(w, SpvOpSLessThan, s->type_bool, ids->value + b->test, tested, s->constant[0]);
    EMIT(w, SpvOpBranchConditional, ids->value + b->test, ids->label + b->succ[0],
         ids->label + b->succ[1]);
  }
}

static void emit_block(BenchSpirv *s, const BenchFunction *f, uint32_t number, const Ids *ids) {
  static const uint32_t opcode[] = {[BENCH_ADD] = SpvOpIAdd,
                                    [BENCH_SUB] = SpvOpISub,
                                    [BENCH_MUL] = SpvOpIMul,
                                    [BENCH_XOR] = SpvOpBitwiseXor,
                                    [BENCH_AND] = SpvOpBitwiseAnd};
  EmitWords *w = &s->m.section[EMIT_FUNCTION];
  const BenchBlock *b = &f->block[number];
  EMIT(w, SpvOpLabel, ids->label + number);
  for (uint32_t k = 0; k < b->phi_count; k++)
    emit_phi(s, f, b, &f->phi[b->phi_first + k], ids);
  for (uint32_t k = 0; k < b->op_count; k++) {
    const BenchOp *op = &f->op[b->op_first + k];
    EMIT(w, opcode[op->kind], s->type_int, ids->value + op->value, operand(ids, op->a),
         operand(ids, op->b));
  }
  emit_exit(s, b, ids);
}

void bench_spirv_function(BenchSpirv *s, const BenchFunction *f, uint32_t number) {
  EmitWords *w = &s->m.section[EMIT_FUNCTION];
  uint32_t id = emit_id(&s->m);
  const Ids ids = {s->constant, s->m.bound, s->m.bound + f->values};
  char name[16];
  snprintf(name, sizeof name, "f%u", (unsigned)number);
  emit_string_op(&s->m.section[EMIT_ANNOTATION], SpvOpDecorate, 2,
                 (uint32_t[]){id, SpvDecorationLinkageAttributes}, name, 1,
                 (uint32_t[]){SpvLinkageTypeExport});
  s->m.bound += f->values + f->count;
  emit_word(&s->functions, id);
  EMIT(w, SpvOpFunction, s->type_int, id, SpvFunctionControlMaskNone, s->type_function);
  for (uint32_t k = 0; k < BENCH_PARAMETERS; k++)
    EMIT(w, SpvOpFunctionParameter, s->type_int, ids.value + k);
  for (uint32_t b = 0; b < f->count; b++)
    emit_block(s, f, b, &ids);
  emit_op(w, SpvOpFunctionEnd, 0, NULL);
}

/* Each function gets the result of the one before it. */
static uint32_t emit_calls(BenchSpirv *s, uint32_t value) {
  for (size_t i = 0; i < s->functions.count; i++) {
    uint32_t result = emit_id(&s->m), operands[3 + BENCH_PARAMETERS] = {s->type_int, result};
    operands[2] = s->functions.data[i];
    for (uint32_t k = 0; k < BENCH_PARAMETERS; k++)
      operands[3 + k] = k ? s->constant[k] : value;
    emit_op(&s->m.section[EMIT_FUNCTION], SpvOpFunctionCall, 3 + BENCH_PARAMETERS, operands);
    value = result;
  }
  return value;
}

void bench_spirv_kernel(BenchSpirv *s) {
  EmitWords *global = &s->m.section[EMIT_GLOBAL], *w = &s->m.section[EMIT_FUNCTION];
  const uint32_t type_void = emit_id(&s->m), type_pointer = emit_id(&s->m);
  const uint32_t type_kernel = emit_id(&s->m), kernel = emit_id(&s->m);
  const uint32_t pointer = emit_id(&s->m), label = emit_id(&s->m), value = emit_id(&s->m);
  EMIT(global, SpvOpTypeVoid, type_void);
  EMIT(global, SpvOpTypePointer, type_pointer, SpvStorageClassCrossWorkgroup, s->type_int);
  EMIT(global, SpvOpTypeFunction, type_kernel, type_void, type_pointer);
  emit_string_op(&s->m.section[EMIT_ENTRY], SpvOpEntryPoint, 2,
                 (uint32_t[]){SpvExecutionModelKernel, kernel}, "kernel", 0, NULL);
  EMIT(w, SpvOpFunction, type_void, kernel, SpvFunctionControlMaskNone, type_kernel);
  EMIT(w, SpvOpFunctionParameter, type_pointer, pointer);
  EMIT(w, SpvOpLabel, label);
  EMIT(w, SpvOpLoad, s->type_int, value, pointer, SpvMemoryAccessAlignedMask, 4);
  EMIT(w, SpvOpStore, pointer, emit_calls(s, value), SpvMemoryAccessAlignedMask, 4);
  emit_op(w, SpvOpReturn, 0, NULL);
  emit_op(w, SpvOpFunctionEnd, 0, NULL);
}

bool bench_spirv_end(BenchSpirv *s, const char *path) {
  EmitWords words = emit_end(&s->m);
  free(s->functions.data);
  free(s);
  FILE *out = fopen(path, "wb");
  bool good = out && fwrite(words.data, sizeof *words.data, words.count, out) == words.count;
  if (out && fclose(out) != 0)
    good = false;
  free(words.data);
  return good;
}
