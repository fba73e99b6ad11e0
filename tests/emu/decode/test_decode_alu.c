/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the SPIR-V core on vectors, matrices and composites, from text to results. */
#include "tests/emu/alu/alu_bed.h"
#include "tests/emu/alu/alu_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits(float value) {
  uint32_t u;
  memcpy(&u, &value, sizeof u);
  return u;
}

#define EXPECT(name) static void name(const AluInput *in, uint32_t *out)
#define U(i) in->u[i]
#define F(i) in->f[i]

/* ---- floats ---------------------------------------------------------------------------------- */

EXPECT(dot) {
  out[0] = bits(F(3) * F(7) + (F(2) * F(6) + (F(1) * F(5) + F(0) * F(4))));
}
EXPECT(scaled) {
  for (uint32_t i = 0; i < 4; i++)
    out[i] = bits(F(i) * F(9));
}

/* The matrix of three columns of two is f0 f1, f2 f3, f4 f5. */
EXPECT(matrix_vector) {
  for (uint32_t r = 0; r < 2; r++)
    out[r] = bits(F(4 + r) * F(8) + (F(2 + r) * F(7) + F(r) * F(6)));
}
EXPECT(vector_matrix) {
  for (uint32_t c = 0; c < 3; c++)
    out[c] = bits(F(7) * F(2 * c + 1) + F(6) * F(2 * c));
}
EXPECT(matrix_matrix) { /* by columns f6 f7 f8, f9 f10 f11 */
  for (uint32_t c = 0; c < 2; c++)
    for (uint32_t r = 0; r < 2; r++)
      out[2 * c + r] =
          bits(F(4 + r) * F(8 + 3 * c) + (F(2 + r) * F(7 + 3 * c) + F(r) * F(6 + 3 * c)));
}
EXPECT(matrix_scaled) {
  for (uint32_t i = 0; i < 6; i++)
    out[i] = bits(F(i) * F(9));
}
EXPECT(outer) { /* columns of three */
  for (uint32_t c = 0; c < 2; c++)
    for (uint32_t r = 0; r < 3; r++)
      out[3 * c + r] = bits(F(r) * F(3 + c));
}
EXPECT(transposed) {
  for (uint32_t c = 0; c < 2; c++)
    for (uint32_t r = 0; r < 3; r++)
      out[3 * c + r] = bits(F(2 * r + c));
}

