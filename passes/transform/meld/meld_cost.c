/* SPDX-License-Identifier: Apache-2.0 */
/* meld_cost: see meld_cost.h. */
#include "passes/transform/meld/meld_cost.h"

enum { FULL = 2, QUARTER = 8, CALL = 32 };

static bool is_atomic(uint16_t op) {
  return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT ||
         op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT;
}

uint32_t sr_meld_cost(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  if (!sr_counts(sr_inst(m, r)))
    return 0;
  switch (op) {
  case SpvOpFunctionCall:
    return CALL;
  case SpvOpUDiv:
  case SpvOpSDiv:
  case SpvOpFDiv:
  case SpvOpUMod:
  case SpvOpSRem:
  case SpvOpSMod:
  case SpvOpFRem:
  case SpvOpFMod:
  case SpvOpExtInst:
  case SpvOpLoad:
  case SpvOpStore:
  case SpvOpCopyMemory:
  case SpvOpMatrixTimesMatrix:
  case SpvOpMatrixTimesVector:
  case SpvOpVectorTimesMatrix:
    return QUARTER;
  default:
    return is_atomic(op) || (op >= SpvOpSampledImage && op <= SpvOpImageWrite) ? QUARTER : FULL;
  }
}
