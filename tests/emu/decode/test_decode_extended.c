/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of GLSL.std.450 and OpenCL.std with more than one handler for a component, from text
 * to results. */
#include "tests/emu/alu/alu_bed.h"
#include "tests/emu/alu/alu_text.h"

#include <math.h>
#include <string.h>

static uint32_t bits(float value) {
  uint32_t u;
  memcpy(&u, &value, sizeof u);
  return u;
}

static float half_of(uint32_t u) {
  return (float)alu_real(u & 0xffff, EMU_F16);
}

#define EXPECT(name) static void name(const AluInput *in, uint32_t *out)
#define U(i) in->u[i]
#define F(i) in->f[i]

/* ---- GLSL: packing --------------------------------------------------------------------------- */

static uint32_t unorm(float a, float most) {
  return (uint32_t)rintf(fminf(fmaxf(a, 0), 1) * most);
}
static uint32_t snorm(float a, float most) {
  return (uint32_t)(int32_t)rintf(fminf(fmaxf(a, -1), 1) * most);
}

EXPECT(packed) {
  out[0] = out[1] = 0;
  for (uint32_t i = 0; i < 4; i++) {
    out[0] |= (snorm(F(i), 127) & 0xff) << 8 * i;
    out[1] |= unorm(F(i), 255) << 8 * i;
  }
  out[2] = (snorm(F(0), 32767) & 0xffff) | snorm(F(1), 32767) << 16;
  out[3] = unorm(F(0), 65535) | unorm(F(1), 65535) << 16;
  out[4] = (uint32_t)(alu_real_bits(F(0), EMU_F16) | alu_real_bits(F(1), EMU_F16) << 16);
}
EXPECT(unpacked) {
  out[0] = bits(half_of(U(0)));
  out[1] = bits(half_of(U(0) >> 16));
  out[2] = bits(fmaxf((float)(int8_t)(U(1) >> 24) / 127, -1));
  out[3] = bits((float)(U(1) >> 8 & 0xff) / 255);
  out[4] = bits(fmaxf((float)(int16_t)(U(1) >> 16) / 32767, -1));
  out[5] = bits((float)(U(1) & 0xffff) / 65535);
  out[6] = U(3);
}

static const AluText packing[] = {
    {"Pack", "",
     "%v = OpCompositeConstruct %v4float %f0 %f1 %f2 %f3\n"
     "%w = OpCompositeConstruct %v2float %f0 %f1\n"
     "%o0 = OpExtInst %uint %ext PackSnorm4x8 %v\n"
     "%o1 = OpExtInst %uint %ext PackUnorm4x8 %v\n"
     "%o2 = OpExtInst %uint %ext PackSnorm2x16 %w\n"
     "%o3 = OpExtInst %uint %ext PackUnorm2x16 %w\n"
     "%o4 = OpExtInst %uint %ext PackHalf2x16 %w",
     "uuuuu", packed, 0, NULL},
    {"Unpack", "",
     "%h = OpExtInst %v2float %ext UnpackHalf2x16 %u0\n"
     "%o0 = OpCompositeExtract %float %h 0\n"
     "%o1 = OpCompositeExtract %float %h 1\n"
     "%s = OpExtInst %v4float %ext UnpackSnorm4x8 %u1\n"
     "%o2 = OpCompositeExtract %float %s 3\n"
     "%n = OpExtInst %v4float %ext UnpackUnorm4x8 %u1\n"
     "%o3 = OpCompositeExtract %float %n 1\n"
     "%t = OpExtInst %v2float %ext UnpackSnorm2x16 %u1\n"
     "%o4 = OpCompositeExtract %float %t 1\n"
     "%m = OpExtInst %v2float %ext UnpackUnorm2x16 %u1\n"
     "%o5 = OpCompositeExtract %float %m 0\n"
     "%pair = OpCompositeConstruct %v2uint %u2 %u3\n"
     "%d = OpExtInst %double %ext PackDouble2x32 %pair\n"
     "%e = OpExtInst %v2uint %ext UnpackDouble2x32 %d\n"
     "%o6 = OpCompositeExtract %uint %e 1\n",
     "ffffffu", unpacked, 0, NULL},
};

/* ---- GLSL: geometry -------------------------------------------------------------------------- */

static float dot3(const float *a, const float *b) {
  return a[2] * b[2] + (a[1] * b[1] + a[0] * b[0]);
}

