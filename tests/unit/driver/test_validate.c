/* SPDX-License-Identifier: Apache-2.0 */
/* If Vulkan refuses an output that SPIR-V allows, is that the input's error (then a notice says so,
 * and the output is written) or the transform's (even if the validator names an instruction that
 * the input has)? */
#include "passes/driver/validate.h"
#include "passes/ir/reader.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#define HEAD                                                                                       \
  "OpCapability Shader\n"                                                                          \
  "OpMemoryModel Logical GLSL450\n"                                                                \
  "OpEntryPoint GLCompute %1 \"main\"\n"
#define SIZE "OpExecutionMode %1 LocalSize 1 1 1\n"
#define TAIL                                                                                       \
  "%2 = OpTypeVoid\n"                                                                              \
  "%3 = OpTypeFunction %2\n"                                                                       \
  "%1 = OpFunction %2 None %3\n"                                                                   \
  "%4 = OpLabel\n"                                                                                 \
  "OpReturn\n"                                                                                     \
  "OpFunctionEnd\n"

static void count(void *user, const char *line) {
  (void)line;
  ++*(size_t *)user;
}

static SrStatus judge(const char *input, const char *output, size_t *notices) {
  SrHeap heap = {0};
  SrDiag diag = {.notice = count, .user = notices};
  spv_binary in = assembled_words(SPV_ENV_UNIVERSAL_1_3, input);
  spv_binary out = assembled_words(SPV_ENV_UNIVERSAL_1_3, output);
  SrModule *m = NULL;
  *notices = 0;
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  assert_int_equal(sr_read(&arena, &diag, out->code, out->wordCount, &m), SR_OK);
  const SrValidation v = {.env = SPV_ENV_VULKAN_1_1,
                          .at_most = SPV_ENV_UNIVERSAL_1_3,
                          .words = out->code,
                          .count = out->wordCount,
                          .input = in->code,
                          .input_count = in->wordCount};
  SrStatus status = sr_validate(m, &v);
  spvBinaryDestroy(in);
  spvBinaryDestroy(out);
  sr_heap_free_all(&heap);
  return status;
}

static void test_fault(void **state) {
  (void)state;
  size_t notices;
  assert_int_equal(judge(HEAD SIZE TAIL, HEAD SIZE TAIL, &notices), SR_OK);
  assert_int_equal(notices, 0);
  assert_int_equal(judge(HEAD TAIL, HEAD TAIL, &notices), SR_OK);
  assert_int_equal(notices, 1);
  assert_int_equal(judge(HEAD SIZE TAIL, HEAD TAIL, &notices), SR_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fault)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
