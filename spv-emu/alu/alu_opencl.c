/* SPDX-License-Identifier: Apache-2.0 */
/* alu_opencl: the component-wise instructions of OpenCL.std. If the core or GLSL.std.450 has the
 * same instruction, that instruction is used. The others are in alu_opencl_int.def and
 * alu_opencl_float.def. The half_ and native_ functions are computed like the ordinary ones. OpenCL
 * Extended Instruction Set, and OpenCL C 3.0, sections 6.15 and 7.4 (accuracy). */
#include "spv-emu/alu/alu.h"
#include "spv-emu/alu/alu_real.h"
#include "spv-emu/alu/alu_sleef.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

/* ---- integers -------------------------------------------------------------------------------- */

#define INT_TABLE "alu_opencl_int.def"
#include "spv-emu/alu/alu_ints.inc"

/* ---- floats ---------------------------------------------------------------------------------- */

#define OPENCL_FUNCTIONS(R, F)                                                                     \
  /* The operand with the larger, or smaller, magnitude; if these are equal, fmax or fmin. */      \
  static inline F maxmag_##R(F a, F b) {                                                           \
    F other = abs_##R(b) > abs_##R(a) ? b : nmax_##R(a, b);                                        \
    return abs_##R(a) > abs_##R(b) ? a : other;                                                    \
  }                                                                                                \
  static inline F minmag_##R(F a, F b) {                                                           \
    F other = abs_##R(b) < abs_##R(a) ? b : nmin_##R(a, b);                                        \
    return abs_##R(a) < abs_##R(b) ? a : other;                                                    \
  }                                                                                                \
  /* `below` is the largest number below 1. */                                                     \
  static inline F fract_##R(F a, F below) {                                                        \
    F part = a - floor_##R(a);                                                                     \
    F finite = part > below ? below : part;                                                        \
    return abs_##R(a) == (F)INFINITY ? copysign_##R(0, a) : finite;                                \
  }                                                                                                \
  /* Below zero gamma changes its sign at every integer, and is not defined there. */              \
  static inline int32_t gamma_sign_##R(F a) {                                                      \
    F low = floor_##R(a), half = floor_##R(low / 2);                                               \
    int32_t below = low == a ? 0 : half * 2 == low ? 1 : -1;                                       \
    int32_t zero = copysign_##R(1, a) < 0 ? -1 : 1;                                                \
    return a == 0 ? zero : a < 0 ? below : 1;                                                      \
  }                                                                                                \
  static inline void times_##R(F *d, F factor) {                                                   \
    for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                       \
      d[k] *= factor;                                                                              \
  }                                                                                                \
  /* The cosine of a half is made +0: the sine then gives the sign of the infinity. */             \
  static inline void tanpi_##R(F *d, const F *a) {                                                 \
    F cosine[EMU_CHUNK];                                                                           \
    sinpi_##R(d, a);                                                                               \
    cospi_##R(cosine, a);                                                                          \
    for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                       \
      d[k] /= cosine[k] + 0;                                                                       \
  }                                                                                                \
  static inline void asinpi_##R(F *d, const F *a) {                                                \
    asin_##R(d, a);                                                                                \
    times_##R(d, (F)0.3183098861837907);                                                           \
  }                                                                                                \
  static inline void acospi_##R(F *d, const F *a) {                                                \
    acos_##R(d, a);                                                                                \
    times_##R(d, (F)0.3183098861837907);                                                           \
  }                                                                                                \
  static inline void atanpi_##R(F *d, const F *a) {                                                \
    atan_##R(d, a);                                                                                \
    times_##R(d, (F)0.3183098861837907);                                                           \
  }                                                                                                \
  static inline void atan2pi_##R(F *d, const F *a, const F *b) {                                   \
    atan2_##R(d, a, b);                                                                            \
    times_##R(d, (F)0.3183098861837907);                                                           \
  }                                                                                                \
  /* pow for a >= 0, exp2(b * log2(a)): NaN if that product is 0 times infinity; not negative. */  \
  static inline void powr_##R(F *d, const F *a, const F *b) {                                      \
    pow_##R(d, a, b);                                                                              \
    for (uint32_t k = 0; k < EMU_CHUNK; k++) {                                                     \
      bool far = (a[k] == 0) | (a[k] == (F)INFINITY);                                              \
      bool one = (a[k] == 1) & (abs_##R(b[k]) == (F)INFINITY);                                     \
      bool open = b[k] == 0 ? far : one;                                                           \
      bool defined = (a[k] >= 0) & (b[k] == b[k]) & !open;                                         \
      d[k] = defined ? abs_##R(d[k]) : (F)NAN;                                                     \
    }                                                                                              \
  }
