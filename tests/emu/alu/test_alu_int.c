/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and booleans: every handler on every width, compared with plain C on one lane at a
 * time. */
#include "tests/emu/alu/alu_bed.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <string.h>

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

enum { ROUNDS = 200 };

/* One lane: the operands zero-extended and sign-extended, and the width. */
typedef struct Lane {
  uint64_t a, b, c;
  int64_t sa, sb, sc;
  uint32_t bits;
} Lane;

typedef struct Case {
  AluFind *find;
  uint32_t op;
  uint64_t (*expected)(const Lane *l);
  uint32_t operands;
  bool test; /* gives a boolean */
} Case;

static uint64_t ones(uint64_t n) {
  return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}
static int64_t highest(const Lane *l) {
  return (int64_t)ones(l->bits - 1);
}
static uint64_t limited(const Lane *l, Wide value) {
  Wide high = highest(l);
  return (uint64_t)(value > high ? high : value < -high - 1 ? -high - 1 : value);
}
static uint64_t limited_u(const Lane *l, UnsignedWide value) {
  return value > ones(l->bits) ? UINT64_MAX : (uint64_t)value;
}
static bool bit(uint64_t bits, uint32_t i) {
  return bits >> i & 1;
}

#define LANE(name, value)                                                                          \
  static uint64_t name(const Lane *l) {                                                            \
    return (uint64_t)(value);                                                                      \
  }
LANE(negate, -l->a)
LANE(invert, ~l->a)
LANE(add, l->a + l->b)
LANE(subtract, l->a - l->b)
LANE(multiply, l->a * l->b)
LANE(udiv, l->b == 0 ? UINT64_MAX : l->a / l->b)
LANE(sdiv, l->b == 0 ? 0 : l->sb == -1 ? -l->a : (uint64_t)(l->sa / l->sb))
LANE(umod, l->b == 0 ? UINT64_MAX : l->a % l->b)
LANE(srem, l->b == 0 ? UINT64_MAX : l->sb == -1 ? 0 : (uint64_t)(l->sa % l->sb))
static uint64_t smod(const Lane *l) {
  if (l->b == 0 || l->sb == -1)
    return l->b == 0 ? UINT64_MAX : 0;
  int64_t rest = l->sa % l->sb;
  return (uint64_t)(rest != 0 && (rest < 0) != (l->sb < 0) ? rest + l->sb : rest);
}
LANE(shift_left, l->a << l->b % l->bits)
LANE(shift_right, l->a >> l->b % l->bits)
LANE(shift_arithmetic, l->sa >> l->b % l->bits)
LANE(both, l->a & l->b)
LANE(either, l->a | l->b)
LANE(differing, l->a ^ l->b)
LANE(equal, l->a == l->b)
LANE(not_equal, l->a != l->b)
LANE(ult, l->a < l->b)
LANE(ule, l->a <= l->b)
LANE(ugt, l->a > l->b)
LANE(uge, l->a >= l->b)
LANE(slt, l->sa < l->sb)
LANE(sle, l->sa <= l->sb)
LANE(sgt, l->sa > l->sb)
LANE(sge, l->sa >= l->sb)
LANE(bit_count, __builtin_popcountll(l->a))
static uint64_t reverse(const Lane *l) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < l->bits; i++)
    result |= (uint64_t)bit(l->a, i) << (l->bits - 1 - i);
  return result;
}
LANE(mul_add, l->a * l->b + l->c)
LANE(mul_sub, l->a * l->b - l->c)
LANE(carry, (UnsignedWide)l->a + l->b > ones(l->bits))
LANE(borrow, l->a < l->b)
LANE(mask, l->a >= l->bits ? 0 : ones(l->b) << l->a)
/* Offset and count are small here, since a field beyond the width is undefined. */
LANE(u_extract, l->a >> l->b % l->bits & ones(l->c))
static uint64_t s_extract(const Lane *l) {
  uint64_t field = u_extract(l);
  uint64_t count = l->c > l->bits ? l->bits : l->c;
  return count && bit(field, (uint32_t)count - 1) ? field | ~ones(count) : field;
}
LANE(s_abs, l->sa < 0 ? -l->a : l->a)
LANE(s_sign, (l->sa > 0) - (l->sa < 0))
LANE(u_min, l->a < l->b ? l->a : l->b)
LANE(u_max, l->a > l->b ? l->a : l->b)
LANE(s_min, l->sa < l->sb ? l->sa : l->sb)
LANE(s_max, l->sa > l->sb ? l->sa : l->sb)
static uint64_t u_clamp(const Lane *l) {
  uint64_t least = u_max(l);
  return least < l->c ? least : l->c;
}
static uint64_t s_clamp(const Lane *l) {
  int64_t least = (int64_t)s_max(l);
  return (uint64_t)(least < l->sc ? least : l->sc);
}
static uint64_t lsb(const Lane *l) {
  for (uint32_t i = 0; i < l->bits; i++)
    if (bit(l->a, i))
      return i;
  return UINT64_MAX;
}
static uint64_t msb_of(const Lane *l, bool value) {
  for (uint32_t i = l->bits; i-- > 0;)
    if (bit(l->a, i) == value)
      return i;
  return UINT64_MAX;
}
LANE(u_msb, msb_of(l, true))
LANE(s_msb, msb_of(l, l->sa >= 0))
LANE(clz, l->bits - 1 - msb_of(l, true))
LANE(ctz, l->a == 0 ? l->bits : lsb(l))
LANE(same, l->a)
LANE(s_abs_diff, l->sa > l->sb ? l->a - l->b : l->b - l->a)
LANE(u_abs_diff, l->a > l->b ? l->a - l->b : l->b - l->a)
LANE(s_add_sat, limited(l, (Wide)l->sa + l->sb))
LANE(u_add_sat, limited_u(l, (UnsignedWide)l->a + l->b))
LANE(s_sub_sat, limited(l, (Wide)l->sa - l->sb))
LANE(u_sub_sat, l->a < l->b ? 0 : l->a - l->b)
LANE(s_hadd, ((Wide)l->sa + l->sb) >> 1)
LANE(u_hadd, ((UnsignedWide)l->a + l->b) >> 1)
LANE(s_rhadd, ((Wide)l->sa + l->sb + 1) >> 1)
LANE(u_rhadd, ((UnsignedWide)l->a + l->b + 1) >> 1)
LANE(s_mul_hi, (Wide)l->sa * l->sb >> l->bits)
LANE(u_mul_hi, (UnsignedWide)l->a * l->b >> l->bits)
LANE(s_mad_hi, s_mul_hi(l) + l->c)
LANE(u_mad_hi, u_mul_hi(l) + l->c)
LANE(s_mad_sat, limited(l, (Wide)l->sa * l->sb + l->sc))
LANE(u_mad_sat, limited_u(l, (UnsignedWide)l->a * l->b + l->c))
LANE(rotate, l->a << l->b % l->bits | (l->b % l->bits ? l->a >> (l->bits - l->b % l->bits) : 0))
LANE(bit_select, (l->a & ~l->c) | (l->b & l->c))
LANE(choose, l->c ? l->b : l->a)
LANE(choose_vector, l->sc < 0 ? l->b : l->a)

