/* SPDX-License-Identifier: Apache-2.0 */
/* alu_int: integers, booleans, and instructions that move bits of any type (OpSelect). The
 * instructions are in alu_int.def; alu_ints.inc defines handlers for them for each width. SPIR-V
 * 1.6, sections 3.49.13 to 3.49.15. */
#include "spv-emu/alu/alu.h"

#define INT_TABLE "alu_int.def"
#include "spv-emu/alu/alu_ints.inc"

/* ---- booleans -------------------------------------------------------------------------------- */

EMU_HANDLER_1(logical_not, uint32_t, uint32_t, { pd[l] = ~pa[l]; })
EMU_HANDLER_2(logical_and, uint32_t, uint32_t, uint32_t, { pd[l] = pa[l] & pb[l]; })
EMU_HANDLER_2(logical_or, uint32_t, uint32_t, uint32_t, { pd[l] = pa[l] | pb[l]; })
EMU_HANDLER_2(logical_equal, uint32_t, uint32_t, uint32_t, { pd[l] = ~(pa[l] ^ pb[l]); })
EMU_HANDLER_2(logical_not_equal, uint32_t, uint32_t, uint32_t, { pd[l] = pa[l] ^ pb[l]; })

static EmuHandler *find_logical(uint32_t op) {
  switch (op) {
  case SpvOpLogicalNot:
    return logical_not;
  case SpvOpLogicalAnd:
    return logical_and;
  case SpvOpLogicalOr:
    return logical_or;
  case SpvOpLogicalEqual:
    return logical_equal;
  case SpvOpLogicalNotEqual:
    return logical_not_equal;
  }
  return NULL;
}

EmuHandler *EMU_NAME(emu_alu_int)(SpvOp op, EmuKind kind) {
  bool moves = op == SpvOpSelect || (uint32_t)op == EMU_STEP_TAKE;
  EmuHandler *found = kind == EMU_BOOL ? find_logical(op) : NULL;
  return found ? found : find_int(op, moves ? emu_integer_kind(kind) : kind);
}
