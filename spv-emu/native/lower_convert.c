/* SPDX-License-Identifier: Apache-2.0 */
/* lower_convert: conversions; see lower.h. Each case is the expression of alu_convert.c. Floats of 16
 * bits, saturating and directed conversions are not covered. */
#include "spv-emu/native/lower.h"

#include "spv-emu/engine/step.h"

static uint32_t bits_of(uint32_t kind) {
  return 8 * emu_kind_bytes((EmuKind)kind);
}

static EmuVector resize(const EmuBuild *b, EmuVector x, uint32_t bits, bool sign) {
  uint32_t from = emu_build_bits(b, x);
  if (bits <= from)
    return bits < from ? emu_build_trunc(b, x, bits) : x;
  return sign ? emu_build_sext(b, x, bits) : emu_build_zext(b, x, bits);
}

/* 2^n */
static double power(uint32_t n) {
  return (double)((uint64_t)1 << n / 2) * (double)((uint64_t)1 << (n - n / 2));
}

/* Truncated; saturated if out of range, 0 for NaN. */
static EmuVector to_int(const EmuBuild *b, const EmuMeaning *m, EmuVector x, bool sign) {
  uint32_t from = bits_of(m->kind), to = bits_of(m->to);
  double high = power(sign ? to - 1 : to), low = sign ? -high : 0;
  EmuVector limit = emu_build_splat_float(b, from, high),
            least = emu_build_splat_float(b, from, low);
  EmuVector above = emu_build_fcmp(b, LLVMRealOGE, x, limit);
  EmuVector within = emu_build_and(b, emu_build_fcmp(b, LLVMRealOGE, x, least),
                                   emu_build_fcmp(b, LLVMRealOLT, x, limit));
  EmuVector inside = emu_build_select(b, within, x, emu_build_splat_float(b, from, 0));
  LLVMTypeRef type = emu_build_ints(b, to);
  EmuVector cut = sign ? b->l->LLVMBuildFPToSI(b->at, inside, type, "")
                       : b->l->LLVMBuildFPToUI(b->at, inside, type, "");
  uint64_t most = UINT64_MAX >> (64 - to + sign);
  if (sign) {
    EmuVector below = emu_build_fcmp(b, LLVMRealOLT, x, least);
    cut = emu_build_select(b, below, emu_build_splat(b, to, ~most), cut);
  }
  return emu_build_select(b, above, emu_build_splat(b, to, most), cut);
}

static EmuVector to_float(const EmuBuild *b, const EmuMeaning *m, EmuVector x, bool sign) {
  LLVMTypeRef type = emu_build_floats(b, bits_of(m->to));
  return sign ? b->l->LLVMBuildSIToFP(b->at, x, type, "")
              : b->l->LLVMBuildUIToFP(b->at, x, type, "");
}

static EmuVector float_to_float(const EmuBuild *b, const EmuMeaning *m, EmuVector x) {
  LLVMTypeRef type = emu_build_floats(b, bits_of(m->to));
  if (m->kind == m->to)
    return NULL;
  return m->kind == EMU_F32 ? b->l->LLVMBuildFPExt(b->at, x, type, "")
                            : b->l->LLVMBuildFPTrunc(b->at, x, type, "");
}

static EmuVector part(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  uint32_t from = bits_of(m->kind);
  EmuVector by = emu_build_splat(b, from, args->x % from);
  return emu_build_trunc(b, emu_build_lshr(b, args->in[0].safe, by), bits_of(m->to));
}

static EmuVector join(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  uint32_t to = bits_of(m->to);
  EmuVector high = emu_build_zext(b, args->in[0].safe, to);
  high = emu_build_shl(b, high, emu_build_splat(b, to, args->x % to));
  return emu_build_or(b, args->in[1].safe, high);
}

EmuVector emu_lower_convert(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args) {
  EmuVector x = args->in[0].safe;
  if (m->kind == EMU_F16 || m->to == EMU_F16)
    return NULL;
  switch (m->op) {
  case SpvOpUConvert:
    return resize(b, x, bits_of(m->to), false);
  case SpvOpSConvert:
    return resize(b, x, bits_of(m->to), true);
  case SpvOpFConvert:
    return float_to_float(b, m, emu_build_as_floats(b, args->in[0].row));
  case SpvOpConvertFToU:
    return to_int(b, m, emu_build_as_floats(b, args->in[0].row), false);
  case SpvOpConvertFToS:
    return to_int(b, m, emu_build_as_floats(b, args->in[0].row), true);
  case SpvOpConvertSToF:
    return to_float(b, m, x, true);
  case SpvOpConvertUToF:
    return to_float(b, m, x, false);
  case EMU_STEP_PART:
    return part(b, m, args);
  case EMU_STEP_JOIN:
    return join(b, m, args);
  }
  return NULL;
}