static const Case cases[] = {
    {alu_core, SpvOpSNegate, negate, 1, false},
    {alu_core, SpvOpNot, invert, 1, false},
    {alu_core, SpvOpBitReverse, reverse, 1, false},
    {alu_core, SpvOpBitCount, bit_count, 1, false},
    {alu_core, SpvOpIAdd, add, 2, false},
    {alu_core, SpvOpISub, subtract, 2, false},
    {alu_core, SpvOpIMul, multiply, 2, false},
    {alu_core, SpvOpUDiv, udiv, 2, false},
    {alu_core, SpvOpSDiv, sdiv, 2, false},
    {alu_core, SpvOpUMod, umod, 2, false},
    {alu_core, SpvOpSRem, srem, 2, false},
    {alu_core, SpvOpSMod, smod, 2, false},
    {alu_core, SpvOpShiftLeftLogical, shift_left, 2, false},
    {alu_core, SpvOpShiftRightLogical, shift_right, 2, false},
    {alu_core, SpvOpShiftRightArithmetic, shift_arithmetic, 2, false},
    {alu_core, SpvOpBitwiseAnd, both, 2, false},
    {alu_core, SpvOpBitwiseOr, either, 2, false},
    {alu_core, SpvOpBitwiseXor, differing, 2, false},
    {alu_core, EMU_STEP_CARRY, carry, 2, false},
    {alu_core, EMU_STEP_BORROW, borrow, 2, false},
    {alu_core, EMU_STEP_BIT_MASK, mask, 2, false},
    {alu_core, EMU_STEP_MUL_ADD, mul_add, 3, false},
    {alu_core, EMU_STEP_MUL_SUB, mul_sub, 3, false},
    {alu_core, SpvOpBitFieldUExtract, u_extract, 3, false},
    {alu_core, SpvOpBitFieldSExtract, s_extract, 3, false},
    {alu_core, SpvOpIEqual, equal, 2, true},
    {alu_core, SpvOpINotEqual, not_equal, 2, true},
    {alu_core, SpvOpULessThan, ult, 2, true},
    {alu_core, SpvOpULessThanEqual, ule, 2, true},
    {alu_core, SpvOpUGreaterThan, ugt, 2, true},
    {alu_core, SpvOpUGreaterThanEqual, uge, 2, true},
    {alu_core, SpvOpSLessThan, slt, 2, true},
    {alu_core, SpvOpSLessThanEqual, sle, 2, true},
    {alu_core, SpvOpSGreaterThan, sgt, 2, true},
    {alu_core, SpvOpSGreaterThanEqual, sge, 2, true},
    {alu_glsl, GLSLstd450SAbs, s_abs, 1, false},
    {alu_glsl, GLSLstd450SSign, s_sign, 1, false},
    {alu_glsl, GLSLstd450UMin, u_min, 2, false},
    {alu_glsl, GLSLstd450UMax, u_max, 2, false},
    {alu_glsl, GLSLstd450SMin, s_min, 2, false},
    {alu_glsl, GLSLstd450SMax, s_max, 2, false},
    {alu_glsl, GLSLstd450UClamp, u_clamp, 3, false},
    {alu_glsl, GLSLstd450SClamp, s_clamp, 3, false},
    {alu_glsl, GLSLstd450FindILsb, lsb, 1, false},
    {alu_glsl, GLSLstd450FindUMsb, u_msb, 1, false},
    {alu_glsl, GLSLstd450FindSMsb, s_msb, 1, false},
    {alu_opencl, OpenCLstd_SAbs, s_abs, 1, false},
    {alu_opencl, OpenCLstd_UAbs, same, 1, false},
    {alu_opencl, OpenCLstd_SAbs_diff, s_abs_diff, 2, false},
    {alu_opencl, OpenCLstd_UAbs_diff, u_abs_diff, 2, false},
    {alu_opencl, OpenCLstd_SAdd_sat, s_add_sat, 2, false},
    {alu_opencl, OpenCLstd_UAdd_sat, u_add_sat, 2, false},
    {alu_opencl, OpenCLstd_SSub_sat, s_sub_sat, 2, false},
    {alu_opencl, OpenCLstd_USub_sat, u_sub_sat, 2, false},
    {alu_opencl, OpenCLstd_SHadd, s_hadd, 2, false},
    {alu_opencl, OpenCLstd_UHadd, u_hadd, 2, false},
    {alu_opencl, OpenCLstd_SRhadd, s_rhadd, 2, false},
    {alu_opencl, OpenCLstd_URhadd, u_rhadd, 2, false},
    {alu_opencl, OpenCLstd_SClamp, s_clamp, 3, false},
    {alu_opencl, OpenCLstd_UClamp, u_clamp, 3, false},
    {alu_opencl, OpenCLstd_SMin, s_min, 2, false},
    {alu_opencl, OpenCLstd_UMax, u_max, 2, false},
    {alu_opencl, OpenCLstd_Clz, clz, 1, false},
    {alu_opencl, OpenCLstd_Ctz, ctz, 1, false},
    {alu_opencl, OpenCLstd_Popcount, bit_count, 1, false},
    {alu_opencl, OpenCLstd_SMul_hi, s_mul_hi, 2, false},
    {alu_opencl, OpenCLstd_UMul_hi, u_mul_hi, 2, false},
    {alu_opencl, OpenCLstd_SMad_hi, s_mad_hi, 3, false},
    {alu_opencl, OpenCLstd_UMad_hi, u_mad_hi, 3, false},
    {alu_opencl, OpenCLstd_SMad_sat, s_mad_sat, 3, false},
    {alu_opencl, OpenCLstd_UMad_sat, u_mad_sat, 3, false},
    {alu_opencl, OpenCLstd_Rotate, rotate, 2, false},
    {alu_opencl, OpenCLstd_Bitselect, bit_select, 3, false},
    {alu_opencl, OpenCLstd_Select, choose, 3, false},
    {alu_opencl, EMU_STEP_VECTOR_SELECT, choose_vector, 3, false},
};