static const AluText floats[] = {
    {"OpDot", "",
     "%a = OpCompositeConstruct %v4float %f0 %f1 %f2 %f3\n"
     "%b = OpCompositeConstruct %v4float %f4 %f5 %f6 %f7\n"
     "%o0 = OpDot %float %a %b",
     "f", dot, 0, NULL},
    {"OpVectorTimesScalar", "",
     "%a = OpCompositeConstruct %v4float %f0 %f1 %f2 %f3\n"
     "%r = OpVectorTimesScalar %v4float %a %f9\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n"
     "%o2 = OpCompositeExtract %float %r 2\n"
     "%o3 = OpCompositeExtract %float %r 3\n",
     "ffff", scaled, 0, NULL},
    {"OpMatrixTimesVector",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%m0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%m1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %v2float %f4 %f5\n"
     "%m = OpCompositeConstruct %mat3x2 %m0 %m1 %m2\n"
     "%v = OpCompositeConstruct %v3float %f6 %f7 %f8\n"
     "%r = OpMatrixTimesVector %v2float %m %v\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n",
     "ff", matrix_vector, 0, NULL},
    {"OpVectorTimesMatrix",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%m0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%m1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %v2float %f4 %f5\n"
     "%m = OpCompositeConstruct %mat3x2 %m0 %m1 %m2\n"
     "%v = OpCompositeConstruct %v2float %f6 %f7\n"
     "%r = OpVectorTimesMatrix %v3float %v %m\n"
     "%o0 = OpCompositeExtract %float %r 0\n"
     "%o1 = OpCompositeExtract %float %r 1\n"
     "%o2 = OpCompositeExtract %float %r 2\n",
     "fff", vector_matrix, 0, NULL},
    {"OpMatrixTimesMatrix",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%m0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%m1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %v2float %f4 %f5\n"
     "%m = OpCompositeConstruct %mat3x2 %m0 %m1 %m2\n"
     "%n0 = OpCompositeConstruct %v3float %f6 %f7 %f8\n"
     "%n1 = OpCompositeConstruct %v3float %f9 %f10 %f11\n"
     "%n = OpCompositeConstruct %mat2x3 %n0 %n1\n"
     "%r = OpMatrixTimesMatrix %mat2 %m %n\n"
     "%o0 = OpCompositeExtract %float %r 0 0\n"
     "%o1 = OpCompositeExtract %float %r 0 1\n"
     "%o2 = OpCompositeExtract %float %r 1 0\n"
     "%o3 = OpCompositeExtract %float %r 1 1\n",
     "ffff", matrix_matrix, 0, NULL},
    {"OpMatrixTimesScalar",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%m0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%m1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %v2float %f4 %f5\n"
     "%m = OpCompositeConstruct %mat3x2 %m0 %m1 %m2\n"
     "%r = OpMatrixTimesScalar %mat3x2 %m %f9\n"
     "%o0 = OpCompositeExtract %float %r 0 0\n"
     "%o1 = OpCompositeExtract %float %r 0 1\n"
     "%o2 = OpCompositeExtract %float %r 1 0\n"
     "%o3 = OpCompositeExtract %float %r 1 1\n"
     "%o4 = OpCompositeExtract %float %r 2 0\n"
     "%o5 = OpCompositeExtract %float %r 2 1\n",
     "ffffff", matrix_scaled, 0, NULL},
    {"OpOuterProduct",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
     "%b = OpCompositeConstruct %v2float %f3 %f4\n"
     "%r = OpOuterProduct %mat2x3 %a %b\n"
     "%o0 = OpCompositeExtract %float %r 0 0\n"
     "%o1 = OpCompositeExtract %float %r 0 1\n"
     "%o2 = OpCompositeExtract %float %r 0 2\n"
     "%o3 = OpCompositeExtract %float %r 1 0\n"
     "%o4 = OpCompositeExtract %float %r 1 1\n"
     "%o5 = OpCompositeExtract %float %r 1 2\n",
     "ffffff", outer, 0, NULL},
    {"OpTranspose",
     "%mat3x2 = OpTypeMatrix %v2float 3\n"
     "%mat2x3 = OpTypeMatrix %v3float 2\n"
     "%mat2 = OpTypeMatrix %v2float 2\n",
     "%m0 = OpCompositeConstruct %v2float %f0 %f1\n"
     "%m1 = OpCompositeConstruct %v2float %f2 %f3\n"
     "%m2 = OpCompositeConstruct %v2float %f4 %f5\n"
     "%m = OpCompositeConstruct %mat3x2 %m0 %m1 %m2\n"
     "%r = OpTranspose %mat2x3 %m\n"
     "%o0 = OpCompositeExtract %float %r 0 0\n"
     "%o1 = OpCompositeExtract %float %r 0 1\n"
     "%o2 = OpCompositeExtract %float %r 0 2\n"
     "%o3 = OpCompositeExtract %float %r 1 0\n"
     "%o4 = OpCompositeExtract %float %r 1 1\n"
     "%o5 = OpCompositeExtract %float %r 1 2\n",
     "ffffff", transposed, 0, NULL},
};

/* ---- integers -------------------------------------------------------------------------------- */

