/* SPDX-License-Identifier: Apache-2.0 */
/* How many calls the validator follows: those that each function reaches, and each entry point once
 * more. */
#include "passes/analysis/calls.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* %30 calls %20 twice, which calls %10: 3 calls from %30, 1 from %20. */
static const char chain[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%s"
    "%%1 = OpTypeVoid\n%%2 = OpTypeFunction %%1\n"
    "%%10 = OpFunction %%1 None %%2\n%%11 = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%%20 = OpFunction %%1 None %%2\n%%21 = OpLabel\n%%22 = OpFunctionCall %%1 %%10\n"
    "OpReturn\nOpFunctionEnd\n"
    "%%30 = OpFunction %%1 None %%2\n%%31 = OpLabel\n%%32 = OpFunctionCall %%1 %%20\n"
    "%%33 = OpFunctionCall %%1 %%20\nOpReturn\nOpFunctionEnd\n";

static void check(const char *entries, uint64_t calls) {
  char text[2048];
  SrHeap heap = {0};
  snprintf(text, sizeof text, chain, entries);
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  const SrModule *m = assembled(&arena, text);
  assert_true(sr_calls_exceed(&arena, m, calls - 1));
  assert_false(sr_calls_exceed(&arena, m, calls));
  sr_heap_free_all(&heap);
}

static void calls_of_functions_and_entry_points(void **state) {
  (void)state;
  check("", 1 + 3);
  check("OpEntryPoint GLCompute %30 \"a\"\n", 4 + 3);
  check("OpEntryPoint GLCompute %30 \"a\"\nOpEntryPoint GLCompute %20 \"b\"\n"
        "OpEntryPoint GLCompute %30 \"c\"\n",
        4 + 3 + 1 + 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls_of_functions_and_entry_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