OPENCL_FUNCTIONS(f32, float)
OPENCL_FUNCTIONS(f64, double)

static void pown(double *d, const double *a, const int32_t *b) {
  double by[EMU_CHUNK];
  for (uint32_t k = 0; k < EMU_CHUNK; k++)
    by[k] = b[k];
  pow_f64(d, a, by);
}

/* The root of |a| by pow, corrected by one step of Newton's method, since 1 / b is not exact. */
static void rootn(double *d, const double *a, const int32_t *b) {
  double size[EMU_CHUNK], by[EMU_CHUNK], back[EMU_CHUNK];
  for (uint32_t k = 0; k < EMU_CHUNK; k++) {
    size[k] = fabs(a[k]);
    by[k] = 1.0 / b[k];
  }
  pow_f64(d, size, by);
  for (uint32_t k = 0; k < EMU_CHUNK; k++)
    by[k] = b[k];
  pow_f64(back, d, by);
  for (uint32_t k = 0; k < EMU_CHUNK; k++) {
    double corrected = d[k] - d[k] * ((back[k] - size[k]) / size[k]) / by[k];
    double root = regular_f64(back[k]) && regular_f64(size[k]) ? corrected : d[k];
    bool even = (b[k] & 1) == 0;
    d[k] = b[k] == 0 || (even && a[k] < 0) ? NAN : even ? root : copysign(root, a[k]);
  }
}

#define FLOAT_TABLE "alu_opencl_float.def"
#include "spv-emu/alu/alu_floats.inc"

/* ---- instructions of other sets -------------------------------------------------------------- */

/* The ordinary function for a half_ or native_ one. */
static uint32_t ordinary(uint32_t op) {
  switch (op) {
#define SAME(name)                                                                                 \
  case OpenCLstd_Half_##name:                                                                      \
  case OpenCLstd_Native_##name
    SAME(cos) : return OpenCLstd_Cos;
    SAME(exp) : return OpenCLstd_Exp;
    SAME(exp2) : return OpenCLstd_Exp2;
    SAME(exp10) : return OpenCLstd_Exp10;
    SAME(log) : return OpenCLstd_Log;
    SAME(log2) : return OpenCLstd_Log2;
    SAME(log10) : return OpenCLstd_Log10;
    SAME(powr) : return OpenCLstd_Powr;
    SAME(recip) : return OpenCLstd_Native_recip;
    SAME(divide) : return OpenCLstd_Native_divide;
    SAME(rsqrt) : return OpenCLstd_Rsqrt;
    SAME(sin) : return OpenCLstd_Sin;
    SAME(sqrt) : return OpenCLstd_Sqrt;
    SAME(tan) : return OpenCLstd_Tan;
#undef SAME
  }
  return op;
}

