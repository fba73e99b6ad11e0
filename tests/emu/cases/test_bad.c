/* SPDX-License-Identifier: Apache-2.0 */
/* Modules that the emulator must refuse, or run to an end: tests/emu/bad. The first line of each
 * has the message of loading or of the result ("; EXPECT:" without text: the module runs). All run
 * without bindings, as the largest dispatch that Vulkan allows, for 20,000 issues. */
#include "tests/unit/unit.h"

#include <glob.h>
#include <spirv-tools/libspirv.h>
#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512, GROUPS = 65535, ISSUES = 20000 };

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  size_t size = (size_t)ftell(f);
  rewind(f);
  char *text = calloc(1, size + 1);
  assert_int_equal(fread(text, 1, size, f), size);
  fclose(f);
  return text;
}

static void run(const spv_emu_program *program, char *message) {
  const spv_emu_run_options options = {.groups = {GROUPS, GROUPS, GROUPS}, .max_issues = ISSUES};
  spv_emu_result *result;
  if (spv_emu_run(program, &options, &result, message, MESSAGE) != SPV_EMU_OK)
    return;
  memcpy(message, result->message, sizeof result->message);
  spv_emu_result_free(result);
}

static void load_and_run(const uint32_t *words, size_t count, char *message) {
  const spv_emu_load_options options = {.subgroup_size = 32};
  spv_emu_program *program;
  if (spv_emu_load(words, count, &options, &program, message, MESSAGE) != SPV_EMU_OK)
    return;
  run(program, message);
  spv_emu_free(program);
}

static bool is_as_expected(const char *path) {
  char *text = read_text(path), message[MESSAGE], expected[MESSAGE];
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_binary binary = NULL;
  assert_int_equal(spvTextToBinary(context, text, strlen(text), &binary, NULL), SPV_SUCCESS);
  load_and_run(binary->code, binary->wordCount, message);
  snprintf(expected, sizeof expected, "; EXPECT:%s%s\n", *message ? " " : "", message);
  bool same = strncmp(text, expected, strlen(expected)) == 0;
  if (!same)
    fprintf(stderr, "%s: %s\n", path, message);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  free(text);
  return same;
}

static void all_files(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob("tests/emu/bad/*.spvasm", 0, NULL, &files), 0);
  size_t wrong = 0;
  for (size_t i = 0; i < files.gl_pathc; i++)
    wrong += !is_as_expected(files.gl_pathv[i]);
  globfree(&files);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
