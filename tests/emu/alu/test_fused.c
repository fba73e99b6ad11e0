/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of fused instructions (alu_fused.c), compared with the handlers of these instructions
 * one after the other; and the lanes that comparisons put in `yes`, compared with their rows. */
#include "tests/emu/alu/alu_bed.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 7, ROW_BYTES = 4 * ALU_LANES };
enum { A, B, C, E, T, U, D }; /* rows */

static const SpvOp ops[] = {SpvOpIAdd,
                            SpvOpISub,
                            SpvOpIMul,
                            SpvOpShiftRightLogical,
                            SpvOpShiftLeftLogical,
                            SpvOpBitwiseOr,
                            SpvOpBitwiseXor,
                            SpvOpBitwiseAnd,
                            SpvOpFAdd,
                            SpvOpFSub,
                            SpvOpFMul};
enum { OPS = sizeof ops / sizeof *ops };

typedef struct Bench {
  AluBed bed;
  uint8_t file[ROWS * ROW_BYTES];
  uint32_t rows[1], on_row[ALU_LANES];
  EmuProgram program;
  EmuLanes s;
} Bench;

static void fill_row(Bench *b, uint32_t row, EmuKind kind) {
  uint64_t lanes[ALU_LANES];
  alu_fill(&b->bed, lanes, kind);
  for (uint32_t l = 0; l < ALU_LANES; l++)
    memcpy(b->file + row * ROW_BYTES + 4 * l, &lanes[l], 4);
}

static uint32_t lane(const Bench *b, uint32_t row, uint32_t l) {
  uint32_t bits;
  memcpy(&bits, b->file + row * ROW_BYTES + 4 * l, 4);
  return bits;
}

static Bench *bench_new(uint64_t seed, uint32_t width, EmuKind kind) {
  Bench *b = calloc(1, sizeof *b);
  b->bed.seed = seed;
  b->rows[0] = E * ROW_BYTES;
  b->program.rows.at = b->rows;
  b->program.rows.count = 1;
  b->s = (EmuLanes){.file = b->file,
                    .width = width,
                    .size = width,
                    .words = 1,
                    .on_row = b->on_row,
                    .program = &b->program};
  for (uint32_t row = A; row <= D; row++)
    fill_row(b, row, kind);
  for (uint32_t l = 0; l < width; l++)
    b->on_row[l] = alu_random(&b->bed) & 1 ? UINT32_MAX : 0;
  return b;
}

static void run(Bench *b, EmuHandler *handler, uint32_t d, uint32_t a, uint32_t other, uint32_t c) {
  EmuIns ins = {.run = handler,
                .d = d * ROW_BYTES,
                .a = a * ROW_BYTES,
                .b = other * ROW_BYTES,
                .c = c * ROW_BYTES};
  handler(&b->s, &ins);
}

static void expect_rows(const Bench *b, EmuKind kind, uint32_t row, uint32_t expected,
                        const char *what, SpvOp first, SpvOp second) {
  for (uint32_t l = 0; l < b->s.width; l++) {
    uint32_t got = lane(b, row, l), wanted = lane(b, expected, l);
    if (got != wanted && !(alu_is_nan(got, kind) && alu_is_nan(wanted, kind)))
      fail_msg("%s of %u and %u, lane %u: %#x, expected %#x", what, first, second, l, got, wanted);
  }
}

static bool is_real(SpvOp op) {
  return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul;
}

static void check_pair(const EmuIsa *isa, uint64_t seed, uint32_t width, SpvOp first, SpvOp second,
                       bool right) {
  EmuKind kind = is_real(first) ? EMU_F32 : EMU_U32;
  EmuHandler *pair = isa->pair(first, second, kind, right);
  assert_null(isa->pair(first, second, kind == EMU_U32 ? EMU_F32 : EMU_U32, right));
  if (is_real(first) != is_real(second)) {
    assert_null(pair);
    return;
  }
  assert_non_null(pair);
  Bench *b = bench_new(seed, width, kind);
  run(b, isa->alu(first, kind), T, A, B, A);
  run(b, isa->alu(second, kind), U, right ? C : T, right ? T : C, A);
  run(b, pair, D, A, B, C);
  expect_rows(b, kind, D, U, "pair", first, second);
  run(b, pair, A, A, B, C); /* overwriting its operand */
  expect_rows(b, kind, A, U, "pair in place", first, second);
  free(b);
}

