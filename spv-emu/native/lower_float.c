/* SPDX-License-Identifier: Apache-2.0 */
/* lower_float: instructions on floats of 32 and 64 bits; see lower.h. Each case is the expression of
 * alu_float.def, alu_glsl_float.def or alu_real.h. */
#include "spv-emu/native/lower.h"

#include "spv-emu/engine/step.h"

#include <spirv/unified1/GLSL.std.450.h>

/* Bits of a lane of a vector of floats. */
static uint32_t bits_of(const EmuBuild *b, EmuVector x) {
  return b->l->LLVMTypeOf(x) == emu_build_floats(b, 64) ? 64 : 32;
}

static EmuVector number(const EmuBuild *b, EmuVector like, double value) {
  return emu_build_splat_float(b, bits_of(b, like), value);
}

static EmuVector call(const EmuBuild *b, const char *name, EmuVector x) {
  return emu_build_intrinsic(b, name, &x, 1);
}

static EmuVector copy_sign(const EmuBuild *b, EmuVector size, EmuVector sign) {
  return emu_build_intrinsic(b, "llvm.copysign", (EmuVector[]){size, sign}, 2);
}

/* ---- rounding to integers -------------------------------------------------------------------- */

static EmuVector floor_of(const EmuBuild *b, EmuVector x) {
  return b->rounds ? call(b, "llvm.floor", x) : NULL;
}

static EmuVector ceil_of(const EmuBuild *b, EmuVector x) {
  EmuVector low = floor_of(b, b->l->LLVMBuildFNeg(b->at, x, ""));
  return low ? b->l->LLVMBuildFNeg(b->at, low, "") : NULL;
}

static EmuVector trunc_of(const EmuBuild *b, EmuVector x) {
  EmuVector low = floor_of(b, call(b, "llvm.fabs", x));
  return low ? copy_sign(b, low, x) : NULL;
}

/* x - y * rounded quotient */
static EmuVector remainder_of(const EmuBuild *b, EmuVector x, EmuVector y, EmuVector quotient) {
  return quotient ? emu_build_fsub(b, x, emu_build_fmul(b, y, quotient)) : NULL;
}

/* ---- core instructions ----------------------------------------------------------------------- */

EmuVector emu_lower_float(const EmuBuild *b, uint32_t op, const EmuVector in[3]) {
  EmuVector x = in[0], y = in[1];
  switch (op) {
  case SpvOpFNegate:
    return b->l->LLVMBuildFNeg(b->at, x, "");
  case SpvOpFAdd:
    return emu_build_fadd(b, x, y);
  case SpvOpFSub:
    return emu_build_fsub(b, x, y);
  case SpvOpFMul:
    return emu_build_fmul(b, x, y);
  case SpvOpFDiv:
    return emu_build_fdiv(b, x, y);
  case SpvOpFRem:
    return remainder_of(b, x, y, trunc_of(b, emu_build_fdiv(b, x, y)));
  case SpvOpFMod:
    return remainder_of(b, x, y, floor_of(b, emu_build_fdiv(b, x, y)));
  case EMU_STEP_MUL_ADD:
    return emu_build_fadd(b, emu_build_fmul(b, x, y), in[2]);
  case EMU_STEP_MUL_SUB:
    return emu_build_fsub(b, emu_build_fmul(b, x, y), in[2]);
  }
  return NULL;
}