static void check_case(AluBed *bed, const Case *c, EmuKind kind) {
  AluKinds kinds = {c->test ? EMU_BOOL : kind, kind, c->operands > 1 ? kind : EMU_KINDS,
                    c->operands > 2 ? kind : EMU_KINDS};
  bool field = c->op == SpvOpBitFieldSExtract || c->op == SpvOpBitFieldUExtract;
  alu_fill(bed, bed->a, kind);
  alu_fill(bed, bed->b, kind);
  alu_fill(bed, bed->c, kind);
  for (uint32_t l = 0; field && l < ALU_LANES; l++)
    bed->c[l] %= 8 * emu_kind_bytes(kind) - bed->b[l] % (8 * emu_kind_bytes(kind)) + 1;
  alu_run(bed, c->find, c->op, kinds, 0);
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    Lane lane = {bed->a[l],
                 bed->b[l],
                 bed->c[l],
                 alu_signed(bed->a[l], kind),
                 alu_signed(bed->b[l], kind),
                 alu_signed(bed->c[l], kind),
                 8 * emu_kind_bytes(kind)};
    uint64_t expected = c->expected(&lane);
    alu_expect(bed, c->op, kind, l,
               c->test ? (expected ? UINT32_MAX : 0) : alu_cut(expected, kind));
  }
}