EXPECT(lengths) {
  float d[3] = {F(0) - F(3), F(1) - F(4), F(2) - F(5)}, size = sqrtf(dot3(&F(0), &F(0)));
  out[0] = bits(size);
  out[1] = bits(sqrtf(dot3(d, d)));
  out[2] = bits(fabsf(F(0)));
  for (uint32_t i = 0; i < 3; i++)
    out[3 + i] = bits(F(i) / size);
}
EXPECT(crossed) {
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = bits(F(j) * F(3 + k) - F(k) * F(3 + j));
  }
}
EXPECT(reflected) {
  float dot = dot3(&F(3), &F(0));
  bool toward = dot3(&F(6), &F(3)) < 0;
  for (uint32_t i = 0; i < 3; i++) {
    out[i] = bits(F(i) - 2 * dot * F(3 + i));
    out[3 + i] = bits(toward ? F(i) : -F(i));
  }
}
EXPECT(refracted) {
  float eta = F(9), dot = dot3(&F(3), &F(0)), k = 1 - eta * eta * (1 - dot * dot);
  for (uint32_t i = 0; i < 3; i++)
    out[i] = bits(k < 0 ? 0 : eta * F(i) - (eta * dot + sqrtf(k)) * F(3 + i));
}

static const AluText geometry[] = {
    {"Length, Distance, Normalize", "",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%b = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
     "%o0 = OpExtInst %float %ext Length %a\n"
     "%o1 = OpExtInst %float %ext Distance %a %b\n"
     "%o2 = OpExtInst %float %ext Length %f0\n"
     "%n = OpExtInst %v3float %ext Normalize %a\n"
     "%o3 = OpCompositeExtract %float %n 0\n"
     "%o4 = OpCompositeExtract %float %n 1\n"
     "%o5 = OpCompositeExtract %float %n 2\n",
     "ffffff", lengths, 0, NULL},
    {"Cross", "",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%b = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
     "%r = OpExtInst %v3float %ext Cross %a %b\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n"
     "%o2 = OpCompositeExtract %float %r 2\n",
     "fff", crossed, 0, NULL},
    {"Reflect, FaceForward", "",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%b = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
     "%c = OpCompositeConstruct %v3float %f6 %f7 %f8\n"
     "%r = OpExtInst %v3float %ext Reflect %a %b\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n"
     "%o2 = OpCompositeExtract %float %r 2\n"
     "%s = OpExtInst %v3float %ext FaceForward %a %b %c\n"
     "%o3 = OpCompositeExtract %float %s 0\n"
     "%o4 = OpCompositeExtract %float %s 1\n"
     "%o5 = OpCompositeExtract %float %s 2\n",
     "ffffff", reflected, 1e-6f, NULL},
    {"Refract", "",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%b = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
     "%r = OpExtInst %v3float %ext Refract %a %b %f9\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n"
     "%o2 = OpCompositeExtract %float %r 2\n",
     "fff", refracted, 1e-4f, NULL},
};

/* ---- GLSL: matrices -------------------------------------------------------------------------- */

/* By elimination in doubles, on the transposed matrix, which has the same determinant. */
static double eliminated(const float *m, uint32_t n) {
  double a[4][4], result = 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      a[i][j] = m[i * n + j];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t best = i;
    for (uint32_t r = i; r < n; r++)
      best = fabs(a[r][i]) > fabs(a[best][i]) ? r : best;
    for (uint32_t j = 0; j < n; j++) {
      double swapped = a[i][j];
      a[i][j] = a[best][j];
      a[best][j] = swapped;
    }
    result *= best == i ? a[i][i] : -a[i][i];
    for (uint32_t r = i + 1; r < n; r++)
      for (uint32_t j = n; j-- > i;)
        a[r][j] -= a[i][j] * a[r][i] / a[i][i];
  }
  return result;
}

EXPECT(determinants) {
  out[0] = bits((float)eliminated(&F(0), 2));
  out[1] = bits((float)eliminated(&F(0), 3));
  out[2] = bits((float)eliminated(&F(0), 4));
}
/* The inverse times the matrix, minus the identity: all zero. Ten is added to the diagonal so that
 * the matrix is far from singular. */
EXPECT(zeros) {
  (void)in;
  for (uint32_t i = 0; i < 3; i++)
    out[i] = 0;
}