/* LLVMRealPredicate; 0, which is always false: not a comparison. */
static LLVMRealPredicate predicate(uint32_t op) {
  switch (op) {
  case SpvOpFOrdEqual:
    return LLVMRealOEQ;
  case SpvOpFUnordEqual:
    return LLVMRealUEQ;
  case SpvOpFOrdNotEqual:
  case SpvOpLessOrGreater:
    return LLVMRealONE;
  case SpvOpFUnordNotEqual:
    return LLVMRealUNE;
  case SpvOpFOrdLessThan:
    return LLVMRealOLT;
  case SpvOpFUnordLessThan:
    return LLVMRealULT;
  case SpvOpFOrdGreaterThan:
    return LLVMRealOGT;
  case SpvOpFUnordGreaterThan:
    return LLVMRealUGT;
  case SpvOpFOrdLessThanEqual:
    return LLVMRealOLE;
  case SpvOpFUnordLessThanEqual:
    return LLVMRealULE;
  case SpvOpFOrdGreaterThanEqual:
    return LLVMRealOGE;
  case SpvOpFUnordGreaterThanEqual:
    return LLVMRealUGE;
  case SpvOpOrdered:
    return LLVMRealORD;
  case SpvOpUnordered:
    return LLVMRealUNO;
  }
  return LLVMRealPredicateFalse;
}

/* Tests of the bits: `size` is without the sign. */
static EmuVector lower_class(const EmuBuild *b, uint32_t op, EmuVector bits) {
  uint32_t n = emu_build_bits(b, bits);
  uint64_t sign = (uint64_t)1 << (n - 1), normal = n == 64 ? (uint64_t)1 << 52 : 1u << 23;
  uint64_t infinite = n == 64 ? 0x7ff0000000000000u : 0x7f800000u;
  EmuVector size = emu_build_and(b, bits, emu_build_splat(b, n, ~sign));
  EmuVector limit = emu_build_splat(b, n, infinite);
  EmuVector finite = emu_build_icmp(b, LLVMIntULT, size, limit);
  switch (op) {
  case SpvOpIsNan:
    return emu_build_icmp(b, LLVMIntUGT, size, limit);
  case SpvOpIsInf:
    return emu_build_icmp(b, LLVMIntEQ, size, limit);
  case SpvOpIsFinite:
    return finite;
  case SpvOpIsNormal:
    return emu_build_and(b, emu_build_icmp(b, LLVMIntUGE, size, emu_build_splat(b, n, normal)),
                         finite);
  case SpvOpSignBitSet:
    return emu_build_icmp(b, LLVMIntSLT, bits, emu_build_splat(b, n, 0));
  }
  return NULL;
}

EmuVector emu_lower_float_test(const EmuBuild *b, uint32_t op, const EmuVector in[3],
                               EmuVector bits) {
  LLVMRealPredicate is = predicate(op);
  return is == LLVMRealPredicateFalse ? lower_class(b, op, bits)
                                      : emu_build_fcmp(b, is, in[0], in[1]);
}

/* ---- GLSL.std.450 ---------------------------------------------------------------------------- */

static EmuVector pick(const EmuBuild *b, LLVMRealPredicate is, EmuVector l, EmuVector r,
                      EmuVector x, EmuVector y) {
  return emu_build_select(b, emu_build_fcmp(b, is, l, r), x, y);
}

static EmuVector fmin_of(const EmuBuild *b, EmuVector x, EmuVector y) {
  return pick(b, LLVMRealOLT, y, x, y, x);
}
static EmuVector fmax_of(const EmuBuild *b, EmuVector x, EmuVector y) {
  return pick(b, LLVMRealOLT, x, y, y, x);
}
/* If one operand is NaN, the other one. */
static EmuVector nmin_of(const EmuBuild *b, EmuVector x, EmuVector y) {
  EmuVector first =
      emu_build_or(b, emu_build_fcmp(b, LLVMRealOLE, x, y), emu_build_fcmp(b, LLVMRealUNO, y, y));
  return emu_build_select(b, first, x, y);
}
static EmuVector nmax_of(const EmuBuild *b, EmuVector x, EmuVector y) {
  EmuVector first =
      emu_build_or(b, emu_build_fcmp(b, LLVMRealOGE, x, y), emu_build_fcmp(b, LLVMRealUNO, y, y));
  return emu_build_select(b, first, x, y);
}
static EmuVector clamp_of(const EmuBuild *b, EmuVector x, EmuVector low, EmuVector high) {
  return fmin_of(b, fmax_of(b, x, low), high);
}

