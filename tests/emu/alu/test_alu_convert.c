/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between all kinds, moves of rows, offsets and addresses, and rows as bits. */
#include "tests/emu/alu/alu_bed.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 Wide;

enum { ROUNDS = 100 };

static bool is_float(EmuKind kind) {
  return kind >= EMU_F16;
}

/* ---- one lane -------------------------------------------------------------------------------- */

/* To an integer of that kind: saturated, NaN is 0. */
static uint64_t to_integer(long double value, EmuKind kind, bool is_signed) {
  uint32_t bits = 8 * emu_kind_bytes(kind);
  long double high = ldexpl(1, is_signed ? (int)bits - 1 : (int)bits), low = is_signed ? -high : 0;
  if (isnan(value))
    return 0;
  value = truncl(value);
  if (value >= high)
    return alu_cut(is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX, kind);
  if (value <= low)
    return alu_cut(is_signed ? (uint64_t)1 << (bits - 1) : 0, kind);
  return alu_cut(value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value, kind);
}

static uint64_t rounded(long double value, EmuKind kind, int mode) {
  fesetround(mode);
  volatile long double given = value;
  uint64_t bits = alu_real_bits(given, kind);
  fesetround(FE_TONEAREST);
  return bits;
}

static uint64_t expected(uint32_t op, uint64_t bits, EmuKind from, EmuKind to) {
  bool is_signed = op == SpvOpSConvert || op == SpvOpConvertSToF || op == SpvOpSatConvertSToU ||
                   op == EMU_STEP_SATURATE_S || op == EMU_STEP_S_TOWARD_ZERO ||
                   op == EMU_STEP_S_UP || op == EMU_STEP_S_DOWN;
  long double value = is_float(from) ? (long double)alu_real(bits, from)
                      : is_signed    ? (long double)alu_signed(bits, from)
                                     : (long double)bits;
  switch (op) {
  case SpvOpUConvert:
  case SpvOpSConvert:
    return alu_cut(is_signed ? (uint64_t)alu_signed(bits, from) : bits, to);
  case SpvOpConvertFToU:
  case SpvOpSatConvertSToU:
  case EMU_STEP_SATURATE_U:
    return to_integer(value, to, false);
  case SpvOpConvertFToS:
  case SpvOpSatConvertUToS:
  case EMU_STEP_SATURATE_S:
    return to_integer(value, to, true);
  case EMU_STEP_TOWARD_ZERO:
  case EMU_STEP_S_TOWARD_ZERO:
    return rounded(value, to, FE_TOWARDZERO);
  case EMU_STEP_UP:
  case EMU_STEP_S_UP:
    return rounded(value, to, FE_UPWARD);
  case EMU_STEP_DOWN:
  case EMU_STEP_S_DOWN:
    return rounded(value, to, FE_DOWNWARD);
  default:
    return rounded(value, to, FE_TONEAREST);
  }
}

/* Converts the lanes of bed->a. */
static void check_lanes(AluBed *bed, uint32_t op, EmuKind from, EmuKind to) {
  alu_run(bed, alu_convert, op, (AluKinds){to, from, EMU_KINDS, EMU_KINDS}, 0);
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    uint64_t value = expected(op, bed->a[l], from, to);
    if (is_float(to) && alu_is_nan(value, to) && alu_is_nan(bed->d[l], to))
      continue;
    alu_expect(bed, op, from, l, value);
  }
}

static void check(AluBed *bed, uint32_t op, EmuKind from, EmuKind to) {
  alu_fill(bed, bed->a, from);
  check_lanes(bed, op, from, to);
}

static void test_conversions(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t ops[] = {SpvOpUConvert,       SpvOpSConvert,       SpvOpConvertFToU,
                          SpvOpConvertFToS,    SpvOpConvertUToF,    SpvOpConvertSToF,
                          SpvOpSatConvertSToU, SpvOpSatConvertUToS, EMU_STEP_SATURATE_S,
                          EMU_STEP_SATURATE_U, SpvOpFConvert,       EMU_STEP_TOWARD_ZERO,
                          EMU_STEP_UP,         EMU_STEP_DOWN,       EMU_STEP_S_TOWARD_ZERO,
                          EMU_STEP_S_UP,       EMU_STEP_S_DOWN};
  uint32_t handlers = 0;
  for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (EmuKind from = EMU_U8; from < EMU_KINDS; from++)
      for (EmuKind to = EMU_U8; to < EMU_KINDS; to++)
        if (emu_isa_at(0)->convert((SpvOp)ops[i], from, to)) {
          handlers++;
          for (uint32_t round = 0; round < ROUNDS; round++)
            check(&bed, ops[i], from, to);
        }
  assert_int_equal(handlers, 12 + 12 + 12 + 12 + 12 + 12 + 16 + 16 + 12 + 12 + 4 * 6 + 6 * 12);
}

