/* alu_int: integers, booleans, and what moves bits whatever they mean (OpSelect). The instructions
 * stand in alu_int.def; alu_ints.inc makes handlers of them for each width. SPIR-V 1.6, sections
 * 3.49.13 to 3.49.15. */
#include "alu.h"

#define INT_TABLE "alu_int.def"
#include "alu_ints.inc"

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
  case SpvOpSelect:
  case EMU_STEP_TAKE:
    return find_u32(op);
  }
  return NULL;
}

EmuHandler *EMU_NAME(emu_alu_int)(SpvOp op, EmuKind kind) {
  bool moves = op == SpvOpSelect || (uint32_t)op == EMU_STEP_TAKE;
  switch (kind) {
  case EMU_BOOL:
    return find_logical(op);
  case EMU_U8:
    return find_u8(op);
  case EMU_U16:
    return find_u16(op);
  case EMU_U32:
    return find_u32(op);
  case EMU_U64:
    return find_u64(op);
  case EMU_F16:
    return moves ? find_u16(op) : NULL;
  case EMU_F32:
    return moves ? find_u32(op) : NULL;
  case EMU_F64:
    return moves ? find_u64(op) : NULL;
  default:
    return NULL;
  }
}