EXPECT(carries) {
  out[0] = U(0) + U(1);
  out[1] = out[0] < U(0);
  out[2] = U(0) - U(1);
  out[3] = U(0) < U(1);
}
EXPECT(products) {
  uint64_t product = (uint64_t)U(0) * U(1);
  int64_t with_signs = (int64_t)(int32_t)U(0) * (int32_t)U(1);
  out[0] = (uint32_t)product;
  out[1] = (uint32_t)(product >> 32);
  out[2] = (uint32_t)with_signs;
  out[3] = (uint32_t)((uint64_t)with_signs >> 32);
}
static uint32_t field_mask(uint32_t count) {
  return count > 31 ? ~0u : (1u << count) - 1;
}
EXPECT(fields) {
  uint32_t offset = U(4) & 31, count = U(5) % (33 - offset), mask = field_mask(count) << offset;
  out[0] = (U(0) & ~mask) | (U(1) << offset & mask);
  out[1] = U(0) >> offset & field_mask(count);
  bool negative = count > 0 && (U(0) >> (offset + count - 1) & 1);
  out[2] = negative ? out[1] | ~field_mask(count) : out[1];
}
EXPECT(wide_shift) {
  out[0] = U(0) << (U(1) & 31);
  uint64_t value = (uint64_t)U(3) << 32 | U(2);
  value >>= U(4) & 63;
  out[1] = (uint32_t)value;
  out[2] = (uint32_t)(value >> 32);
  out[3] = (uint32_t)__builtin_popcount(U(3));
}
EXPECT(integer_dots) {
  int64_t plain = 0, bytes = 0, mixed = 0;
  uint32_t zero = 0;
  for (uint32_t i = 0; i < 4; i++) {
    zero += U(i) * U(4 + i);
    plain += (int64_t)(int8_t)(U(0) >> 8 * i) * (int8_t)(U(1) >> 8 * i);
    bytes += (int64_t)(uint8_t)(U(0) >> 8 * i) * (uint8_t)(U(1) >> 8 * i);
    mixed += (int64_t)(int8_t)(U(0) >> 8 * i) * (uint8_t)(U(1) >> 8 * i);
  }
  int64_t sum = plain + (int32_t)U(2);
  out[0] = zero;
  out[1] = (uint32_t)plain;
  out[2] = (uint32_t)bytes;
  out[3] = (uint32_t)mixed;
  out[4] = (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
  out[5] = (uint32_t)(bytes + U(2) > UINT32_MAX ? UINT32_MAX : bytes + U(2));
}

static const AluText integers[] = {
    {"OpIAddCarry, OpISubBorrow", "%pair = OpTypeStruct %uint %uint\n",
     "%a = OpIAddCarry %pair %u0 %u1\n"
     "%b = OpISubBorrow %pair %u0 %u1\n"
     "%o0 = OpCompositeExtract %uint %a 0\n"
     "%o1 = OpCompositeExtract %uint %a 1\n"
     "%o2 = OpCompositeExtract %uint %b 0\n"
     "%o3 = OpCompositeExtract %uint %b 1\n",
     "uuuu", carries, 0, NULL},
    {"OpUMulExtended, OpSMulExtended", "%pair = OpTypeStruct %uint %uint\n",
     "%a = OpUMulExtended %pair %u0 %u1\n"
     "%b = OpSMulExtended %pair %u0 %u1\n"
     "%o0 = OpCompositeExtract %uint %a 0\n"
     "%o1 = OpCompositeExtract %uint %a 1\n"
     "%o2 = OpCompositeExtract %uint %b 0\n"
     "%o3 = OpCompositeExtract %uint %b 1\n",
     "uuuu", products, 0, NULL},
    {"OpBitFieldInsert and extract", "%c33 = OpConstant %uint 33\n",
     "%offset = OpBitwiseAnd %uint %u4 %c31\n"
     "%rest = OpISub %uint %c33 %offset\n"
     "%count = OpUMod %uint %u5 %rest\n"
     "%count16 = OpUConvert %ushort %count\n"
     "%o0 = OpBitFieldInsert %uint %u0 %u1 %offset %count16\n"
     "%o1 = OpBitFieldUExtract %uint %u0 %offset %count\n"
     "%o2 = OpBitFieldSExtract %uint %u0 %offset %count",
     "uuu", fields, 0, NULL},
    {"shifts and counts of other widths",
     "%l31 = OpConstant %ulong 31\n"
     "%c63 = OpConstant %uint 63\n",
     "%wide1 = OpUConvert %ulong %u1\n"
     "%by = OpBitwiseAnd %ulong %wide1 %l31\n"
     "%o0 = OpShiftLeftLogical %uint %u0 %by\n"
     "%pair = OpCompositeConstruct %v2uint %u2 %u3\n"
     "%wide = OpBitcast %ulong %pair\n"
     "%by63 = OpBitwiseAnd %uint %u4 %c63\n"
     "%moved = OpShiftRightLogical %ulong %wide %by63\n"
     "%back = OpBitcast %v2uint %moved\n"
     "%o1 = OpCompositeExtract %uint %back 0\n"
     "%o2 = OpCompositeExtract %uint %back 1\n"
     "%o3 = OpBitCount %uint %u3",
     "uuuu", wide_shift, 0, NULL},
    {"integer dot products", "",
     "%a = OpCompositeConstruct %v4uint %u0 %u1 %u2 %u3\n"
     "%b = OpCompositeConstruct %v4uint %u4 %u5 %u6 %u7\n"
     "%o0 = OpUDot %uint %a %b\n"
     "%o1 = OpSDot %uint %u0 %u1 PackedVectorFormat4x8Bit\n"
     "%v0 = OpBitcast %v4uchar %u0\n"
     "%v1 = OpBitcast %v4uchar %u1\n"
     "%o2 = OpUDot %uint %v0 %v1\n"
     "%o3 = OpSUDot %uint %v0 %v1\n"
     "%o4 = OpSDotAccSat %uint %u0 %u1 %u2 PackedVectorFormat4x8Bit\n"
     "%o5 = OpUDotAccSat %uint %v0 %v1 %u2",
     "uuuuuu", integer_dots, 0, NULL},
};

/* ---- composites ------------------------------------------------------------------------------ */

EXPECT(nested) {
  out[0] = U(5);
  out[1] = bits(F(9));
  out[2] = U(1);
  out[3] = bits(F(1));
  out[4] = U(7);
}
EXPECT(shuffled) {
  out[0] = U(5);
  out[1] = U(0);
  out[2] = U(2);
}
EXPECT(dynamic) {
  const uint32_t old[4] = {U(0), U(1), U(2), U(3)};
  uint32_t at = U(4) & 7;
  out[0] = at < 4 ? old[at] : 0;
  for (uint32_t i = 0; i < 4; i++)
    out[1 + i] = i == at ? U(9) : old[i];
}
EXPECT(selected) {
  bool first = U(0) & 1, second = U(1) & 1;
  out[0] = first ? U(2) : U(4);
  out[1] = first ? U(3) : U(5);
  out[2] = first ? U(2) : U(4);
  out[3] = second ? U(3) : U(5);
  out[4] = first ? U(6) : U(8);
  out[5] = bits(first ? F(7) : F(9));
  out[6] = first || second;
  out[7] = first && second;
}

static const AluText composites[] = {
    {"structs and arrays in each other",
     "%arr = OpTypeArray %v2uint %c2\n"
     "%inner = OpTypeStruct %float %arr\n"
     "%outer = OpTypeStruct %uint %inner %float\n",
     "%a = OpCompositeConstruct %v2uint %u0 %u1\n"
     "%b = OpCompositeConstruct %v2uint %u2 %u3\n"
     "%c = OpCompositeConstruct %arr %a %b\n"
     "%d = OpCompositeConstruct %inner %f1 %c\n"
     "%e = OpCompositeConstruct %outer %u7 %d %f2\n"
     "%g = OpCompositeInsert %outer %u5 %e 1 1 1 0\n"
     "%h = OpCompositeInsert %outer %f9 %g 2\n"
     "%i = OpCopyObject %outer %h\n"
     "%o0 = OpCompositeExtract %uint %i 1 1 1 0\n"
     "%o1 = OpCompositeExtract %float %i 2\n"
     "%j = OpCompositeExtract %v2uint %i 1 1 0\n"
     "%o2 = OpCompositeExtract %uint %j 1\n"
     "%o3 = OpCompositeExtract %float %i 1 0\n"
     "%o4 = OpCompositeExtract %uint %i 0\n",
     "ufufu", nested, 0, NULL},
    {"OpVectorShuffle", "",
     "%a = OpCompositeConstruct %v4uint %u0 %u1 %u2 %u3\n"
     "%b = OpCompositeConstruct %v2uint %u4 %u5\n"
     "%r = OpVectorShuffle %v4uint %a %b 5 0 2 0xffffffff\n"
     "%o0 = OpCompositeExtract %uint %r 0\n"
     "%o1 = OpCompositeExtract %uint %r 1\n"
     "%o2 = OpCompositeExtract %uint %r 2\n",
     "uuu", shuffled, 0, NULL},
    {"OpVectorExtractDynamic, OpVectorInsertDynamic", "",
     "%a = OpCompositeConstruct %v4uint %u0 %u1 %u2 %u3\n"
     "%at = OpBitwiseAnd %uint %u4 %c7\n"
     "%o0 = OpVectorExtractDynamic %uint %a %at\n"
     "%wide = OpUConvert %ulong %at\n"
     "%r = OpVectorInsertDynamic %v4uint %a %u9 %wide\n"
     "%o1 = OpCompositeExtract %uint %r 0\n"
     "%o2 = OpCompositeExtract %uint %r 1\n"
     "%o3 = OpCompositeExtract %uint %r 2\n"
     "%o4 = OpCompositeExtract %uint %r 3\n",
     "uuuuu", dynamic, 0, NULL},
    {"OpSelect, OpAny, OpAll", "%mixed = OpTypeStruct %uint %float\n",
     "%x = OpBitwiseAnd %uint %u0 %c1\n"
     "%y = OpBitwiseAnd %uint %u1 %c1\n"
     "%p_ = OpIEqual %bool %x %c1\n"
     "%q_ = OpIEqual %bool %y %c1\n"
     "%a = OpCompositeConstruct %v2uint %u2 %u3\n"
     "%b = OpCompositeConstruct %v2uint %u4 %u5\n"
     "%r = OpSelect %v2uint %p_ %a %b\n"
     "%o0 = OpCompositeExtract %uint %r 0\n"
     "%o1 = OpCompositeExtract %uint %r 1\n"
     "%pq = OpCompositeConstruct %v2bool %p_ %q_\n"
     "%s = OpSelect %v2uint %pq %a %b\n"
     "%o2 = OpCompositeExtract %uint %s 0\n"
     "%o3 = OpCompositeExtract %uint %s 1\n"
     "%c = OpCompositeConstruct %mixed %u6 %f7\n"
     "%d = OpCompositeConstruct %mixed %u8 %f9\n"
     "%t = OpSelect %mixed %p_ %c %d\n"
     "%o4 = OpCompositeExtract %uint %t 0\n"
     "%o5 = OpCompositeExtract %float %t 1\n"
     "%o6 = OpAny %bool %pq\n"
     "%o7 = OpAll %bool %pq",
     "uuuuufbb", selected, 0, NULL},
};

/* ---- conversions ----------------------------------------------------------------------------- */

EXPECT(cast) {
  out[0] = U(1);
  out[1] = U(0) >> 16 & 0xff;
  out[2] = U(0) >> 16;
  out[3] = U(0);
}
EXPECT(converted) {
  out[0] = (uint32_t)(int32_t)F(0);
  out[1] = F(1) < 0 ? 0 : (uint32_t)F(1);
  out[2] = bits((float)(int32_t)U(2));
  out[3] = bits((float)U(3));
  out[4] = (uint32_t)(int32_t)(int8_t)U(4);
  out[5] = bits((float)((double)F(5) * (double)F(6)));
  double half = alu_real(alu_real_bits(F(7), EMU_F16), EMU_F16);
  out[6] = bits((float)half);
  out[7] = bits(fabs(half) < 0x1p-14 ? copysignf(0, F(7)) : (float)half);
}
EXPECT(decorated) {
  uint64_t near = alu_real_bits(F(0), EMU_F16);
  bool larger = fabs(alu_real(near, EMU_F16)) > fabsf(F(0));
  out[0] = bits((float)alu_real(larger ? near - 1 : near, EMU_F16));
  out[1] = (uint32_t)(int32_t)rintf(F(1));
  out[2] = (uint32_t)(int32_t)floorf(F(2));
  int32_t value = (int32_t)U(3);
  out[3] = (uint32_t)(value > 127 ? 127 : value < -128 ? -128 : value);
}
EXPECT(compared) {
  out[0] = F(0) < F(1);
  out[1] = (int32_t)U(0) < (int32_t)U(1);
  out[2] = !(U(0) < U(1));
}

static const AluText conversions[] = {
    {"OpBitcast", "",
     "%pair = OpCompositeConstruct %v2uint %u0 %u1\n"
     "%d = OpBitcast %double %pair\n"
     "%l = OpBitcast %ulong %d\n"
     "%back = OpBitcast %v2uint %l\n"
     "%o0 = OpCompositeExtract %uint %back 1\n"
     "%b = OpBitcast %v4uchar %u0\n"
     "%b2 = OpCompositeExtract %uchar %b 2\n"
     "%o1 = OpUConvert %uint %b2\n"
     "%s = OpBitcast %v2half %b\n"
     "%t = OpBitcast %v2ushort %s\n"
     "%t1 = OpCompositeExtract %ushort %t 1\n"
     "%o2 = OpUConvert %uint %t1\n"
     "%o3 = OpBitcast %uint %t",
     "uuuu", cast, 0, NULL},
    {"conversions",
     "%int = OpTypeInt 32 1\n"
     "%char = OpTypeInt 8 1\n",
     "%i0 = OpConvertFToS %int %f0\n"
     "%o0 = OpBitcast %uint %i0\n"
     "%o1 = OpConvertFToU %uint %f1\n"
     "%o2 = OpConvertSToF %float %u2\n"
     "%o3 = OpConvertUToF %float %u3\n"
     "%b4 = OpUConvert %uchar %u4\n"
     "%o4 = OpSConvert %uint %b4\n"
     "%d5 = OpFConvert %double %f5\n"
     "%d6 = OpFConvert %double %f6\n"
     "%d = OpFMul %double %d5 %d6\n"
     "%o5 = OpFConvert %float %d\n"
     "%h = OpFConvert %half %f7\n"
     "%o6 = OpFConvert %float %h\n"
     "%o7 = OpQuantizeToF16 %float %f7",
     "uuffufff", converted, 0, NULL},
    {"comparisons", "",
     "%o0 = OpFOrdLessThan %bool %f0 %f1\n"
     "%o1 = OpSLessThan %bool %u0 %u1\n"
     "%l = OpULessThan %bool %u0 %u1\n"
     "%o2 = OpLogicalNot %bool %l",
     "bbb", compared, 0, NULL},
};

/* Kernels may declare rounding modes and saturation. */
static const AluText decorations = {
    "FPRoundingMode, SaturatedConversion",
    "",
    "%h = OpFConvert %half %f0\n%o0 = OpFConvert %float %h\n%o1 = OpConvertFToS %uint %f1\n"
    "%o2 = OpConvertFToS %uint %f2\n%b = OpSConvert %uchar %u3\n%o3 = OpSConvert %uint %b",
    "fuuu",
    decorated,
    0,
    NULL};

/* ---- the tests ------------------------------------------------------------------------------- */

enum { ROUNDS = 4 };

static void run(const AluText *texts, size_t count) {
  uint64_t seed = unit_seed();
  for (size_t i = 0; i < count; i++)
    for (uint32_t round = 0; round < ROUNDS; round++)
      alu_text_shader(&texts[i], &seed);
}

#define TEST(name)                                                                                 \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    run(name, sizeof name / sizeof *name);                                                         \
  }