/* Numbers half-way between two floats, and their neighbours: there rounding twice, or to the wrong
 * side, is seen. */
static void fill_ties(AluBed *bed, EmuKind from, EmuKind to) {
  uint32_t exponent = to == EMU_F16 ? 10 : 23;
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    uint64_t low = alu_cut(alu_random(bed), to);
    if (unit_below(&bed->seed, 2)) /* near the normal numbers' end */
      low = (low & ~(uint64_t)7) | (uint64_t)1 << exponent;
    double tie = (alu_real(low, to) + alu_real(low + 1, to)) / 2;
    uint64_t bits = is_float(from) ? alu_real_bits(isfinite(tie) ? (long double)tie : 0, from)
                                   : (uint64_t)(int64_t)(fabs(tie) < 0x1p62 ? tie : 0);
    bed->a[l] = alu_cut(bits + unit_below(&bed->seed, 3) - 1, from);
  }
}

static void test_ties(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t ops[] = {SpvOpFConvert,          EMU_STEP_TOWARD_ZERO, EMU_STEP_UP,
                          EMU_STEP_DOWN,          SpvOpConvertUToF,     SpvOpConvertSToF,
                          EMU_STEP_S_TOWARD_ZERO, EMU_STEP_S_UP,        EMU_STEP_S_DOWN};
  for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (EmuKind from = EMU_U8; from < EMU_KINDS; from++)
      for (EmuKind to = EMU_F16; to <= EMU_F32; to++)
        for (uint32_t round = 0; round < ROUNDS; round++)
          if (from != to && emu_isa_at(0)->convert((SpvOp)ops[i], from, to)) {
            fill_ties(&bed, from, to);
            check_lanes(&bed, ops[i], from, to);
          }
}

static void test_all_halves(void **state) {
  (void)state;
  AluBed bed = {0};
  for (uint32_t first = 0; first < 0x10000; first += ALU_LANES) {
    for (uint32_t l = 0; l < ALU_LANES; l++)
      bed.a[l] = first + l;
    alu_run(&bed, alu_convert, SpvOpFConvert, (AluKinds){EMU_F32, EMU_F16, EMU_KINDS, EMU_KINDS},
            0);
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      double value = alu_real(bed.a[l], EMU_F16);
      assert_true(isnan(value) ? alu_is_nan(bed.d[l], EMU_F32)
                               : alu_real(bed.d[l], EMU_F32) == value);
    }
  }
}

static void check_quantized(AluBed *bed) {
  alu_run(bed, alu_convert, EMU_STEP_QUANTIZE, (AluKinds){EMU_F32, EMU_F32, EMU_KINDS, EMU_KINDS},
          0);
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    double a = alu_real(bed->a[l], EMU_F32);
    double half = alu_real(alu_real_bits(a, EMU_F16), EMU_F16);
    half = fabs(half) < 0x1p-14 ? copysign(0, half) : half;
    if (!isnan(a))
      alu_expect(bed, EMU_STEP_QUANTIZE, EMU_F32, l, alu_real_bits(half, EMU_F32));
  }
}

/* Random numbers; then every half, and the floats next to it. */
static void test_quantize(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    alu_fill(&bed, bed.a, EMU_F32);
    check_quantized(&bed);
  }
  for (uint32_t first = 0; first < 3 << 16; first += ALU_LANES) {
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      uint64_t half = (first + l) / 3, near = (first + l) % 3;
      bed.a[l] = alu_cut(alu_real_bits(alu_real(half, EMU_F16), EMU_F32) + near - 1, EMU_F32);
    }
    check_quantized(&bed);
  }
}

/* ---- parts of integers, normalized integers -------------------------------------------------- */

