/* SPDX-License-Identifier: Apache-2.0 */
/* Which phis are copies: a set of phis in two loops that only one value enters, one that a second
 * value enters, phis of equal operands, and phis that a constant enters. */
#include "passes/analysis/uniform/phi_copies.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

/* %30 and %31 carry %20, %32 and %33 too, but for %21 in %33; %34 and %35 carry 0. */
static const char text[] = "OpCapability Shader\nOpCapability Linkage\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "%1 = OpTypeVoid\n%2 = OpTypeInt 32 0\n%3 = OpTypeBool\n"
                           "%4 = OpTypeFunction %1 %2 %3\n%5 = OpConstant %2 0\n"
                           "%6 = OpFunction %1 None %4\n"
                           "%20 = OpFunctionParameter %2\n%7 = OpFunctionParameter %3\n"
                           "%10 = OpLabel\n"
                           "%21 = OpIAdd %2 %20 %20\n"
                           "OpBranch %11\n"
                           "%11 = OpLabel\n" /* the outer header */
                           "%30 = OpPhi %2 %20 %10 %31 %14\n"
                           "%32 = OpPhi %2 %20 %10 %33 %14\n"
                           "%34 = OpPhi %2 %5 %10 %35 %14\n"
                           "OpBranchConditional %7 %12 %13\n"
                           "%12 = OpLabel\n"
                           "OpBranch %14\n"
                           "%13 = OpLabel\n"
                           "OpBranch %14\n"
                           "%14 = OpLabel\n" /* the inner loop */
                           "%31 = OpPhi %2 %30 %12 %20 %13 %31 %15\n"
                           "%33 = OpPhi %2 %32 %12 %21 %13 %33 %15\n"
                           "%35 = OpPhi %2 %34 %12 %34 %13 %35 %15\n"
                           "OpBranchConditional %7 %15 %11\n"
                           "%15 = OpLabel\n"
                           "OpBranch %14\n"
                           "OpFunctionEnd\n";

static void sets_of_phis(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const uint32_t *copies = sr_phi_copies(&arena, assembled(&arena, text));
  assert_int_equal(copies[30], 20);
  assert_int_equal(copies[31], 20);
  assert_int_equal(copies[32], 32);
  assert_int_equal(copies[33], 33);
  assert_int_equal(copies[34], 5);
  assert_int_equal(copies[35], 5);
  assert_int_equal(copies[20], 20);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_of_phis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