static const AluText matrices[] = {
    {"Determinant",
     "%mat2 = OpTypeMatrix %v2float 2\n"
     "%mat3 = OpTypeMatrix %v3float 3\n"
     "%mat4 = OpTypeMatrix %v4float 4\n"
     "%one = OpConstant %float 1\n"
     "%ten = OpConstant %float 10\n",
     "%p0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%p1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %mat2 %p0 %p1\n"
     "%q0 = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%q1 = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
     "%q2 = OpCompositeConstruct %v3float %f6 %f7 %f8\n"
     "%m3 = OpCompositeConstruct %mat3 %q0 %q1 %q2\n"
     "%r0 = OpCompositeConstruct %v4float %f0 %f1 %f2 %f3\n"
     "%r1 = OpCompositeConstruct %v4float %f4 %f5 %f6 %f7\n"
     "%r2 = OpCompositeConstruct %v4float %f8 %f9 %f10 %f11\n"
     "%r3 = OpCompositeConstruct %v4float %f12 %f13 %f14 %f15\n"
     "%m4 = OpCompositeConstruct %mat4 %r0 %r1 %r2 %r3\n"
     "%o0 = OpExtInst %float %ext Determinant %m2\n"
     "%o1 = OpExtInst %float %ext Determinant %m3\n"
     "%o2 = OpExtInst %float %ext Determinant %m4",
     "fff", determinants, 1e-3f, NULL},
    {"MatrixInverse",
     "%mat2 = OpTypeMatrix %v2float 2\n"
     "%mat3 = OpTypeMatrix %v3float 3\n"
     "%mat4 = OpTypeMatrix %v4float 4\n"
     "%one = OpConstant %float 1\n"
     "%ten = OpConstant %float 10\n",
     "%h0 = OpFAdd %float %f0 %ten\n"
     "%h5 = OpFAdd %float %f5 %ten\n"
     "%h10 = OpFAdd %float %f10 %ten\n"
     "%h15 = OpFAdd %float %f15 %ten\n"
     "%r0 = OpCompositeConstruct %v4float %h0 %f1 %f2 %f3\n"
     "%r1 = OpCompositeConstruct %v4float %f4 %h5 %f6 %f7\n"
     "%r2 = OpCompositeConstruct %v4float %f8 %f9 %h10 %f11\n"
     "%r3 = OpCompositeConstruct %v4float %f12 %f13 %f14 %h15\n"
     "%m4 = OpCompositeConstruct %mat4 %r0 %r1 %r2 %r3\n"
     "%i4 = OpExtInst %mat4 %ext MatrixInverse %m4\n"
     "%e4 = OpMatrixTimesMatrix %mat4 %i4 %m4\n"
     "%d0 = OpCompositeExtract %float %e4 0 0\n"
     "%d3 = OpCompositeExtract %float %e4 3 3\n"
     "%o0 = OpFSub %float %d0 %one\n"
     "%o1 = OpFSub %float %d3 %one\n"
     "%o2 = OpCompositeExtract %float %e4 1 2\n",
     "fff", zeros, 1e-4f, NULL},
    {"MatrixInverse of smaller ones",
     "%mat2 = OpTypeMatrix %v2float 2\n"
     "%mat3 = OpTypeMatrix %v3float 3\n"
     "%mat4 = OpTypeMatrix %v4float 4\n"
     "%one = OpConstant %float 1\n"
     "%ten = OpConstant %float 10\n",
     "%h0 = OpFAdd %float %f0 %ten\n"
     "%h3 = OpFAdd %float %f3 %ten\n"
     "%h4 = OpFAdd %float %f4 %ten\n"
     "%h8 = OpFAdd %float %f8 %ten\n"
     "%p0 = OpCompositeConstruct %v2float %h0 %f1\n"
     "%p1 = OpCompositeConstruct %v2float %f2 %h3\n"
     "%m2 = OpCompositeConstruct %mat2 %p0 %p1\n"
     "%i2 = OpExtInst %mat2 %ext MatrixInverse %m2\n"
     "%e2 = OpMatrixTimesMatrix %mat2 %i2 %m2\n"
     "%o0 = OpCompositeExtract %float %e2 0 1\n"
     "%q0 = OpCompositeConstruct %v3float %h0 %f1 %f2\n"
     "%q1 = OpCompositeConstruct %v3float %f3 %h4 %f5\n"
     "%q2 = OpCompositeConstruct %v3float %f6 %f7 %h8\n"
     "%m3 = OpCompositeConstruct %mat3 %q0 %q1 %q2\n"
     "%i3 = OpExtInst %mat3 %ext MatrixInverse %m3\n"
     "%e3 = OpMatrixTimesMatrix %mat3 %m3 %i3\n"
     "%o1 = OpCompositeExtract %float %e3 2 0\n"
     "%d = OpCompositeExtract %float %e3 1 1\n"
     "%o2 = OpFSub %float %d %one",
     "fff", zeros, 1e-4f, NULL},
};