static void test_parts(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind wide = EMU_U16; wide <= EMU_U64; wide++)
    for (EmuKind part = EMU_U8; part < wide; part++)
      for (uint32_t x = 0; x < 8 * emu_kind_bytes(wide); x += 8 * emu_kind_bytes(part)) {
        alu_fill(&bed, bed.a, wide);
        alu_run(&bed, alu_convert, EMU_STEP_PART, (AluKinds){part, wide, EMU_KINDS, EMU_KINDS}, x);
        for (uint32_t l = 0; l < ALU_LANES; l++)
          alu_expect(&bed, EMU_STEP_PART, wide, l, alu_cut(bed.a[l] >> x, part));
        alu_fill(&bed, bed.a, part);
        alu_fill(&bed, bed.b, wide);
        alu_run(&bed, alu_convert, EMU_STEP_JOIN, (AluKinds){wide, part, wide, EMU_KINDS}, x);
        for (uint32_t l = 0; l < ALU_LANES; l++)
          alu_expect(&bed, EMU_STEP_JOIN, part, l, alu_cut(bed.b[l] | bed.a[l] << x, wide));
      }
}

static void test_normalized(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_U8; kind <= EMU_U16; kind++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      double unit = kind == EMU_U8 ? 255 : 65535, half = kind == EMU_U8 ? 127 : 32767;
      AluKinds to = {kind, EMU_F32, EMU_KINDS, EMU_KINDS};
      AluKinds from = {EMU_F32, kind, EMU_KINDS, EMU_KINDS};
      alu_fill(&bed, bed.a, EMU_F32);
      alu_run(&bed, alu_convert, EMU_STEP_TO_UNORM, to, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        float a = (float)alu_real(bed.a[l], EMU_F32);
        float part = a > 0 ? fminf(a, 1) : 0;
        alu_expect(&bed, EMU_STEP_TO_UNORM, kind, l, (uint64_t)rintf(part * (float)unit));
      }
      alu_run(&bed, alu_convert, EMU_STEP_TO_SNORM, to, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        float a = (float)alu_real(bed.a[l], EMU_F32);
        float part = isnan(a) ? 0 : fmaxf(fminf(a, 1), -1);
        alu_expect(&bed, EMU_STEP_TO_SNORM, kind, l,
                   alu_cut((uint64_t)(int64_t)rintf(part * (float)half), kind));
      }
      alu_fill(&bed, bed.a, kind);
      alu_run(&bed, alu_convert, EMU_STEP_FROM_UNORM, from, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        alu_expect(&bed, EMU_STEP_FROM_UNORM, kind, l,
                   alu_real_bits((double)bed.a[l] / unit, EMU_F32));
      alu_run(&bed, alu_convert, EMU_STEP_FROM_SNORM, from, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        alu_expect(&bed, EMU_STEP_FROM_SNORM, kind, l,
                   alu_real_bits(fmax((double)alu_signed(bed.a[l], kind) / half, -1), EMU_F32));
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static EmuHandler *find_move(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)op, (void)to;
  return isa->move[emu_kind_bytes(from)];
}
static EmuHandler *find_index(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)from, (void)to;
  return isa->index[op];
}
static EmuHandler *find_address(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)from, (void)to;
  return isa->index_address[op];
}

static void test_moves(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_U8; kind <= EMU_U64; kind++) {
    alu_fill(&bed, bed.a, kind);
    alu_run(&bed, find_move, 0, (AluKinds){kind, kind, EMU_KINDS, EMU_KINDS}, 0);
    assert_memory_equal(bed.d, bed.a, sizeof bed.a);
  }
}

static void test_moves_of_some(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t i = 0; emu_isa_at(i); i++)
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
      uint8_t file[2][ALU_LANES * 8], old[ALU_LANES * 8];
      uint32_t on[ALU_LANES];
      for (uint32_t k = 0; k < sizeof file; k++)
        (&file[0][0])[k] = (uint8_t)alu_random(&bed);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        on[l] = alu_random(&bed) & 1 ? ~0u : 0;
      memcpy(old, file[0], sizeof old);
      EmuLanes s = {.file = file[0], .width = ALU_LANES, .on_row = on};
      EmuIns ins = {.d = 0, .a = sizeof old, .b = EMU_NO_ROW, .c = EMU_NO_ROW};
      emu_isa_at(i)->move_on[bytes](&s, &ins);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        assert_memory_equal(&file[0][l * bytes], on[l] ? &file[1][l * bytes] : &old[l * bytes],
                            bytes);
    }
}

