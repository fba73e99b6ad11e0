/* SPDX-License-Identifier: Apache-2.0 */
/* alu_convert: conversions from one kind to another. SPIR-V 1.6, section 3.49.11.
 *
 * Floats are truncated to integers; values out of range saturate and NaN gives 0, even where SPIR-V
 * leaves the result undefined. Integers become floats rounded to nearest even; they are converted
 * to half through 32 bits, since integers that a 32-bit float cannot represent exactly are out of
 * the range of half. The tables by source and target hold all conversions that exist. */
#include "spv-emu/alu/alu.h"
#include "spv-emu/alu/alu_real.h"

typedef uint8_t U_U8;
typedef uint16_t U_U16;
typedef uint32_t U_U32;
typedef uint64_t U_U64;
typedef int8_t S_U8;
typedef int16_t S_U16;
typedef int32_t S_U32;
typedef int64_t S_U64;
typedef uint16_t ROW_F16;
typedef float ROW_F32;
typedef double ROW_F64;
typedef float REAL_F16;
typedef float REAL_F32;
typedef double REAL_F64;
#define LOAD_F16(bits) emu_half_to_float(bits)
#define LOAD_F32(value) (value)
#define LOAD_F64(value) (value)
#define STORE_F16(value) emu_half_from_float(value)
#define STORE_F32(value) (value)
#define STORE_F64(value) (value)

/* X(from, to) for all pairs that differ. */
#define WIDENING(X) X(U8, U16) X(U8, U32) X(U8, U64) X(U16, U32) X(U16, U64) X(U32, U64)
#define NARROWING(X) X(U16, U8) X(U32, U8) X(U64, U8) X(U32, U16) X(U64, U16) X(U64, U32)
#define SAME(X) X(U8, U8) X(U16, U16) X(U32, U32) X(U64, U64)
#define INTEGERS(X) WIDENING(X) NARROWING(X)
#define EACH_INTEGER(X, F) X(F, U8) X(F, U16) X(F, U32) X(F, U64)
#define FLOATS_TO_INTEGERS(X) EACH_INTEGER(X, F16) EACH_INTEGER(X, F32) EACH_INTEGER(X, F64)
#define EACH_FLOAT(X, I) X(I, F16) X(I, F32) X(I, F64)
#define INTEGERS_TO_FLOATS(X)                                                                      \
  EACH_FLOAT(X, U8) EACH_FLOAT(X, U16) EACH_FLOAT(X, U32) EACH_FLOAT(X, U64)

typedef EmuHandler *Table[EMU_KINDS][EMU_KINDS];
#define ENTRY(name, F, T) [EMU_##F][EMU_##T] = name##_##F##_##T,

/* ---- integers to integers -------------------------------------------------------------------- */

#define BITS_OF(T) (8 * (int)sizeof(T))
#define MAX_U(T) ((U_##T) ~(U_##T)0)
#define MAX_S(T) ((S_##T)(MAX_U(T) >> 1))
#define MIN_S(T) ((S_##T)(-MAX_S(T) - 1))

#define CUT(F, T) EMU_HANDLER_1(cut_##F##_##T, U_##T, U_##F, { pd[l] = (U_##T)pa[l]; })
#define EXTEND(F, T) EMU_HANDLER_1(extend_##F##_##T, U_##T, S_##F, { pd[l] = (U_##T)pa[l]; })
INTEGERS(CUT)
WIDENING(EXTEND)

#define CUT_ENTRY(F, T) ENTRY(cut, F, T)
#define EXTEND_ENTRY(F, T) ENTRY(extend, F, T)
static const Table u_convert = {INTEGERS(CUT_ENTRY)};
static const Table s_convert = {NARROWING(CUT_ENTRY) WIDENING(EXTEND_ENTRY)};

/* Saturating: the limits are compared in the wider of the two types. */
#define WITHIN(low, high) (a > (high) ? (high) : a < (low) ? (low) : a)
#define SAT_S_S(F, T)                                                                              \
  EMU_HANDLER_1(sat_s_s_##F##_##T, S_##T, S_##F, {                                                 \
    const S_##F a = pa[l];                                                                         \
    pd[l] = (S_##T)WITHIN(MIN_S(T), MAX_S(T));                                                     \
  })
