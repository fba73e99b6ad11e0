/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of an assembly text, by the words of the module that it becomes. */
#include "passes/source/source_text.h"
#include "tests/unit/unit.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

/* Line 1 is a comment; names in strings and comments, and operands that begin with Op, count as no
 * instruction; an instruction may take several lines, or share one. */
static const char text[] = "; OpNop OpReturn\n"
                           "OpCapability Kernel OpCapability Linkage\n"
                           "OpCapability OptNoneINTEL\n"
                           "OpExtension \"OpName \\\" OpKill\"\n"
                           "\n"
                           "%1 = OpString\n"
                           "  \"two\nOpLines\" ; OpNop\n"
                           "OpMemoryModel Logical\n"
                           "  OpenCL\n"
                           "%2 =\n"
                           "  OpTypeVoid";
/* The lines of three OpCapability, OpExtension, OpString, OpMemoryModel, OpTypeVoid. */
static const uint32_t lines[] = {2, 2, 3, 4, 6, 9, 12};

static void lines_of_words(void **state) {
  (void)state;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_binary made = NULL;
  assert_int_equal(spvTextToBinary(context, text, strlen(text), &made, NULL), SPV_SUCCESS);
  const SrSourceText s = {text, strlen(text), made->code, made->wordCount};
  uint32_t at = 5;
  for (uint32_t word = 0; word < at; word++)
    assert_int_equal(sr_source_text_line(&s, word), 0);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    assert_true(at < made->wordCount);
    assert_int_equal(sr_source_text_line(&s, at), lines[i]);
    if (made->code[at] >> 16 > 1)
      assert_int_equal(sr_source_text_line(&s, at + 1), 0); /* inside of an instruction */
    at += made->code[at] >> 16;
  }
  assert_int_equal(at, made->wordCount);
  assert_int_equal(sr_source_text_line(&s, at), 0);

  char message[64];
  snprintf(message, sizeof message, "%%2 (word 5) is wrong (word %u, a.cl:7)", at - 2);
  sr_source_text_place(&s, message, sizeof message);
  assert_string_equal(message, "%2 (word 5) is wrong (line 12, a.cl:7)");
  snprintf(message, sizeof message, "id bound 0 (word 3)");
  sr_source_text_place(&s, message, sizeof message);
  assert_string_equal(message, "id bound 0 (word 3)");
  snprintf(message, sizeof message, "no place");
  sr_source_text_place(&s, message, sizeof message);
  assert_string_equal(message, "no place");
  spvBinaryDestroy(made);
  spvContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
