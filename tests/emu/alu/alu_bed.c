/* SPDX-License-Identifier: Apache-2.0 */
/* alu_bed: see alu_bed.h. */
#include "tests/emu/alu/alu_bed.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EmuHandler *alu_core(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)to;
  return isa->alu((SpvOp)op, from);
}
EmuHandler *alu_glsl(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)to;
  return isa->glsl(op, from);
}
EmuHandler *alu_opencl(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  (void)to;
  return isa->opencl(op, from);
}
EmuHandler *alu_convert(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to) {
  return isa->convert((SpvOp)op, from, to);
}

uint64_t alu_random(AluBed *bed) {
  uint64_t high = unit_below(&bed->seed, 0x7fffffff), low = unit_below(&bed->seed, 0x7fffffff);
  return high << 33 ^ low << 11 ^ unit_below(&bed->seed, 0x7fffffff);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

int64_t alu_signed(uint64_t bits, EmuKind kind) {
  uint32_t shift = 64 - 8 * emu_kind_bytes(kind);
  return (int64_t)(bits << shift) >> shift;
}

uint64_t alu_cut(uint64_t bits, EmuKind kind) {
  uint32_t shift = 64 - 8 * emu_kind_bytes(kind);
  return bits << shift >> shift;
}

/* Halves by their definition: significand times a power of two. */
double alu_real(uint64_t bits, EmuKind kind) {
  if (kind == EMU_F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == EMU_F32) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexp(1024 + fraction, exponent - 25)
                               : ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

uint64_t alu_real_bits(long double value, EmuKind kind) {
  uint64_t bits = 0;
  if (kind == EMU_F64) {
    double rounded = (double)value;
    memcpy(&bits, &rounded, sizeof rounded);
    return bits;
  }
  if (kind == EMU_F32) {
    float rounded = (float)value;
    memcpy(&bits, &rounded, sizeof rounded);
    return bits;
  }
  uint64_t sign = signbit(value) ? 0x8000 : 0;
  if (!isfinite(value))
    return sign | (isnan(value) ? 0x7e00 : 0x7c00);
  int exponent = 0;
  frexpl(value, &exponent);
  exponent = exponent < -13 ? -13 : exponent; /* of the last place: exponent - 11 */
  long double units = fabsl(nearbyintl(ldexpl(value, 11 - exponent)));
  if (exponent > 16 || (exponent == 16 && units == 2048)) { /* 65520, which rounds up, and more */
    int away = sign ? FE_DOWNWARD : FE_UPWARD, mode = fegetround();
    return sign | (mode == FE_TONEAREST || mode == away ? 0x7c00 : 0x7bff);
  }
  bits = (uint64_t)units;
  return sign | (bits < 1024 ? bits : bits + ((uint64_t)(exponent + 13) << 10));
}

bool alu_is_nan(uint64_t bits, EmuKind kind) {
  return kind >= EMU_F16 && kind <= EMU_F64 && isnan(alu_real(bits, kind));
}

/* ---- operands -------------------------------------------------------------------------------- */

static uint64_t special_float(AluBed *bed, EmuKind kind) {
  static const double values[] = {
      0.0,   -0.0,     1.0,  -1.0,      0.5, -0.5,  1.5, 2.5,         -2.5, 65504, 0x1p31, -0x1p31,
      1e-40, INFINITY, 0.25, -INFINITY, NAN, 127.5, 255, 2147483520., 3.0,  -1e-5, 1e9,    0x1p64};
  return alu_real_bits(values[unit_below(&bed->seed, sizeof values / sizeof *values)], kind);
}

static uint64_t special_integer(AluBed *bed) {
  static const uint64_t values[] = {0,          1,          2,           3,          7,
                                    8,          31,         32,          63,         64,
                                    127,        128,        255,         0x7fff,     0x8000,
                                    0x7fffffff, 0x80000000, 0x123456789, UINT32_MAX, INT64_MAX,
                                    INT64_MIN,  UINT64_MAX, -2ull,       -128ull,    1ull << 32};
  return values[unit_below(&bed->seed, sizeof values / sizeof *values)];
}

void alu_fill(AluBed *bed, uint64_t *lanes, EmuKind kind) {
  bool is_float = kind >= EMU_F16 && kind <= EMU_F64;
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    uint32_t how = unit_below(&bed->seed, 4);
    if (kind == EMU_BOOL)
      lanes[l] = how & 1 ? UINT32_MAX : 0;
    else if (how == 0)
      lanes[l] = is_float ? special_float(bed, kind) : special_integer(bed);
    else if (how == 1 && is_float)
      lanes[l] = alu_real_bits((double)(int64_t)alu_random(bed) * 0x1p-55, kind);
    else
      lanes[l] = alu_random(bed) >> (how == 2 ? unit_below(&bed->seed, 64) : 0);
    lanes[l] = kind == EMU_BOOL ? lanes[l] : alu_cut(lanes[l], kind);
  }
}

/* ---- runs ------------------------------------------------------------------------------------ */

enum { ROW_BYTES = 8 * ALU_LANES };

static void put_row(uint8_t *row, const uint64_t *lanes, EmuKind kind) {
  for (uint32_t l = 0; kind != EMU_KINDS && l < ALU_LANES; l++)
    memcpy(row + l * emu_kind_bytes(kind), &lanes[l], emu_kind_bytes(kind));
}

static void run_one(AluBed *bed, EmuHandler *run, AluKinds k, uint32_t x, uint64_t *result) {
  uint8_t *file = calloc(4, ROW_BYTES);
  put_row(file + ROW_BYTES, bed->a, k.a);
  put_row(file + 2 * ROW_BYTES, bed->b, k.b);
  put_row(file + 3 * ROW_BYTES, bed->c, k.c);
  EmuLanes s = {.file = file, .width = ALU_LANES, .size = ALU_LANES, .words = 1};
  EmuIns ins = {.run = run,
                .d = 0,
                .a = ROW_BYTES,
                .b = k.b == EMU_KINDS ? EMU_NO_ROW : 2 * ROW_BYTES,
                .c = k.c == EMU_KINDS ? EMU_NO_ROW : 3 * ROW_BYTES,
                .x = x};
  run(&s, &ins);
  for (uint32_t l = 0; l < ALU_LANES; l++) {
    result[l] = 0;
    memcpy(&result[l], file + l * emu_kind_bytes(k.d), emu_kind_bytes(k.d));
  }
  free(file);
}

void alu_run(AluBed *bed, AluFind *find, uint32_t op, AluKinds k, uint32_t x) {
  for (uint32_t i = 0; emu_isa_at(i); i++) {
    uint64_t result[ALU_LANES];
    EmuHandler *run = find(emu_isa_at(i), op, k.a, k.d);
    if (!run)
      fail_msg("%s has no handler of %u for kind %d", emu_isa_at(i)->name, op, k.a);
    run_one(bed, run, k, x, i == 0 ? bed->d : result);
    for (uint32_t l = 0; i > 0 && l < ALU_LANES; l++)
      if (result[l] != bed->d[l] && !(alu_is_nan(result[l], k.d) && alu_is_nan(bed->d[l], k.d)))
        fail_msg("%u of kind %d: %s gives %#llx, %s %#llx (a %#llx, b %#llx, c %#llx)", op, k.a,
                 emu_isa_at(0)->name, (unsigned long long)bed->d[l], emu_isa_at(i)->name,
                 (unsigned long long)result[l], (unsigned long long)bed->a[l],
                 (unsigned long long)bed->b[l], (unsigned long long)bed->c[l]);
  }
}

void alu_expect(const AluBed *bed, uint32_t op, EmuKind kind, uint32_t l, uint64_t expected) {
  if (bed->d[l] != expected)
    fail_msg("%u of kind %d: %#llx, expected %#llx (a %#llx, b %#llx, c %#llx)", op, kind,
             (unsigned long long)bed->d[l], (unsigned long long)expected,
             (unsigned long long)bed->a[l], (unsigned long long)bed->b[l],
             (unsigned long long)bed->c[l]);
}