TEST(floats)
TEST(integers)
TEST(composites)
TEST(conversions)

/* ---- instructions that one handler may compute ----------------------------------------------- */

static float add(float a, float b) {
  return a + b;
}
static float subtract(float a, float b) {
  return a - b;
}
static float multiply(float a, float b) {
  return a * b;
}
static float divide(float a, float b) {
  return a / b;
}

static const struct {
  const char *name;
  float (*of)(float a, float b);
} operations[] = {{"OpFAdd", add}, {"OpFSub", subtract}, {"OpFMul", multiply}, {"OpFDiv", divide}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* The operations of the text that runs. */
static struct {
  uint32_t left, right, last;
  bool loaded_right, product_right;
} chosen;

EXPECT(two_and_one) {
  out[0] = bits(operations[chosen.last].of(operations[chosen.left].of(F(0), F(1)),
                                           operations[chosen.right].of(F(2), F(3))));
}

/* Two results that only the third instruction reads, of every three operations. */
static void test_three_operations(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  for (uint32_t i = 0; i < OPERATIONS * OPERATIONS * OPERATIONS; i++) {
    char body[300];
    chosen.left = i % OPERATIONS;
    chosen.right = i / OPERATIONS % OPERATIONS;
    chosen.last = i / OPERATIONS / OPERATIONS;
    snprintf(body, sizeof body,
             "%%l = %s %%float %%f0 %%f1\n%%r = %s %%float %%f2 %%f3\n%%o0 = %s %%float %%l %%r\n",
             operations[chosen.left].name, operations[chosen.right].name,
             operations[chosen.last].name);
    alu_text_shader(&(AluText){body, "", body, "f", two_and_one, 0, NULL}, &seed);
  }
}

EXPECT(of_what_was_loaded) {
  float a = chosen.loaded_right ? F(1) : F(0), b = chosen.loaded_right ? F(0) : F(1);
  float first = operations[chosen.left].of(a, b);
  out[0] = bits(operations[chosen.last].of(chosen.product_right ? F(3) : first,
                                           chosen.product_right ? first : F(3)));
  out[1] = bits(F(2));
}

/* A variable is written between the first instruction, which reads it, and the second. */
static void test_operands_that_change(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  for (uint32_t i = 0; i < 4 * OPERATIONS * OPERATIONS; i++) {
    char body[400];
    chosen.left = i % OPERATIONS;
    chosen.last = i / OPERATIONS % OPERATIONS;
    chosen.loaded_right = i / OPERATIONS / OPERATIONS & 1;
    chosen.product_right = i / OPERATIONS / OPERATIONS & 2;
    snprintf(body, sizeof body,
             "OpStore %%var_float %%f0\n%%x = OpLoad %%float %%var_float\n"
             "%%t = %s %%float %s\nOpStore %%var_float %%f2\n%%o0 = %s %%float %s\n"
             "%%o1 = OpLoad %%float %%var_float\n",
             operations[chosen.left].name, chosen.loaded_right ? "%f1 %x" : "%x %f1",
             operations[chosen.last].name, chosen.product_right ? "%f3 %t" : "%t %f3");
    alu_text_shader(&(AluText){body, "", body, "ff", of_what_was_loaded, 0, NULL}, &seed);
  }
}

static void test_decorations(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  AluText text = decorations;
  text.annotations = "OpDecorate %h FPRoundingMode RTZ\nOpDecorate %o1 FPRoundingMode RTE\n"
                     "OpDecorate %o2 FPRoundingMode RTN\nOpDecorate %b SaturatedConversion\n";
  alu_text_kernel(&text, &seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_floats),           cmocka_unit_test(test_integers),
      cmocka_unit_test(test_composites),       cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_three_operations), cmocka_unit_test(test_operands_that_change),
      cmocka_unit_test(test_decorations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
