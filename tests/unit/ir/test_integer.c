/* SPDX-License-Identifier: Apache-2.0 */
/* Integer constants and OpSwitch literals of every width: the values of their words, whether these
 * are sign-extended, zero-extended, or neither. */
#include "passes/ir/integer.h"
#include "passes/ir/reader.h"
#include "tests/unit/unit.h"

typedef struct World {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
  SrModule *m;
} World;

enum { U8 = 1, S8, S16, U32, S32, U64, S64, F32, FIRST_CONSTANT };

/* The types above. */
static const uint32_t head[] = {
    0x07230203,
    0x00010300,
    0,
    64,
    0,
    0x00020011,
    SpvCapabilityKernel,
    0x0003000e,
    SpvAddressingModelPhysical64,
    SpvMemoryModelOpenCL,
    0x00040015,
    U8,
    8,
    0,
    0x00040015,
    S8,
    8,
    1,
    0x00040015,
    S16,
    16,
    1,
    0x00040015,
    U32,
    32,
    0,
    0x00040015,
    S32,
    32,
    1,
    0x00040015,
    U64,
    64,
    0,
    0x00040015,
    S64,
    64,
    1,
    0x00030016,
    F32,
    32,
};

typedef struct Case {
  uint32_t type, words[2];
  uint64_t bits;
  int64_t value;
  uint32_t width;
} Case;

static const Case cases[] = {
    {U8, {255}, 255, -1, 8},
    {U8, {UINT32_MAX}, 255, -1, 8}, /* sign-extended, against the rule */
    {S8, {UINT32_MAX}, 255, -1, 8},
    {S8, {0x80}, 128, -128, 8}, /* not sign-extended, against the rule */
    {S8, {127}, 127, 127, 8},
    {S16, {0xffff8000}, 0x8000, -32768, 16},
    {U32, {UINT32_MAX}, UINT32_MAX, -1, 32},
    {S32, {0x80000000}, 0x80000000, INT32_MIN, 32},
    {U64, {3, 1}, 0x100000003, 0x100000003, 64},
    {S64, {UINT32_MAX, UINT32_MAX}, UINT64_MAX, -1, 64},
    {U64, {0, 0x80000000}, 0x8000000000000000, INT64_MIN, 64},
};

enum { CASES = sizeof cases / sizeof *cases, A_FLOAT = FIRST_CONSTANT + CASES };

static void open_world(World *w) {
  uint32_t words[sizeof head / sizeof *head + 5 * CASES + 4], n = sizeof head / sizeof *head;
  *w = (World){0};
  memcpy(words, head, sizeof head);
  for (uint32_t i = 0; i < CASES; i++) {
    bool wide = cases[i].width == 64;
    words[n++] = (wide ? 5u : 4u) << 16 | SpvOpConstant;
    words[n++] = cases[i].type;
    words[n++] = FIRST_CONSTANT + i;
    words[n++] = cases[i].words[0];
    if (wide)
      words[n++] = cases[i].words[1];
  }
  words[n++] = 4u << 16 | SpvOpConstant;
  words[n++] = F32;
  words[n++] = A_FLOAT;
  words[n++] = 1;
  sr_heap_init(&w->heap);
  w->arena = sr_arena_new(&w->heap);
  assert_int_equal(sr_read(&w->arena, &w->diag, words, n, &w->m), SR_OK);
}

static void of_every_width(void **state) {
  (void)state;
  World w;
  open_world(&w);
  for (uint32_t i = 0; i < CASES; i++) {
    const Case *c = &cases[i];
    SrInteger constant, read;
    assert_true(sr_integer_constant(w.m, FIRST_CONSTANT + i, &constant));
    assert_true(sr_integer_read(w.m, c->type, c->words, &read));
    assert_int_equal(constant.bits, c->bits);
    assert_int_equal(read.bits, c->bits);
    assert_int_equal(constant.width, c->width);
    assert_int_equal(sr_integer_signed(constant), c->value);
    assert_int_equal(constant.is_signed,
                     c->type == S8 || c->type == S16 || c->type == S32 || c->type == S64);
  }
  sr_heap_free_all(&w.heap);
}

static void no_integers(void **state) {
  (void)state;
  World w;
  SrInteger i;
  open_world(&w);
  assert_false(sr_integer_constant(w.m, A_FLOAT, &i));
  assert_false(sr_integer_constant(w.m, U32, &i));
  assert_false(sr_integer_constant(w.m, 60, &i)); /* has no definition */
  assert_int_equal(sr_integer_width(w.m, F32), 0);
  sr_heap_free_all(&w.heap);
}

static void cuts(void **state) {
  (void)state;
  assert_int_equal(sr_integer_cut(3 - (uint64_t)5, 8), 254);
  assert_int_equal(sr_integer_cut(3 - (uint64_t)5, 16), 65534);
  assert_int_equal(sr_integer_cut(3 - (uint64_t)5, 64), UINT64_MAX - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_every_width),
      cmocka_unit_test(no_integers),
      cmocka_unit_test(cuts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
