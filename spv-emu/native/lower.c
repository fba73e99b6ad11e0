/* SPDX-License-Identifier: Apache-2.0 */
/* lower: see lower.h. */
#include "spv-emu/native/lower.h"

#include "spv-emu/engine/step.h"

static bool is_float(uint32_t kind) {
  return kind == EMU_F32 || kind == EMU_F64;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Operands that do not have the kind of the instruction. */
static EmuKind kind_of(const EmuMeaning *m, uint32_t at) {
  EmuKind kind = (EmuKind)m->kind;
  if (m->family == EMU_FAMILY_ALU && at == 0 && m->op == SpvOpSelect)
    return EMU_BOOL;
  if (m->family == EMU_FAMILY_ALU && at == 1 && m->op == EMU_STEP_TAKE)
    return EMU_U32;
  if (m->family == EMU_FAMILY_CONVERT && at == 1)
    return (EmuKind)m->to;
  if (m->family == EMU_FAMILY_INDEX && at == 0)
    return EMU_U32;
  return m->family == EMU_FAMILY_ADDRESS && at == 0 ? EMU_U64 : kind;
}

uint32_t emu_lower_bytes(const EmuMeaning *m, uint32_t at) {
  return m->bytes ? m->bytes : emu_kind_bytes(kind_of(m, at));
}

uint32_t emu_lower_operands(const EmuMeaning *m, const EmuIns *i) {
  if (m->family == EMU_FAMILY_PRODUCTS)
    return 4;
  return i->c != EMU_NO_ROW ? 3 : i->b != EMU_NO_ROW ? 2 : 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

static EmuVector lower_float(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  EmuVector in[3] = {NULL};
  for (uint32_t i = 0; i < 3; i++)
    if (args->in[i].row)
      in[i] = emu_build_as_floats(b, args->in[i].row);
  if (m->family == EMU_FAMILY_GLSL)
    return emu_lower_float_glsl(b, m->op, in);
  EmuVector found = emu_lower_float(b, m->op, in);
  return found ? found : emu_lower_float_test(b, m->op, in, args->in[0].row);
}

/* OpSelect and similar move bits of any kind. */
static bool moves_bits(const EmuMeaning *m) {
  return m->family == EMU_FAMILY_ALU && (m->op == SpvOpSelect || m->op == EMU_STEP_TAKE);
}

static EmuVector lower_one(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  if (is_float(m->kind) && !moves_bits(m))
    return lower_float(b, m, args);
  if (m->kind == EMU_F16 && !moves_bits(m))
    return NULL;
  return m->family == EMU_FAMILY_GLSL ? emu_lower_int_glsl(b, m->op, args)
                                      : emu_lower_int(b, m->op, (EmuKind)m->kind, args);
}

/* The instruction `op` of a fused one, on operands that may be results. */
static EmuOperand lower_fused(const EmuBuild *b, const EmuMeaning *m, uint32_t op, EmuOperand x,
                              EmuOperand y) {
  const EmuMeaning one = {.family = EMU_FAMILY_ALU, .kind = m->kind, .op = op};
  const EmuLowerArgs args = {.in = {x, y}};
  EmuVector value = emu_build_as_ints(b, lower_one(b, &one, &args), 32);
  return (EmuOperand){value, value};
}

static EmuVector lower_pair(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  EmuOperand first = lower_fused(b, m, m->op, args->in[0], args->in[1]), other = args->in[2];
  return lower_fused(b, m, m->then, m->right ? other : first, m->right ? first : other).row;
}

static EmuVector lower_products(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  EmuOperand left = lower_fused(b, m, m->op, args->in[0], args->in[1]);
  EmuOperand right = lower_fused(b, m, m->op, args->in[2], args->in[3]);
  return lower_fused(b, m, m->then, left, right).row;
}

static EmuVector lower_family(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  switch ((EmuFamily)m->family) {
  case EMU_FAMILY_ALU:
  case EMU_FAMILY_ALU_ON:
  case EMU_FAMILY_GLSL:
    return lower_one(b, m, args);
  case EMU_FAMILY_CONVERT:
    return emu_lower_convert(b, m, args);
  case EMU_FAMILY_PAIR:
    return lower_pair(b, m, args);
  case EMU_FAMILY_PRODUCTS:
    return lower_products(b, m, args);
  case EMU_FAMILY_MOVE:
  case EMU_FAMILY_MOVE_ON:
    return args->in[0].safe;
  case EMU_FAMILY_INDEX:
    return emu_lower_index(b, (EmuKind)m->kind, args);
  case EMU_FAMILY_ADDRESS:
    return emu_lower_index_address(b, args);
  default:
    return NULL;
  }
}

/* Bits of the result's row. */
static uint32_t row_bits(const EmuMeaning *m, const EmuLowerArgs *args, const EmuBuild *b) {
  if (m->family == EMU_FAMILY_CONVERT)
    return 8 * emu_kind_bytes((EmuKind)m->to);
  if (m->family == EMU_FAMILY_INDEX)
    return 32;
  if (m->family == EMU_FAMILY_ADDRESS)
    return 64;
  return m->bytes ? emu_build_bits(b, args->in[0].row) : 8 * emu_kind_bytes((EmuKind)m->kind);
}

EmuVector emu_lower(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args,
                    EmuVector *test) {
  const EmuLlvm *l = b->l;
  EmuVector value = lower_family(b, m, args);
  *test = NULL;
  if (!value)
    return NULL;
  LLVMTypeRef type = l->LLVMTypeOf(value);
  if (type == emu_build_ints(b, 1)) {
    *test = value;
    return emu_build_sext(b, value, 32);
  }
  uint32_t bits = row_bits(m, args, b);
  if (type == emu_build_floats(b, bits))
    return emu_build_as_ints(b, value, bits);
  return emu_build_bits(b, value) > bits ? emu_build_trunc(b, value, bits) : value;
}

/* Lowers it for zeros, which LLVM computes with at once. */
bool emu_lower_covers(const EmuBuild *b, EmuMeaning *m) {
  EmuLowerArgs args = {.x = 1};
  EmuVector test, value;
  if (m->covered)
    return m->covered > 0;
  for (uint32_t i = 0; i < 4; i++)
    args.in[i].row = args.in[i].safe = emu_build_splat(b, 8 * emu_lower_bytes(m, i), 0);
  value = m->family == EMU_FAMILY_NONE ? NULL : emu_lower(b, m, &args, &test);
  m->covered = value ? 1 : -1;
  m->result = value ? (uint8_t)(emu_build_bits(b, value) / 8) : 0;
  return value != NULL;
}