static EmuVector sign_of(const EmuBuild *b, EmuVector x) {
  EmuVector zero = number(b, x, 0), is_zero = pick(b, LLVMRealOEQ, x, zero, x, zero);
  EmuVector one = copy_sign(b, number(b, x, 1), x);
  return pick(b, LLVMRealOGT, call(b, "llvm.fabs", x), zero, one, is_zero);
}

static EmuVector mix_of(const EmuBuild *b, const EmuVector in[3]) {
  EmuVector rest = emu_build_fsub(b, number(b, in[2], 1), in[2]);
  return emu_build_fadd(b, emu_build_fmul(b, in[0], rest), emu_build_fmul(b, in[1], in[2]));
}

static EmuVector smooth_of(const EmuBuild *b, const EmuVector in[3]) {
  EmuVector t = emu_build_fdiv(b, emu_build_fsub(b, in[2], in[0]), emu_build_fsub(b, in[1], in[0]));
  t = clamp_of(b, t, number(b, t, 0), number(b, t, 1));
  EmuVector twice = emu_build_fmul(b, number(b, t, 2), t);
  return emu_build_fmul(b, emu_build_fmul(b, t, t), emu_build_fsub(b, number(b, t, 3), twice));
}

static EmuVector lower_rounding(const EmuBuild *b, uint32_t op, EmuVector x) {
  EmuVector low;
  switch (op) {
  case GLSLstd450Round:
  case GLSLstd450RoundEven:
    return b->rounds ? call(b, "llvm.rint", x) : NULL;
  case GLSLstd450Trunc:
    return trunc_of(b, x);
  case GLSLstd450Floor:
    return floor_of(b, x);
  case GLSLstd450Ceil:
    return ceil_of(b, x);
  case GLSLstd450Fract:
    low = floor_of(b, x);
    return low ? emu_build_fsub(b, x, low) : NULL;
  case GLSLstd450FAbs:
    return call(b, "llvm.fabs", x);
  case GLSLstd450FSign:
    return sign_of(b, x);
  case GLSLstd450Sqrt:
    return call(b, "llvm.sqrt", x);
  case GLSLstd450InverseSqrt:
    return emu_build_fdiv(b, number(b, x, 1), call(b, "llvm.sqrt", x));
  }
  return NULL;
}

static EmuVector lower_choice(const EmuBuild *b, uint32_t op, const EmuVector in[3]) {
  switch (op) {
  case GLSLstd450FMin:
    return fmin_of(b, in[0], in[1]);
  case GLSLstd450FMax:
    return fmax_of(b, in[0], in[1]);
  case GLSLstd450FClamp:
    return clamp_of(b, in[0], in[1], in[2]);
  case GLSLstd450NMin:
    return nmin_of(b, in[0], in[1]);
  case GLSLstd450NMax:
    return nmax_of(b, in[0], in[1]);
  case GLSLstd450NClamp:
    return nmin_of(b, nmax_of(b, in[0], in[1]), in[2]);
  case GLSLstd450FMix:
    return mix_of(b, in);
  case GLSLstd450Step:
    return pick(b, LLVMRealOLT, in[1], in[0], number(b, in[0], 0), number(b, in[0], 1));
  case GLSLstd450SmoothStep:
    return smooth_of(b, in);
  case GLSLstd450Fma:
    return b->rounds ? emu_build_intrinsic(b, "llvm.fma", (EmuVector[]){in[0], in[1], in[2]}, 3)
                     : NULL;
  }
  return NULL;
}

EmuVector emu_lower_float_glsl(const EmuBuild *b, uint32_t op, const EmuVector in[3]) {
  EmuVector found = lower_rounding(b, op, in[0]);
  return found ? found : lower_choice(b, op, in);
}
