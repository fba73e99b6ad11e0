/* SPDX-License-Identifier: Apache-2.0 */
/* alu_sleef: SLEEF's functions on a chunk of lanes. Its `cinz` versions without fused multiply-add
 * give the same bits for every vector length. A function's name says what it computes, and the
 * width. The number in SLEEF's names, such as u10, is a bound on the error, in tenths of a unit in
 * the last place. These bounds are within those of OpenCL and Vulkan.
 *
 * On hosts whose vectors SLEEF does not support, its scalar functions give the same bits. */
#ifndef EMU_ALU_SLEEF_H
#define EMU_ALU_SLEEF_H

#include "spv-emu/engine/lanes.h"

#include <sleef.h>
#include <string.h>

#if defined __AVX512F__
typedef __m512 SleefF32;
typedef __m512d SleefF64;
#define SLEEF_F32(name, error) Sleef_cinz_##name##f16_##error##avx512fnofma
#define SLEEF_F64(name, error) Sleef_cinz_##name##d8_##error##avx512fnofma
#elif defined __AVX__
typedef __m256 SleefF32;
typedef __m256d SleefF64;
#define SLEEF_F32(name, error) Sleef_cinz_##name##f8_##error##avx
#define SLEEF_F64(name, error) Sleef_cinz_##name##d4_##error##avx
#elif defined __SSE2__
typedef __m128 SleefF32;
typedef __m128d SleefF64;
#define SLEEF_F32(name, error) Sleef_cinz_##name##f4_##error##sse2
#define SLEEF_F64(name, error) Sleef_cinz_##name##d2_##error##sse2
#else
typedef float SleefF32;
typedef double SleefF64;
#define SLEEF_F32(name, error) Sleef_cinz_##name##f1_##error##purec
#define SLEEF_F64(name, error) Sleef_cinz_##name##d1_##error##purec
#endif

#define SLEEF_CHUNK_1(fn, V, R)                                                                    \
  for (size_t k = 0; k < EMU_CHUNK; k += sizeof(V) / sizeof(R)) {                                  \
    V x;                                                                                           \
    memcpy(&x, a + k, sizeof x);                                                                   \
    x = fn(x);                                                                                     \
    memcpy(d + k, &x, sizeof x);                                                                   \
  }
#define SLEEF_CHUNK_2(fn, V, R)                                                                    \
  for (size_t k = 0; k < EMU_CHUNK; k += sizeof(V) / sizeof(R)) {                                  \
    V x, y;                                                                                        \
    memcpy(&x, a + k, sizeof x);                                                                   \
    memcpy(&y, b + k, sizeof y);                                                                   \
    x = fn(x, y);                                                                                  \
    memcpy(d + k, &x, sizeof x);                                                                   \
  }

#define SLEEF_DOUBLE_1(name, error)                                                                \
  static inline void name##_f64(double *d, const double *a) {                                      \
    SLEEF_CHUNK_1(SLEEF_F64(name, error), SleefF64, double)                                        \
  }
#define SLEEF_FUNCTION_1(name, error)                                                              \
  SLEEF_DOUBLE_1(name, error)                                                                      \
  static inline void name##_f32(float *d, const float *a) {                                        \
    SLEEF_CHUNK_1(SLEEF_F32(name, error), SleefF32, float)                                         \
  }
/* For a function whose version for floats overflows below the largest result (sinh, cosh), takes a
 * large operand for infinity (log1p, asinh, acosh), loses the halves of large numbers (sinpi,
 * cospi), or is not precise in results below the smallest normal one (tgamma): computed as doubles and rounded. */
#define SLEEF_BY_DOUBLE(name, error)                                                               \
  SLEEF_DOUBLE_1(name, error)                                                                      \
  static inline void name##_f32(float *d, const float *a) {                                        \
    double x[EMU_CHUNK], y[EMU_CHUNK];                                                             \
    for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                       \
      x[k] = a[k];                                                                                 \
    name##_f64(y, x);                                                                              \
    for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                       \
      d[k] = (float)y[k];                                                                          \
  }
#define SLEEF_FUNCTION_2(name, error)                                                              \
  static inline void name##_f32(float *d, const float *a, const float *b) {                        \
    SLEEF_CHUNK_2(SLEEF_F32(name, error), SleefF32, float)                                         \
  }                                                                                                \
  static inline void name##_f64(double *d, const double *a, const double *b) {                     \
    SLEEF_CHUNK_2(SLEEF_F64(name, error), SleefF64, double)                                        \
  }

SLEEF_FUNCTION_1(sin, u35)
SLEEF_FUNCTION_1(cos, u35)
SLEEF_FUNCTION_1(tan, u35)
SLEEF_FUNCTION_1(asin, u35)
SLEEF_FUNCTION_1(acos, u35)
SLEEF_FUNCTION_1(atan, u35)
SLEEF_BY_DOUBLE(sinh, u35)
SLEEF_BY_DOUBLE(cosh, u35)
SLEEF_FUNCTION_1(tanh, u35)
SLEEF_BY_DOUBLE(asinh, u10)
SLEEF_BY_DOUBLE(acosh, u10)
SLEEF_FUNCTION_1(atanh, u10)
SLEEF_BY_DOUBLE(sinpi, u05)
SLEEF_BY_DOUBLE(cospi, u05)
SLEEF_FUNCTION_1(exp, u10)
SLEEF_FUNCTION_1(exp2, u10)
SLEEF_FUNCTION_1(exp10, u10)
SLEEF_FUNCTION_1(expm1, u10)
SLEEF_FUNCTION_1(log, u10)
SLEEF_FUNCTION_1(log2, u10)
SLEEF_FUNCTION_1(log10, u10)
SLEEF_BY_DOUBLE(log1p, u10)
SLEEF_FUNCTION_1(cbrt, u10)
SLEEF_FUNCTION_1(erf, u10)
SLEEF_FUNCTION_1(erfc, u15)
SLEEF_BY_DOUBLE(tgamma, u10)
SLEEF_FUNCTION_1(lgamma, u10)
SLEEF_FUNCTION_2(atan2, u35)
SLEEF_FUNCTION_2(hypot, u35)
SLEEF_FUNCTION_2(pow, u10)

#endif