static void test_all_widths(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (EmuKind kind = EMU_U8; kind <= EMU_U64; kind++)
      for (uint32_t round = 0; round < ROUNDS; round++)
        check_case(&bed, &cases[i], kind);
}

/* 24-bit multiplication exists only for 32-bit integers. */
static void test_mul24(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  AluKinds kinds = {EMU_U32, EMU_U32, EMU_U32, EMU_U32};
  for (uint32_t op = OpenCLstd_SMad24; op <= OpenCLstd_UMul24; op++) {
    alu_fill(&bed, bed.a, EMU_U32);
    alu_fill(&bed, bed.b, EMU_U32);
    alu_fill(&bed, bed.c, EMU_U32);
    alu_run(&bed, alu_opencl, op, kinds, 0);
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      bool is_signed = op == OpenCLstd_SMad24 || op == OpenCLstd_SMul24;
      bool add = op == OpenCLstd_SMad24 || op == OpenCLstd_UMad24;
      int64_t a = (int64_t)(bed.a[l] << 40), b = (int64_t)(bed.b[l] << 40);
      uint64_t product =
          is_signed ? (uint64_t)((a >> 40) * (b >> 40)) : ((uint64_t)a >> 40) * ((uint64_t)b >> 40);
      alu_expect(&bed, op, EMU_U32, l, (uint32_t)(product + (add ? bed.c[l] : 0)));
    }
  }
}

static void test_booleans(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t ops[] = {SpvOpLogicalEqual, SpvOpLogicalNotEqual, SpvOpLogicalOr, SpvOpLogicalAnd,
                          SpvOpLogicalNot};
  for (uint32_t i = 0; i < 5; i++) {
    alu_fill(&bed, bed.a, EMU_BOOL);
    alu_fill(&bed, bed.b, EMU_BOOL);
    alu_run(&bed, alu_core, ops[i], (AluKinds){EMU_BOOL, EMU_BOOL, EMU_BOOL, EMU_KINDS}, 0);
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      bool a = bed.a[l], b = bed.b[l];
      const bool expected[] = {a == b, a != b, a || b, a && b, !a};
      alu_expect(&bed, ops[i], EMU_BOOL, l, expected[i] ? UINT32_MAX : 0);
    }
  }
}

static EmuKind wanted;
static EmuHandler *find_wanted(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)from, (void)to;
  return isa->alu((SpvOp)op, wanted);
}

static void test_select_and_take(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (wanted = EMU_BOOL; wanted < EMU_KINDS; wanted++) {
    EmuKind as = wanted == EMU_BOOL ? EMU_U32 : wanted;
    alu_fill(&bed, bed.a, EMU_BOOL);
    alu_fill(&bed, bed.b, as);
    alu_fill(&bed, bed.c, as);
    alu_run(&bed, find_wanted, SpvOpSelect, (AluKinds){as, EMU_BOOL, as, as}, 0);
    for (uint32_t l = 0; l < ALU_LANES; l++)
      alu_expect(&bed, SpvOpSelect, wanted, l, bed.a[l] ? bed.b[l] : bed.c[l]);
    alu_fill(&bed, bed.a, as);
    for (uint32_t l = 0; l < ALU_LANES; l++)
      bed.b[l] = alu_random(&bed) % 4;
    alu_run(&bed, find_wanted, EMU_STEP_TAKE, (AluKinds){as, as, EMU_U32, as}, 2);
    for (uint32_t l = 0; l < ALU_LANES; l++)
      alu_expect(&bed, EMU_STEP_TAKE, wanted, l, bed.b[l] == 2 ? bed.a[l] : bed.c[l]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_widths),
      cmocka_unit_test(test_mul24),
      cmocka_unit_test(test_booleans),
      cmocka_unit_test(test_select_and_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