#define SAT_U_U(F, T)                                                                              \
  EMU_HANDLER_1(sat_u_u_##F##_##T, U_##T, U_##F, {                                                 \
    const U_##F a = pa[l];                                                                         \
    pd[l] = (U_##T)(a > MAX_U(T) ? MAX_U(T) : a);                                                  \
  })
NARROWING(SAT_S_S)
NARROWING(SAT_U_U)

#define SAT_S_U(F, T)                                                                              \
  EMU_HANDLER_1(sat_s_u_##F##_##T, U_##T, S_##F, {                                                 \
    const int64_t a = pa[l];                                                                       \
    const uint64_t size = (uint64_t)a;                                                             \
    pd[l] = (U_##T)(a < 0 ? 0 : size > MAX_U(T) ? MAX_U(T) : size);                                \
  })
#define SAT_U_S(F, T)                                                                              \
  EMU_HANDLER_1(sat_u_s_##F##_##T, S_##T, U_##F, {                                                 \
    const uint64_t a = pa[l], limit = (uint64_t)MAX_S(T);                                          \
    pd[l] = (S_##T)(a > limit ? limit : a);                                                        \
  })
INTEGERS(SAT_S_U)
SAME(SAT_S_U)
INTEGERS(SAT_U_S)
SAME(SAT_U_S)

#define SAT_S_S_ENTRY(F, T) ENTRY(sat_s_s, F, T)
#define SAT_U_U_ENTRY(F, T) ENTRY(sat_u_u, F, T)
#define SAT_S_U_ENTRY(F, T) ENTRY(sat_s_u, F, T)
#define SAT_U_S_ENTRY(F, T) ENTRY(sat_u_s, F, T)
static const Table saturate_s = {NARROWING(SAT_S_S_ENTRY) WIDENING(EXTEND_ENTRY)};
static const Table saturate_u = {NARROWING(SAT_U_U_ENTRY) WIDENING(CUT_ENTRY)};
static const Table saturate_s_u = {INTEGERS(SAT_S_U_ENTRY) SAME(SAT_S_U_ENTRY)};
static const Table saturate_u_s = {INTEGERS(SAT_U_S_ENTRY) SAME(SAT_U_S_ENTRY)};