/* ---- instructions with two results ----------------------------------------------------------- */

EXPECT(split) {
  int exponent;
  out[0] = bits(F(0) - truncf(F(0)));
  out[1] = bits(truncf(F(0)));
  out[2] = bits(frexpf(F(1), &exponent));
  out[3] = (uint32_t)exponent;
  out[4] = bits(F(1) - truncf(F(1)));
  out[5] = bits(truncf(F(1)));
  out[6] = bits(frexpf(F(3), &exponent));
  out[7] = (uint32_t)exponent;
  out[8] = bits(ldexpf(F(2), (int32_t)U(0) % 64));
}
static const AluText results[] = {
    {"Modf, Frexp, Ldexp",
     "%mf = OpTypeStruct %v2float %v2float\n"
     "%fe = OpTypeStruct %v2float %v2uint\n"
     "%c64 = OpConstant %uint 64\n",
     "%v = OpCompositeConstruct %v2float %f0 %f1\n"
     "%w = OpCompositeConstruct %v2float %f1 %f3\n"
     "%s = OpExtInst %mf %ext ModfStruct %v\n"
     "%t = OpExtInst %fe %ext FrexpStruct %w\n"
     "%o0 = OpCompositeExtract %float %s 0 0\n"
     "%o1 = OpCompositeExtract %float %s 1 0\n"
     "%o2 = OpCompositeExtract %float %t 0 0\n"
     "%o3 = OpCompositeExtract %uint %t 1 0\n"
     "%q = OpExtInst %v2float %ext Modf %v %var_v2float\n"
     "%whole = OpLoad %v2float %var_v2float\n"
     "%o4 = OpCompositeExtract %float %q 1\n"
     "%o5 = OpCompositeExtract %float %whole 1\n"
     "%r = OpExtInst %v2float %ext Frexp %w %var_v2uint\n"
     "%e = OpLoad %v2uint %var_v2uint\n"
     "%o6 = OpCompositeExtract %float %r 1\n"
     "%o7 = OpCompositeExtract %uint %e 1\n"
     "%by = OpSRem %uint %u0 %c64\n"
     "%o8 = OpExtInst %float %ext Ldexp %f2 %by",
     "fffufffuf", split, 0, NULL},
};

/* ---- GLSL: components ------------------------------------------------------------------------ */

EXPECT(each) {
  float a = F(0) < 0 ? 0 : F(0) > 1 ? 1 : F(0);
  out[0] = bits(F(0) < F(1) ? F(0) : F(1));
  out[1] = bits(a);
  out[2] = U(0) > U(1) ? U(0) : U(1);
  out[3] = (uint32_t)(U(0) ? 31 - __builtin_clz(U(0)) : -1);
  out[4] = bits(sinf(F(3)));
  out[5] = bits(F(4) * (1 - F(6)) + F(5) * F(6));
}
static const AluText components[] = {
    {"components",
     "%zero = OpConstant %float 0\n"
     "%one = OpConstant %float 1\n",
     "%o0 = OpExtInst %float %ext FMin %f0 %f1\n"
     "%o1 = OpExtInst %float %ext FClamp %f0 %zero %one\n"
     "%o2 = OpExtInst %uint %ext UMax %u0 %u1\n"
     "%o3 = OpExtInst %uint %ext FindUMsb %u0\n"
     "%o4 = OpExtInst %float %ext Sin %f3\n"
     "%o5 = OpExtInst %float %ext FMix %f4 %f5 %f6",
     "ffuuff", each, 1e-5f, NULL},
};

/* ---- OpenCL ---------------------------------------------------------------------------------- */