/* The same instruction in GLSL.std.450, or 0. */
static uint32_t in_glsl(uint32_t op) {
  static const uint8_t same[] = {
      [OpenCLstd_Acos] = GLSLstd450Acos,        [OpenCLstd_Acosh] = GLSLstd450Acosh,
      [OpenCLstd_Asin] = GLSLstd450Asin,        [OpenCLstd_Asinh] = GLSLstd450Asinh,
      [OpenCLstd_Atan] = GLSLstd450Atan,        [OpenCLstd_Atan2] = GLSLstd450Atan2,
      [OpenCLstd_Atanh] = GLSLstd450Atanh,      [OpenCLstd_Ceil] = GLSLstd450Ceil,
      [OpenCLstd_Cos] = GLSLstd450Cos,          [OpenCLstd_Cosh] = GLSLstd450Cosh,
      [OpenCLstd_Degrees] = GLSLstd450Degrees,  [OpenCLstd_Exp] = GLSLstd450Exp,
      [OpenCLstd_Exp2] = GLSLstd450Exp2,        [OpenCLstd_Fabs] = GLSLstd450FAbs,
      [OpenCLstd_FClamp] = GLSLstd450FClamp,    [OpenCLstd_Floor] = GLSLstd450Floor,
      [OpenCLstd_Fma] = GLSLstd450Fma,          [OpenCLstd_Fmax] = GLSLstd450NMax,
      [OpenCLstd_FMax_common] = GLSLstd450FMax, [OpenCLstd_Fmin] = GLSLstd450NMin,
      [OpenCLstd_FMin_common] = GLSLstd450FMin, [OpenCLstd_Ldexp] = GLSLstd450Ldexp,
      [OpenCLstd_Log] = GLSLstd450Log,          [OpenCLstd_Log2] = GLSLstd450Log2,
      [OpenCLstd_Pow] = GLSLstd450Pow,          [OpenCLstd_Radians] = GLSLstd450Radians,
      [OpenCLstd_Rint] = GLSLstd450RoundEven,   [OpenCLstd_Rsqrt] = GLSLstd450InverseSqrt,
      [OpenCLstd_Sign] = GLSLstd450FSign,       [OpenCLstd_Sin] = GLSLstd450Sin,
      [OpenCLstd_Sinh] = GLSLstd450Sinh,        [OpenCLstd_Smoothstep] = GLSLstd450SmoothStep,
      [OpenCLstd_Sqrt] = GLSLstd450Sqrt,        [OpenCLstd_Step] = GLSLstd450Step,
      [OpenCLstd_Tan] = GLSLstd450Tan,          [OpenCLstd_Tanh] = GLSLstd450Tanh,
      [OpenCLstd_Trunc] = GLSLstd450Trunc,      [OpenCLstd_SAbs] = GLSLstd450SAbs,
      [OpenCLstd_SClamp] = GLSLstd450SClamp,    [OpenCLstd_UClamp] = GLSLstd450UClamp,
      [OpenCLstd_SMax] = GLSLstd450SMax,        [OpenCLstd_UMax] = GLSLstd450UMax,
      [OpenCLstd_SMin] = GLSLstd450SMin,        [OpenCLstd_UMin] = GLSLstd450UMin,
  };
  return op < sizeof same ? same[op] : 0;
}

EmuHandler *EMU_NAME(emu_alu_opencl)(uint32_t op, EmuKind kind) {
  op = ordinary(op);
  if (in_glsl(op))
    return EMU_NAME(emu_alu_glsl)(in_glsl(op), kind);
  switch (op) {
  case OpenCLstd_Popcount:
    return EMU_NAME(emu_alu_int)(SpvOpBitCount, kind);
  case OpenCLstd_Mad:
    return EMU_NAME(emu_alu_float)((SpvOp)EMU_STEP_MUL_ADD, kind);
  case OpenCLstd_Native_divide:
    return EMU_NAME(emu_alu_float)(SpvOpFDiv, kind);
  case OpenCLstd_Bitselect:
  case OpenCLstd_Select:
  case EMU_STEP_VECTOR_SELECT:
    kind = emu_integer_kind(kind);
  }
  EmuHandler *found = find_int(op, kind);
  return found ? found : find_float(op, kind);
}