static uint32_t offset(uint32_t base, int64_t index, uint32_t stride) {
  Wide sum = base;
  sum += (Wide)(index > INT32_MAX ? INT32_MAX : index) * stride;
  return index < 0 || sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

static void test_indices(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t strides[] = {0, 1, 2, 4, 12, 16, 1 << 20, INT32_MAX, 0x80000000, UINT32_MAX};
  for (EmuKind kind = EMU_U8; kind <= EMU_U64; kind++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      uint32_t x = strides[round % 10];
      alu_fill(&bed, bed.a, EMU_U32);
      alu_fill(&bed, bed.b, kind);
      alu_run(&bed, find_index, kind, (AluKinds){EMU_U32, EMU_U32, kind, EMU_KINDS}, x);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        alu_expect(&bed, kind, kind, l, offset((uint32_t)bed.a[l], alu_signed(bed.b[l], kind), x));
      alu_fill(&bed, bed.a, EMU_U64);
      alu_run(&bed, find_address, kind, (AluKinds){EMU_U64, EMU_U64, kind, EMU_KINDS}, x);
      for (uint32_t l = 0; l < ALU_LANES; l++)
        alu_expect(&bed, kind, kind, l,
                   bed.a[l] + (uint64_t)alu_signed(bed.b[l], kind) * (uint64_t)(int32_t)x);
    }
}

static void test_index_without_base(void **state) {
  (void)state;
  for (uint32_t i = 0; emu_isa_at(i); i++) {
    uint32_t file[2 * EMU_CHUNK];
    for (uint32_t l = 0; l < EMU_CHUNK; l++)
      file[EMU_CHUNK + l] = l - 4;
    EmuLanes s = {.file = (uint8_t *)file, .width = EMU_CHUNK};
    EmuIns ins = {.d = 0, .a = EMU_NO_ROW, .b = sizeof file / 2, .c = EMU_NO_ROW, .x = 12};
    emu_isa_at(i)->index[EMU_U32](&s, &ins);
    for (uint32_t l = 0; l < EMU_CHUNK; l++)
      assert_int_equal(file[l], l < 4 ? UINT32_MAX : 12 * (l - 4));
  }
}

static void test_bits(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t i = 0; emu_isa_at(i); i++)
    for (uint32_t width = EMU_CHUNK; width <= 4 * EMU_CHUNK; width += EMU_CHUNK) {
      uint32_t row[4 * EMU_CHUNK], back[4 * EMU_CHUNK];
      uint64_t bits[2];
      for (uint32_t l = 0; l < width; l++)
        row[l] = alu_random(&bed) & 1 ? ~0u : 0;
      emu_isa_at(i)->bits(row, width, bits);
      for (uint32_t l = 0; l < (width + 63) / 64 * 64; l++)
        assert_int_equal(bits[l / 64] >> l % 64 & 1, l < width && row[l]);
      emu_isa_at(i)->expand(bits, width, back);
      assert_memory_equal(back, row, width * sizeof *row);
    }
}

static void test_choice(void **state) {
  (void)state;
  assert_string_equal(emu_isa_at(0)->name, "baseline");
  setenv("SPV_EMU_ISA", "baseline", 1);
  assert_ptr_equal(emu_isa(), emu_isa_at(0));
  uint32_t count = 0;
  while (emu_isa_at(count))
    print_message("%s\n", emu_isa_at(count++)->name);
  setenv("SPV_EMU_ISA", "none of these", 1);
  assert_ptr_equal(emu_isa(), emu_isa_at(count - 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conversions), cmocka_unit_test(test_ties),
      cmocka_unit_test(test_all_halves),  cmocka_unit_test(test_quantize),
      cmocka_unit_test(test_parts),       cmocka_unit_test(test_normalized),
      cmocka_unit_test(test_moves),       cmocka_unit_test(test_moves_of_some),
      cmocka_unit_test(test_indices),     cmocka_unit_test(test_index_without_base),
      cmocka_unit_test(test_bits),        cmocka_unit_test(test_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