EXPECT(vectors_in_memory) { /* in[1 .. 8] of this invocation */
  for (uint32_t i = 0; i < 3; i++)
    out[i] = U(3 + i);
  out[3] = bits(half_of(U(1) >> 16));
  out[4] = bits(half_of(U(2)));
  out[5] = bits(half_of(U(2) >> 16));
  out[12] = U(7);
  out[13] = U(8);
  uint64_t near = alu_real_bits(F(0), EMU_F16);
  bool larger = fabs(alu_real(near, EMU_F16)) > fabsf(F(0));
  out[14] = (uint32_t)(near | (larger ? near - 1 : near) << 16);
}
EXPECT(kernel_results) {
  int exponent, quotient;
  out[0] = bits(F(0) - floorf(F(0)));
  out[1] = bits(floorf(F(0)));
  out[2] = bits(frexpf(F(1), &exponent));
  out[3] = (uint32_t)exponent;
  out[4] = bits(sinf(F(2)));
  out[5] = bits(cosf(F(2)));
  out[6] = bits(remquof(F(3), F(4), &quotient));
  out[7] = bits(powf(F(5), 3));
}
EXPECT(kernel_moves) {
  uint32_t from[8];
  memcpy(from, in->u, sizeof from);
  for (uint32_t i = 0; i < 2; i++) {
    out[i] = from[in->u[8 + i] & 3];
    out[2 + i] = from[in->u[8 + i] & 7];
    out[4 + i] = U(8 + i) >> 31 ? U(2 + i) : U(i);
  }
  out[6] = U(8) ? U(1) : U(0);
  out[7] = (U(0) & 0xffff) << 16 | (U(1) & 0xffff);
  out[8] = (U(0) & ~U(2)) | (U(1) & U(2));
}
EXPECT(kernel_geometry) {
  double size = sqrt((double)F(0) * F(0) + (double)F(1) * F(1) + (double)F(2) * F(2));
  out[0] = bits((float)size);
  out[1] = bits(F(0) / (float)size);
  out[2] = 0;
  out[3] = bits(fmaf(F(0), F(1), F(2)));
  out[4] = bits(F(0) * F(1) + F(2));
}