/* Splits and joins integers. */
#define PART(F, T)                                                                                 \
  static void part_##F##_##T(EmuLanes *s, const EmuIns *i) {                                       \
    U_##T *pd = EMU_ROW(s, U_##T, i->d);                                                           \
    const U_##F *pa = EMU_ROW(s, const U_##F, i->a);                                               \
    const uint32_t x = i->x % BITS_OF(U_##F);                                                      \
    EMU_FOR_LANES({ pd[l] = (U_##T)(pa[l] >> x); })                                                \
  }
#define JOIN(F, T)                                                                                 \
  static void join_##F##_##T(EmuLanes *s, const EmuIns *i) {                                       \
    U_##T *pd = EMU_ROW(s, U_##T, i->d);                                                           \
    const U_##F *pa = EMU_ROW(s, const U_##F, i->a);                                               \
    const U_##T *pb = EMU_ROW(s, const U_##T, i->b);                                               \
    const uint32_t x = i->x % BITS_OF(U_##T);                                                      \
    EMU_FOR_LANES({ pd[l] = (U_##T)(pb[l] | (uint64_t)pa[l] << x); })                              \
  }
NARROWING(PART)
WIDENING(JOIN)

#define PART_ENTRY(F, T) ENTRY(part, F, T)
#define JOIN_ENTRY(F, T) ENTRY(join, F, T)
static const Table part = {NARROWING(PART_ENTRY)};
static const Table join = {WIDENING(JOIN_ENTRY)};

/* ---- floats to integers ---------------------------------------------------------------------- */

/* 2^n as a float of any kind. */
#define POWER(n) ((float)((uint64_t)1 << (n) / 2) * (float)((uint64_t)1 << ((n) - (n) / 2)))

#define TO_S(F, T)                                                                                 \
  EMU_HANDLER_1(to_s_##F##_##T, S_##T, ROW_##F, {                                                  \
    const REAL_##F limit = POWER(BITS_OF(S_##T) - 1), a = LOAD_##F(pa[l]);                         \
    const bool within = (a >= -limit) & (a < limit);                                               \
    const S_##T cut = (S_##T)(within ? a : 0);                                                     \
    pd[l] = a >= limit ? MAX_S(T) : a < -limit ? MIN_S(T) : cut;                                   \
  })
#define TO_U(F, T)                                                                                 \
  EMU_HANDLER_1(to_u_##F##_##T, U_##T, ROW_##F, {                                                  \
    const REAL_##F limit = POWER(BITS_OF(U_##T)), a = LOAD_##F(pa[l]);                             \
    const bool within = (a >= 0) & (a < limit);                                                    \
    const U_##T cut = (U_##T)(within ? a : 0);                                                     \
    pd[l] = a >= limit ? MAX_U(T) : cut;                                                           \
  })
FLOATS_TO_INTEGERS(TO_S)
FLOATS_TO_INTEGERS(TO_U)

#define TO_S_ENTRY(F, T) ENTRY(to_s, F, T)
#define TO_U_ENTRY(F, T) ENTRY(to_u, F, T)
static const Table f_to_s = {FLOATS_TO_INTEGERS(TO_S_ENTRY)};
static const Table f_to_u = {FLOATS_TO_INTEGERS(TO_U_ENTRY)};

/* ---- integers to floats ---------------------------------------------------------------------- */

#define FROM_S(F, T)                                                                               \
  EMU_HANDLER_1(from_s_##F##_##T, ROW_##T, S_##F, { pd[l] = STORE_##T((REAL_##T)pa[l]); })
#define FROM_U(F, T)                                                                               \
  EMU_HANDLER_1(from_u_##F##_##T, ROW_##T, U_##F, { pd[l] = STORE_##T((REAL_##T)pa[l]); })
INTEGERS_TO_FLOATS(FROM_S)
INTEGERS_TO_FLOATS(FROM_U)

#define FROM_S_ENTRY(F, T) ENTRY(from_s, F, T)
#define FROM_U_ENTRY(F, T) ENTRY(from_u, F, T)
static const Table s_to_f = {INTEGERS_TO_FLOATS(FROM_S_ENTRY)};
static const Table u_to_f = {INTEGERS_TO_FLOATS(FROM_U_ENTRY)};

/* ---- floats to floats ------------------------------------------------------------------------ */

EMU_HANDLER_1(near_F16_F32, float, uint16_t, { pd[l] = emu_half_to_float(pa[l]); })
EMU_HANDLER_1(near_F16_F64, double, uint16_t, { pd[l] = emu_half_to_float(pa[l]); })
EMU_HANDLER_1(near_F32_F64, double, float, { pd[l] = pa[l]; })
EMU_HANDLER_1(near_F32_F16, uint16_t, float, { pd[l] = emu_half_from_float(pa[l]); })
EMU_HANDLER_1(near_F64_F16, uint16_t, double,
              { pd[l] = emu_half_from_float(narrow_to_odd(pa[l])); })
EMU_HANDLER_1(near_F64_F32, float, double, { pd[l] = (float)pa[l]; })

/* The float next to `near`, away from zero or toward it. */
static inline uint16_t step_F16(uint16_t near, bool larger, bool smaller) {
  return (uint16_t)(near + larger - smaller);
}
static inline float step_F32(float near, bool larger, bool smaller) {
  return from_bits_f32(bits_f32(near) + larger - smaller);
}
static inline double step_F64(double near, bool larger, bool smaller) {
  return from_bits_f64(bits_f64(near) + larger - smaller);
}

/* If the nearest value is on the wrong side of a, the next one is taken. A 16-bit float is computed
 * from a rounded to odd, which lies on the same side of every 16-bit float as a. */
#define LARGER_zero 0
#define SMALLER_zero ((near > a) & (a > 0)) | ((near < a) & (a < 0))
#define LARGER_up (near < a) & (a > 0)
#define SMALLER_up (near < a) & (a < 0)
#define LARGER_down (near > a) & (a < 0)
#define SMALLER_down (near > a) & (a > 0)
#define DIRECTED(name)                                                                             \
  EMU_HANDLER_1(name##_F64_F32, float, double, {                                                   \
    const double a = pa[l], near = (float)a;                                                       \
    pd[l] = step_F32((float)near, LARGER_##name, SMALLER_##name);                                  \
  })                                                                                               \
  EMU_HANDLER_1(name##_F32_F16, uint16_t, float, {                                                 \
    const uint16_t half = emu_half_from_float(pa[l]);                                              \
    const float a = pa[l], near = emu_half_to_float(half);                                         \
    pd[l] = step_F16(half, LARGER_##name, SMALLER_##name);                                         \
  })                                                                                               \
  EMU_HANDLER_1(name##_F64_F16, uint16_t, double, {                                                \
    const float a = narrow_to_odd(pa[l]);                                                          \
    const uint16_t half = emu_half_from_float(a);                                                  \
    const float near = emu_half_to_float(half);                                                    \
    pd[l] = step_F16(half, LARGER_##name, SMALLER_##name);                                         \
  })
DIRECTED(zero)
DIRECTED(up)
DIRECTED(down)

/* The same for integers, compared in types that represent all of them exactly. (With long double
 * for all, GCC 12 generates wrong vector code for the short ones.) */
#define WIDE_U8 double
#define WIDE_U16 double
#define WIDE_U32 double
#define WIDE_U64 long double
#define FROM(name, SIGN, F, T)                                                                     \
  EMU_HANDLER_1(name##_##SIGN##_##F##_##T, ROW_##T, SIGN##_##F, {                                  \
    const ROW_##T nearest = STORE_##T((REAL_##T)pa[l]);                                            \
    const WIDE_##F a = (WIDE_##F)pa[l], near = (WIDE_##F)LOAD_##T(nearest);                        \
    pd[l] = step_##T(nearest, LARGER_##name, SMALLER_##name);                                      \
  })
#define FROM_ZERO(F, T) FROM(zero, U, F, T) FROM(zero, S, F, T)
#define FROM_UP(F, T) FROM(up, U, F, T) FROM(up, S, F, T)
#define FROM_DOWN(F, T) FROM(down, U, F, T) FROM(down, S, F, T)
INTEGERS_TO_FLOATS(FROM_ZERO)
INTEGERS_TO_FLOATS(FROM_UP)
INTEGERS_TO_FLOATS(FROM_DOWN)

#define LENGTHENING(X) X(F16, F32) X(F16, F64) X(F32, F64)
#define SHORTENING(X) X(F32, F16) X(F64, F16) X(F64, F32)
#define NEAR_ENTRY(F, T) ENTRY(near, F, T)
#define ZERO_ENTRY(F, T) ENTRY(zero, F, T)
#define UP_ENTRY(F, T) ENTRY(up, F, T)
#define DOWN_ENTRY(F, T) ENTRY(down, F, T)
static const Table f_convert = {LENGTHENING(NEAR_ENTRY) SHORTENING(NEAR_ENTRY)};
#define ZERO_U_ENTRY(F, T) ENTRY(zero_U, F, T)
#define UP_U_ENTRY(F, T) ENTRY(up_U, F, T)
#define DOWN_U_ENTRY(F, T) ENTRY(down_U, F, T)
#define ZERO_S_ENTRY(F, T) ENTRY(zero_S, F, T)
#define UP_S_ENTRY(F, T) ENTRY(up_S, F, T)
#define DOWN_S_ENTRY(F, T) ENTRY(down_S, F, T)
static const Table toward_zero = {LENGTHENING(NEAR_ENTRY) SHORTENING(ZERO_ENTRY)
                                      INTEGERS_TO_FLOATS(ZERO_U_ENTRY)};
static const Table up = {LENGTHENING(NEAR_ENTRY) SHORTENING(UP_ENTRY)
                             INTEGERS_TO_FLOATS(UP_U_ENTRY)};
static const Table down = {LENGTHENING(NEAR_ENTRY) SHORTENING(DOWN_ENTRY)
                               INTEGERS_TO_FLOATS(DOWN_U_ENTRY)};
static const Table s_toward_zero = {INTEGERS_TO_FLOATS(ZERO_S_ENTRY)};
static const Table s_up = {INTEGERS_TO_FLOATS(UP_S_ENTRY)};
static const Table s_down = {INTEGERS_TO_FLOATS(DOWN_S_ENTRY)};

/* A value too small for a normal half becomes zero. */
EMU_HANDLER_1(quantize_F32_F32, float, float, {
  const float a = emu_half_to_float(emu_half_from_float(pa[l]));
  pd[l] = fabsf(a) < 0x1p-14f ? copysignf(0, a) : a;
})
static const Table quantize = {ENTRY(quantize, F32, F32)};

/* ---- normalized integers --------------------------------------------------------------------- */

#define TO_SNORM(F, T)                                                                             \
  EMU_HANDLER_1(to_snorm_##F##_##T, S_##T, float, {                                                \
    const float a = pa[l], low = a < -1 ? -1 : 0, high = a >= -1 ? a : low;                        \
    pd[l] = (S_##T)(int32_t)rint_f32((high > 1 ? 1 : high) * MAX_S(T));                            \
  })
#define TO_UNORM(F, T)                                                                             \
  EMU_HANDLER_1(to_unorm_##F##_##T, U_##T, float, {                                                \
    const float a = pa[l], high = a >= 0 ? a : 0;                                                  \
    pd[l] = (U_##T)(int32_t)rint_f32((high > 1 ? 1 : high) * MAX_U(T));                            \
  })
#define FROM_SNORM(F, T)                                                                           \
  EMU_HANDLER_1(from_snorm_##F##_##T, float, S_##F, {                                              \
    const float a = (float)pa[l] / MAX_S(F);                                                       \
    pd[l] = a < -1 ? -1 : a;                                                                       \
  })
#define FROM_UNORM(F, T)                                                                           \
  EMU_HANDLER_1(from_unorm_##F##_##T, float, U_##F, { pd[l] = (float)pa[l] / MAX_U(F); })
#define NORMS(X) X(F32, U8) X(F32, U16)
#define NORMS_BACK(X) X(U8, F32) X(U16, F32)
NORMS(TO_SNORM)
NORMS(TO_UNORM)
NORMS_BACK(FROM_SNORM)
NORMS_BACK(FROM_UNORM)

#define TO_SNORM_ENTRY(F, T) ENTRY(to_snorm, F, T)
#define TO_UNORM_ENTRY(F, T) ENTRY(to_unorm, F, T)
#define FROM_SNORM_ENTRY(F, T) ENTRY(from_snorm, F, T)
#define FROM_UNORM_ENTRY(F, T) ENTRY(from_unorm, F, T)
static const Table to_snorm = {NORMS(TO_SNORM_ENTRY)};
static const Table to_unorm = {NORMS(TO_UNORM_ENTRY)};
static const Table from_snorm = {NORMS_BACK(FROM_SNORM_ENTRY)};
static const Table from_unorm = {NORMS_BACK(FROM_UNORM_ENTRY)};

/* ---- the tables ------------------------------------------------------------------------------ */

static const Table *table_of(uint32_t op) {
  switch (op) {
  case SpvOpUConvert:
    return &u_convert;
  case SpvOpSConvert:
    return &s_convert;
  case SpvOpFConvert:
    return &f_convert;
  case SpvOpConvertFToU:
    return &f_to_u;
  case SpvOpConvertFToS:
    return &f_to_s;
  case SpvOpConvertSToF:
    return &s_to_f;
  case SpvOpConvertUToF:
    return &u_to_f;
  case SpvOpSatConvertSToU:
    return &saturate_s_u;
  case SpvOpSatConvertUToS:
    return &saturate_u_s;
  case EMU_STEP_PART:
    return &part;
  case EMU_STEP_JOIN:
    return &join;
  case EMU_STEP_SATURATE_S:
    return &saturate_s;
  case EMU_STEP_SATURATE_U:
    return &saturate_u;
  case EMU_STEP_TOWARD_ZERO:
    return &toward_zero;
  case EMU_STEP_S_TOWARD_ZERO:
    return &s_toward_zero;
  case EMU_STEP_UP:
    return &up;
  case EMU_STEP_S_UP:
    return &s_up;
  case EMU_STEP_DOWN:
    return &down;
  case EMU_STEP_S_DOWN:
    return &s_down;
  case EMU_STEP_QUANTIZE:
    return &quantize;
  case EMU_STEP_TO_SNORM:
    return &to_snorm;
  case EMU_STEP_TO_UNORM:
    return &to_unorm;
  case EMU_STEP_FROM_SNORM:
    return &from_snorm;
  case EMU_STEP_FROM_UNORM:
    return &from_unorm;
  }
  return NULL;
}

EmuHandler *EMU_NAME(emu_alu_convert)(SpvOp op, EmuKind from, EmuKind to) {
  const Table *table = table_of(op);
  return table && from < EMU_KINDS && to < EMU_KINDS ? (*table)[from][to] : NULL;
}