static void check_products(const EmuIsa *isa, uint64_t seed, uint32_t width, SpvOp product,
                           SpvOp sum) {
  EmuKind kind = is_real(product) ? EMU_F32 : EMU_U32;
  EmuHandler *products = isa->products(product, sum, kind);
  bool multiplies = product == SpvOpIMul || product == SpvOpFMul;
  bool adds = is_real(product) ? sum == SpvOpFAdd || sum == SpvOpFSub
                               : sum == SpvOpIAdd || sum == SpvOpISub;
  assert_int_equal(products != NULL, multiplies && adds);
  if (!products)
    return;
  Bench *b = bench_new(seed, width, kind);
  run(b, isa->alu(product, kind), T, A, B, A);
  run(b, isa->alu(product, kind), U, C, E, A);
  run(b, isa->alu(sum, kind), T, T, U, A);
  run(b, products, D, A, B, C);
  expect_rows(b, kind, D, T, "products", product, sum);
  free(b);
}

static void check_on(const EmuIsa *isa, uint64_t seed, uint32_t width, SpvOp op) {
  EmuKind kind = is_real(op) ? EMU_F32 : EMU_U32;
  Bench *b = bench_new(seed, width, kind);
  memcpy(b->file + U * ROW_BYTES, b->file + D * ROW_BYTES, ROW_BYTES);
  run(b, isa->alu(op, kind), T, A, B, A);
  run(b, isa->move_on[4], U, T, A, A);
  assert_non_null(isa->alu_on(op, kind));
  run(b, isa->alu_on(op, kind), D, A, B, A);
  expect_rows(b, kind, D, U, "move", op, op);
  free(b);
}

static void check_yes(const EmuIsa *isa, uint64_t seed, uint32_t width, SpvOp op, EmuKind kind) {
  Bench *b = bench_new(seed, width, kind);
  b->s.yes.w[0] = alu_random(&b->bed);
  run(b, isa->alu(op, kind), D, A, B, A);
  for (uint32_t l = 0; l < width; l++)
    assert_int_equal(b->s.yes.w[0] >> l & 1, lane(b, D, l) & 1);
  free(b);
}

static void check_all(const EmuIsa *isa, uint64_t seed, uint32_t width) {
  for (uint32_t i = 0; i < OPS; i++) {
    check_on(isa, seed, width, ops[i]);
    for (uint32_t k = 0; k < OPS; k++) {
      check_pair(isa, seed, width, ops[i], ops[k], false);
      check_pair(isa, seed, width, ops[i], ops[k], true);
      check_products(isa, seed, width, ops[i], ops[k]);
    }
  }
  for (uint32_t op = SpvOpIEqual; op <= SpvOpSLessThanEqual; op++)
    check_yes(isa, seed, width, (SpvOp)op, EMU_U32);
  for (uint32_t op = SpvOpFOrdEqual; op <= SpvOpFUnordGreaterThanEqual; op++)
    check_yes(isa, seed, width, (SpvOp)op, EMU_F32);
}

static void test_all(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  for (uint32_t i = 0; emu_isa_at(i); i++)
    for (uint32_t round = 0; round < 20; round++)
      check_all(emu_isa_at(i), seed + round, round % 2 ? EMU_CHUNK : 2 * EMU_CHUNK);
}

static void test_what_there_is_not(void **state) {
  (void)state;
  assert_null(emu_isa()->alu_on(SpvOpIAdd, EMU_U64));
  assert_null(emu_isa()->alu_on(SpvOpUDiv, EMU_U32));
  assert_null(emu_isa()->pair(SpvOpUDiv, SpvOpIAdd, EMU_U32, false));
  assert_null(emu_isa()->pair(SpvOpIAdd, SpvOpUDiv, EMU_U32, false));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_what_there_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