static const AluText kernels[] = {
    {"vload, vstore",
     "%l0 = OpConstant %ulong 0\n"
     "%l1 = OpConstant %ulong 1\n"
     "%l6 = OpConstant %ulong 6\n",
     "%v = OpExtInst %v3uint %ext vloadn %l1 %ip0 3\n"
     "%o0 = OpCompositeExtract %uint %v 0\n"
     "%o1 = OpCompositeExtract %uint %v 1\n"
     "%o2 = OpCompositeExtract %uint %v 2\n"
     "%h = OpBitcast %p_half %ip1\n"
     "%o3 = OpExtInst %float %ext vload_half %l1 %h\n"
     "%w = OpExtInst %v2float %ext vload_halfn %l1 %h 2\n"
     "%o4 = OpCompositeExtract %float %w 0\n"
     "%o5 = OpCompositeExtract %float %w 1\n"
     "%pair = OpCompositeConstruct %v2uint %u7 %u8\n"
     "%base0 = OpPtrAccessChain %p_uint %out %oa0\n"
     "%none = OpExtInst %void %ext vstoren %pair %l6 %base0\n"
     "%to14 = OpPtrAccessChain %p_uint %out %oa14\n"
     "%h14 = OpBitcast %p_half %to14\n"
     "%none2 = OpExtInst %void %ext vstore_half %f0 %l0 %h14\n"
     "%none3 = OpExtInst %void %ext vstore_half_r %f0 %l1 %h14 RTZ\n"
     "%p12 = OpPtrAccessChain %p_uint %out %oa12\n"
     "%x12 = OpLoad %uint %p12\n"
     "%p13 = OpPtrAccessChain %p_uint %out %oa13\n"
     "%x13 = OpLoad %uint %p13\n"
     "%x14 = OpLoad %uint %to14\n"
     "%o6 = OpCopyObject %uint %c0\n"
     "%o7 = OpCopyObject %uint %c0\n"
     "%o8 = OpCopyObject %uint %c0\n"
     "%o9 = OpCopyObject %uint %c0\n"
     "%o10 = OpCopyObject %uint %c0\n"
     "%o11 = OpCopyObject %uint %c0\n"
     "%o12 = OpCopyObject %uint %x12\n"
     "%o13 = OpCopyObject %uint %x13\n"
     "%o14 = OpCopyObject %uint %x14",
     "uuufffuuuuuuuuu", vectors_in_memory, 0, NULL},
    {"results through pointers", "",
     "%o0 = OpExtInst %float %ext fract %f0 %var_float\n"
     "%o1 = OpLoad %float %var_float\n"
     "%o2 = OpExtInst %float %ext frexp %f1 %var_uint\n"
     "%o3 = OpLoad %uint %var_uint\n"
     "%o4 = OpExtInst %float %ext sincos %f2 %var_float\n"
     "%o5 = OpLoad %float %var_float\n"
     "%o6 = OpExtInst %float %ext remquo %f3 %f4 %var_uint\n"
     "%o7 = OpExtInst %float %ext pown %f5 %c3",
     "fffuffff", kernel_results, 1e-5f, NULL},
    {"shuffle, select, upsample", "",
     "%x = OpCompositeConstruct %v4uint %u0 %u1 %u2 %u3\n"
     "%y = OpCompositeConstruct %v4uint %u4 %u5 %u6 %u7\n"
     "%m = OpCompositeConstruct %v2uint %u8 %u9\n"
     "%s = OpExtInst %v2uint %ext shuffle %x %m\n"
     "%o0 = OpCompositeExtract %uint %s 0\n"
     "%o1 = OpCompositeExtract %uint %s 1\n"
     "%t = OpExtInst %v2uint %ext shuffle2 %x %y %m\n"
     "%o2 = OpCompositeExtract %uint %t 0\n"
     "%o3 = OpCompositeExtract %uint %t 1\n"
     "%a = OpCompositeConstruct %v2uint %u0 %u1\n"
     "%b = OpCompositeConstruct %v2uint %u2 %u3\n"
     "%q = OpExtInst %v2uint %ext select %a %b %m\n"
     "%o4 = OpCompositeExtract %uint %q 0\n"
     "%o5 = OpCompositeExtract %uint %q 1\n"
     "%o6 = OpExtInst %uint %ext select %u0 %u1 %u8\n"
     "%h = OpUConvert %ushort %u0\n"
     "%l = OpUConvert %ushort %u1\n"
     "%o7 = OpExtInst %uint %ext u_upsample %h %l\n"
     "%o8 = OpExtInst %uint %ext bitselect %u0 %u1 %u2",
     "uuuuuuuuu", kernel_moves, 0, NULL},
    {"geometry", "%zero = OpConstant %float 0\n",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%o0 = OpExtInst %float %ext length %a\n"
     "%n = OpExtInst %v3float %ext normalize %a\n"
     "%o1 = OpCompositeExtract %float %n 0\n"
     "%z = OpCompositeConstruct %v3float %zero %zero %zero\n"
     "%nz = OpExtInst %v3float %ext normalize %z\n"
     "%o2 = OpCompositeExtract %float %nz 2\n"
     "%o3 = OpExtInst %float %ext fma %f0 %f1 %f2\n"
     "%o4 = OpExtInst %float %ext mad %f0 %f1 %f2",
     "fffff", kernel_geometry, 0, NULL},
};

/* ---- the tests ------------------------------------------------------------------------------- */

enum { ROUNDS = 4 };

typedef void Runner(const AluText *text, uint64_t *seed);

static void run(const AluText *texts, size_t count, Runner *runner) {
  uint64_t seed = unit_seed();
  for (size_t i = 0; i < count; i++)
    for (uint32_t round = 0; round < ROUNDS; round++)
      runner(&texts[i], &seed);
}

#define TEST(name, runner)                                                                         \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    run(name, sizeof name / sizeof *name, runner);                                                 \
  }
TEST(packing, alu_text_shader)
TEST(geometry, alu_text_shader)
TEST(matrices, alu_text_shader)
TEST(results, alu_text_shader)
TEST(components, alu_text_shader)
TEST(kernels, alu_text_kernel)

static void test_refused(void **state) {
  (void)state;
  char message[512];
  const AluText print = {
      "printf",
      "%fp_uchar = OpTypePointer UniformConstant %uchar\n"
      "%n1 = OpConstant %uchar 65\n%text_ = OpVariable %fp_uchar UniformConstant "
      "%n1\n",
      "%r = OpExtInst %uint %ext printf %text_",
      "",
      NULL,
      0,
      NULL};
  alu_text_refused(&print, true, message, sizeof message);
  if (!strstr(message, "extended instruction Printf (184) is not supported"))
    fail_msg("%s", message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_packing),    cmocka_unit_test(test_geometry),
      cmocka_unit_test(test_matrices),   cmocka_unit_test(test_results),
      cmocka_unit_test(test_components), cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
